"""The tool that reads and changes notes, and has a person asked before it changes anything."""

import asyncio

from mcp.types import CallToolResult, InputRequiredResult

from app.dependencies import ProposedWrite
from app.errors import WriteError
from app.mcp.approval import asked, can_ask
from app.mcp.parameters import Parameter
from app.mcp.results import text_result
from app.mcp.surface import Call
from app.notes.answer import Call as NoteCall
from app.notes.gate import Gate, in_configuration

READING = ("read", "summarize", "info")
WRITING = ("create", "update", "append", "move", "delete", "undo")

PATH = Parameter("path", 'From the vault\'s root, such as "Projects/Plan"; or a bare name.')
PLACES = (
    Parameter("heading", 'Only this heading\'s section: "Tasks", or "Upper#Tasks".'),
    Parameter("block", 'Only this block: "^id".'),
    Parameter("lines", 'Only these lines: "9-14" or "9-".'),
)
MAX_CHARS = Parameter("max_chars", "Longest answer, from 500.", "integer", 6000)

NOTE_OPERATIONS = (
    Parameter("operation", required=True, choices=(*READING, *WRITING)),
    PATH,
    Parameter("content", 'New text, in Markdown; for undo "turn" takes back the whole last turn.'),
    *PLACES,
    Parameter("new_path", 'For move; ending in "/" for a folder.'),
    Parameter("overwrite", "create may replace a note.", "boolean", False),
    Parameter("expected_hash", "Hash that read gave; nothing is written if the note changed since."),
    Parameter("permanent", "delete for good.", "boolean", False),
    MAX_CHARS,
)
READ_ONLY_OPERATIONS = (
    Parameter("operation", required=True, choices=READING),
    PATH,
    *PLACES,
    Parameter("expected_hash", "Fail if the note is no longer what read gave."),
    MAX_CHARS,
)


async def note_operations(call: Call) -> CallToolResult | InputRequiredResult:
    """Do one operation; whatever goes wrong becomes one line."""
    gate = Gate(call.vault.settings.writes, can_ask=can_ask(call.context), to_allow=in_configuration())
    work = NoteCall(call.written, call.arguments, gate, trace_id=call.trace_id)
    try:
        if call.surface.read_only and call.arguments["operation"] in WRITING:
            raise WriteError(
                f"{call.arguments['operation']} was not done: the server was started with --read-only",
                "valid: " + ", ".join(READING),
            )
        step = await asyncio.to_thread(work.begin)
        if isinstance(step, ProposedWrite):
            agreed = await asked(call.context, call.params, step)
            if isinstance(agreed, InputRequiredResult):
                return agreed
            step = await asyncio.to_thread(work.decide, approved=agreed)
        return text_result(step.text)
    except Exception as error:  # noqa: BLE001 - the last resort of this tool
        return text_result(work.failed(error))
