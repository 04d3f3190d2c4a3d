"""Language models that behave as real ones do, well and badly.

Each responds to what it was told. It reads the evidence in its prompt: runs of lines, each under a header
such as ``[1] tasks.md lines 9-14``. Where the lines that answer are not among them, it searches with the
tools that it has, reads, and then answers.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError, ModelTimeoutError
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo

from bench.answers.scenarios import SCENARIOS, LieKind, Scenario

MODEL = "scripted"
HUGE = 1_000_000
"""Characters of the answer of a model that does not stop."""
THOUGHT = "Let me weigh what I was given before I say anything."
"""What a model thinks aloud; nobody is to see it."""
LEADS = {"en": "Here is what the notes say:", "fr": "Voici ce que disent les notes :"}
REFUSAL = {"en": "I'm sorry, but I can't help with that.", "fr": "Désolé, je ne peux pas vous aider."}
_HEADER = re.compile(
    r"^\W{0,3}?(?:(?P<open>\[)?(?P<number>\d+)[\].):]*\s+)?['\"`]?(?P<path>[^\s'\"`\[][^\n]*?\.md)['\"`]?[\s,:(]{1,3}"
    r"(?:(?:lines?|lignes?)\s+)?(?P<first>\d+)(?:\s*[-–]\s*(?P<last>\d+))?",
    re.MULTILINE,
)
_NUMBERED = re.compile(r"^[\s>]*(\d+) *\| ?(.*)$")

Expected = Literal["kept", "marked", "uncited", "nothing"]
"""What ought to become of the sentence: ``kept`` as it stands, ``marked`` or not shown, shown as ``uncited``.

``nothing`` where only the evidence counts.
"""


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines that a model was shown; ``number`` is what they are cited by, empty where by their place."""

    number: str
    path: str
    lines: dict[int, str]


def passages(messages: Sequence[ModelMessage], info: AgentInfo) -> Iterator[Passage]:
    """Yield every run of lines that a model was shown: in its instructions, its prompt, by its tools."""
    yield from _passages(info.instructions or "", by_number=True)
    for message in messages:
        for part in message.parts:
            if isinstance(part, UserPromptPart):
                contents = [part.content] if isinstance(part.content, str) else part.content
                for content in contents:
                    yield from _passages(content if isinstance(content, str) else "", by_number=True)
            elif isinstance(part, ToolReturnPart):
                # The numbers of results are those of one search.
                yield from _passages(part.model_response_str(), by_number=False)


def _passages(text: str, *, by_number: bool) -> Iterator[Passage]:
    headers = list(_HEADER.finditer(text))
    for at, header in enumerate(headers):
        end = headers[at + 1].start() if at + 1 < len(headers) else len(text)
        below = text[header.end() : end].splitlines()[1:]
        numbered = {int(line[1]): line[2] for line in map(_NUMBERED.match, below) if line}
        lines = numbered or dict(enumerate(below, start=int(header["first"])))
        number = (header["number"] or "") if header["open"] or by_number else ""
        yield Passage(number, header["path"], lines)


@dataclass(frozen=True, slots=True)
class View:
    """What a model sees when it is asked to respond."""

    messages: Sequence[ModelMessage]
    info: AgentInfo
    scenario: Scenario

    @property
    def called(self) -> list[str]:
        """The tools it has called."""
        parts = (part for message in self.messages for part in message.parts)
        return [part.tool_name for part in parts if isinstance(part, ToolCallPart)]

    @property
    def responses(self) -> int:
        """How often it has responded."""
        return sum(isinstance(message, ModelResponse) for message in self.messages)

    def has(self, tool: str) -> bool:
        """Return whether it may call a tool of this name."""
        return any(each.name == tool for each in self.info.function_tools)

    def evidence(self) -> Passage | None:
        """Return the passage that has the lines which answer."""
        wanted = self.scenario
        for passage in passages(self.messages, self.info):
            if passage.path == wanted.path and any(
                wanted.quote in line
                for at, line in passage.lines.items()
                if wanted.first <= at <= wanted.last
            ):
                return passage
        return None

    def looks(self) -> ModelResponse | None:
        """Call a tool where the lines that answer were not shown and there is one left to try."""
        wanted = self.scenario
        if self.evidence() is not None:
            return None
        if self.has("search") and "search" not in self.called:
            return _calls("search", query=wanted.question)
        if self.has("read") and "read" not in self.called:
            return _calls("read", path=wanted.path, lines=f"{wanted.first}-{wanted.last}")
        return None


Respond = Callable[[View, str], ModelResponse]
"""From what a model sees, and the sentence that it means to say, to its response."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How a model behaves, and what ought to become of what it says."""

    name: str
    expected: Expected
    respond: Respond
    sentences: Callable[[Scenario], Sequence[str]]
    """What it says of a scenario, a run each."""
    breaks_off: bool = False
    """Whether half of its answer has come when it fails, where answers come piece by piece."""
    is_wasteful: bool = False
    """Whether it calls or says more than its answer needs."""


def _says(text: str) -> ModelResponse:
    return ModelResponse(parts=[TextPart(text)])


def _calls(tool: str, **arguments: object) -> ModelResponse:
    return ModelResponse(parts=[ToolCallPart(tool, arguments)])


def _lines(scenario: Scenario) -> str:
    first, last = scenario.first, scenario.last
    return f"line {first}" if first == last else f"lines {first}-{last}"


def _by_path(view: View, sentence: str) -> str:
    return f"{sentence[:-1]} (`{view.scenario.path}` {_lines(view.scenario)})."


def _by_number(view: View, sentence: str) -> str:
    """Cite by number where the evidence has one, else by its place."""
    passage = view.evidence()
    if passage is None or not passage.number:
        return _by_path(view, sentence)
    return f"{sentence[:-1]} [{passage.number}]."


def _text(view: View, cited: str) -> str:
    return f"{LEADS[view.scenario.language]}\n{cited}"


def _payload(view: View, cited: str) -> dict[str, Any]:
    """Fill the form that an answer is to have, or the one that models guess."""
    wanted, tools = view.scenario, view.info.output_tools
    lines = f"{wanted.first}-{wanted.last}"
    if not tools:
        return {"overview": _text(view, cited), "files": [{"path": wanted.path, "lines": lines}]}
    filled: dict[str, Any] = {}
    for name, schema in tools[0].parameters_json_schema["properties"].items():
        if schema.get("type") == "string":
            filled[name] = _text(view, cited)
        elif schema.get("type") == "array":
            is_text = schema["items"].get("type") == "string"
            filled[name] = [wanted.path] if is_text else [{"path": wanted.path, "lines": lines}]
    return filled


def _typed(view: View, cited: str) -> ModelResponse:
    """Answer by the tool for answers, and in plain text where there is none."""
    if not view.info.output_tools:
        return _says(_text(view, cited))
    return _calls(view.info.output_tools[0].name, **_payload(view, cited))


Cite = Callable[[View, str], str]
Wrap = Callable[[View, str], ModelResponse]


def _answering(wrap: Wrap, cite: Cite = _by_number) -> Respond:
    """Look until the evidence is there, then answer in some form, cited in some way."""

    def respond(view: View, sentence: str) -> ModelResponse:
        return view.looks() or wrap(view, cite(view, sentence))

    return respond


def _prose(view: View, cited: str) -> ModelResponse:
    return _says(_text(view, cited))


def _fenced(view: View, cited: str) -> ModelResponse:
    payload = json.dumps(_payload(view, cited), ensure_ascii=False, indent=2)
    return _says(f"Sure! Here is the answer:\n\n```json\n{payload}\n```\n")


def _bare(view: View, cited: str) -> ModelResponse:
    return _says(json.dumps(_payload(view, cited), ensure_ascii=False))


def _thinking(view: View, cited: str) -> ModelResponse:
    return _says(f"<think>\n{THOUGHT}\n</think>\n\n{_text(view, cited)}")


def _thinking_on(view: View, cited: str) -> ModelResponse:
    return _says(f"<think>\n{THOUGHT}\n\n{_text(view, cited)}")


def _endless(view: View, cited: str) -> ModelResponse:
    filler = "Furthermore, there is a great deal more to be said about all of this. "
    return _says(f"{_text(view, cited)}\n\n{filler * (HUGE // len(filler))}")


def _uncited(view: View, sentence: str) -> str:
    return sentence


def _nowhere(view: View, sentence: str) -> str:
    """Cite a note that there is none of, named as its neighbours are."""
    folder = view.scenario.path.rpartition("/")[0]
    path = f"{folder}/minutes-of-1987.md" if folder else "minutes-of-1987.md"
    return f"{sentence[:-1]} (`{path}` {_lines(view.scenario)})."


def _beyond(view: View, sentence: str) -> str:
    """Cite lines that the note does not have."""
    return f"{sentence[:-1]} (`{view.scenario.path}` lines 9001-9004)."


def _forty(view: View, sentence: str) -> str:
    others = ", ".join(f"`archive/volume-{number}.md`" for number in range(1, 40))
    return f"{_by_path(view, sentence)[:-2]}, {others})."


def _for_ever(tool: str) -> Respond:
    """Make the same call again and again; without such a tool, announce it again and again."""

    def respond(view: View, sentence: str) -> ModelResponse:
        if not view.has(tool):
            return _says("Let me look that up first.")
        if tool == "search":
            return _calls("search", query=view.scenario.question)
        return _calls("read", path=view.scenario.path)

    return respond


def _calling_first(tool: str, **arguments: object) -> Respond:
    """Make a call that cannot succeed, then do as one should."""

    def respond(view: View, sentence: str) -> ModelResponse:
        if not view.responses:
            return _calls(tool, **arguments)
        return _answering(_typed)(view, sentence)

    return respond


def _searching_again(view: View, sentence: str) -> ModelResponse:
    """Search once more in words of its own, though what it was given answers; then do as one should."""
    if not view.responses and view.has("search"):
        return _calls("search", query=[view.scenario.question.rstrip(" ?") + " exactly"])
    return _answering(_typed)(view, sentence)


def _empty(view: View, sentence: str) -> ModelResponse:
    return ModelResponse(parts=[])


def _refusing(view: View, sentence: str) -> ModelResponse:
    return _says(REFUSAL[view.scenario.language])


def _speaking_and_calling(view: View, sentence: str) -> ModelResponse:
    """Answer and call a tool in one breath, and take the answer for given."""
    looked = view.looks()
    if looked is not None:
        return looked
    said = _text(view, _by_number(view, sentence))
    if view.has("search") and not any(said in str(message) for message in _own_texts(view)):
        parts: list[ModelResponsePart] = [TextPart(said), ToolCallPart("search", {"query": "anything else"})]
        return ModelResponse(parts=parts)
    return _says("As I said above." if view.has("search") else said)


def _own_texts(view: View) -> Iterator[str]:
    for message in view.messages:
        if isinstance(message, ModelResponse):
            yield from (part.content for part in message.parts if isinstance(part, TextPart))


def _failing(error: Callable[[], Exception]) -> Respond:
    def respond(view: View, sentence: str) -> ModelResponse:
        raise error()

    return respond


def _failing_later(view: View, sentence: str) -> ModelResponse:
    if not view.responses and view.has("search"):
        return _calls("search", query=view.scenario.question)
    raise _server_error()


def _busy() -> Exception:
    return ModelHTTPError(429, MODEL, {"error": {"message": "Rate limit reached for requests"}})


def _server_error() -> Exception:
    return ModelHTTPError(500, MODEL, {"error": {"message": "The server had an error"}})


def _time_out() -> Exception:
    return ModelTimeoutError(MODEL, "Request timed out.", phase="read")


def _cut_off() -> Exception:
    return ModelConnectionError(MODEL, "peer closed connection", phase="read", in_stream=True)


def _truth(scenario: Scenario) -> Sequence[str]:
    return (scenario.truth,)


def _paraphrase(scenario: Scenario) -> Sequence[str]:
    return (scenario.paraphrase,)


def _nothing(scenario: Scenario) -> Sequence[str]:
    return ("",)


def _lying(kind: LieKind) -> Callable[[Scenario], Sequence[str]]:
    return lambda scenario: scenario.lying(kind)


def _misquoting(scenario: Scenario) -> Sequence[str]:
    said = {"en": "The note says “{}”.", "fr": "La note dit « {} »."}
    return (said[scenario.language].format(scenario.misquote),)


def _quoting(scenario: Scenario) -> Sequence[str]:
    said = {"en": "The note says “{}”.", "fr": "La note dit « {} »."}
    return (said[scenario.language].format(scenario.quote),)


def _translated(scenario: Scenario) -> Sequence[str]:
    """Say of the same lines what the scenario in the other language says of them."""
    return tuple(
        other.truth
        for other in SCENARIOS
        if (other.path, other.first) == (scenario.path, scenario.first)
        and other.language != scenario.language
    )


BEHAVIOURS = (
    Behaviour("prose with paths", "kept", _answering(_prose, _by_path), _truth),
    Behaviour("prose with numbers", "kept", _answering(_prose), _truth),
    Behaviour("JSON in a fence", "kept", _answering(_fenced), _truth),
    Behaviour("JSON, bare", "kept", _answering(_bare), _truth),
    Behaviour("typed call", "kept", _answering(_typed), _truth),
    Behaviour("thinks aloud, then answers", "kept", _answering(_thinking), _truth),
    Behaviour("thinks aloud without an end", "nothing", _answering(_thinking_on), _truth),
    Behaviour("true paraphrase", "kept", _answering(_typed), _paraphrase),
    Behaviour("true quotation", "kept", _answering(_typed), _quoting),
    Behaviour("true, in the other language", "kept", _answering(_typed), _translated),
    Behaviour("true, without citation", "uncited", _answering(_typed, _uncited), _truth),
    Behaviour("invented path", "marked", _answering(_typed, _nowhere), _truth),
    Behaviour("invented lines", "marked", _answering(_typed, _beyond), _truth),
    Behaviour("invented quotation", "marked", _answering(_typed), _misquoting),
    Behaviour("wrong number", "marked", _answering(_typed), _lying("number")),
    Behaviour("wrong unit", "marked", _answering(_typed), _lying("unit")),
    Behaviour("wrong date", "marked", _answering(_typed), _lying("date")),
    Behaviour("swapped name", "marked", _answering(_typed), _lying("name")),
    Behaviour("negation", "marked", _answering(_typed), _lying("negation")),
    Behaviour("antonym", "marked", _answering(_typed), _lying("antonym")),
    Behaviour("repeats a search for ever", "nothing", _for_ever("search"), _nothing),
    Behaviour("reads the same note for ever", "nothing", _for_ever("read"), _nothing),
    Behaviour(
        "calls an unknown tool", "kept", _calling_first("grep_vault", pattern="x"), _truth, is_wasteful=True
    ),
    Behaviour(
        "bad arguments", "kept", _calling_first("search", q="x", top_k="many"), _truth, is_wasteful=True
    ),
    Behaviour("searches again, then answers", "kept", _searching_again, _truth),
    Behaviour("empty answer", "nothing", _empty, _nothing),
    Behaviour("huge output", "kept", _answering(_endless), _truth, is_wasteful=True),
    Behaviour("breaks off half-way", "nothing", _failing(_cut_off), _truth, breaks_off=True),
    Behaviour("429", "nothing", _failing(_busy), _nothing),
    Behaviour("500", "nothing", _failing(_server_error), _nothing),
    Behaviour("500 at the second request", "nothing", _failing_later, _nothing),
    Behaviour("time-out", "nothing", _failing(_time_out), _nothing),
    Behaviour("refuses", "nothing", _refusing, _nothing),
    Behaviour("answers, and calls a tool", "kept", _speaking_and_calling, _truth, is_wasteful=True),
    Behaviour("cites forty notes", "nothing", _answering(_typed, _forty), _truth),
)
