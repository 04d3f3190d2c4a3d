"""Tools that answer a call which was made before in the same turn by saying where its result stands."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage, ToolCallPart, ToolReturnPart, UserPromptPart

from app.chat.context import ContextPart
from app.chat.history import is_left_out
from app.showing import Told

ABOVE = "You have this above: the same call was made before. Answer from it, or ask for something else."
READING = ("read", "info", "summarize")
"""The operations on a note that change nothing."""
P = ParamSpec("P")


def once(
    tool: Callable[Concatenate[RunContext[Any], P], Awaitable[str]],
) -> Callable[Concatenate[RunContext[Any], P], Awaitable[str]]:
    """Let a tool say `ABOVE` to a call whose result the model still has."""

    @wraps(tool)
    async def call(ctx: RunContext[Any], /, *args: P.args, **kwargs: P.kwargs) -> str:
        return Told(ABOVE, None) if is_repeated(ctx) else await tool(ctx, *args, **kwargs)

    return call


def is_repeated(ctx: RunContext[Any]) -> bool:
    """Return whether the tool was called with the same arguments before, since the last question.

    A call that may have changed a note comes between: what was read before it is read anew. So is a result
    that was dropped from the conversation to keep it short.
    """
    calls, results = _turn(ctx.messages)
    own = next((call for call in calls if call.tool_call_id == ctx.tool_call_id), None)
    if own is None or _may_change(own):
        return False
    same: list[str] = []
    for call in calls[: calls.index(own)]:
        if _may_change(call):
            same.clear()
        elif call.tool_name == own.tool_name and _arguments(call) == _arguments(own):
            same.append(call.tool_call_id)
    # A call beside this one in the same message has no result yet; it will stand there.
    return any(not (result := results.get(each)) or not is_left_out(result) for each in same)


def _turn(messages: list[ModelMessage]) -> tuple[list[ToolCallPart], dict[str, ToolReturnPart]]:
    """Return the calls since the last question, and the results that there are so far by their calls' ids."""
    calls: list[ToolCallPart] = []
    results: dict[str, ToolReturnPart] = {}
    for part in (part for message in messages for part in message.parts):
        if isinstance(part, UserPromptPart) and not isinstance(part, ContextPart):
            calls, results = [], {}
        elif isinstance(part, ToolCallPart):
            calls.append(part)
        elif isinstance(part, ToolReturnPart):
            results[part.tool_call_id] = part
    return calls, results


def _arguments(call: ToolCallPart) -> dict[str, Any]:
    return {name: value for name, value in call.args_as_dict().items() if value is not None}


def _may_change(call: ToolCallPart) -> bool:
    return call.tool_name == "note_operations" and _arguments(call).get("operation") not in READING
