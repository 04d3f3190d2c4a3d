"""What each browser asked and was told: in memory only, and no more of it than a person scrolls through."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from app.errors import BadRequestError

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from app.chat.ask.concat import Block
    from app.chat.conversation import Conversation
    from app.vault.client import VaultClient
    from app.web.talk.worddiff import ShownChange

Mode = Literal["ask", "chat"]
State = Literal["running", "done", "failed", "stopped"]
Outcome = Literal["asked", "approved", "refused", "expired", "gone"]
Emit = Callable[[str, object], None]

APPROVAL_SECONDS = 300.0
"""How long a proposed write waits for a person, in seconds; then it is refused."""
MOST_SESSIONS = 32
MOST_TURNS = 50
"""Turns that one browser is shown again; the oldest goes first."""


@dataclass(slots=True)
class Proposal:
    """A write that waits for a person's word, and what became of it."""

    id: str
    operation: str
    path: str
    change: "ShownChange"
    outcome: Outcome = "asked"


@dataclass(slots=True)
class PageTurn:
    """A question, what was done about it, and its answer."""

    number: int
    mode: Mode
    question: str
    trace_id: str
    state: State = "running"
    steps: list[str] = field(default_factory=list)
    """Calls of tools, each as one short line."""
    proposals: list[Proposal] = field(default_factory=list)
    answer: str = ""
    """HTML that was sanitised."""
    text: str = ""
    """The same as Markdown: of `ask` the whole document, as every surface gives it."""
    blocks: tuple["Block", ...] = ()
    remarks: tuple[str, ...] = ()
    error: str = ""
    hint: str = ""


@dataclass
class Session:
    """One browser's turns, its conversation, and what it is asked at the moment."""

    turns: deque[PageTurn] = field(default_factory=lambda: deque(maxlen=MOST_TURNS))
    conversation: "Conversation | None" = None
    running: PageTurn | None = None
    work: "asyncio.Task[None] | None" = None
    emit: Emit | None = None
    """Tells the page that listens; None where there is none."""
    waiting: dict[str, "asyncio.Future[bool]"] = field(default_factory=dict)
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a person is asked: one write at a time."""
    count: int = 0

    def begin(self, mode: Mode, question: str, trace_id: str) -> PageTurn:
        """Start a turn.

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
        self.running = PageTurn(self.count, mode, question.strip(), trace_id)
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
        self.running = self.work = self.emit = None
        self.waiting.clear()

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

    def forget(self) -> None:
        """Start afresh; an answer under way is stopped."""
        self.stop()
        self.turns.clear()
        self.conversation = None

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
