"""Answer one question: by the search agent with a language model, or word for word without one."""

import asyncio
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from app.chat.ask.concat import Document
from app.chat.ask.events import AskEvent, Done, EvidenceFound, Searching, Verdicts, Watch, Words
from app.chat.evidence.gather import Found
from app.chat.offline.answer import offline_answer
from app.chat.offline.phrases import language_for
from app.config.settings import OFFLINE, logger
from app.errors import BadRequestError
from app.limits import QUERY_CHARS, check_text
from app.llm.loop import run
from app.llm.models import resolve_model
from app.notices import Language, Notice, NoticeKind
from app.showing import describe_call
from app.vault.client import VaultClient

if TYPE_CHECKING:
    from pydantic_ai.models import Model

Say = Callable[[str], None]


def ask(
    vault: VaultClient,
    question: str,
    *,
    model: "Model | str | None" = None,
    trace_id: str = "",
    tell: Say | None = None,
) -> Document:
    """Answer a question as `ask_async` does, where no event loop is running."""
    return run(ask_async(vault, question, model=model, trace_id=trace_id, tell=tell))


async def ask_async(
    vault: VaultClient,
    question: str,
    *,
    model: "Model | str | None" = None,
    trace_id: str = "",
    tell: Say | None = None,
    watch: Watch | None = None,
    most_chars: int | None = None,
    language: Language = "en",
) -> Document:
    """Answer a question with an overview and the notes it rests on.

    Args:
        vault: The vault; nothing in it is changed.
        question: What a person wants to know.
        model: The language model, or its name; "offline" for none. Without it the one of the settings.
        trace_id: Names the turn in the log.
        tell: Is given each call of a tool, as one short line.
        watch: Is given all that happens, the words of a model as it writes them, from several threads.
        most_chars: Bounds the document below the setting `ask_chars`.
        language: Of the answer, where the question tells none.

    Raises:
        BadRequestError: the question is empty, or too long.
        ModelError: the model could not be used, or came to no answer and had found nothing.
    """
    if not question.strip():
        raise BadRequestError("the question is empty", "ask something")
    check_text(question, "question", QUERY_CHARS)
    # A model by its name may import the library of its provider.
    chosen = await asyncio.to_thread(model_for, vault, model)
    name = OFFLINE if chosen is None else chosen.model_name
    logger.info("ask_called", extra={"trace_id": trace_id, "model": name})
    language = language_for([question], language)
    budget = min(most_chars or vault.settings.ask_chars, vault.settings.ask_chars)
    has_words = False

    def told(event: AskEvent) -> None:
        nonlocal has_words
        has_words |= isinstance(event, Words)
        if tell is not None and isinstance(event, Searching):
            tell(event.call)
        if watch is not None:
            watch(event)

    def found(found: Found) -> None:
        told(EvidenceFound(found.evidence))

    document: Document
    if chosen is None:
        told(Searching(describe_call("search", {"query": question})))
        remarks = [Notice(NoticeKind.OFFLINE)]
        answer = partial(
            offline_answer, vault, question, language, budget=budget, remarks=remarks, found=found
        )
        document = await asyncio.to_thread(answer)
    else:
        # The agent library takes a second to import, which no answer without a model needs.
        agent = await asyncio.to_thread(import_module, "app.chat.ask.agent")
        document = await agent.answer_by_model(
            vault,
            question,
            chosen,
            language,
            trace_id=trace_id,
            told=told,
            budget=budget,
            by_word=watch is not None,
        )
    if not has_words:
        told(Words(document.overview, begins=True))
    told(Verdicts(document.claims, document.remarks))
    told(Done(document))
    return document


def model_for(vault: VaultClient, model: "Model | str | None" = None) -> "Model | None":
    """Return a model, by name where it is one, else that of the settings; None to answer without one.

    Raises:
        ModelError: the name is unknown, or the model is not set up.
    """
    wanted = model or vault.settings.model
    if isinstance(wanted, str):
        return None if wanted == OFFLINE else resolve_model(wanted, vault.settings)
    return None if wanted is None or wanted.model_name == OFFLINE else wanted
