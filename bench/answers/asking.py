"""Ask questions of a vault in this process, as the command `ask` does without a language model."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.chat.ask.answer import ask
from app.chat.ask.concat import Document
from app.config.settings import OFFLINE, IndexDefinition, IndexSettings, Settings
from app.errors import VaultError
from app.search.searcher import searcher_for
from app.vault.client import VaultClient
from bench.answers.cases import Case
from bench.answers.judging import Judgement, Quotation, judge, quotation
from bench.answers.sets import AnswerSet


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one question; ``seconds`` are of the processor, those of all threads together."""

    case: Case
    quotations: tuple[Quotation, ...]
    faults: tuple[str, ...]
    """Of each quotation that is not the note's own text at its lines, what is wrong."""
    judgement: Judgement
    probability: float
    """How likely the first claim answers; 0 where there is none."""
    seconds: float


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
    """Ask every question, and judge what is answered."""
    # The first question loads what the others find loaded.
    for case in cases[:1]:
        ask(client, case.text)
    return [ask_one(client, case) for case in cases]


def ask_one(client: VaultClient, case: Case) -> Outcome:
    """Ask one question and judge what is answered."""
    begun = time.process_time()
    document = ask(client, case.text)
    return outcome_of(client, case, document, time.process_time() - begun)


def outcome_of(client: VaultClient, case: Case, document: Document, seconds: float) -> Outcome:
    """Judge the claims of an answer; nothing is read out of its sentences."""
    quoted, faults = [], []
    for claim in document.claims:
        if claim.quotation:
            note = _text(client, claim.path)
            each = quotation(claim.path, claim.lines, claim.quotation, note)
            quoted.append(each)
            if each.place is None:
                faults.append(_fault(each, note))
    judgement = judge(case, document.is_answered, quoted)
    first = document.claims[0].probability if document.claims else None
    return Outcome(case, tuple(quoted), tuple(faults), judgement, first or 0.0, seconds)


def _text(client: VaultClient, path: str) -> str | None:
    try:
        return client.read(path).text
    except VaultError:
        return None


def _fault(quoted: Quotation, note: str | None) -> str:
    place = f"{quoted.path}:{quoted.lines}"
    if note is None:
        return f"{place}: there is no such note"
    where = "stands elsewhere in the note" if quoted.text in note else "does not stand in the note"
    return f"{place}: {quoted.text[:80]!r} {where}"
