"""A person's word on a change, asked for through the client, in both generations of the protocol."""

from typing import Any

from mcp.server import ServerRequestContext
from mcp.types import (
    CallToolRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from app.dependencies import ProposedWrite
from app.showing import in_line

KEY = "approve"
FORM: dict[str, Any] = {
    "type": "object",
    "properties": {KEY: {"type": "boolean", "title": "Make this change to the vault"}},
    "required": [KEY],
}
SHOWN_CHARS = 8000
"""Most characters of a change that a person is shown; the rest is counted."""


def can_ask(context: ServerRequestContext[Any]) -> bool:
    """Return whether the client can put a form before a person."""
    capabilities = context.session.client_capabilities
    asks = capabilities.elicitation if capabilities else None
    return asks is not None and (asks.form is not None or asks.url is None)


async def asked(
    context: ServerRequestContext[Any], params: CallToolRequestParams, proposed: ProposedWrite
) -> bool | InputRequiredResult:
    """Ask, and give the answer; or what the client must have answered before it calls again.

    Clients of the handshake protocols are asked while they wait. Newer ones are handed the question, and
    call again with the answer, which counts only for the very change that was shown.
    """
    form = ElicitRequestFormParams(message=_message(proposed), requested_schema=FORM)
    if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return _agreed(
            await context.session.elicit_form(form.message, form.requested_schema, context.request_id)
        )
    answer = (params.input_responses or {}).get(KEY)
    if isinstance(answer, ElicitResult) and params.request_state == proposed.mark:
        return _agreed(answer)
    return InputRequiredResult(input_requests={KEY: ElicitRequest(params=form)}, request_state=proposed.mark)


def _agreed(answer: ElicitResult) -> bool:
    return answer.action == "accept" and (answer.content or {}).get(KEY) is True


def _message(proposed: ProposedWrite) -> str:
    diff = proposed.diff
    if len(diff) > SHOWN_CHARS:
        diff = f"{diff[:SHOWN_CHARS]}\n… ({len(diff) - SHOWN_CHARS} more characters)"
    return f"An agent wants to {proposed.operation} '{in_line(proposed.path)}':\n\n{diff}"
