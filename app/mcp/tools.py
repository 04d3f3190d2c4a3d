"""The tools of the server: those that search, those that answer a question, and the one that writes notes."""

import asyncio
from dataclasses import asdict, replace
from functools import cache
from importlib import import_module
from typing import Any

from mcp.server import ServerRequestContext
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)

from app.dependencies import ProposedWrite
from app.errors import WriteError
from app.mcp.call import data_result, reported, text_result
from app.mcp.folders import FolderVault
from app.mcp.surface import ToolCall
from app.notes.answer import NoteCall
from app.notes.gate import Gate, in_configuration
from app.notes.models import NoteRequest
from app.parameters import Parameter, parameters_of
from app.search.models import SearchRequest
from app.showing import in_line, json_text
from app.vault.client import VaultClient

KEY = "approve"
FORM: dict[str, Any] = {
    "type": "object",
    "properties": {KEY: {"type": "boolean", "title": "Make this change to the vault"}},
    "required": [KEY],
}
SHOWN_CHARS = 8000
"""Most characters of a change that a person is shown; the rest is counted."""

ASK = (Parameter("question", "In full, in any language.", required=True),)
READ = (
    Parameter("path", 'Such as "projects/apollo/state.md".', required=True),
    Parameter("lines", 'Such as "1-45" or "120-"; default: as far as fits.'),
)
TREE = (Parameter("path", "A folder; default: the whole vault."),)

READING = ("read", "summarize", "info")
WRITING = ("create", "update", "append", "move", "delete", "undo")
_NOTE = parameters_of(NoteRequest)
NOTE_OPERATIONS = (replace(_NOTE["operation"], choices=(*READING, *WRITING)), *list(_NOTE.values())[1:])
READ_ONLY_OPERATIONS = (
    replace(_NOTE["operation"], choices=READING),
    *(_NOTE[name] for name in ("path", "heading", "block", "lines")),
    replace(_NOTE["expected_hash"], about="Fail if the note is no longer what read gave."),
    _NOTE["max_chars"],
)

DATA_CHARS = 24_000
"""Most characters of the hits of one answer; those past it are counted."""
_SEARCH = parameters_of(SearchRequest)
VAULT_SEARCH = tuple(_SEARCH.values())
SEARCH = (
    replace(_SEARCH["queries"], about="What to look for; several are merged.", required=True),
    replace(_SEARCH["mode"], about='"fast": keywords. "deep": meaning too.'),
    _SEARCH["scopes"],
    replace(_SEARCH["start_date"], name="date_from"),
    replace(_SEARCH["end_date"], name="date_to"),
    *(_SEARCH[name] for name in ("min_score", "explain", "limit", "index")),
)
KEYWORD_SEARCH = (
    replace(_SEARCH["query"], about="In full, what is looked for.", required=True),
    replace(
        _SEARCH["search_terms"],
        about="Regular expressions, most important first; case is ignored.",
        required=True,
    ),
    *(_SEARCH[name] for name in ("folder", "scopes", "index")),
)
WKSM_SEARCH = (
    Parameter("query", "What to look for."),
    Parameter("index", "A configured index; default: the vault's default one."),
    Parameter("k", "Most hits, from 1.", "integer", 5),
    Parameter("query_image", "Path of an image in the vault; only for an index whose model reads images."),
)
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_OPTIONAL = {"type": ["string", "null"]}
_NUMBER = {"type": "number"}
_COUNT = {"type": "integer"}


def _can_ask(context: ServerRequestContext[Any]) -> bool:
    """Return whether the client can put a form before a person."""
    capabilities = context.session.client_capabilities
    asks = capabilities.elicitation if capabilities else None
    return asks is not None and (asks.form is not None or asks.url is None)


async def _asked(
    context: ServerRequestContext[Any], params: CallToolRequestParams, proposed: ProposedWrite
) -> bool | InputRequiredResult:
    """Ask, and give the answer; or what the client must have answered before it calls again.

    Clients of the handshake protocols are asked while they wait. Newer ones are handed the question, and
    call again with the answer, which counts only for the very change that was shown.
    """
    form = ElicitRequestFormParams(message=_message(proposed), requested_schema=FORM)
    if not _is_modern(context.protocol_version):
        return _agreed(
            await context.session.elicit_form(form.message, form.requested_schema, context.request_id)
        )
    answer = (params.input_responses or {}).get(KEY)
    if isinstance(answer, ElicitResult) and params.request_state == proposed.mark:
        return _agreed(answer)
    return InputRequiredResult(input_requests={KEY: ElicitRequest(params=form)}, request_state=proposed.mark)


def _is_modern(version: str) -> bool:
    """Return whether a protocol version has no requests from server to client."""
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS

    return version in MODERN_PROTOCOL_VERSIONS


def _agreed(answer: ElicitResult) -> bool:
    return answer.action == "accept" and (answer.content or {}).get(KEY) is True


def _message(proposed: ProposedWrite) -> str:
    diff = proposed.diff
    if len(diff) > SHOWN_CHARS:
        diff = f"{diff[:SHOWN_CHARS]}\n… ({len(diff) - SHOWN_CHARS} more characters)"
    return f"An agent wants to {proposed.operation} '{in_line(proposed.path)}':\n\n{diff}"


async def run_ask(call: ToolCall) -> CallToolResult:
    """Have the search agent answer, and report each of its steps."""
    async with reported(call) as steps:
        # The agent library takes a second to import.
        agent = await asyncio.to_thread(import_module, "app.chat.ask.answer")
        document = await agent.ask_async(
            call.vault, call.arguments["question"], trace_id=call.trace_id, tell=steps.tell
        )
    return text_result(document.text)


async def run_read(call: ToolCall) -> CallToolResult:
    """Show a note, or some of its lines."""
    return text_result(await asyncio.to_thread(_read, call))


def _read(call: ToolCall) -> str:
    from app.chat.ask.reading import read_numbered
    from app.chat.ask.tools import LINE_CHARS, READ_CHARS

    return read_numbered(call.vault, call.arguments["path"], call.arguments["lines"], READ_CHARS, LINE_CHARS)


async def run_tree(call: ToolCall) -> CallToolResult:
    """Show folders and notes."""
    return text_result(await asyncio.to_thread(_tree, call))


def _tree(call: ToolCall) -> str:
    from app.chat.ask.reading import list_folder
    from app.chat.ask.tools import TREE_CHARS

    return list_folder(call.vault, call.arguments["path"], TREE_CHARS)


async def run_note_operations(call: ToolCall) -> CallToolResult | InputRequiredResult:
    """Do one operation; whatever goes wrong becomes one line."""
    gate = Gate(call.vault.settings.writes, can_ask=_can_ask(call.context), to_allow=in_configuration())
    work = NoteCall(call.written, call.arguments, gate, trace_id=call.trace_id)
    try:
        if call.surface.read_only and call.arguments["operation"] in WRITING:
            raise WriteError(
                f"{call.arguments['operation']} was not done: the server was started with --read-only",
                "valid: " + ", ".join(READING),
            )
        step = await asyncio.to_thread(work.begin)
        if isinstance(step, ProposedWrite):
            agreed = await _asked(call.context, call.params, step)
            if isinstance(agreed, InputRequiredResult):
                return agreed
            step = await asyncio.to_thread(work.decide, approved=agreed)
        return text_result(step.text)
    except Exception as error:  # noqa: BLE001 - the last resort of this tool
        return text_result(work.failed(error))


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


HITS_SCHEMA = _object(
    hits={
        "type": "array",
        "items": _object(
            path=_TEXT,
            score=_NUMBER,
            lines=_TEXT,
            chunk_with_context=_TEXT,
            title=_TEXT,
            heading=_TEXT,
            tags=_TEXTS,
            date=_OPTIONAL,
            uri=_TEXT,
            relevance_reason=_OPTIONAL,
        ),
    },
    notices=_TEXTS,
    left_out=_COUNT,
)
KEYWORD_SCHEMA = _object(
    files={
        "type": "array",
        "items": _object(path=_TEXT, score=_NUMBER, reason=_TEXT, lines={"type": "array", "items": _COUNT}),
    },
    notices=_TEXTS,
    left_out=_COUNT,
)


async def run_vault_search(call: ToolCall) -> CallToolResult:
    """Answer as the agents' tool does."""
    from app.search.answer import answer

    _check_folder(call)
    async with reported(call):
        text = await asyncio.to_thread(answer, call.vault, call.arguments, call.trace_id)
    return text_result(text)


async def run_search(call: ToolCall) -> CallToolResult:
    """Return ranked passages as data."""
    async with reported(call):
        hits, notices = await asyncio.to_thread(_hits, call.vault, dict(call.arguments))
    kept = _within(hits)
    return data_result({"hits": kept, "notices": notices, "left_out": len(hits) - len(kept)})


def _hits(vault: VaultClient, arguments: dict[str, Any]) -> tuple[list[dict[str, Any]], list[str]]:
    from app.search.answer import search

    notices: list[str] = []
    hits = search(vault, **arguments, notices=notices)
    return [asdict(hit) for hit in hits], notices


async def run_keyword_search(call: ToolCall) -> CallToolResult:
    """Return the files that terms find and the language model keeps."""
    _check_folder(call)
    async with reported(call):
        files, notices = await asyncio.to_thread(_files, call.vault, dict(call.arguments))
    kept = _within(files)
    return data_result({"files": kept, "notices": notices, "left_out": len(files) - len(kept)})


def _files(vault: VaultClient, arguments: dict[str, Any]) -> tuple[list[dict[str, Any]], list[str]]:
    from app.search.answer import keyword_search

    found = keyword_search(vault=vault, **arguments)
    return [asdict(file) for file in found.files], list(found.notices)


def _check_folder(call: ToolCall) -> None:
    """Let a folder that is not shown be answered like one that does not exist."""
    if isinstance(call.vault, FolderVault) and (folder := call.arguments["folder"]):
        call.vault.check_folder(folder)


def _within(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keep the first items that fit into the budget, one at least."""
    used = 0
    kept: list[dict[str, Any]] = []
    for item in items:
        used += len(json_text(item)) + 2
        if used > DATA_CHARS and kept:
            break
        kept.append(item)
    return kept


async def run_wksm_search(call: ToolCall) -> CallToolResult:
    """Search one named index; what goes wrong stands in the document's ``errors``."""
    async with reported(call):
        data = await asyncio.to_thread(_document, call)
    return data_result(data, failed=bool(data["errors"]))


def _document(call: ToolCall) -> dict[str, Any]:
    from app.search.named.search import wksm_search

    # An image must lie in the vault: only a person's own command line may name any other.
    return wksm_search(call.vault, **call.arguments).data()


@cache
def wksm_schema() -> dict[str, Any]:
    """Return the document's published schema, without the prose."""
    from app.search.named.models import SearchOutput

    found: dict[str, Any] = _without_prose(SearchOutput.model_json_schema(mode="serialization"))
    return found


def _without_prose(schema: Any) -> Any:  # noqa: ANN401 - JSON
    """Leave titles and descriptions out of a JSON Schema; what is named so stays."""
    if isinstance(schema, list):
        return [_without_prose(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {}
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            kept[key] = {name: _without_prose(inner) for name, inner in value.items()}
        elif key not in ("title", "description"):
            kept[key] = _without_prose(value)
    return kept
