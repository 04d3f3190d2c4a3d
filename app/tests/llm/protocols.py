"""Two protocols of model servers, as much of each as a text or one tool call needs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Json = dict[str, Any]

MODEL = "m"
CALL = "call_1"
USAGE: Json = {"input_tokens": 1, "output_tokens": 1}


def results(body: Json) -> list[str]:
    """Take what tools returned out of a request of any of the protocols."""
    found = []
    for message in body["messages"]:
        if message.get("role") == "tool":
            found.append(message["content"])
        elif isinstance(message.get("content"), list):
            blocks = [block for block in message["content"] if block.get("type") == "tool_result"]
            found += [_text(block["content"]) for block in blocks]
    return [_text(result) for result in found]


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(block["text"] for block in content)


def answer(path: str, text: str, tool: str, call: Mapping[str, Any] | None) -> Json:
    """Give a whole answer in the protocol that a path belongs to."""
    arguments = None if call is None else json.dumps(call)
    if path.endswith("/messages"):
        block = {"type": "text", "text": text}
        if call is not None:
            block = {"type": "tool_use", "id": CALL, "name": tool, "input": dict(call)}  # type: ignore[dict-item]
        return _message([block], "end_turn" if call is None else "tool_use")
    message: Json = {"role": "assistant", "content": text if call is None else None}
    if call is not None:
        function = {"name": tool, "arguments": arguments}
        message["tool_calls"] = [{"id": CALL, "type": "function", "function": function}]
    return _completion("chat.completion", message=message, finish="stop" if call is None else "tool_calls")


def events(
    path: str, pieces: Sequence[str], tool: str, is_call: bool, finish: str | None = "stop"
) -> Iterator[Json]:
    """Give the events of a streamed answer in the protocol that a path belongs to."""
    if path.endswith("/messages"):
        yield from _message_events(pieces, tool, is_call)
    else:
        yield from _completion_events(pieces, tool, is_call, finish)


def _completion_events(pieces: Sequence[str], tool: str, is_call: bool, finish: str | None) -> Iterator[Json]:
    kind = "chat.completion.chunk"
    if is_call:
        opening = {"index": 0, "id": CALL, "type": "function", "function": {"name": tool, "arguments": ""}}
        yield _completion(kind, delta={"role": "assistant", "tool_calls": [opening]})
    for piece in pieces:
        part = (
            {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}
            if is_call
            else {"content": piece}
        )
        yield _completion(kind, delta=part)
    yield _completion(kind, delta={}, finish="tool_calls" if is_call else finish)


def _completion(kind: str, *, finish: str | None = None, **choice: Any) -> Json:
    choices = [{"index": 0, "finish_reason": finish, **choice}]
    return {"id": "1", "object": kind, "created": 1, "model": MODEL, "choices": choices}


def _message_events(pieces: Sequence[str], tool: str, is_call: bool) -> Iterator[Json]:
    yield {"type": "message_start", "message": _message([], None)}
    block: Json = {"type": "text", "text": ""}
    if is_call:
        block = {"type": "tool_use", "id": CALL, "name": tool, "input": {}}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    for piece in pieces:
        delta = {"type": "input_json_delta", "partial_json": piece}
        if not is_call:
            delta = {"type": "text_delta", "text": piece}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    reason = "tool_use" if is_call else "end_turn"
    yield {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": USAGE}
    yield {"type": "message_stop"}


def _message(content: list[Json], reason: str | None) -> Json:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": content,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": USAGE,
    }
