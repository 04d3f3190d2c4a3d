"""Answer one turn: by the search agent, or in the conversation; the agent library is imported here."""

import asyncio
import secrets
from collections.abc import Callable, Sequence

from pydantic import ValidationError
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.models import Model

from app.bootstrap import new_trace_id
from app.chat.agent import as_turn
from app.chat.ask.answer import ask_async, model_for
from app.chat.ask.concat import Document, remark
from app.chat.cite.names import NamedNotes
from app.chat.conversation import Conversation
from app.chat.history import trim_history
from app.chat.offline.assistant import offline_model
from app.chat.offline.phrases import language_for
from app.dependencies import ChatDependencies, ProposedWrite, logger
from app.errors import VaultError
from app.notices import Notice, NoticeKind
from app.search.searcher import searcher_for
from app.sentences import LANGUAGES, Language, said
from app.vault.client import VaultClient
from app.web.talk.citations import Cited, Source, render_answer, set_out
from app.web.talk.sessions import MOST_TURNS, Outcome, PageTurn, Proposal, Session, Step, Talk

MOST_SECONDS = 1800.0
"""How long a turn may take: nobody has to be there while it is answered, so something else must end it."""
SAID_SECONDS = 0.25
"""How often the pages are shown more of what is said."""


async def answer_turn(talk: Talk, session: Session, turn: PageTurn) -> None:
    """Answer a turn, telling the pages that follow; what goes wrong and what was said by then stay in it.

    Events are ``step`` (a call of a tool), ``said`` (there is more in the turn's answer), ``asked`` and
    ``decided`` (a `Proposal`).
    """

    def step(call: str) -> None:
        turn.steps.append(Step({language: said(call, language) for language in LANGUAGES}))
        session.tell(turn, "step", turn.steps[-1])

    try:
        async with asyncio.timeout(MOST_SECONDS):
            if turn.mode == "ask":
                await _ask(talk, session, turn, step)
            else:
                await _chat(talk, session, turn, step)
        turn.state = "done"
    except asyncio.CancelledError:
        turn.state = "stopped"
        raise
    except VaultError as error:
        turn.state, turn.error, turn.hint = "failed", error.message, error.hint or ""
    except TimeoutError:
        turn.state, turn.error = "failed", "the answer took too long"
        turn.hint = "ask again, or ask for less at a time"
    except Exception:  # noqa: BLE001
        # The answer has begun, so that no other place can say so any more.
        logger.exception("web_turn_failed", extra={"trace_id": turn.trace_id, "mode": turn.mode})
        turn.state, turn.error = "failed", "something went wrong in the program itself"
        turn.hint = "start it with --debug to see what"
    finally:
        if turn.state != "done":
            turn.overview = turn.text
        session.end(turn)


async def _ask(talk: Talk, session: Session, turn: PageTurn, step: Callable[[str], None]) -> None:
    vault = talk.vault
    earlier = [each.question for each in session.turns if each is not turn]
    document = await ask_async(
        vault,
        turn.question,
        model=talk.ask_model,
        trace_id=turn.trace_id,
        tell=step,
        language=language_for(earlier, turn.language),
    )
    _remember(talk, session, turn, document)
    turn.blocks, turn.text = document.blocks, document.text
    turn.remarks = _new_remarks(session, document.remarks)
    turn.overview = document.overview
    turn.answering = tuple(claim.answering for claim in document.claims if claim.answering)
    turn.answer, turn.sources = await asyncio.to_thread(
        shown_text, vault, document.overview, turn.number, turn.answering
    )


def _remember(talk: Talk, session: Session, turn: PageTurn, document: Document) -> None:
    """Let the chat know what the search agent was asked and found."""
    conversation = session.conversation
    before = _remembered(session) if conversation is None else conversation.messages
    if (session.rules if conversation is None else conversation.rules) != turn.rules:
        # What was said when the vault excluded other notes is not sent again.
        before = []
    _keep(talk.vault, session, [*before, *as_turn(turn.question, document, turn.trace_id)], turn.rules)


def _remembered(session: Session) -> list[ModelMessage]:
    """Return what a model was told in a talk that is gone on with."""
    try:
        return ModelMessagesTypeAdapter.validate_python(session.messages)
    except ValidationError as error:
        # Of another version of the library: the talk goes on, and the model begins anew.
        logger.warning("talk_not_remembered", extra={"error": str(error)})
        return []


def _keep(vault: VaultClient, session: Session, messages: Sequence[ModelMessage], rules: str) -> None:
    """Keep what a model is told when the talk goes on, said when the vault excluded notes by ``rules``."""
    kept = trim_history(messages, vault.settings.history_chars)
    if session.conversation is not None:
        session.conversation.messages, session.conversation.rules = kept, rules
    session.messages, session.rules = ModelMessagesTypeAdapter.dump_python(kept, mode="json"), rules


def _new_remarks(session: Session, remarks: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out that the offline assistant answers where the talk has said so."""
    offline = _offline_remarks()
    if not any(offline.intersection(each.remarks) for each in session.turns):
        return remarks
    return tuple(each for each in remarks if each not in offline)


def _offline_remarks() -> set[str]:
    """Return what says in either language that the offline assistant answers."""
    return {remark(Notice(NoticeKind.OFFLINE), language) for language in LANGUAGES}


def without_signature(text: str) -> str:
    """Return an answer without saying that the offline assistant gave it."""
    for each in _offline_remarks():
        text = text.replace(f"\n{each}\n", "\n", 1)
    return text


async def _chat(talk: Talk, session: Session, turn: PageTurn, step: Callable[[str], None]) -> None:
    vault = talk.vault
    if session.conversation is None:
        model = talk.chat_model
        if model is None:
            model = await asyncio.to_thread(_chat_model, vault, turn.language)

        async def approve(change: ProposedWrite) -> bool:
            return await _approved(session, change, talk.approval_seconds)

        session.conversation = Conversation(
            ChatDependencies(vault, new_trace_id(), vault.settings.writes, approve, turn.language),
            model,
            _remembered(session),
            rules=session.rules or turn.rules,
        )
        session.conversation.exchanges = session.exchanges()
    conversation = session.conversation
    more = asyncio.Event()

    def say(text: str) -> None:
        turn.text += text
        more.set()

    showing = asyncio.create_task(_show_as_it_comes(vault, session, turn, more))
    try:
        turn.text = await conversation.ask(turn.question, say, step, trace_id=turn.trace_id)
        showing.cancel()
        turn.answer, turn.sources = await asyncio.to_thread(shown_text, vault, turn.text, turn.number)
    finally:
        showing.cancel()
    del conversation.exchanges[:-MOST_TURNS]
    _keep(vault, session, conversation.messages, conversation.rules)
    turn.overview = turn.text


async def _show_as_it_comes(
    vault: VaultClient, session: Session, turn: PageTurn, more: asyncio.Event
) -> None:
    """Tell the pages what was said so far, as HTML, whenever there is more, but not too often."""
    notes: NamedNotes | None = None
    while True:
        await more.wait()
        more.clear()
        # What the vault holds is looked at once while one answer comes.
        if notes is None:
            notes = await asyncio.to_thread(NamedNotes, vault)
        turn.answer, turn.sources = await asyncio.to_thread(_shown, turn.text, notes, turn.number)
        session.tell(turn, "said", None)
        await asyncio.sleep(SAID_SECONDS)


def _chat_model(vault: VaultClient, language: Language) -> Model:
    return model_for(vault) or offline_model(language)


def shown_text(
    vault: VaultClient, text: str, number: int, answering: Sequence[str] = ()
) -> tuple[str, tuple[Source, ...]]:
    """Return the answer of a turn as HTML, and the places that it cites, by the numbers that stand in it.

    Parts of its quotations that are said to be ``answering`` are highlighted.
    """
    return _shown(text, NamedNotes(vault), number, answering)


def _shown(
    text: str, notes: NamedNotes, number: int, answering: Sequence[str] = ()
) -> tuple[str, tuple[Source, ...]]:
    cited = Cited(set_out(text, answering), notes)
    return render_answer(cited.markdown, searcher_for(notes.vault).view(), number), cited.sources


async def _approved(session: Session, change: ProposedWrite, seconds: float) -> bool:
    """Show a write to the person and wait for a word; silence is a no."""
    async with session.asking:
        turn = session.running
        if turn is None:
            return False
        proposal = Proposal(secrets.token_urlsafe(9), change)
        turn.proposals.append(proposal)
        word: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        session.waiting[proposal.id] = word
        session.tell(turn, "asked", proposal)
        outcome: Outcome = "gone"
        try:
            async with asyncio.timeout(seconds):
                outcome = "approved" if await word else "refused"
        except TimeoutError:
            outcome = "expired"
        finally:
            session.waiting.pop(proposal.id, None)
            proposal.outcome = outcome
            session.tell(turn, "decided", proposal)
        return outcome == "approved"
