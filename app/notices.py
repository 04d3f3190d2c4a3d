"""What is said beside results: a notice is a kind with its facts, worded in the language of who reads it."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from app.sentences import Language, Sentence, Worded, in_french, put
from app.wordings.changes import ChangeKind
from app.wordings.claims import ClaimKind
from app.wordings.commands import CommandKind
from app.wordings.failures import FailureKind
from app.wordings.languages import LanguageKind
from app.wordings.notices import NoticeKind
from app.wordings.start import StartKind
from app.wordings.terminal import TerminalKind
from app.wordings.why import WhyKind
from app.wordings.wording import Wording
from app.wordings.work import WorkKind

__all__ = [
    "KINDS",
    "ChangeKind",
    "ClaimKind",
    "CommandKind",
    "Fact",
    "FailureKind",
    "Language",
    "LanguageKind",
    "Notice",
    "NoticeKind",
    "StartKind",
    "TerminalKind",
    "WhyKind",
    "WorkKind",
    "some_of",
]

_TABLES: tuple[type[Wording], ...] = (
    NoticeKind,
    FailureKind,
    WhyKind,
    ChangeKind,
    ClaimKind,
    LanguageKind,
    TerminalKind,
    CommandKind,
    WorkKind,
    StartKind,
)
KINDS: Mapping[str, Wording] = {kind.name: kind for table in _TABLES for kind in table}
"""Everything that can be said, by its name."""
Fact: TypeAlias = "str | int | float | Worded | tuple[str | Worded, ...]"


class Notice(Worded):
    """Something that must be said beside results: its kind, and the facts it is about.

    It reads as its English wording, so that what shows English alone shows it as it is.

    Args:
        kind: What is said.
        facts: What the wordings of the kind name.
    """

    __slots__ = ("kind",)
    kind: Wording

    def __new__(cls, kind: Wording, /, **facts: Fact) -> "Notice":
        """Word a notice in English, and keep what it is made of."""
        made = super().__new__(cls, put(kind.english, facts, "en"))
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

    def wording(self, language: Language) -> str:
        """Return the wording in a language."""
        english = self.kind.english
        return in_french(english, self.kind.name) if language == "fr" else english

    def remark(self, language: Language) -> str:
        """Return the wording as a sentence of its own."""
        return Notice(NoticeKind.REMARK, notice=self).said(language) + "."


def some_of(names: Sequence[str], most: int) -> Fact:
    """Return the first of some names, with how many more there are."""
    some = tuple(names[:most])
    return Notice(NoticeKind.AND_MORE, names=some, more=len(names) - most) if len(names) > most else some


def _as_data(fact: Fact) -> object:
    if isinstance(fact, Notice):
        return fact.as_data()
    if isinstance(fact, Sentence):
        return {
            "sentence": fact.template,
            "facts": {name: _as_data(each) for name, each in fact.facts.items()},
        }
    return [_as_data(each) for each in fact] if isinstance(fact, tuple) else fact


def _from_data(fact: Any) -> Any:  # noqa: ANN401 - a fact
    if isinstance(fact, Mapping) and "sentence" in fact:
        return Sentence(fact["sentence"], **{name: _from_data(each) for name, each in fact["facts"].items()})
    if isinstance(fact, Mapping):
        return Notice.from_data(fact)
    return tuple(map(_from_data, fact)) if isinstance(fact, list) else fact
