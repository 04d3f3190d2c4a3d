"""A long chat is kept within its budget, and stays a conversation that a model understands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from app.chat.history import LEFT_OUT, trim_history

MOST = len(LEFT_OUT.format(count=1_000_000))


def turn(number: int, results: list[int], answer: int = 10) -> list[ModelMessage]:
    """A question, a call and its result for each size, and an answer."""
    messages: list[ModelMessage] = [ModelRequest([UserPromptPart(f"q{number}")])]
    for at, size in enumerate(results):
        name = f"{number}-{at}"
        messages.append(ModelResponse([ToolCallPart("vault_search", {"query": "x"}, name)]))
        messages.append(ModelRequest([ToolReturnPart("vault_search", "r" * size, name)]))
    return [*messages, ModelResponse([TextPart("a" * answer)])]


def told(messages: list[ModelMessage]) -> list[str]:
    """What stands in a conversation, in short."""
    found = []
    for message in messages:
        for part in message.parts:
            match part:
                case UserPromptPart(content=str(text)) | TextPart(content=text):
                    found.append(text)
                case ToolCallPart(tool_call_id=name):
                    found.append(f"call {name}")
                case ToolReturnPart(tool_call_id=name, content=str(text)):
                    found.append(f"result {name} {'left out' if 'stood here' in text else len(text)}")
    return found


def test_old_results_go_first_and_their_calls_keep_an_answer() -> None:
    messages = turn(1, [1000, 1000]) + turn(2, [1000])
    results = [text for text in told(trim_history(messages, 2500)) if text.startswith("result ")]
    assert results == ["result 1-0 left out", "result 1-1 1000", "result 2-0 1000"]


@pytest.mark.parametrize("budget", [0, 100, 700, 3000])
@given(turns=st.lists(st.lists(st.integers(0, 2000), max_size=4), min_size=1, max_size=5), done=st.booleans())
def test_whatever_goes_calls_and_results_stay_in_pairs(
    budget: int, turns: list[list[int]], done: bool
) -> None:
    messages = [message for number, results in enumerate(turns) for message in turn(number, results)]
    if not done and len(messages) > 2:
        messages = messages[:-1]
    kept = trim_history(messages, budget)
    assert isinstance(kept[0].parts[0], UserPromptPart)
    assert kept[-1] == messages[-1]
    shown = told(kept)
    for at, text in enumerate(shown):
        if text.startswith("call "):
            assert shown[at + 1].startswith(f"result {text.removeprefix('call ')} ")
        elif text.startswith("result "):
            assert shown[at - 1].startswith("call ")
    assert sum(map(len, told_texts(kept))) <= max(
        budget, sum(map(len, told_texts(turn_under_way(messages)))) + MOST * 4
    )


def told_texts(messages: list[ModelMessage]) -> list[str]:
    return [str(getattr(part, "content", "")) for message in messages for part in message.parts]


def turn_under_way(messages: list[ModelMessage]) -> list[ModelMessage]:
    starts = [at for at, message in enumerate(messages) if isinstance(message.parts[0], UserPromptPart)]
    return messages[starts[-1] :]
