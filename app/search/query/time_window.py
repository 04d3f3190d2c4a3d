"""The time that a question names, as days that a ranking prefers: a soft window, which hides nothing."""

import re
from datetime import date
from typing import NamedTuple

from app.notices import Notice, NoticeKind
from app.search.query.calendar_words import MONTHS, SEASONS, WEEKDAYS
from app.search.query.period import Period
from app.vault.paths import nfc

_WORDS = (
    "|".join([*MONTHS, *WEEKDAYS])
    + r"|today|tonight|yesterday|tomorrow|morning|days?|weeks?|weekends?|months?|quarters?|years?|night|hours"
    r"|hier|avant-hier|demain|après-demain|aujourd|matin|soir|jours?|semaines?|week-ends?|mois|trimestres?"
    r"|semestres?|ans?|années?|annees?|heures"
)
# What every named time has at least one of, small letters alone: looking for capitals besides takes ten times as long.  # noqa: E501
_HINT = re.compile(
    rf"\b(?:{_WORDS}|{'|'.join(SEASONS)}|[qt][1-4])\b|[0-9]{{4}}|[0-9]/[0-9]|[0-9]{{2}}s\b|années [0-9]"
)


class Window(NamedTuple):
    """The days that a question asks about, and the words it names them by.

    ``is_relative`` tells words such as "last week" from a date that notes may write in the same way, and
    ``has_year`` a date with its year from one of any year, such as "in March".
    """

    period: Period
    phrase: str
    is_relative: bool
    has_year: bool

    def without(self, text: str) -> str:
        """Return a text, in NFC, without the words of the time, which are in NFC as well."""
        return " ".join(re.sub(re.escape(self.phrase) + r"(?:['’]s\b)?", " ", nfc(text), count=1).split())

    def notice(self) -> Notice:
        """Say how the words were read."""
        first, last = self.period.first, self.period.last
        if first == date.min:
            return Notice(NoticeKind.TIME_UNTIL, phrase=self.phrase, last=str(last))
        if last == date.max:
            return Notice(NoticeKind.TIME_FROM, phrase=self.phrase, first=str(first))
        kind = NoticeKind.TIME_BETWEEN if first != last else NoticeKind.TIME_ON
        return Notice(kind, phrase=self.phrase, first=str(first), last=str(last))


def window_of(text: str, today: date) -> Window | None:
    """Return the window that a text, in NFC, names; None where it names no time.

    Args:
        text: The text.
        today: The day that words such as "last week" count from.
    """
    if not _HINT.search(text.lower()):
        return None
    # Its expressions take a moment to be compiled, which most questions need not wait for.
    from app.search.query.named_time import named_time

    named = named_time(text, today)
    return Window(named.period, named.phrase, named.is_relative, named.has_year) if named else None
