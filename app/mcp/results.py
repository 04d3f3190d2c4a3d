"""What a call of a tool gives a client: its text, the same as data, and links to the notes it is about."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from mcp.types import CallToolResult, ContentBlock, TextContent
from mcp_types.version import is_version_at_least

from app.chat.ask.concat import Document
from app.library.tools import Failed
from app.mcp.resources import links_to
from app.notes.models import Reading, Touched
from app.search.models import SearchResult, ShownResults
from app.search.request import PARAMETERS
from app.search.show.text import excerpt_lines
from app.showing import Told, cut, in_line, showing

if TYPE_CHECKING:
    from app.chat.pack import Pack

LINKS_SINCE = "2025-06-18"
"""The first version of the protocol in which an answer can link to resources."""
ERROR_CHARS = 1000
Data = dict[str, Any]


def result_of(tool: str, told: Told, given: Mapping[str, Any], version: str) -> CallToolResult:
    """Return what a call gives: an error where it failed, else a text, data and links.

    Args:
        tool: The tool that was called.
        told: What it said.
        given: Its arguments.
        version: Of the protocol.
    """
    value, text, failed = told.value, str(told), False
    data: Data | None = None
    paths: Iterable[str] = ()
    match value:
        case Failed():
            text, failed = cut(text, ERROR_CHARS), True
        case ShownResults():
            # Where tokens are counted, the data has no more than the text.
            most = given.get("max_chars") or PARAMETERS["max_chars"].default
            data = _hits(value, 0 if given.get("max_tokens") else int(most))
            paths = (result.path for result in value.results)
        case _ if tool == "pack":
            # Its class is not loaded before the first call.
            found = cast("Pack", value)
            data, paths = found.data(), (each.evidence.path for each in found.passages)
        case Document():
            # Behind the document stands how its arguments were read.
            text, data = value.text + text.rpartition("</document>")[2], _answer(value)
            paths = (block.path for block in value.blocks)
        case dict():
            data, failed = value, bool(value["errors"])
        case Reading():
            data, paths = _reading(value), (value.path,)
        case Touched() if tool == "read":
            paths = value.paths
    content: list[ContentBlock] = [TextContent(text=text)]
    if is_version_at_least(version, LINKS_SINCE):
        content += links_to(paths)
    return CallToolResult(content=content, structured_content=data, is_error=failed)


def _hits(shown: ShownResults, room: int) -> Data:
    """Return the results that the text shows.

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


def _reading(value: Reading) -> Data:
    numbers = [number for number, _ in value.lines]
    return {
        "text": "\n".join(f"{number} | {line}" for number, line in value.lines),
        "path": value.path,
        "lines": f"{numbers[0]}-{numbers[-1]}" if numbers else "",
        "of": value.count,
        "hash": value.hash,
        "cut": value.is_cut,
    }


def _answer(document: Document) -> Data:
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
