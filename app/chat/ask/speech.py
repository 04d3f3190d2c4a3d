"""The words of an answer as a model writes them, in whatever form it answers."""

from pydantic_ai.messages import (
    AgentStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_core import from_json

from app.chat.ask.events import Watch, Words

_NO_WORDS = ("{", "`", "<", "[")
"""Begin JSON, a block of code and a model's thoughts: what is in them is shown once it is understood."""


class Speech:
    """Takes the events of one response, and gives on what a reader may see of it.

    Args:
        watch: Is given the words.
        tools: Tools that are no answer; the call of any other one holds the answer.
    """

    def __init__(self, watch: Watch, tools: tuple[str, ...]) -> None:
        self._watch, self._tools = watch, tools
        self._part = -1
        self._is_call = False
        self._written = ""
        self._said = 0

    def take(self, event: AgentStreamEvent) -> None:
        """Give on the words of an event."""
        match event:
            case PartStartEvent(index=part, part=TextPart(content=text)):
                self._part, self._is_call, self._written, self._said = part, False, text, 0
            case PartStartEvent(index=part, part=ToolCallPart(tool_name=name) as call):
                self._part = -1 if name in self._tools else part
                self._is_call, self._said = True, 0
                self._written = call.args if isinstance(call.args, str) else call.args_as_json_str()
            case PartDeltaEvent(index=part, delta=TextPartDelta(content_delta=text)) if part == self._part:
                self._written += text
            case PartDeltaEvent(index=part, delta=ToolCallPartDelta(args_delta=str(text))) if (
                part == self._part
            ):
                self._written += text
            case _:
                return
        if self._part < 0:
            return
        whole = _overview(self._written) if self._is_call else _plain(self._written)
        new = whole[self._said :]
        if new:
            self._watch(Words(new, begins=not self._said))
            self._said = len(whole)


def _plain(text: str) -> str:
    return "" if text.lstrip().startswith(_NO_WORDS) else text.lstrip()


def _overview(arguments: str) -> str:
    """Return what the arguments of a call say so far."""
    try:
        # Before the first arguments come, some providers send an empty object.
        found = from_json(arguments.removeprefix("{}") or "{}", allow_partial="trailing-strings")
    except ValueError:
        return ""
    text = found.get("overview") if isinstance(found, dict) else None
    return text if isinstance(text, str) else ""
