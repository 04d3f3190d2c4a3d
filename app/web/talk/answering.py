"""Answer one turn: by the search agent, or in the conversation; the agent library is imported here."""

import asyncio
import secrets
from collections.abc import Callable

from pydantic_ai.models import Model

from app.bootstrap import chat_dependencies
from app.chat.ask.answer import ask_async, model_for
from app.chat.cite.names import NamedNotes
from app.chat.conversation import Conversation
from app.chat.history import trim_history
from app.chat.offline.assistant import offline_model
from app.dependencies import ProposedWrite, logger
from app.errors import VaultError
from app.vault.client import VaultClient
from app.web.talk.citations import link_citations, render_answer
from app.web.talk.sessions import MOST_TURNS, Emit, Outcome, PageTurn, Proposal, Session, Talk
from app.web.talk.worddiff import read_change


async def answer_turn(talk: Talk, session: Session, turn: PageTurn, emit: Emit) -> None:
    """Answer a turn, telling ``emit`` of each step as it happens; what goes wrong is kept in the turn.

    Events are ``step`` (a call of a tool), ``text`` (as it is said), ``asked`` and ``decided`` (a
    `Proposal`).
    """
    session.emit = emit

    def step(call: str) -> None:
        turn.steps.append(call)
        emit("step", call)

    try:
        if turn.mode == "ask":
            await _ask(talk, turn, step)
        else:
            await _chat(talk, session, turn, step, lambda text: emit("text", text))
        turn.state = "done"
    except asyncio.CancelledError:
        turn.state = "stopped"
        raise
    except VaultError as error:
        turn.state, turn.error, turn.hint = "failed", error.message, error.hint or ""
    except Exception:  # noqa: BLE001
        # The answer has begun, so that no other place can say so any more.
        logger.exception("web_turn_failed", extra={"trace_id": turn.trace_id, "mode": turn.mode})
        turn.state, turn.error = "failed", "something went wrong in the program itself"
        turn.hint = "start it with --debug to see what"
    finally:
        session.end(turn)


async def _ask(talk: Talk, turn: PageTurn, step: Callable[[str], None]) -> None:
    vault = talk.vault
    document = await ask_async(vault, turn.question, model=talk.ask_model, trace_id=turn.trace_id, tell=step)
    turn.blocks, turn.remarks, turn.text = document.blocks, document.remarks, document.text
    turn.answer = await asyncio.to_thread(_shown, vault, document.overview)


async def _chat(
    talk: Talk,
    session: Session,
    turn: PageTurn,
    step: Callable[[str], None],
    say: Callable[[str], None],
) -> None:
    vault = talk.vault
    if session.conversation is None:
        model = talk.chat_model
        if model is None:
            model = await asyncio.to_thread(_chat_model, vault)

        async def approve(change: ProposedWrite) -> bool:
            return await _approved(session, change, talk.approval_seconds)

        session.conversation = Conversation(chat_dependencies(vault, approve=approve), model)
    conversation = session.conversation
    turn.text = await conversation.ask(turn.question, say, step, trace_id=turn.trace_id)
    del conversation.exchanges[:-MOST_TURNS]
    conversation.messages = trim_history(conversation.messages, vault.settings.history_chars)
    turn.answer = await asyncio.to_thread(_shown, vault, turn.text)


def _chat_model(vault: VaultClient) -> Model:
    return model_for(vault) or offline_model()


def _shown(vault: VaultClient, text: str) -> str:
    return render_answer(link_citations(text, NamedNotes(vault)))


async def _approved(session: Session, change: ProposedWrite, seconds: float) -> bool:
    """Show a write to the person and wait for a word; silence, or a page that goes away, is a no."""
    async with session.asking:
        turn, emit = session.running, session.emit
        if turn is None or emit is None:
            return False
        shown = await asyncio.to_thread(read_change, change.diff)
        proposal = Proposal(secrets.token_urlsafe(9), change.operation, change.path, shown)
        turn.proposals.append(proposal)
        word: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        session.waiting[proposal.id] = word
        emit("asked", proposal)
        outcome: Outcome = "gone"
        try:
            async with asyncio.timeout(seconds):
                outcome = "approved" if await word else "refused"
        except TimeoutError:
            outcome = "expired"
        finally:
            session.waiting.pop(proposal.id, None)
            proposal.outcome = outcome
            emit("decided", proposal)
        return outcome == "approved"
