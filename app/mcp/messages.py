"""A message of the protocol as it arrives: whether it can be read, and what its sender is told if not."""

import json
import re

from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

from app.limits import MESSAGE_BYTES

ENDS = 1_000
"""Bytes at either end of a message in which the number of its call is looked for."""

_WORDS = {
    "hex escape": "it holds a lone surrogate, half of a character",
    "unicode code point": "it holds bytes that are no UTF-8",
    "recursion limit": "it is nested too deeply",
}
"""What the parser means where its own words do not say it."""

# Wherever a client puts the number, beside the parameters it stands first or last.
_OTHER = rb'"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,200}"'
_NUMBER = rb'"id"\s*:\s*(-?[0-9]{1,18}|"[^"\\]{0,200}")'
_FIRST = re.compile(rb"\s*\{\s*(?:" + _OTHER + rb"\s*,\s*){0,2}" + _NUMBER + rb"\s*[,}]")
_LAST = re.compile(_NUMBER + rb"\s*(?:,\s*" + _OTHER + rb"\s*){0,2}\}\s*\Z")


def fault_of(data: bytes) -> JSONRPCError | None:
    """Return the reply to a message that cannot be read; None where it can."""
    if len(data) > MESSAGE_BYTES:
        return too_long(data)
    try:
        jsonrpc_message_adapter.validate_json(data, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=True, include_input=False)[0]
        if first["type"] != "json_invalid":
            return _reply(data, INVALID_REQUEST, "the message is JSON, but no message of JSON-RPC 2.0")
        reason = str(first["ctx"]["error"])
        words = next((words for sign, words in _WORDS.items() if sign in reason), "")
        said = f"{words} ({reason})" if words else reason
        return _reply(data, PARSE_ERROR, f"the message is no JSON that can be read: {said}")
    return None


def too_long(data: bytes = b"") -> JSONRPCError:
    """Return the reply to a message that is too long; what is known of it says which call it is."""
    return _reply(data, INVALID_REQUEST, f"the message has more than {MESSAGE_BYTES:,} bytes")


def _reply(data: bytes, code: int, message: str) -> JSONRPCError:
    found = _FIRST.match(data[:ENDS]) or _LAST.search(data[-ENDS:])
    number = json.loads(found[1]) if found else None
    return JSONRPCError(jsonrpc="2.0", id=number, error=ErrorData(code=code, message=message))
