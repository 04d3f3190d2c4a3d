"""Read a text word by word in a language that the model knows, where it does not know the text's own."""

import gzip
import hashlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path

from app.search.embedding.embedder import Embedder, Encoded, Spans
from app.search.embedding.gloss_rules import RULES, Rules
from app.search.lexical.dictionary import has_lists, rarity
from app.search.lexical.language import LANGUAGE_CODES, reads_as, stem_all, stop_words

FORM = "1"
"""Counted up when the same table gives other glosses, so that old vectors are not mixed with new."""
FAR_RARER = 0.15
"""Of rarities from 0 to 1: a word is said ten times less often in another language."""
KEPT = 128
"""Glosses that are remembered: a passage and its windows are glossed to be cut, and again to be read."""
TABLES = Path(__file__).parent / "tables"


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


class Glossary:
    """Glosses texts of one language; safe to use from many threads.

    Args:
        rules: What is known of the language by hand.
        table: Words with their translations, gzipped, one a line, a tab between. Of the words that have one
            stem the first speaks for all that have no line.
    """

    def __init__(self, rules: Rules, table: Path) -> None:
        self._rules, self._file = rules, table
        self.source = rules.source
        self._language = LANGUAGE_CODES.index(rules.source)
        self.into = LANGUAGE_CODES.index(rules.target)

    @cached_property
    def digest(self) -> str:
        """Names everything that decides a gloss."""
        content = repr((FORM, self._rules)).encode() + self._file.read_bytes()
        return f"{self._rules.pair}:{hashlib.blake2b(content, digest_size=8).hexdigest()}"

    @property
    def words(self) -> Sequence[str]:
        """The words that it has, in small letters."""
        return [*self._rules.small, *self._table]

    @property
    def said(self) -> Sequence[str]:
        """What its words stand for, in their order."""
        return [*self._rules.small.values(), *self._table.values()]

    def __contains__(self, word: str) -> bool:
        """Return whether it has a word, in small letters."""
        return word in self._rules.small or word in self._table

    def reads(self, text: str) -> bool:
        """Return whether a text is of this language, rather than of the model's own or of any other."""
        words = {word.text.rstrip("'") for word in self._rules.words(text)}
        letters = sum(1 for word in words if self._rules.letters.search(word))
        if any(self._rules.foreign.search(word) for word in words):
            letters = 0
        return reads_as(words, self._language, self.into, letters)

    def reads_question(self, text: str) -> bool:
        """Return whether a question is of this language, or a few words without any that join them.

        Of these each that is not written large, as names are, has to be known here, and one to be said far
        more often in this language than in the model's own: "livre abandonné", but not "table formation".
        """
        if self.reads(text):
            return True
        if not has_lists():
            return False
        words = {word.text for word in self._rules.words(text) if not text[word.start].isupper()}
        if not stop_words(self.into).isdisjoint(words) or any(self._word(word) is None for word in words):
            return False
        return any(
            rarity(word, self.into) - rarity(word, self._language) > FAR_RARER
            for word in words - self._own_words
        )

    def gloss(self, text: str) -> Gloss:
        """Replace each word by the one it most often stands for; unknown words, signs and lines stay."""
        parts, begins, stands_for = list[str](), list[int](), list[tuple[int, int, bool]]()
        length = done = 0

        def add(part: str, start: int, end: int, *, copied: bool) -> None:
            nonlocal length
            parts.append(part)
            begins.append(length)
            stands_for.append((start, end, copied))
            length += len(part)

        for word in self._rules.words(text):
            said = self._word(word.text)
            if done < word.start or not parts:
                add(text[done : word.start], done, word.start, copied=True)
            elif parts[-1]:
                # What was tied together in the text is two words in the gloss.
                add(" ", word.start, word.start, copied=False)
            if said is None:
                add(text[word.start : word.end], word.start, word.end, copied=True)
            else:
                add(said, word.start, word.end, copied=False)
            # A word that says nothing takes its blank with it.
            done = word.end + 1 if said == "" and text[word.end : word.end + 1] == " " else word.end
        add(text[done:], done, len(text), copied=True)
        return Gloss("".join(parts), begins, stands_for)

    def _word(self, word: str) -> str | None:
        known = self._rules.small.get(word)
        if known is None:
            known = self._table.get(word)
        if known is None and "-" in word:
            parts = [part for part in word.split("-") if part]
            said = [self._word(part) for part in parts]
            return " ".join(one or part for one, part in zip(said, parts, strict=True)) if any(said) else None
        if known is None and not word.isdigit():
            known = self._by_stem.get(stem_all((word,), self._language)[0])
        return known

    @cached_property
    def _own_words(self) -> Set[str]:
        """The words of the model's language that any word stands for."""
        return {word for said in self.said for word in said.split()}

    @cached_property
    def _table(self) -> Mapping[str, str]:
        lines = gzip.decompress(self._file.read_bytes()).decode().splitlines()
        return dict(line.split("\t") for line in lines)

    @cached_property
    def _by_stem(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for said, stem in zip(self._table.values(), stem_all(list(self._table), self._language), strict=True):
            found.setdefault(stem, said)
        return found


class GlossedEmbedder:
    """A model that is given texts of other languages in glosses; all others reach it as they are."""

    def __init__(self, model: Embedder, glossaries: Sequence[Glossary]) -> None:
        self._model, self._glossaries = model, glossaries
        self._gloss = lru_cache(maxsize=KEPT)(self._glossed)

    @property
    def fingerprint(self) -> str:
        """Names everything that decides a vector, the tables of words too."""
        return "+".join((self._model.fingerprint, *(glossary.digest for glossary in self._glossaries)))

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return self._model.dimension

    @property
    def max_pieces(self) -> int:
        """Most word pieces of one text that the model sees."""
        return self._model.max_pieces

    def spans(self, texts: Sequence[str]) -> list[Spans]:
        """Cut texts into word pieces; those of a gloss stand where the words stand that it is of."""
        glosses = [self._gloss(text) for text in texts]
        read = [text if gloss is None else gloss.text for text, gloss in zip(texts, glosses, strict=True)]
        return [
            spans if gloss is None else [gloss.original(start, end) for start, end in spans]
            for spans, gloss in zip(self._model.spans(read), glosses, strict=True)
        ]

    def question_spans(self, text: str) -> Spans:
        """Cut a question into the word pieces that `encode_query` encodes, as `spans` does a passage."""
        glossary = self._asking(text)
        gloss = glossary.gloss(text) if glossary else None
        (spans,) = self._model.spans([gloss.text if gloss else text])
        return [gloss.original(start, end) for start, end in spans] if gloss else spans

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Encode passages of notes."""
        return self._model.encode([self._read(text) for text in texts])

    def encode_query(self, text: str) -> Encoded:
        """Encode a question."""
        glossary = self._asking(text)
        return self._model.encode_query(glossary.gloss(text).text if glossary else text)

    def _asking(self, text: str) -> Glossary | None:
        return next((one for one in self._glossaries if one.reads_question(text)), None)

    def _read(self, text: str) -> str:
        gloss = self._gloss(text)
        return text if gloss is None else gloss.text

    def _glossed(self, text: str) -> Gloss | None:
        return next((one.gloss(text) for one in self._glossaries if one.reads(text)), None)


@cache
def _glossary(pair: str) -> Glossary:
    rules = next(rules for rules in RULES if rules.pair == pair)
    return Glossary(rules, TABLES / f"{pair}.gz")


@cache
def good_words() -> frozenset[str]:
    """Return the words that stand in any table, of both its languages, in small letters."""
    found: set[str] = set()
    for rules in RULES:
        glossary = _glossary(rules.pair)
        found.update(glossary.words)
        found.update(word for said in glossary.said for word in said.split())
    return frozenset(found)


def glossary_of(text: str) -> Glossary | None:
    """Return the glossary of a question's language, where there is one."""
    return next((one for rules in RULES if (one := _glossary(rules.pair)).reads_question(text)), None)


def glossaries(known: Set[str]) -> tuple[Glossary, ...]:
    """Return the glossaries that a model of some languages needs; none where its languages are not known."""
    return tuple(
        _glossary(rules.pair) for rules in RULES if rules.target in known and rules.source not in known
    )
