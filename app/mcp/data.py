"""What tools give as data beside their text: the shapes of which clients are told, and what fills them."""

from functools import cache
from typing import Any

from app.chat.ask.concat import Document
from app.notes.models import Reading, Touched
from app.search.models import SearchResult, ShownResults
from app.search.named.models import SearchOutput
from app.search.show.text import excerpt_lines
from app.showing import in_line, showing

# A client may put these shapes before its model in every conversation, so they say no more than they must.
# What is not known is left out of the data.
_TEXT = {"type": "string"}
_LIST = {"type": "array"}
_NUMBER = {"type": "number"}
_COUNT = {"type": "integer"}
_FLAG = {"type": "boolean"}

Data = dict[str, Any]


def _object(required: Data, **optional: Data) -> Data:
    return {"type": "object", "properties": {**required, **optional}, "required": list(required)}


def _list(**fields: Data) -> Data:
    return {"type": "array", "items": {"type": "object", "properties": fields}}


@cache
def hits_schema() -> Data:
    """Return the shape of what a search found."""
    hits = _list(path=_TEXT, score=_NUMBER, lines=_TEXT, chunk_with_context=_TEXT, text=_TEXT)
    return _object({"hits": hits}, total=_COUNT, left=_COUNT, notices=_LIST)


def hits_data(shown: ShownResults, room: int) -> Data:
    """Put results into it: those that the text shows.

    A passage comes whole while those before it leave it room, in characters; else, like what was found of a
    note, it has the lines that the text shows.
    """
    hits = []
    for result in shown.results:
        whole = result.chunk_with_context
        fits = whole is not None and len(whole) <= room
        room -= len(whole or "") if fits else 0
        hits.append(_hit(result, showing(whole or "") if fits else "\n".join(excerpt_lines(result))))
    return {
        "total": shown.total,
        "left": shown.left,
        "hits": hits,
        "notices": [str(notice) for notice in shown.notices],
    }


def _hit(result: SearchResult, text: str | None) -> Data:
    hit = {
        "path": result.path,
        "score": round(result.score, 4),
        "lines": result.lines,
        "text" if result.chunk_with_context is None else "chunk_with_context": text,
        "title": in_line(result.title),
        "heading": None if result.heading is None else in_line(result.heading),
        "tags": [in_line(tag) for tag in result.tags],
        "date": result.date,
        "relevance_reason": result.relevance_reason and in_line(result.relevance_reason),
    }
    return {name: value for name, value in hit.items() if value is not None}


@cache
def reading_schema() -> Data:
    """Return the shape of what was read; of lines of a note their numbers, too, and the note's hash."""
    return _object({"text": _TEXT}, path=_TEXT, lines=_TEXT, of=_COUNT, hash=_TEXT, cut=_FLAG)


def reading_data(text: str, value: object) -> Data:
    """Put what was read into it."""
    if isinstance(value, Touched):
        return {"text": text, "path": value.paths[0]}
    if not isinstance(value, Reading):
        return {"text": text}
    numbers = [number for number, _ in value.lines]
    lines = f"{numbers[0]}-{numbers[-1]}" if numbers else ""
    shown = "\n".join(f"{number} | {line}" for number, line in value.lines)
    return {
        "text": shown,
        "path": value.path,
        "lines": lines,
        "of": value.count,
        "hash": value.hash,
        "cut": value.is_cut,
    }


@cache
def answer_schema() -> Data:
    """Return the shape of an answer: what it says, claim by claim, and the notes that it rests on."""
    return _object({"answer": _TEXT}, is_answered=_FLAG, claims=_LIST, notes=_LIST, remarks=_LIST)


def answer_data(document: Document) -> Data:
    """Put an answer into it."""
    return {
        "answer": document.overview,
        "is_answered": document.is_answered,
        "claims": [
            {
                "text": showing(claim.text),
                "verdict": claim.verdict,
                "path": claim.path,
                "lines": claim.lines,
                "quotation": showing(claim.quotation),
            }
            for claim in document.claims
        ],
        "notes": [
            {"path": block.path, **({"lines": block.range} if block.range else {})}
            for block in document.blocks
        ],
        "remarks": [in_line(remark) for remark in document.remarks],
    }


@cache
def pack_schema() -> Data:
    """Return the shape of evidence."""
    passages = _list(path=_TEXT, lines=_TEXT, text=_TEXT)
    return _object({"passages": passages}, tokens=_COUNT, probability=_NUMBER, notices=_LIST)


@cache
def wksm_schema() -> Data:
    """Return the published schema of what `wksm_search` gives."""
    return SearchOutput.model_json_schema(mode="serialization")
