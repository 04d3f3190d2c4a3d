"""The tools of the server: what each takes, and what runs."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

from mcp.types import CallToolResult, ContentBlock, InputRequiredResult, TextContent
from mcp_types.version import is_version_at_least

from app.dependencies import ProposedWrite
from app.errors import BadRequestError, WriteError
from app.journal.recover import recover
from app.mcp import approval
from app.mcp.call import data_result, reported, text_result
from app.mcp.data import answer_data, hits_data, reading_data
from app.mcp.folders import FolderVault
from app.mcp.resources import links_to
from app.mcp.surface import ToolCall
from app.notes.answer import NoteCall
from app.notes.gate import Gate, in_configuration
from app.notes.models import NoteRequest, Reading, Touched, parse_note_request
from app.parameters import Parameter, parameters_of, read_value
from app.search.models import SearchRequest, ShownResults
from app.search.request import PARAMETERS
from app.sentences import Sentence
from app.showing import Told, in_line
from app.vault.client import VaultClient
from app.vault.named import ALONE, each_of

READING = ("read", "info", "summarize", "tree")
WRITING = ("create", "update", "append", "move", "delete", "undo")
LINKS_SINCE = "2025-06-18"
"""The first version of the protocol in which an answer can link to resources."""

_SEARCH = parameters_of(SearchRequest)
_OPERATORS = (
    'Obsidian\'s operators filter: "exact phrase", -without, OR, /regex/, tag:#x, path:x, line:(a b), '
    '[property:value]. "*" is everything, newest first.'
)
_ABOUT = {"queries": _OPERATORS, "date_to": "Inclusive."} | dict.fromkeys(
    ("mode", "explain", "direction", "date_field", "folder", "limit"), ""
)
"""What is said shorter here: each conversation pays for it, and a name with its choices says much."""
_CALLED = {"start_date": "date_from", "end_date": "date_to"}
_DAYS = tuple(_SEARCH[name]._replace(name=called) for name, called in _CALLED.items())
_FIRST = ("queries", "mode", "scopes")
SEARCH = tuple(
    row._replace(about=_ABOUT.get(row.name, row.about))
    for row in (
        *(_SEARCH[name] for name in _FIRST),
        *_DAYS,
        _SEARCH["operation"]._replace(default="fast", required=False),
        *(row for name, row in _SEARCH.items() if name not in (*_FIRST, "operation")),
    )
)
"""As the function of this name has them: ``queries, mode, scopes, date_from, date_to``; then the others of
`vault_search`."""
_NOTE = parameters_of(NoteRequest)
READ = (
    _NOTE["operation"]._replace(choices=READING, default="read", required=False),
    _NOTE["path"]._replace(about="A path, a name, or PATH:LINES as hits have it; for tree a folder."),
    *(_NOTE[name] for name in ("heading", "block", "lines")),
    _NOTE["expected_hash"]._replace(about="Fail if its hash is another."),
    _NOTE["max_chars"]._replace(about="Longest answer, from 500."),
)
WRITE = (
    _NOTE["operation"]._replace(choices=WRITING),
    *(each for name, each in _NOTE.items() if name != "operation"),
)
ASK = (Parameter("question", "In full, in any language.", required=True),)
PACK = (
    *ASK,
    Parameter("max_tokens", "Of the answer; 200 to 20,000.", "integer", 1200),
)
WKSM_SEARCH = (
    Parameter("query", "What to look for."),
    Parameter("index", "A configured index; default: the vault's."),
    Parameter("k", "Most hits, to 1,000.", "integer", 5),
    Parameter("query_image", "An image of the vault, for an index that reads images."),
)


def _with_links(call: ToolCall, text: str, data: dict[str, Any], paths: Iterable[str]) -> CallToolResult:
    """Return text and data, and links to the notes that they are about."""
    content: list[ContentBlock] = [TextContent(text=text)]
    if is_version_at_least(call.context.protocol_version, LINKS_SINCE):
        content += links_to(paths)
    return CallToolResult(content=content, structured_content=data)


async def run_search(call: ToolCall) -> CallToolResult:
    """Find notes and passages."""
    arguments = dict(call.arguments)
    for name, day in zip(("start_date", "end_date"), _DAYS, strict=True):
        given = arguments.pop(day.name)
        arguments[name] = arguments[name] if given is None else given
    if arguments["operation"] == "fast":
        # A mode is the operation that ranks by it.
        arguments["operation"] = read_value(PARAMETERS["mode"], arguments["mode"])
    if folder := arguments["folder"]:
        each_of(call.vaults, partial(_check_folder, folder))
    async with reported(call):
        text = await asyncio.to_thread(_search, call, arguments)
    value = text.value if isinstance(text, Told) else None
    if not isinstance(value, ShownResults):
        return text_result(text)
    room = 0 if arguments["max_tokens"] else arguments["max_chars"]
    return _with_links(call, text, hits_data(value, room), (result.path for result in value.results))


def _check_folder(folder: str, vault: VaultClient) -> None:
    """Answer a folder that is not shown like one that does not exist; raises BadRequestError."""
    if isinstance(vault, FolderVault):
        vault.check_folder(folder)


def _search(call: ToolCall, arguments: dict[str, Any]) -> str:
    from app.search.answer import answer

    vaults = call.vaults
    return answer(vaults.get(ALONE, vaults), arguments, call.trace_id, reader="read")


def _check_operation(call: ToolCall, known: Sequence[str]) -> None:
    """Refuse an operation that a tool has not; raises BadRequestError."""
    operation = call.arguments["operation"]
    if operation not in known:
        raise BadRequestError(
            "Unknown operation: {operation}. Valid: {valid}",
            operation=in_line(operation, 60),
            valid=", ".join(known),
        )


async def run_read(call: ToolCall) -> CallToolResult:
    """Show lines of a note with their numbers, what it is linked with, it in short, or a folder."""
    _check_operation(call, READING)
    looks: dict[str, Callable[[ToolCall], Told]] = {"read": _read, "tree": _tree}
    look = looks.get(call.arguments["operation"], _described)
    async with reported(call):
        told = await asyncio.to_thread(look, call)
    paths: tuple[str, ...] = ()
    if isinstance(told.value, Reading):
        paths = (told.value.path,)
    elif isinstance(told.value, Touched):
        paths = told.value.paths
    if isinstance(told.value, Exception):
        return text_result(_in_vault(call, told))
    data = reading_data(told, told.value)
    if "path" in data:
        data["path"] = call.named(data["path"])
    return _with_links(call, _in_vault(call, told), data, map(call.named, paths))


def _read(call: ToolCall) -> Told:
    from app.chat.ask.reading import read_numbered
    from app.chat.ask.tools import LINE_CHARS

    recover(call.vault)
    request = parse_note_request(call.arguments, trace_id=call.trace_id)
    request = request.model_copy(update={"path": call.vault.from_root(request.path)})
    return read_numbered(call.vault, request, LINE_CHARS, to_write=True)


def _tree(call: ToolCall) -> Told:
    from app.chat.ask.reading import list_folder

    return list_folder(call.vault, call.arguments["path"], call.arguments["max_chars"])


def _described(call: ToolCall) -> Told:
    """Describe or summarise a note."""
    work = NoteCall(call.written, call.arguments, Gate("refuse"), trace_id=call.trace_id)
    try:
        step = work.begin()
        assert not isinstance(step, ProposedWrite), "what is read is not approved of"
        return step.text if isinstance(step.text, Told) else Told(step.text, None)
    except Exception as error:  # noqa: BLE001 - the last resort of this tool
        return Told(work.failed(error), error)


async def run_write(call: ToolCall) -> CallToolResult | InputRequiredResult:
    """Make one change, after a person's word where one is needed; whatever goes wrong becomes one line."""
    _check_operation(call, WRITING)
    can_ask = approval.can_ask(call.context)
    gate = Gate(call.vault.settings.writes, can_ask=can_ask, to_allow=in_configuration())
    work = NoteCall(call.written, call.arguments, gate, trace_id=call.trace_id)
    try:
        async with reported(call):
            step = await asyncio.to_thread(work.begin)
        if isinstance(step, ProposedWrite):
            agreed = await approval.asked(call.context, call.params, _of_vault(call, step))
            if isinstance(agreed, InputRequiredResult):
                return agreed
            step = await asyncio.to_thread(work.decide, approved=agreed)
        return text_result(_in_vault(call, step.text))
    except Exception as error:  # noqa: BLE001 - the last resort of this tool
        return text_result(_in_vault(call, work.failed(error)))


def _in_vault(call: ToolCall, text: str) -> str:
    """Say first of which vault a text speaks, where there are several: its paths are written without."""
    [name] = call.surfaces
    if name == ALONE:
        return text
    said = f"Vault '{name}':\n{text}"
    return Told(said, text.value) if isinstance(text, Told) else said


def _of_vault(call: ToolCall, proposed: ProposedWrite) -> ProposedWrite:
    """Return a change as one of this vault: agreed to, it is not made in another one."""
    return replace(proposed, path=call.named(proposed.path), mark=call.named(proposed.mark))


def refused_writing(operation: str, *, by_token: bool) -> WriteError:
    """Say that a server, or a client's token, which only shows notes does not change them."""
    why = Sentence("the token does not allow it" if by_token else "the server was started with --read-only")
    return WriteError(
        "{operation} was not done: {why}",
        "valid: {valid}",
        operation=operation,
        why=why,
        valid=", ".join(READING),
    )


async def run_ask(call: ToolCall) -> CallToolResult:
    """Have the search agent answer, and report each of its steps."""
    async with reported(call) as steps:
        # The agent library takes a second to import.
        agent = await asyncio.to_thread(import_module, "app.chat.ask.several")
        document = await agent.ask_vaults_async(
            call.vaults, call.arguments["question"], trace_id=call.trace_id, tell=steps.tell
        )
    paths = (block.path for block in document.blocks)
    return _with_links(call, document.text, answer_data(document), paths)


async def run_pack(call: ToolCall) -> CallToolResult:
    """Give evidence for a question, within a budget of tokens."""
    from app.chat.pack import pack

    async with reported(call):
        found = await asyncio.to_thread(pack, call.vaults, **call.arguments)
    return _with_links(call, found.text, found.data(), (each.path for each in found.passages))


async def run_wksm_search(call: ToolCall) -> CallToolResult:
    """Search one named index; what goes wrong stands in the document's ``errors``."""
    async with reported(call):
        data = await asyncio.to_thread(_document, call)
    return data_result(data, failed=bool(data["errors"]))


def _document(call: ToolCall) -> dict[str, Any]:
    from app.search.named.search import wksm_search

    # An image must lie in the vault: only a person's own command line may name any other.
    data = wksm_search(call.vault, **call.arguments).data()
    return data | {"hits": [hit | {"path": call.named(hit["path"])} for hit in data["hits"]]}
