"""Leave out of a question the words that only ask: "what did I write about", « qu'est-ce que j'ai noté sur ».

They are rows of a table a language, and count no more than stop words do: "What did I write about the boat?"
is searched as "the boat".
"""

import re
from collections.abc import Iterator
from functools import cache

from app.search.lexical.analysis import fold
from app.search.query.times import compiled, expanded, phrases
from app.vault.paths import ONE_KIND, nfc


def without_asking(text: str) -> str:
    """Return a question without the words that only ask; as it is where nothing else stands in it."""
    composed = nfc(text)
    plain = composed.translate(ONE_KIND)
    begun = max(_openings(plain), default=0)
    closing = compiled(r"(?<=\s){closing}[\s?!.…]*$", "asking", whole=False).search(plain)
    rest = composed[begun : closing.start() if closing else None].strip(" ?!,:;.…")
    return rest if (begun or closing) and re.search(r"\w", rest) else text


@cache
def idle_words() -> frozenset[str]:
    """Return the folded words that ask for nothing themselves, wherever they stand."""
    found = [phrase for section in ("verb", "idle") for _, phrase in phrases(section, "asking")]
    return frozenset(fold(word) for phrase in found for word in phrase.split())


def _openings(text: str) -> Iterator[int]:
    """Yield where the words that ask end, of each phrase that a question begins with."""
    first = re.search(r"\w+", text.lower())
    for _, phrase in phrases("opening", "asking"):
        # To compile all of them would take longer than a search.
        if first and first[0] in expanded(phrase, "asking"):
            asks = rf"\s*(?:{phrase})(?!\w)(?:\s*{{about}}(?!\w))?"
            if found := compiled(asks, "asking", whole=False).match(text):
                yield found.end()
