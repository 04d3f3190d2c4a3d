"""Leave out of a question the words that only ask: "what did I write about", « qu'est-ce que j'ai noté sur ».

They are rows of a table a language, and count no more than stop words do: "What did I write about the boat?"
is searched as "the boat".
"""

import re
from functools import cache

from app.search.lexical.analysis import fold
from app.search.query.time_words import any_of, phrases
from app.vault.paths import nfc

_PLAIN = str.maketrans("’", "'")


def without_asking(text: str) -> str:
    """Return a question without the words that only ask; as it is where nothing else stands in it."""
    opening, closing = _patterns()
    written, text = text, nfc(text)
    plain = text.translate(_PLAIN)
    begun = opening.match(plain)
    ended = closing.search(plain)
    if begun is None and ended is None:
        return written
    start, end = begun.end() if begun else 0, ended.start() if ended else len(text)
    rest = text[start:end].strip(" ?!,:;.…")
    return rest if re.search(r"\w", rest) else written


@cache
def idle_words() -> frozenset[str]:
    """Return the folded words that ask for nothing themselves, wherever they stand."""
    found = [phrase for section in ("verb", "idle") for _, phrase in phrases(section, "asking")]
    return frozenset(fold(word) for phrase in found for word in phrase.split())


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what meets the words that ask where a question begins, and where it ends."""
    opening = rf"\s*{_piece('opening')}(?!\w)(?:\s*{_piece('about')}(?!\w))?"
    return re.compile(opening, re.IGNORECASE), re.compile(rf"\s+{_piece('closing')}[\s?!.…]*$", re.IGNORECASE)


def _piece(section: str) -> str:
    """Return a pattern that meets any phrase of a section, with the sections that stand in its slots."""
    some = any_of([phrase for _, phrase in phrases(section, "asking")])
    return re.sub(r"\{([a-z]+)\}", lambda slot: _piece(slot[1]), some)
