"""The forms in which a model gives its answer: a call of the output tool, JSON in a text, or prose."""

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import from_json

from app.chat.offline.phrases import NOT_SAID, phrase
from app.sentences import LANGUAGES

MOST_CHARS = 100_000
"""Of what a model wrote no more is looked at."""
MOST_FILES = 5000
_OVERVIEW = AliasChoices("overview", "answer", "summary", "response", "text", "content")
_FILES = AliasChoices("files", "sources", "notes", "citations", "references")
_PATH = ("path", "file", "name", "note", "source", "number", "passage", "id")
_LINES = ("lines", "range", "ranges")
_WRAPPED = ("arguments", "parameters")
"""Where the call of a tool that was written as a text has its arguments."""

_THINKING = r"(?:think|thinking|thought|reasoning|reflection)"
# A note may speak of such a mark: a model's own stands at the beginning of a line, and some models are given
# the opening mark, and write the closing one only.
_THOUGHT = re.compile(
    rf"\A.*(?<!`)</{_THINKING}\s*>|^[ \t]*<({_THINKING})\b[^>\n]*>.*?(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_PLACE = re.compile(
    r"(?P<path>.+?)(?::|,?\s+\(?(?:lines?|lignes?)\s+)(?P<lines>L?\d[\dL\s,;–—-]*)\)?", re.IGNORECASE
)
# A call that its server did not understand, such as JSON with a bracket too few, in a fence or without.
_BROKEN_CALL = re.compile(
    r"\A\W{0,20}(?:json\s*)?\{|</?tool_call>|\A\s*(?:search|read|tree)\s*\("
    r"|\"(?:name|function)\"\s*:[^\n]*\n?[^\n]*\"(?:arguments|parameters)\"\s*:",
    re.IGNORECASE,
)
_CITES = re.compile(r"\[\^?\d{1,3}\]|【\d|\.md\b|\[\[")
_MOST_OF_IT = 0.5
"""Share of a text from which on an object in it is the answer, and no part of one."""
_DECODER = json.JSONDecoder(strict=False)


def _as_text(value: Any) -> Any:  # noqa: ANN401 - what a model wrote, before it is checked
    """Take a range in any form models give it: 9, [9, 14], ["1-45", "60-80"], {"start": 9, "end": 14}."""
    match value:
        case [int() as first, int() as last] | {"start": first, "end": last}:
            return f"{first}-{last}"
        case [*parts]:
            return ", ".join(str(_as_text(part)) for part in parts)
    return value if value is None else str(value)


class NamedFile(BaseModel):
    """A note to show, whole or some lines of it; a path such as ``[2]`` is the number of a passage."""

    path: str
    lines: Annotated[str | None, BeforeValidator(_as_text)] = None


def _as_files(value: Any) -> list[NamedFile]:  # noqa: ANN401
    """Take what can be understood of a list of notes, or of one, and leave out what cannot."""
    values = value if isinstance(value, list | tuple) else [value]
    return [file for each in values[:MOST_FILES] if (file := _as_file(each)) is not None]


def _as_file(value: Any) -> NamedFile | None:  # noqa: ANN401
    match value:
        case NamedFile():
            return value
        case int() if not isinstance(value, bool):
            return NamedFile(path=f"[{value}]")
        case str() if text := " ".join(value.split()).strip("`"):
            if text.isdigit():
                return NamedFile(path=f"[{text}]")
            place = _PLACE.fullmatch(text)
            path = place["path"].strip("`") if place else text
            return NamedFile(path=path, lines=place["lines"] if place else None)
        case {**fields}:
            file, lines = _as_file(_first(fields, _PATH)), _first(fields, _LINES)
            return NamedFile(path=file.path, lines=lines) if file and lines is not None else file
    return None


def _as_overview(value: Any) -> str:  # noqa: ANN401
    if isinstance(value, list):
        return "\n".join(map(_as_overview, value))
    return "" if value is None else _spoken(str(value)[:MOST_CHARS])


def _as_flag(value: Any) -> bool:  # noqa: ANN401
    return str(value).strip().lower() not in ("false", "no", "non", "0")


_SHOWN = WithJsonSchema({"type": "array", "items": {"type": "string"}})


class SearchAnswer(BaseModel):
    """Answer."""

    # Nothing is required of it in truth: an empty answer is asked for once more, and not by the library.
    model_config = ConfigDict(validate_by_name=True)

    overview: Annotated[str, BeforeValidator(_as_overview)] = Field(
        default="", validation_alias=_OVERVIEW, description="The lines, with citations."
    )
    files: Annotated[list[NamedFile], BeforeValidator(_as_files), _SHOWN] = Field(
        default_factory=list,
        validation_alias=_FILES,
        description="Notes to show below, such as log.md:9-14; else what you cite.",
    )
    answered: Annotated[bool, BeforeValidator(_as_flag)] = Field(
        default=True, description="False: the notes do not say."
    )

    @property
    def is_refusal(self) -> bool:
        """Whether it says that the notes do not answer, by its flag or in the words that are agreed."""
        return not self.answered or says_nothing(self.overview)


def read_answer(text: str) -> SearchAnswer | None:
    """Understand an answer that was written as a text; None where it is empty, or the call of another tool.

    What a model thought aloud is left out. JSON may stand in a fence and among other words, and be cut off.
    """
    spoken = _spoken(text[:MOST_CHARS])
    fields, share = _object(spoken)
    is_answer = share > _MOST_OF_IT and not fields.keys().isdisjoint((*_OVERVIEW.choices, "answered"))
    if "overview" in fields or is_answer:
        answer = SearchAnswer.model_validate(fields)
        return answer if answer.overview.strip() or not answer.answered else None
    is_words = re.search(r"\w", spoken) and not _BROKEN_CALL.search(spoken)
    return SearchAnswer(overview=spoken) if is_words else None


def says_nothing(text: str) -> bool:
    """Return whether a text is the sentence that is agreed on for what the notes do not answer.

    More may follow it, such as an apology; an answer that cites something is one all the same.
    """
    said = " ".join(re.findall(r"\w+|[.!?…]", text.casefold()))
    agreed = [" ".join(re.findall(r"\w+", phrase(NOT_SAID, language).casefold())) for language in LANGUAGES]
    begins = any(re.match(rf"{re.escape(each)}(?: [.!?…]|\Z)", said) for each in agreed)
    return begins and not _CITES.search(text)


def _spoken(text: str) -> str:
    """Leave out what a model thought before it spoke."""
    return _THOUGHT.sub("", text).strip()


def _object(text: str) -> tuple[Mapping[str, Any], float]:
    """Return the first JSON object of a text, which may be cut off, and its share of the text."""
    begun = re.search(r'\{\s*"', text)
    if begun is None:
        return {}, 0.0
    try:
        value, end = _DECODER.raw_decode(text, begun.start())
    except (ValueError, RecursionError):
        try:
            value, end = from_json(text[begun.start() :], allow_partial="trailing-strings"), len(text)
        except ValueError:
            return {}, 0.0
    return _unwrapped(value), (end - begun.start()) / len(text)


def _unwrapped(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Take the arguments out of a call of the output tool that was written as a text."""
    inner = value.get("function", value)
    inner = _first(inner, _WRAPPED) if isinstance(inner, Mapping) else None
    if isinstance(inner, str):
        inner, _ = _object(inner)
    return inner if isinstance(inner, Mapping) and "overview" in inner else value


def _first(fields: Mapping[Any, Any], names: tuple[str, ...]) -> Any:  # noqa: ANN401
    """Return the first of some fields that is there and not null."""
    return next((fields[name] for name in names if fields.get(name) is not None), None)
