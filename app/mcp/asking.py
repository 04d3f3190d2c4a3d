"""The tools of the search agent: `ask` runs it, `read` and `tree` are what it has itself."""

import asyncio
from importlib import import_module

from mcp.types import CallToolResult

from app.mcp.parameters import Parameter
from app.mcp.progress import reported
from app.mcp.results import text_result
from app.mcp.surface import Call

ASK = (Parameter("question", "In full, in any language.", required=True),)
READ = (
    Parameter("path", 'Such as "projects/apollo/state.md".', required=True),
    Parameter("lines", 'Such as "1-45" or "120-"; default: as far as fits.'),
)
TREE = (Parameter("path", "A folder; default: the whole vault."),)


async def ask(call: Call) -> CallToolResult:
    """Have the search agent answer, and report each of its steps."""
    async with reported(call) as steps:
        # The agent library takes a second to import.
        agent = await asyncio.to_thread(import_module, "app.chat.ask.answer")
        document = await agent.ask_async(
            call.vault, call.arguments["question"], trace_id=call.trace_id, tell=steps.tell
        )
    return text_result(document.text, failed=False)


async def read(call: Call) -> CallToolResult:
    """Show a note, or some of its lines."""
    return text_result(await asyncio.to_thread(_read, call), failed=False)


def _read(call: Call) -> str:
    from app.chat.ask.reading import read_note
    from app.chat.ask.tools import LINE_CHARS, READ_CHARS

    return read_note(call.vault, call.arguments["path"], call.arguments["lines"], READ_CHARS, LINE_CHARS)


async def tree(call: Call) -> CallToolResult:
    """Show folders and notes."""
    return text_result(await asyncio.to_thread(_tree, call), failed=False)


def _tree(call: Call) -> str:
    from app.chat.ask.reading import list_folder
    from app.chat.ask.tools import TREE_CHARS

    return list_folder(call.vault, call.arguments["path"], TREE_CHARS)
