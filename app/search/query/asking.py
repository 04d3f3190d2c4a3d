"""Leave out of a question the words that only ask: "what did I write about", « qu'est-ce que j'ai noté sur ».

They are rows of a table a language, and count no more than stop words do: "What did I write about the boat?"
is searched as "the boat".
"""

import re
from collections.abc import Iterator
from functools import cache

from app.search.lexical.analysis import fold
from app.search.query.time_words import any_of, phrases
from app.vault.paths import ONE_KIND, nfc


def without_asking(text: str) -> str:
    """Return a question without the words that only ask; as it is where nothing else stands in it."""
    plain = nfc(text).translate(ONE_KIND)
    begun = [found.end() for pattern in _openings(plain) if (found := pattern.match(plain))]
    ended = _closing().search(plain)
    if not begun and ended is None:
        return text
    rest = nfc(text)[max(begun, default=0) : ended.start() if ended else None].strip(" ?!,:;.…")
    return rest if re.search(r"\w", rest) else text


@cache
def idle_words() -> frozenset[str]:
    """Return the folded words that ask for nothing themselves, wherever they stand."""
    found = [phrase for section in ("verb", "idle") for _, phrase in phrases(section, "asking")]
    return frozenset(fold(word) for phrase in found for word in phrase.split())


def _openings(text: str) -> Iterator[re.Pattern[str]]:
    """Yield what meets the words that ask where a question begins; all that have its first word in them."""
    first = re.search(r"\w+", text.lower())
    for phrase in _phrases() if first else ():
        if first and first[0] in phrase:
            yield _compiled(phrase)


@cache
def _phrases() -> list[str]:
    about = rf"(?:\s*{_piece('about')}(?!\w))?"
    return [rf"\s*(?:{_filled(phrase)})(?!\w){about}" for _, phrase in phrases("opening", "asking")]


@cache
def _compiled(phrase: str) -> re.Pattern[str]:
    return re.compile(phrase, re.IGNORECASE)


@cache
def _closing() -> re.Pattern[str]:
    """Return what meets the words that ask where a question ends."""
    return re.compile(rf"\s+{_piece('closing')}[\s?!.…]*$", re.IGNORECASE)


def _piece(section: str) -> str:
    """Return a pattern that meets any phrase of a section."""
    return any_of([_filled(phrase) for _, phrase in phrases(section, "asking")])


def _filled(phrase: str) -> str:
    """Return a phrase as a pattern, with the sections that stand in its slots."""
    return re.sub(r"\{([a-z]+)\}", lambda slot: _piece(slot[1]), phrase.replace(" ", r"\s+"))
