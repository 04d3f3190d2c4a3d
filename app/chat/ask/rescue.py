"""What is answered where a model comes to no end: what the searches had found by then, quoted."""

from collections.abc import Sequence

from pydantic_ai.messages import ModelMessage

from app.chat.ask.forms import NamedFile, SearchAnswer
from app.chat.ask.tools import read_passage
from app.chat.evidence.evidence import Evidence
from app.chat.history import Call, read_turns
from app.chat.offline.searcher import answer_from, chosen_passages
from app.search.models import SearchResult, ShownResults
from app.vault.client import VaultClient


def rescue(
    vault: VaultClient, question: str, evidence: Sequence[Evidence], messages: Sequence[ModelMessage]
) -> SearchAnswer | None:
    """Answer with what was found; None where nothing was.

    Args:
        vault: The vault, whose notes are read anew.
        question: What was asked.
        evidence: What was found before the model was asked.
        messages: What the model asked for since, and was given.
    """
    turn = read_turns(messages)[-1]
    turn.question = question
    found = [
        SearchResult(path=piece.path, title="", lines=piece.range, score=piece.probability)
        for piece in evidence
    ]
    turn.calls.insert(0, Call("search", {"query": question}, value=ShownResults(tuple(found))))
    for passage in chosen_passages(turn):
        arguments = {"path": passage.path, "lines": passage.range}
        said = read_passage(vault, passage.path, passage.range)
        turn.calls.append(Call("read", arguments, said, said.value))
    answer = answer_from(turn)
    if answer is not None:
        answer.files += [NamedFile(path=piece.path, lines=piece.range) for piece in evidence]
    return answer
