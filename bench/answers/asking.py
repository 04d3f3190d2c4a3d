"""Ask questions of a vault in this process, as the command `ask` does without a language model."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.chat.ask.answer import ask
from app.config.settings import OFFLINE, IndexDefinition, IndexSettings, Settings
from app.errors import VaultError
from app.search.searcher import searcher_for
from app.vault.client import VaultClient
from bench.answers.cases import AnswerSet, Case
from bench.answers.judging import Judgement, Quotation, judge, quotation


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one question."""

    case: Case
    quotations: tuple[Quotation, ...]
    faults: tuple[str, ...]
    """Of each quotation that is not the note's own text at its lines, what is wrong."""
    judgement: Judgement
    probability: float
    """How likely the first claim answers; 0 where there is none."""


def vault_of(of: AnswerSet, work: Path, has_vectors: bool) -> VaultClient:
    """Return the indexed vault of a set; what was indexed before in the work folder is used again."""
    index = IndexSettings()
    if not has_vectors:
        index = IndexSettings(indexes={"notes": IndexDefinition(embedding_model=None)})
    cache = work / of.home / ("cache" if has_vectors else "cache-words")
    client = VaultClient(of.vault, Settings(cache_dir=cache, model=OFFLINE, index=index))
    searcher = searcher_for(client)
    searcher.update()
    if has_vectors:
        searcher.embed()
    return client


def ask_all(client: VaultClient, cases: Sequence[Case]) -> list[Outcome]:
    """Ask every question, and judge the claims of each answer; nothing is read out of its sentences."""
    return [_ask(client, case) for case in cases]


def _ask(client: VaultClient, case: Case) -> Outcome:
    document = ask(client, case.text)
    quoted = [
        quotation(claim.path, claim.lines, claim.quotation, _text(client, claim.path))
        for claim in document.claims
        if claim.quotation
    ]
    faults = tuple(f"{one.path}:{one.lines}: {one.text[:80]!r}" for one in quoted if one.place is None)
    first = document.claims[0].probability if document.claims else None
    return Outcome(case, tuple(quoted), faults, judge(case, document.is_answered, quoted), first or 0.0)


def _text(client: VaultClient, path: str) -> str | None:
    try:
        return client.read(path).text
    except VaultError:
        return None
