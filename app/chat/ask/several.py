"""One question put to several vaults: each answers by itself, and the answers become one document."""

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from app.chat.ask.answer import Say, ask_async
from app.chat.ask.concat import LEAST_BUDGET, Block, Document
from app.chat.evidence.evidence import Claim
from app.chat.offline.phrases import language_for
from app.notices import Language
from app.vault.client import VaultClient
from app.vault.named import ALONE, failures, named

if TYPE_CHECKING:
    from pydantic_ai.models import Model


async def ask_vaults_async(
    vaults: Mapping[str, VaultClient],
    question: str,
    *,
    model: "Model | str | None" = None,
    trace_id: str = "",
    tell: Say | None = None,
    language: Language = "en",
) -> Document:
    """Answer a question from several vaults: a model is asked once for each.

    What vaults say that do not answer is left out where another one answers. What is to be said of a vault
    that fails stands among the remarks. A vault that is the only one is answered for as by `ask_async`, which
    tells what the other arguments are; all of them together are one answer, and it keeps to one size.

    Raises:
        VaultError: none of them could be asked; see `ask_async`.
    """
    answering = {
        name: ask_async(
            vault,
            question,
            model=model,
            trace_id=trace_id,
            tell=tell,
            language=language,
            most_chars=None if name == ALONE else max(vault.settings.ask_chars // len(vaults), LEAST_BUDGET),
        )
        for name, vault in vaults.items()
    }
    return await together(question, answering, language)


async def together(
    question: str, answering: Mapping[str, Awaitable[Document]], language: Language = "en"
) -> Document:
    """Make one document of what several vaults answer, by name, and say which of them fail.

    ``language`` is that of what is said where the question tells none.

    Raises:
        Exception: all of them do; it is the first one's error.
    """
    outcomes = await asyncio.gather(*answering.values(), return_exceptions=True)
    found: dict[str, Document] = {}
    errors: dict[str, Exception] = {}
    for name, outcome in zip(answering, outcomes, strict=True):
        if isinstance(outcome, Document):
            found[name] = outcome
        elif isinstance(outcome, Exception):
            errors[name] = outcome
        else:
            raise outcome
    notices = failures(errors, is_all=not found)
    if ALONE in found:
        return found[ALONE]
    language = language_for([question], language)
    failed = [notice.remark(language) for notice in notices]
    is_answered = any(document.is_answered for document in found.values())
    used = {name: _named(name, each) for name, each in found.items() if each.is_answered == is_answered}
    overviews = [f"**{name}**\n\n{each.overview.strip()}" for name, each in used.items()]
    return Document(
        "\n\n".join(overviews),
        tuple(block for each in used.values() for block in each.blocks),
        tuple(dict.fromkeys((*failed, *(remark for each in used.values() for remark in each.remarks)))),
        tuple(claim for each in used.values() for claim in each.claims),
        is_answered,
    )


def _named(name: str, document: Document) -> Document:
    """Write the vault's name before each path, in the words of the answer as well."""
    paths = {each.path for each in document.blocks} | {each.path for each in document.claims if each.path}

    def shown(text: str) -> str:
        for path in paths:
            text = text.replace(f"`{path}`", f"`{named(name, path)}`")
        return text

    def block(each: Block) -> Block:
        return replace(each, path=named(name, each.path))

    def claim(each: Claim) -> Claim:
        return replace(each, text=shown(each.text), path=named(name, each.path) if each.path else "")

    return replace(
        document,
        overview=shown(document.overview),
        remarks=tuple(map(shown, document.remarks)),
        blocks=tuple(map(block, document.blocks)),
        claims=tuple(map(claim, document.claims)),
    )
