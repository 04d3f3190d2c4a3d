"""The model that stands in for a language model: it has each question answered by quotations."""

import json
from collections.abc import AsyncIterator, Sequence

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel

from app.chat.ask.concat import remark
from app.chat.evidence.evidence import Overview
from app.chat.history import Call, Turn, read_turns
from app.chat.offline.phrases import language_for, phrase
from app.config.settings import OFFLINE
from app.notices import Language, Notice, NoticeKind

ASK = "ask_vault"
"""The tool that answers a question."""


def offline_model(language: Language = "en") -> FunctionModel:
    """Make the model that answers each message as a question of its own: no key, no network, no invention.

    It speaks ``language`` where no question tells one.
    """

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        step = next_step(read_turns(messages), language)
        if isinstance(step, str):
            return ModelResponse(parts=[TextPart(step)])
        return ModelResponse(parts=[ToolCallPart(step.tool, step.arguments)])

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        step = next_step(read_turns(messages), language)
        if isinstance(step, str):
            for line in step.splitlines(keepends=True):
                yield line
            return
        call = DeltaToolCall(step.tool, json.dumps(step.arguments), tool_call_id=f"offline-{len(messages)}")
        yield {0: call}

    return FunctionModel(respond, stream_function=stream, model_name=OFFLINE)


def next_step(turns: Sequence[Turn], language: Language = "en") -> Call | str:
    """Return the tool to call for the last question, or the answer once it was called.

    The first answer of a conversation says how to get a language model.
    """
    turn = turns[-1]
    if not turn.calls:
        return Call(ASK, {"question": turn.question})
    spoken, asked = language_for([each.question for each in turns], language), turn.calls[-1]
    if asked.failed:
        answer = f"{phrase('That did not work:', spoken)}\n\n{asked.answer}"
    else:
        answer = asked.value.text if isinstance(asked.value, Overview) else asked.answer
    told = [] if len(turns) > 1 else [remark(Notice(NoticeKind.OFFLINE), spoken)]
    return "\n\n".join([answer.strip(), *told])
