"""Read a query as typed: bare words, "exact phrases" and -exclusions."""

import re
from dataclasses import dataclass

# A quote opens a phrase at the start of a word, and only where another closes it; what else looks like
# punctuation is text, so that a plain question never turns into operators.
_TERM = re.compile(
    r"""(?:(?<=\s)|^)
        (?P<minus>-(?=["\w]))?
        (?:"(?P<phrase>(?:\\"|[^"])+)"(?=[\s,.;:!?)]|$)
          |(?P<word>\S+))""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: ``words`` rank, ``phrases`` and ``excluded`` filter.

    ``text`` is the query as typed; ``is_plain`` says that it holds no operator at all.
    """

    text: str
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """True where the whole text is words, so that it can be looked for as it stands."""
        return not self.phrases and not self.excluded

    @property
    def positive(self) -> str:
        """The words and phrases that rank, as one text."""
        return self.text if self.is_plain else " ".join([*self.words, *self.phrases])

    @property
    def is_everything(self) -> bool:
        """True for ``*`` alone, which matches all."""
        return self.is_plain and self.words == ("*",)


def parse_query(text: str) -> Query:
    """Read one query; never fails, since what is no operator is text."""
    words: list[str] = []
    phrases: list[str] = []
    excluded: list[str] = []
    for term in _TERM.finditer(text.strip()):
        content = term["word"] if term["word"] is not None else term["phrase"].replace('\\"', '"').strip()
        if not content:
            continue
        if term["minus"]:
            excluded.append(content)
        else:
            (phrases if term["phrase"] is not None else words).append(content)
    if len(words) + len(phrases) > 1:
        words = [word for word in words if word != "*"]
    return Query(text.strip(), tuple(words), tuple(phrases), tuple(excluded))
