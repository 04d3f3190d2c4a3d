"""A model that is sent no keys unasked, notes what it is sent, and waits and tries again only so long."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import is_dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from anyio import CancelScope
from pydantic_ai import RunContext
from pydantic_ai.exceptions import UnexpectedModelBehavior, UserError
from pydantic_ai.messages import (
    BaseToolCallPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings, merge_model_settings
from pydantic_ai.usage import RequestUsage

from app.config.settings import Settings
from app.llm.failures import BAD_KEY
from app.llm.log import Sent, log_failure, record_sent
from app.llm.masks import KeyGate

Change = Callable[[str], str]

RECORD_SECONDS = 2.0
"""Longest wait for the disk: a folder that hangs must not keep an answer waiting."""


def _change_texts(
    messages: list[ModelMessage], parameters: ModelRequestParameters, change: Change
) -> tuple[list[ModelMessage], ModelRequestParameters]:
    """Apply ``change`` to every text of a request, in its order; what was given is not changed.

    The tools' descriptions, which are the program's own, are left alone, and so is what a model thought and
    signed: it is taken back only as it was.
    """
    instructions = parameters.instruction_parts
    if instructions is not None:
        instructions = [replace(part, content=change(part.content)) for part in instructions]
        parameters = replace(parameters, instruction_parts=instructions)
    return [_message(message, change) for message in messages], parameters


def _message(message: ModelMessage, change: Change) -> ModelMessage:
    parts = [_part(part, change) for part in message.parts]
    if isinstance(message, ModelRequest):
        told = None if message.instructions is None else change(message.instructions)
        return replace(message, parts=parts, instructions=told)
    return replace(message, parts=parts)


def _part(part: Any, change: Change) -> Any:  # noqa: ANN401 - one of some twenty kinds
    if isinstance(part, BaseToolCallPart):
        return _replaced(part, "args", _arguments(part.args, change))
    if not hasattr(part, "content") or (isinstance(part, ThinkingPart) and part.signature):
        return part
    return _replaced(part, "content", _value(part.content, change))


def _replaced(part: Any, field: str, value: Any) -> Any:  # noqa: ANN401
    """Return a part with another value of a field, and the very same part where nothing changed."""
    return part if getattr(part, field) == value else replace(part, **{field: value})


def _arguments(arguments: Any, change: Change) -> Any:  # noqa: ANN401
    if not isinstance(arguments, str):
        return _value(arguments, change)
    try:
        read = json.loads(arguments)
    except ValueError:
        return change(arguments)
    changed = _value(read, change)
    return arguments if changed == read else json.dumps(changed, ensure_ascii=False)


def _value(value: Any, change: Change) -> Any:  # noqa: ANN401
    match value:
        case str():
            return change(value)
        case list() | tuple():
            return [_value(each, change) for each in value]
        case dict():
            return {_value(name, change): _value(each, change) for name, each in value.items()}
        case _ if is_dataclass(value) and isinstance(text := getattr(value, "content", None), str):
            return _replaced(value, "content", change(text))
        case _:
            return value


class RecordedModel(WrapperModel):
    """Passes on to a model what may leave, records it first, and bounds waits and retries.

    Args:
        model: The model that answers.
        name: Its name as the person wrote it.
        settings: Say where the record lies, how long to wait, and how often to try again.
    """

    def __init__(self, model: Model, name: str, settings: Settings) -> None:
        super().__init__(model)
        self._name = name
        self._state = settings.state_folder
        self._seconds = settings.model_seconds
        self._where = address_of(self.base_url) or self.system
        self._gate = KeyGate(name, self._where, settings.secrets)
        # The provider's own client tries again, so nothing of ours does: two loops would multiply.
        bounds = ModelSettings(
            timeout=self._seconds, first_event_timeout=self._seconds, max_retries=settings.model_retries
        )
        for unsupported in model.unsupported_settings & bounds.keys():
            del bounds[unsupported]
        self._bounds = bounds

    @property
    def model_id(self) -> str:
        """Return the name as the person wrote it."""
        return self._name

    @property
    def settings(self) -> ModelSettings | None:
        """Return the model's own settings, with the bounds where it says nothing about them."""
        return merge_model_settings(self._bounds, self.wrapped.settings)

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Record the request, send it and wait for the whole answer, retries included.

        Raises:
            TimeoutError: it took longer than the setting ``model_seconds``.
        """
        messages, model_request_parameters = await self._passed(messages, model_request_parameters)
        async with asyncio.timeout(self._seconds), self._connected():
            return await super().request(messages, model_settings, model_request_parameters)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Record the request and send it; the bounds are on its first words and on each pause."""
        messages, model_request_parameters = await self._passed(messages, model_request_parameters)
        async with (
            self._connected(),
            super().request_stream(messages, model_settings, model_request_parameters, run_context) as stream,
        ):
            yield stream

    async def count_tokens(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> RequestUsage:
        """Record the request: some providers count on their servers."""
        messages, model_request_parameters = await self._passed(messages, model_request_parameters)
        return await super().count_tokens(messages, model_settings, model_request_parameters)

    @asynccontextmanager
    async def _connected(self) -> AsyncGenerator[None]:
        """Close the connection afterwards, unless whoever uses the model holds it open; name odd failures."""
        await self.wrapped.__aenter__()
        try:
            yield
        except UnicodeEncodeError as error:
            raise UserError(BAD_KEY) from error
        except (TypeError, AttributeError, KeyError) as error:
            # So the providers' clients stumble over an answer that is not in their protocol.
            raise UnexpectedModelBehavior("the server's answer is not in the provider's protocol") from error
        finally:
            # A wait that ran out must not keep the connection from being closed.
            with CancelScope(shield=True):
                await self.wrapped.__aexit__(None, None, None)

    async def ask_about(self, texts: Sequence[str]) -> None:
        """Have a person asked now about what looks like a key in texts to be sent, before a wait counts.

        Raises:
            StoppedError: the person wants nothing to be sent.
        """
        await self._gate.cleaned(texts)

    async def _passed(
        self, messages: list[ModelMessage], parameters: ModelRequestParameters
    ) -> tuple[list[ModelMessage], ModelRequestParameters]:
        """Return a request without what must not leave, and record it."""
        texts: list[str] = []

        def listed(text: str) -> str:
            texts.append(text)
            return text

        _change_texts(messages, parameters, listed)
        clean, left_out = await self._gate.cleaned(texts)
        if clean:
            messages, parameters = _change_texts(messages, parameters, lambda text: clean.get(text, text))
        entry = Sent.now(self._name, self._where, _format_request(messages, parameters), left_out)
        try:
            async with asyncio.timeout(RECORD_SECONDS):
                await asyncio.to_thread(record_sent, self._state, entry)
        except TimeoutError:
            log_failure(entry, f"the disk did not answer within {RECORD_SECONDS:g} seconds")
        return messages, parameters


def _format_request(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> str:
    """Write a request out for a person: instructions, conversation, and the names of the tools offered.

    The tools' descriptions, which are the program's own and always the same, are not repeated.
    """
    blocks = []
    if instructions := _instructions(messages, parameters):
        blocks.append(f"[instructions]\n{instructions}")
    for message in messages:
        speaker = "user" if isinstance(message, ModelRequest) else "assistant"
        blocks += [_format_part(part, speaker) for part in message.parts]
    if tools := [tool.name for tool in (*parameters.function_tools, *parameters.output_tools)]:
        blocks.append(f"[tools offered]\n{', '.join(tools)}")
    return "\n\n".join(blocks)


def _instructions(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> str:
    if parameters.instruction_parts is not None:
        return "\n\n".join(part.content for part in parameters.instruction_parts)
    requests = [message for message in messages if isinstance(message, ModelRequest)]
    return (requests[-1].instructions or "") if requests else ""


def _format_part(part: ModelRequestPart | ModelResponsePart, speaker: str) -> str:
    match part:
        case UserPromptPart(content=str(text)) | TextPart(content=text):
            return f"[{speaker}]\n{text}"
        case ToolCallPart():
            return f"[assistant calls {part.tool_name}]\n{part.args_as_json_str()}"
        case ToolReturnPart():
            return f"[{part.tool_name} returns]\n{part.model_response_str()}"
        case _:
            return f"[{part.part_kind}]\n{getattr(part, 'content', part)}"


def address_of(url: str | None) -> str:
    """Keep of an address what says where it leads; a key may stand in the rest."""
    if not url:
        return ""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")
