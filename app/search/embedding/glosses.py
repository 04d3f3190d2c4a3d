"""Read French word by word in English, where a model knows English and no French (`docs/search.md`)."""

import gzip
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path

from app.search.embedding.embedder import Embedder, Encoded, Spans
from app.search.lexical.dictionary import has_lists, rarity
from app.search.lexical.language import LANGUAGE_CODES, reads_as, stem_all, stop_words
from app.vault.paths import normalized

FRENCH, ENGLISH = LANGUAGE_CODES.index("fr"), LANGUAGE_CODES.index("en")
TABLE = Path(__file__).parent / "tables" / "fr-en.gz"
"""Words with their translations, one a line, a tab between. Of those that have one stem the first speaks for
all that have no line. A text file beside it has the commonest words, by what they say."""
DIGEST = "fr-en:d3c9bb3dac520448"
"""Changed by hand when a text gets another gloss, so that old vectors are not mixed with new."""
FAR_RARER = 0.15
"""Of rarities from 0 to 1: a word is said ten times less often in another language."""
KEPT = 128
"""Glosses that are remembered: a passage and its windows are glossed to be cut, and again to be read."""

# Accents may follow their letters as characters of their own.
_LETTERS = r"[^\W_](?:[^\W_]|[\u0300-\u036f])*"
_RUN = re.compile(rf"{_LETTERS}(?:['’ʼ\-\u2010\u2011]{_LETTERS})*")
_PLAIN = str.maketrans({"’": "'", "ʼ": "'", "\u2010": "-", "\u2011": "-"})
_ELIDED = r"(?:[ldjmtscn]|qu|jusqu|lorsqu|puisqu|quoiqu|presqu)'"
_TIED = r"(?:-t)?-(?:je|tu|ils?|elles?|on|nous|vous|ce|ci|là|la|les?|lui|leur|moi|toi|y|en|mêmes?)(?![^\-])"
_PARTS = re.compile(
    rf"((?:{_ELIDED})*)(rendez-vous|au-delà|peut-être|est-ce|.+?)((?:{_TIED}){{0,3}})", re.IGNORECASE
)
"""Shortened words that open another, the word, and at most three pronouns that are tied on behind it."""
_OPENING = re.compile(_ELIDED, re.IGNORECASE)
_CLOSING = re.compile(_TIED, re.IGNORECASE)
_FRENCH_LETTERS = re.compile("[âçéêëîïôùûœ]|[àè][a-z]")
_FOREIGN_LETTERS = re.compile("[áãäåíìñóòöõøúüß]")


def words(text: str) -> Iterator[tuple[str, int, int]]:
    """Cut a text into words, in small letters with plain signs, and say where each starts and ends.

    Elided ones (``l'``) and pronouns tied on (``-t-il``) stand alone.
    """
    for run in _RUN.finditer(text):
        plain = run[0].translate(_PLAIN)
        parts = _PARTS.fullmatch(plain)
        assert parts is not None
        spans = [
            *(match.span() for match in _OPENING.finditer(plain, 0, parts.end(1))),
            parts.span(2),
            *(match.span() for match in _CLOSING.finditer(plain, parts.start(3))),
        ]
        for start, end in spans:
            # What ties a pronoun on is none of its letters.
            word = normalized("NFC", plain[start:end]).lower().removeprefix("-t-").removeprefix("-")
            yield word, run.start() + start, run.start() + end


@dataclass(frozen=True, slots=True)
class Gloss:
    """A text in the words of another language.

    ``begins`` has the place of each stretch of ``text``, and ``stands_for`` the stretch of the original that
    it stands for, and whether it was copied from there.
    """

    text: str
    begins: Sequence[int]
    stands_for: Sequence[tuple[int, int, bool]]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the stretch of the original that a stretch of the gloss stands for."""
        return self._place(start)[0], self._place(max(start, end - 1))[1]

    def _place(self, at: int) -> tuple[int, int]:
        part = bisect_right(self.begins, at) - 1
        start, end, copied = self.stands_for[part]
        place = start + at - self.begins[part]
        return (place, place + 1) if copied else (start, end)


def gloss(text: str) -> Gloss:
    """Replace each word by the one it most often stands for; unknown words, signs and lines stay."""
    parts, stands_for = list[str](), list[tuple[int, int, bool]]()
    done = 0

    def add(start: int, end: int, said: str | None = None) -> None:
        parts.append(text[start:end] if said is None else said)
        stands_for.append((start, end, said is None))

    for word, start, end in words(text):
        said = _said(word)
        if done < start or not parts:
            add(done, start)
        elif parts[-1]:
            # What was tied together in the text is two words in the gloss.
            add(start, start, " ")
        add(start, end, said)
        # A word that says nothing takes its blank with it.
        done = end + 1 if said == "" and text[end : end + 1] == " " else end
    add(done, len(text))
    return Gloss("".join(parts), list(accumulate(map(len, parts[:-1]), initial=0)), stands_for)


def is_french(text: str) -> bool:
    """Return whether a text is French, rather than English or of any other language."""
    found = {word.rstrip("'") for word, _, _ in words(text)}
    letters = sum(1 for word in found if _FRENCH_LETTERS.search(word))
    if any(_FOREIGN_LETTERS.search(word) for word in found):
        letters = 0
    return reads_as(found, FRENCH, ENGLISH, letters)


def asks_in_french(text: str) -> bool:
    """Return whether a question is French, or a few words without any that join them.

    Of these each that is not written large, as names are, has to be known here, and one to be said far
    more often in French than in English: "livre abandonné", but not "table formation".
    """
    if is_french(text):
        return True
    if not has_lists():
        return False
    found = {word for word, start, _ in words(text) if not text[start].isupper()}
    if not stop_words(ENGLISH).isdisjoint(found) or any(_said(word) is None for word in found):
        return False
    return any(rarity(word, ENGLISH) - rarity(word, FRENCH) > FAR_RARER for word in found - _english_words())


def gloss_of_question(text: str) -> Gloss | None:
    """Return the gloss of a question; None where it is not French."""
    return gloss(text) if asks_in_french(text) else None


@lru_cache(maxsize=KEPT)
def _gloss_of_passage(text: str) -> Gloss | None:
    return gloss(text) if is_french(text) else None


def _said(word: str) -> str | None:
    """Return what a word says in English; None where it is not known."""
    known = small_words().get(word)
    if known is None:
        known = _table().get(word)
    if known is None and "-" in word:
        parts = [part for part in word.split("-") if part]
        said = [_said(part) for part in parts]
        return " ".join(one or part for one, part in zip(said, parts, strict=True)) if any(said) else None
    if known is None and not word.isdigit():
        known = _by_stem().get(stem_all((word,), FRENCH)[0])
    return known


@cache
def small_words() -> Mapping[str, str]:
    """Return the commonest words with what they say, which is nothing for some."""
    rows = TABLE.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    return {word: said for said, _, row in (row.partition("\t") for row in rows) for word in row.split()}


@cache
def _table() -> Mapping[str, str]:
    lines = gzip.decompress(TABLE.read_bytes()).decode().splitlines()
    return dict(line.split("\t") for line in lines)


@cache
def _by_stem() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for said, stem in zip(_table().values(), stem_all(list(_table()), FRENCH), strict=True):
        found.setdefault(stem, said)
    return found


@cache
def _english_words() -> frozenset[str]:
    said = (*small_words().values(), *_table().values())
    return frozenset(word for words in said for word in words.split())


@cache
def good_words() -> frozenset[str]:
    """Return the words that stand in the tables, of both languages, in small letters."""
    return _english_words().union(small_words(), _table())


class GlossedEmbedder(Embedder):
    """A model that is given French texts in glosses; all others reach it as they are."""

    def __init__(self, model: Embedder) -> None:
        self._model = model
        self.fingerprint = f"{model.fingerprint}+{DIGEST}"
        self.dimension, self.max_pieces = model.dimension, model.max_pieces

    def spans(self, texts: Sequence[str]) -> list[Spans]:
        """Cut texts into word pieces; those of a gloss stand where the words stand that it is of."""
        return self._spans(texts, [_gloss_of_passage(text) for text in texts])

    def question_spans(self, text: str) -> Spans:
        """Cut a question into the word pieces that `encode_query` encodes, as `spans` does a passage."""
        return self._spans([text], [gloss_of_question(text)])[0]

    def _spans(self, texts: Sequence[str], glosses: Sequence[Gloss | None]) -> list[Spans]:
        read = [gloss.text if gloss else text for text, gloss in zip(texts, glosses, strict=True)]
        return [
            [gloss.original(start, end) for start, end in spans] if gloss else spans
            for spans, gloss in zip(self._model.spans(read), glosses, strict=True)
        ]

    def encode_all(self, texts: Sequence[str], *, query: bool) -> list[Encoded]:
        """Encode texts as questions, or as passages."""
        read = gloss_of_question if query else _gloss_of_passage
        given = [found.text if (found := read(text)) else text for text in texts]
        return self._model.encode_all(given, query=query)


def reads_by_glosses(known: Set[str]) -> bool:
    """Return whether a model that knows these languages is given French in English words."""
    return "en" in known and "fr" not in known
