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


def test_a_conversation_within_its_budget_is_left_alone() -> None:
    messages = turn(1, [500]) + turn(2, [500])
    assert trim_history(messages, 2000) == messages


def test_old_results_go_first_and_their_calls_keep_an_answer() -> None:
    messages = turn(1, [1000, 1000]) + turn(2, [1000])
    assert told(trim_history(messages, 2500)) == [
        "q1",
        "call 1-0",
        "result 1-0 left out",
        "call 1-1",
        "result 1-1 1000",
        "a" * 10,
        "q2",
        "call 2-0",
        "result 2-0 1000",
        "a" * 10,
    ]


def test_then_whole_turns_go_the_oldest_first() -> None:
    messages = turn(1, [], 900) + turn(2, [], 900) + turn(3, [], 900)
    assert told(trim_history(messages, 2000)) == ["q2", "a" * 900, "q3", "a" * 900]


def test_what_is_left_out_is_named_with_its_size() -> None:
    shown = trim_history([*turn(1, [1234]), *turn(2, [])], 200)
    result = shown[2].parts[0]
    assert isinstance(result, ToolReturnPart)
    assert result.content == "[A result of 1234 characters stood here. Call the tool again if it is needed.]"
    assert result.tool_call_id == "1-0"


def test_the_turn_under_way_loses_what_the_model_has_seen_but_not_the_last_result() -> None:
    under_way = turn(2, [5000, 5000])[:-1]
    assert told(trim_history([*turn(1, [5000]), *under_way], 1000)) == [
        "q2",
        "call 2-0",
        "result 2-0 left out",
        "call 2-1",
        "result 2-1 5000",
    ]


def test_the_conversation_that_is_given_stays_as_it_is() -> None:
    messages = turn(1, [1000]) + turn(2, [1000])
    before = told(messages)
    trim_history(messages, 100)
    assert told(messages) == before


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
