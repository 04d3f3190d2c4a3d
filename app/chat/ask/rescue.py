"""What is left where a model comes to no end: the evidence that was found by then."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pydantic_ai.messages import ModelMessage

from app.chat.evidence.evidence import Evidence
from app.chat.evidence.gather import Found, best_mode, evidence_of
from app.chat.history import Turn, read_turns
from app.errors import VaultError
from app.search.searcher import searcher_for
from app.vault.client import VaultClient

READ = 0.5
"""What is assumed of lines that a model read by itself: it had a reason."""


def rescue(
    vault: VaultClient, question: str, evidence: Sequence[Evidence], messages: Sequence[ModelMessage]
) -> Found | None:
    """Return what was found, to be answered from without the model; None where nothing was.

    Args:
        vault: The vault, whose notes are read anew.
        question: What was asked.
        evidence: What was found before the model was asked.
        messages: What the model asked for since, and was given.
    """
    found: dict[tuple[str, int, int], Evidence] = {}
    for piece in (*evidence, *_since(vault, read_turns(messages)[-1])):
        found.setdefault((piece.path, piece.first, piece.last), piece)
    if not found:
        return None
    pieces = tuple(replace(piece, number=number) for number, piece in enumerate(found.values(), 1))
    return Found(question, pieces, best_mode(vault), searcher_for(vault).view())


def _since(vault: VaultClient, turn: Turn) -> Iterator[Evidence]:
    """Yield what tools showed of notes that are still there."""
    for call in turn.calls:
        try:
            yield from (evidence_of(vault, 0, result) for result in call.results)
            if (read := call.reading) is not None and read.lines:
                lines = [number for number, _ in read.lines]
                text = "\n".join(vault.read(read.path).text.split("\n")[lines[0] - 1 : lines[-1]])
                yield Evidence(0, read.path, lines[0], lines[-1], text, probability=READ)
        except VaultError:
            # It was changed or taken away since; the rest still holds.
            continue
