"""Three protocols of model servers, as much of each as a text or one tool call needs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Json = dict[str, Any]

MODEL = "m"
CALL = "call_1"
USAGE: Json = {"input_tokens": 1, "output_tokens": 1}
RESPONSES_USAGE: Json = {
    **USAGE,
    "total_tokens": 2,
    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
    "output_tokens_details": {"reasoning_tokens": 0},
}


def results(body: Json) -> list[str]:
    """Take what tools returned out of a request of any of the protocols."""
    found = []
    for message in body.get("messages") or body["input"]:
        if message.get("role") == "tool":
            found.append(message["content"])
        elif message.get("type") == "function_call_output":
            found.append(message["output"])
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
    if path.endswith("/responses"):
        return _response([_item(text, tool, arguments)], "completed")
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
    elif path.endswith("/responses"):
        yield from _response_events(pieces, tool, is_call)
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


def _response_events(pieces: Sequence[str], tool: str, is_call: bool) -> Iterator[Json]:
    whole = "".join(pieces)
    item = _item(whole, tool, whole if is_call else None)
    place: Json = {"item_id": item["id"], "output_index": 0}
    numbers = iter(range(1_000_000))
    empty = {**item, "arguments": ""} if is_call else {**item, "content": [], "status": "in_progress"}
    parts: list[Json] = [
        {"type": "response.created", "response": _response([], "in_progress")},
        {"type": "response.output_item.added", "output_index": 0, "item": empty},
    ]
    if is_call:
        kind = "response.function_call_arguments"
        parts += [{"type": f"{kind}.delta", **place, "delta": piece} for piece in pieces]
        parts += [{"type": f"{kind}.done", **place, "name": tool, "arguments": whole}]
    else:
        part = {"type": "output_text", "text": "", "annotations": []}
        parts += [{"type": "response.content_part.added", **place, "content_index": 0, "part": part}]
        kind = "response.output_text"
        inside = {**place, "content_index": 0, "logprobs": []}
        parts += [{"type": f"{kind}.delta", **inside, "delta": piece} for piece in pieces]
        parts += [{"type": f"{kind}.done", **inside, "text": whole}]
    parts += [
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": _response([item], "completed")},
    ]
    yield from ({**part, "sequence_number": next(numbers)} for part in parts)


def _item(text: str, tool: str, arguments: str | None) -> Json:
    if arguments is not None:
        call = {"id": "fc_1", "call_id": CALL, "name": tool, "arguments": arguments}
        return {"type": "function_call", "status": "completed", **call}
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content}


def _response(output: list[Json], status: str) -> Json:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": MODEL,
        "output": output,
        "status": status,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": RESPONSES_USAGE,
    }
