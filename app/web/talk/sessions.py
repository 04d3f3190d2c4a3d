"""What each browser asked and was told, what is being answered, and the pages that follow it."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from app.chat.save import Exchange
from app.errors import BadRequestError
from app.sentences import Language

if TYPE_CHECKING:
    from markupsafe import Markup
    from pydantic_ai.models import Model

    from app.chat.ask.concat import Block
    from app.chat.conversation import Conversation
    from app.dependencies import ProposedWrite
    from app.vault.client import VaultClient
    from app.web.talk.citations import Source

Mode = Literal["ask", "chat"]
State = Literal["running", "done", "failed", "stopped", "cut"]
Outcome = Literal["asked", "approved", "refused", "expired", "gone"]
Event = tuple["PageTurn", str, object]
"""What the pages that follow are told of a turn: ``step``, ``said``, ``asked``, ``decided`` or ``end``, and
of what."""

APPROVAL_SECONDS = 300.0
"""How long a proposed write waits for a person, in seconds; then it is refused."""
MOST_UNREAD = 2000
"""Events that a page may leave unread; then it is told no more, and has to ask anew."""
MOST_SESSIONS = 32
MOST_TURNS = 50
"""Turns that one browser is shown again; the oldest goes first."""


@dataclass(slots=True)
class Proposal:
    """A write that waits for a person's word, and what became of it."""

    id: str
    change: "ProposedWrite"
    outcome: Outcome = "asked"


@dataclass(frozen=True, slots=True)
class Step:
    """A call of a tool: what is done, as one short line in each language."""

    words: Mapping[Language, str]


@dataclass(frozen=True, slots=True)
class SentTo:
    """How many texts one model was sent; ``is_here`` where it runs on this machine."""

    model: str
    count: int
    is_here: bool


@dataclass(slots=True)
class PageTurn:
    """A question, what was done about it, and its answer."""

    number: int
    mode: Mode
    question: str
    trace_id: str
    state: State = "running"
    steps: list[Step] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    answer: str = ""
    """HTML that was sanitised, with links to the numbers of the places in ``sources``."""
    sources: tuple["Source", ...] = ()
    text: str = ""
    """The same as Markdown: of `ask` the whole document, as every surface gives it; of a turn that ended
    early, what was said by then."""
    overview: str = ""
    """The Markdown of ``answer``."""
    answering: tuple[str, ...] = ()
    """Parts of its quotations that most likely say it, as they stand in the notes."""
    blocks: tuple["Block", ...] = ()
    remarks: tuple[str, ...] = ()
    error: str = ""
    hint: str = ""
    writes: tuple[tuple[str, str, str], ...] = ()
    """Of a turn that was kept: operation, path and outcome of what it proposed to write."""
    sent: tuple["SentTo", ...] | None = None
    """What left for which models; None where that was not noted."""
    when: datetime = field(default_factory=datetime.now)
    rules: str = ""
    """What the vault excluded when it was answered."""
    language: Language = "en"
    """That of the page that asked."""
    is_hidden: bool = False
    """Whether the vault excludes other notes by now: what the answer rests on may be among them."""

    def exchange(self) -> Exchange:
        """Return what was asked, and the answer: of the search agent its overview."""
        return Exchange(self.question, self.overview, self.when)

    def numbered(self, label: Callable[["Source"], str], language: Language = "en") -> "Markup":
        """Return the answer with its places as numbers; ``label`` says in words what one leads to."""
        from app.web.talk.citations import show_numbers

        return show_numbers(self.answer, self.sources, label, language)


@dataclass
class Session:
    """One browser's turns, its conversation, and what it is asked at the moment.

    A turn that runs belongs to the session: pages follow it, and it goes on when they leave.
    """

    turns: deque[PageTurn] = field(default_factory=lambda: deque(maxlen=MOST_TURNS))
    conversation: "Conversation | None" = None
    running: PageTurn | None = None
    work: "asyncio.Task[None] | None" = None
    listeners: set[asyncio.Queue[Event | None]] = field(default_factory=set)
    """Of each page that follows; None tells it that it fell behind."""
    talk: str = ""
    """The name under which its turns are kept; empty where nothing was asked yet."""
    left: str = ""
    """The state in which the talk was written down last; another one was left by another browser."""
    messages: list[dict[str, object]] = field(default_factory=list)
    """What a model was told before, of a talk that is gone on with; in the form of pydantic-ai's JSON."""
    waiting: dict[str, "asyncio.Future[bool]"] = field(default_factory=dict)
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a person is asked: one write at a time."""
    rules: str = ""
    """What the vault excluded when ``messages`` were said."""
    saved: set[str] = field(default_factory=set)
    """The writes by which its chat became a note, as the journal calls them."""
    count: int = 0

    def hide(self, rules: str) -> None:
        """Hide answers that were given when the vault excluded other notes than by ``rules``."""
        for turn in self.turns:
            turn.is_hidden = turn.rules != rules

    def who_answers(self, question: str, *, by_model: bool) -> Mode:
        """Decide who answers: without a language model, and of the first question, the search agent.

        A language model that was asked something goes on itself: it has what was said, and can search.

        Args:
            question: What is asked.
            by_model: Whether a language model answers.
        """
        is_first = not any(turn.state == "done" for turn in self.turns)
        return "chat" if by_model and not (is_first and question.rstrip().endswith("?")) else "ask"

    def begin(
        self, mode: Mode, question: str, trace_id: str, rules: str = "", language: Language = "en"
    ) -> PageTurn:
        """Start a turn, while the vault excludes notes by ``rules``.

        Args:
            mode: Who answers.
            question: What is asked.
            trace_id: Names the turn in logs and in the journal.
            rules: What the vault excludes.
            language: That of the page.

        Raises:
            BadRequestError: the question is empty, or another one is being answered.
        """
        if not question.strip():
            raise BadRequestError("the question is empty", "ask something")
        if self.running is not None:
            raise BadRequestError(
                "another question is being answered", "wait for it or stop it; it may be in another tab"
            )
        self.count += 1
        self.running = PageTurn(self.count, mode, question.strip(), trace_id, rules=rules, language=language)
        self.turns.append(self.running)
        return self.running

    def end(self, turn: PageTurn) -> None:
        """End a turn, whatever has become of it; what was not decided is refused."""
        if self.running is not turn:
            return
        if turn.state == "running":
            turn.state = "stopped"
        for proposal in turn.proposals:
            if proposal.outcome == "asked":
                proposal.outcome = "gone"
        self.running = self.work = None
        self.waiting.clear()

    def tell(self, turn: PageTurn, name: str, value: object) -> None:
        """Tell every page that follows of what happened in a turn."""
        for queue in list(self.listeners):
            if queue.qsize() < MOST_UNREAD:
                queue.put_nowait((turn, name, value))
            else:
                self.listeners.discard(queue)
                queue.put_nowait(None)

    def decide(self, name: str, *, approved: bool) -> None:
        """Take a person's word on a write.

        Raises:
            BadRequestError: nobody waits for it any more.
        """
        future = self.waiting.get(name)
        if future is None or future.done():
            raise BadRequestError("this change is not waiting for an answer any more", "ask for it again")
        future.set_result(approved)

    def stop(self) -> None:
        """Stop the answer that is under way, if there is one."""
        if self.work is not None:
            self.work.cancel()

    async def forget(self) -> None:
        """Start afresh; an answer under way is stopped, and kept as far as it came."""
        work = self.work
        self.stop()
        if work is not None:
            await asyncio.wait([work])
        self.turns.clear()
        self.conversation, self.talk, self.left, self.messages = None, "", "", []

    def exchanges(self) -> list[Exchange]:
        """Return what was asked and answered, as far as it was said whole and may be shown."""
        return [turn.exchange() for turn in self._said()]

    def last_said(self) -> PageTurn:
        """Return the last turn that was said whole; there has to be one."""
        return self._said()[-1]

    def _said(self) -> list[PageTurn]:
        return [turn for turn in self.turns if turn.state == "done" and not turn.is_hidden]

    def turn(self, number: int) -> PageTurn | None:
        """Return a turn by its number."""
        return next((turn for turn in self.turns if turn.number == number), None)


@dataclass
class Talk:
    """Who answers, and the sessions of all browsers.

    Beyond `MOST_SESSIONS` the session that was idle longest is forgotten.
    """

    vault: "VaultClient"
    chat_model: "Model | None" = None
    """Answers in the chat; without it the model of the settings, else the offline assistant."""
    ask_model: "Model | None" = None
    approval_seconds: float = APPROVAL_SECONDS
    sessions: OrderedDict[str, Session] = field(default_factory=OrderedDict)

    def session(self, key: str) -> Session:
        """Return the session of a browser by what its cookie holds; a new one where there is none yet."""
        session = self.sessions.get(key)
        if session is None:
            idle = [name for name, each in self.sessions.items() if each.running is None]
            for name in idle[: max(len(self.sessions) + 1 - MOST_SESSIONS, 0)]:
                del self.sessions[name]
            session = self.sessions[key] = Session()
        self.sessions.move_to_end(key)
        return session
