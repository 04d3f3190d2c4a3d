"""What is said beside results: a notice is a kind with its facts, worded in the language of who reads it."""

from collections.abc import Mapping
from string import Formatter
from typing import Any, Literal, TypeAlias

from app.wordings import NoticeKind, Wording
from app.wordings_claims import ClaimKind
from app.wordings_commands import CommandKind
from app.wordings_failures import FailureKind
from app.wordings_languages import LanguageKind
from app.wordings_measure import MeasureKind
from app.wordings_start import StartKind
from app.wordings_terminal import TerminalKind
from app.wordings_why import WhyKind
from app.wordings_work import WorkKind

__all__ = [
    "KINDS",
    "ClaimKind",
    "CommandKind",
    "Fact",
    "FailureKind",
    "Language",
    "LanguageKind",
    "MeasureKind",
    "Notice",
    "NoticeKind",
    "StartKind",
    "TerminalKind",
    "WhyKind",
    "WorkKind",
]

_TABLES: tuple[type[Wording], ...] = (
    NoticeKind,
    FailureKind,
    WhyKind,
    ClaimKind,
    LanguageKind,
    TerminalKind,
    CommandKind,
    WorkKind,
    StartKind,
    MeasureKind,
)
KINDS: Mapping[str, Wording] = {kind.name: kind for table in _TABLES for kind in table}
"""Everything that can be said, by its name."""
Language = Literal["fr", "en"]
Fact: TypeAlias = "str | int | float | Notice | tuple[str | Notice, ...]"


class Notice(str):
    """Something that must be said beside results: its kind, and the facts it is about.

    It reads as its English wording, so that what shows English alone shows it as it is.

    Args:
        kind: What is said.
        facts: What the wordings of the kind name.
    """

    __slots__ = ("facts", "kind")
    kind: Wording
    facts: Mapping[str, Fact]

    def __new__(cls, kind: Wording, /, **facts: Fact) -> "Notice":
        """Word a notice in English, and keep what it is made of."""
        made = super().__new__(cls, _WORDS["en"].vformat(kind.english, (), facts))
        made.kind, made.facts = kind, facts
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[Wording], dict[str, Fact]]:
        """Return what makes it again, for a copy."""
        return (self.kind,), dict(self.facts)

    def as_data(self) -> dict[str, Any]:
        """Return what makes it again, in values that JSON has."""
        return {"kind": self.kind.name, "facts": {name: _as_data(fact) for name, fact in self.facts.items()}}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Notice":
        """Make it again from what `as_data` returned.

        Raises:
            KeyError: there is no such kind, or a fact that its wording names is missing.
        """
        facts = {name: _from_data(fact) for name, fact in data["facts"].items()}
        return cls(KINDS[data["kind"]], **facts)

    def said(self, language: Language) -> str:
        """Return the wording in a language."""
        wording = self.kind.french if language == "fr" else self.kind.english
        return _WORDS[language].vformat(wording, (), self.facts)

    def remark(self, language: Language) -> str:
        """Return the wording as a sentence of its own."""
        return Notice(NoticeKind.REMARK, notice=self).said(language) + "."


def _as_data(fact: Fact) -> object:
    if isinstance(fact, Notice):
        return fact.as_data()
    return [_as_data(each) for each in fact] if isinstance(fact, tuple) else fact


def _from_data(fact: Any) -> Any:  # noqa: ANN401 - a fact
    if isinstance(fact, Mapping):
        return Notice.from_data(fact)
    return tuple(map(_from_data, fact)) if isinstance(fact, list) else fact


class _Words(Formatter):
    """Puts facts into the wordings of one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def format_field(self, value: Any, spec: str) -> str:  # noqa: ANN401 - a fact
        if isinstance(value, Notice):
            return value.said(self._language)
        if isinstance(value, tuple):
            return (spec or ", ").join(self.format_field(each, "") for each in value)
        if isinstance(value, int) and "|" in spec:
            one, several = spec.split("|")
            # In French none is singular as well.
            return one if value == 1 or (value == 0 and self._language == "fr") else several
        return format(value, spec)


_WORDS: dict[Language, _Words] = {"en": _Words("en"), "fr": _Words("fr")}
