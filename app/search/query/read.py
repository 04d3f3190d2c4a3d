"""Read what is asked, once: the tree of a query, the time it names, what it asks besides, and its spellings.

Every later step of a search takes the `Query` that is made here; its text is read again only to be shown.
Words that only ask, as in "What did I write about the boat?", are rows of a table a language.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import cache, lru_cache
from weakref import WeakKeyDictionary

from app.errors import BadRequestError
from app.search.excerpt import fold
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import atoms, pieces, run_pattern, runs
from app.search.lexical.bm25 import Spelling
from app.search.lexical.language import LANGUAGE_CODES, asked_in, detect, stop_words
from app.search.models import SearchRequest
from app.search.query.evaluate import has_property
from app.search.query.parse import parse_prose, parse_query, reads_as_prose
from app.search.query.times import any_of, compiled, expanded, named_time, phrases, words
from app.search.query.tree import And, Node, Query, Text, is_bare, joined, positive_leaves, with_hyphen
from app.vault.dates import local_today
from app.vault.paths import ONE_KIND, nfc

OFTEN = 0.05
"""A language of a smaller share of the notes has no good words that look like those of another."""
KEPT_QUESTIONS = 256
_known: "WeakKeyDictionary[VaultSnapshot, dict[tuple[str, bool, date], Query]]" = WeakKeyDictionary()
"""The questions that were read: what ranks, what shows and what explains a search all ask for them."""


def queries_of(snapshot: VaultSnapshot, request: SearchRequest) -> tuple[Query, ...]:
    """Return the queries of a request, as its operation reads them.

    Raises:
        BadRequestError: an operator's value is missing or cannot be read; with the position in the query.
    """
    if not request.ranks_passages:
        return tuple(read_query(snapshot, text) for text in request.queries)
    # Dates that are given stand instead of a time that is named.
    timed = not (request.start or request.end)
    return tuple(read_question(snapshot, text, timed=timed) for text in request.queries)


def read_query(snapshot: VaultSnapshot, text: str) -> Query:
    """Read a query for an operation on notes, in which ``[name]`` asks for a property that some note has."""
    query = parse_query(text, lambda name: has_property(snapshot, name))
    return replace(query, spellings=tuple(codes_of(snapshot, " ".join(query.words))))


def read_question(snapshot: VaultSnapshot, text: str, *, timed: bool = True) -> Query:
    """Read the query of a ranked search, which may be a sentence, with the spellings of its words.

    Args:
        snapshot: The vault in which words stand, or do not.
        text: The query as typed.
        timed: Whether a time that it names counts.
    """
    key = text, timed, local_today()
    known = _known.setdefault(snapshot, {})
    if (query := known.get(key)) is None:
        query = timely(text)
        query = replace(query, spellings=spellings_of(snapshot, query))
        query = query if timed else replace(query, window=None, besides=None)
        if len(known) >= KEPT_QUESTIONS:
            known.clear()
        known[key] = query
    return query


@lru_cache(maxsize=256)
def parse_question(text: str) -> Query:
    """Read the query of a ranked search, which may be a sentence, by its text alone.

    Words that only ask, as "what did I write about", are left out. In a sentence, quotation marks, a bare
    ``OR``, slashes and a dash before a word are what they are in any sentence: its words rank and filter
    nothing. Operators, such as ``tag:`` or ``[status:done]``, filter as in a query, and one that cannot be
    read is text.

    Raises:
        BadRequestError: the text is no sentence, and an operator's value is missing or cannot be read.
    """
    text = text.strip()
    if not reads_as_prose(text):
        return parse_query(text)
    typed, text, root = text, without_asking(text), None
    with suppress(BadRequestError):
        root = parse_prose(text)
    if root is not None and not is_bare(root):
        return Query(text, root, is_plain=False)
    words: list[Node] = [
        Text(word, quoted=piece.quoted, folds=True) for piece in pieces(text) for word in piece.text.split()
    ]
    return Query(text, joined(And, words), typed=typed if typed != text else "")


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


def timely(text: str, today: date | None = None) -> Query:
    """Read the query of a ranked search, without regard to how the notes spell its words.

    Args:
        text: The query as typed.
        today: The day that words such as "last week" count from; the local day when left out.
    """
    query = parse_question(text)
    # What stands in operators and phrases names no time.
    words_alone = nfc(query.text if query.is_plain else " ".join(query.words))
    # The expressions take a moment to be compiled, which most questions need not wait for.
    if not _hint().search(words_alone.lower().replace("’", "'")):
        return query
    window = named_time(words_alone, today or local_today())
    if window is None:
        return query
    rest = window.without(query.positive)
    return replace(query, window=window, besides=rest if _asks_besides(query.positive, rest) else "")


@cache
def _hint() -> re.Pattern[str]:
    """Return what every named time has one of; small letters alone are looked for ten times as fast."""
    some = [word for section in ("month", "weekday", "season", "unit", "day") for word in words(section)]
    return re.compile(
        rf"\b(?:{any_of(some)}|{expanded('{daypart}|{hours}')}|[qt][1-4])\b|[0-9]{{4}}|[0-9]/[0-9]|[0-9]{{2}}s\b"
    )


def _asks_besides(text: str, rest: str) -> bool:
    """Return whether a question asks for anything beside its time: not so "what happened last week".

    Args:
        text: The question.
        rest: The question without the words of its time.
    """
    # Its language is its own, whatever the notes are written in; "s'est-il" is known by its parts.
    said = {atom.term for run in runs(text) for atom in atoms(run)}
    stops = stop_words(detect(said.union(runs(text))))
    words = (atom for run in runs(rest) for atom in atoms(run) if not atom.weak)
    return any(word.term not in stops and word.term not in idle_words() for word in words)


def spellings_of(snapshot: VaultSnapshot, query: Query) -> tuple[Spelling, ...]:
    """Return how the notes spell the bare words of a query that stand nowhere in them.

    What stands in quotation marks, belongs to an operator or names a time is left as it is.
    """
    leaves = positive_leaves(query.root)
    bare = [leaf for leaf in leaves if leaf.folds and not leaf.quoted]
    kept = {run for leaf in leaves if leaf not in bare for run in runs(leaf.text)}
    kept.update(runs(query.window.phrase) if query.window else ())
    text = " ".join(leaf.text for leaf in bare)
    found = [*codes_of(snapshot, text), *snapshot.speller.spellings(text)]
    return tuple(one for one in found if one.typed not in kept and not _is_another_word(snapshot, query, one))


def codes_of(snapshot: VaultSnapshot, text: str) -> Iterator[Spelling]:
    """Yield the codes of a text as the notes have them with a hyphen, beside how they are typed."""
    for run in dict.fromkeys(runs(text)):
        if (hyphened := with_hyphen(run)) and snapshot.speller.has(hyphened):
            yield Spelling(run, hyphened)
            yield from [Spelling(run, run)] * snapshot.speller.has(run)


def _is_another_word(snapshot: VaultSnapshot, query: Query, spelling: Spelling) -> bool:
    """Return whether a word is a good one that happens to look like one of the notes, as "went" and "lent".

    Only its accents may still differ.
    """
    # Imported when a word stands nowhere, which most questions never meet.
    from app.search.embedding.glosses import good_words
    from app.search.lexical.dictionary import LISTED, has_lists, may_be_word

    if fold(spelling.typed) == fold(spelling.text).replace("-", ""):
        return False
    # Of "l'échéance" the word behind the shortened one is looked up.
    own = [atom.raw for atom in atoms(spelling.typed) if atom.step and not atom.weak]
    word = own[0] if len(own) == 1 else spelling.typed
    if word in good_words():
        return True
    asked = _asked_languages(snapshot, query) if has_lists() else []
    return may_be_word(word, [one for one in asked if LANGUAGE_CODES[one] in LISTED])


def _asked_languages(snapshot: VaultSnapshot, query: Query) -> Sequence[int]:
    """Return the language of a query, or where nothing tells it those that enough of the notes are in."""
    counts = snapshot.lexical.language_counts
    asked = asked_in(set(runs(query.positive)), tuple(counts))
    least = OFTEN * sum(counts.values())
    return [one for one, count in counts.items() if count >= least] if asked is None else [asked]


def by_word(spellings: Sequence[Spelling]) -> dict[str, tuple[str, ...]]:
    """Return how each word is spelt otherwise, the likeliest first."""
    ways: dict[str, dict[str, None]] = {}
    for one in spellings:
        ways.setdefault(one.typed, {})[one.text] = None
    return {typed: tuple(texts) for typed, texts in ways.items()}


def respelt(text: str, spellings: tuple[Spelling, ...], *, every: bool = False) -> str:
    """Return a text with its words spelt as in the notes: as is likeliest, or in ``every`` way there is."""
    ways = by_word(spellings)

    def spell(run: re.Match[str]) -> str:
        return " ".join(ways.get(run[0].lower(), (run[0],))[: None if every else 1])

    return run_pattern(text).sub(spell, text)
