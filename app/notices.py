"""What is said beside results: a notice is a kind with its facts, worded in the language of who reads it."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Self, TypeAlias

from app.sentences import Language, Sentence, Worded
from app.wordings.commands import ChangeKind, CommandKind, StartKind, TerminalKind, WorkKind
from app.wordings.notices import ClaimKind, FailureKind, LanguageKind, NoticeKind, WhyKind

__all__ = [
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

Fact: TypeAlias = "str | int | float | Worded | tuple[str | Worded, ...]"


class Notice(Sentence):
    """Something that must be said beside results: a sentence whose English stands in a table, as a kind.

    Args:
        kind: What is said.
        facts: What the wordings of the kind name.
    """

    __slots__ = ()

    def __new__(cls, kind: StrEnum, /, **facts: Fact) -> Self:
        """Say a notice in English, and keep what it is made of."""
        return super().__new__(cls, kind, **facts)

    @property
    def kind(self) -> str:
        """What is said, as a member of one of the tables, or equal to one."""
        return self.template

    def remark(self, language: Language) -> str:
        """Return the wording as a sentence of its own."""
        return Notice(NoticeKind.REMARK, notice=self).said(language) + "."


def some_of(names: Sequence[str], most: int) -> Fact:
    """Return the first of some names, with how many more there are."""
    some = tuple(names[:most])
    return Notice(NoticeKind.AND_MORE, names=some, more=len(names) - most) if len(names) > most else some
