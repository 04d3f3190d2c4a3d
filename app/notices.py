"""What is said beside results: the kinds of it, whose English stands in tables, and their facts."""

from collections.abc import Sequence
from typing import TypeAlias

from app.sentences import Language, Sentence, Worded
from app.wordings.notices import ChangeKind, ClaimKind, FailureKind, LanguageKind, NoticeKind, WhyKind

__all__ = [
    "ChangeKind",
    "ClaimKind",
    "Fact",
    "FailureKind",
    "Language",
    "LanguageKind",
    "Notice",
    "NoticeKind",
    "WhyKind",
    "some_of",
]

Fact: TypeAlias = "str | int | float | Worded | tuple[str | Worded, ...]"
Notice: TypeAlias = Sentence
"""A sentence that must be said beside results; its template may be a kind, that is a row of a table."""


def some_of(names: Sequence[str], most: int) -> Fact:
    """Return the first of some names, with how many more there are."""
    some = tuple(names[:most])
    return Notice(NoticeKind.AND_MORE, names=some, more=len(names) - most) if len(names) > most else some
