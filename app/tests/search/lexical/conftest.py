"""Notes by one call, an index by one fixture, and a plain BM25 to hold the ranking against."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from app.search.index.documents import accented_terms
from app.search.lexical import bm25
from app.search.lexical.analysis import atoms, runs
from app.search.lexical.bm25 import (
    EXACT_WEIGHTS,
    FOLDED,
    K1,
    LEAST_STEM,
    LONGEST_ENDING,
    SHORT,
    SHORT_STEM,
    STEM_WEIGHTS,
    B,
    Term,
    Word,
    distinct_terms,
    ranking_words,
)
from app.search.lexical.index import LexicalIndex
from app.search.lexical.language import note_language, stem_all
from app.search.lexical.ranker import STOP
from app.search.lexical.schema import STREAMS, ChunkDoc, NoteDoc
from app.search.lexical.snapshot import Snapshot

Written = tuple[NoteDoc, list[ChunkDoc]]


@pytest.fixture(autouse=True)
def few_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each language its own statistics in indexes of a few chunks too."""
    monkeypatch.setattr(bm25, "LEAST_CHUNKS", 1)


def note(path: str, *bodies: str, heading: str = "", terms: Sequence[str] = (), **titles: str) -> Written:
    """Make a note of the given chunk bodies, ten lines each."""
    chunks = [
        ChunkDoc(body, heading, titles.get("title", ""), titles.get("aliases", ""),
                 at * 10 + 1, at * 10 + 10, at)
        for at, body in enumerate(bodies)
    ]  # fmt: skip
    text = "\n".join(bodies)
    return NoteDoc(path, tuple(terms), len(path), 2, 3, 4, path.encode(), text=text), chunks


def word_docs(snapshot: Snapshot, word: str) -> NDArray[np.int64]:
    """Find the live chunks that have a folded word, whole or joined, in any stream, ascending."""
    found = [snapshot.postings(stream, word)[0] for stream in STREAMS]
    return np.unique(np.concatenate(found))


def write(index: LexicalIndex, *notes: Written, delete: Iterable[str] = ()) -> Snapshot:
    """Write and delete in one commit."""
    with index.writer() as writer:
        for path in delete:
            writer.delete(path)
        for each in notes:
            writer.replace(*each)
        writer.commit()
    return index.snapshot()


def places(snapshot: Snapshot, docs: Iterable[int]) -> list[tuple[str, int]]:
    """Name chunks by note path and start line."""
    return [(snapshot.path(int(doc)), int(snapshot.column("start")[doc])) for doc in docs]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[LexicalIndex]:
    index = LexicalIndex(tmp_path / "index")
    yield index
    index.close()


class PlainBm25:
    """BM25 added up chunk by chunk, in double precision, straight from the texts of the live notes."""

    def __init__(self, notes: Mapping[str, Written]) -> None:
        self.keys: list[tuple[str, int]] = []
        self.words: dict[str, list[tuple[Counter[str], Counter[str]]]] = {name: [] for name in STREAMS}
        self.terms: list[tuple[str, ...]] = []
        languages: Counter[int] = Counter()
        self.spoken: list[int] = []
        for path, (document, chunks) in notes.items():
            language = note_language(
                {run for c in chunks for name in STREAMS for run in runs(getattr(c, name))}
            )
            languages[language] += 1
            for chunk in chunks:
                self.keys.append((path, chunk.start))
                self.terms.append(document.terms)
                self.spoken.append(language)
                for name in STREAMS:
                    found = [atom for run in runs(getattr(chunk, name)) for atom in atoms(run)]
                    stems = stem_all([atom.raw for atom in found], language)
                    self.words[name].append((Counter(stems), Counter(atom.term for atom in found)))
        self.languages = tuple(sorted(languages, key=lambda code: (-languages[code], code)))
        self._known: dict[Term, np.ndarray] = {}
        shares = Counter(self.spoken)
        first = min(shares, key=lambda code: (-shares[code], code), default=0)
        least = max(bm25.LEAST_CHUNKS, bm25.LEAST_SHARE * len(self.spoken))
        rare = {code for code, count in shares.items() if count < least}
        self.groups = np.array([first if code in rare else code for code in self.spoken])

    def scores(self, text: str) -> np.ndarray:
        words = asked = ranking_words(text, self.languages)
        if not self._summed(text, words).any():
            words = ranking_words(text, self.languages, weak=True)
        stops = set(distinct_terms(words)) - set(distinct_terms(asked))
        return self._summed(text, words, stops)

    def _summed(self, text: str, words: Sequence[Word], stops: Set[Term] = frozenset()) -> np.ndarray:
        """Add up terms, each by the square root of how often the query asks for it."""
        typed, asked = Counter(runs(text)), Counter[Term]()
        # A word asked for with accents and without is one, as it comes first.
        first = {(term.exact, term.stems): term for term in distinct_terms(words)}
        for word in words:
            for term in set(word.terms):
                asked[first[term.exact, term.stems]] += typed[word.spelling.typed]
        every = (
            self._term(term) * np.sqrt(count) * (STOP if term in stops else 1)
            for term, count in asked.items()
        )
        added: np.ndarray = sum(every, np.zeros(len(self.keys)))
        return added

    def _with_stems(self, term: Term) -> Term:
        """Add the stem that the notes give to a word typed without accents, chunk by chunk."""
        if not any(self.languages) or not term.exact.isascii():
            return term
        missing = [
            have
            for at, (have, exact) in enumerate(self.words["body"])
            if exact[term.exact] and not any(have[stem] for stem in self._read_in(at, term))
        ]
        if 2 * len(missing) <= sum(exact[term.exact] > 0 for _, exact in self.words["body"]):
            return term
        shortest = max(LEAST_STEM, len(term.exact) - LONGEST_ENDING)
        for size in range(len(term.exact), shortest - 1, -1):
            if 2 * sum(bool(have[term.exact[:size]]) for have in missing) > len(missing):
                return term._replace(stems=(*term.stems, term.exact[:size]))
        return term

    def _read_in(self, at: int, term: Term) -> set[str]:
        """Keep the stem in the language of a chunk, and those in any; of a word with accents keep all."""
        if term.accented:
            return set(term.stems)
        return {term.stems[self.languages.index(self.spoken[at])], *term.stems[len(self.languages) :]}

    def _counts(self, name: str, part: int, term: Term) -> tuple[np.ndarray, np.ndarray]:
        """Count the words of each chunk, and a term among them: part 0 are stems, part 1 exact words."""
        counted = [pair[part] for pair in self.words[name]]
        wanted = [{term.exact} if part else self._read_in(at, term) for at in range(len(counted))]
        if not part:
            # A short stem that is no word of the notes is one of unlike words.
            stood = {word for _, exact in self.words["body"] for word in exact} | {term.exact}
            little = {stem for stem in term.stems if len(stem) <= SHORT_STEM and stem not in stood}
        tf = [
            sum(have[word] * (SHORT if not part and word in little else 1) for word in each)
            for have, each in zip(counted, wanted, strict=True)
        ]
        return np.array([sum(have.values()) for have in counted], float), np.array(tf, float)

    def _idf(self, name: str, part: int, term: Term) -> float:
        lengths, tf = self._counts(name, part, term)
        among = [self.groups == code for code in set(self.groups.tolist())]
        sizes = [(int(np.count_nonzero(lengths[one])), int(np.count_nonzero(tf[one]))) for one in among]
        having = [(count, df) for count, df in sizes if df] or [(int(np.count_nonzero(lengths)), 0)]
        return min(_idf(count, df) for count, df in having)

    def _own_idf(self, name: str, part: int, term: Term) -> float:
        """Weigh a term among the chunks in the question's language, where these have a group."""
        among = self.groups == term.asked
        if term.asked is None or not among.any() or among.all():
            return self._idf(name, part, term)
        lengths, tf = self._counts(name, part, term)
        return _idf(int(np.count_nonzero(lengths[among])), int(np.count_nonzero(tf[among])))

    def _term(self, term: Term) -> np.ndarray:
        if term not in self._known:
            stood = self._with_stems(term)
            self._known[term] = sum(
                (
                    self._field(name, part, stood, weight)
                    for name in STREAMS
                    for part, weight in enumerate((STEM_WEIGHTS[name], EXACT_WEIGHTS[name]))
                ),
                np.zeros(len(self.keys)),
            )
            if term.accented or term.exact.isascii():
                exact = (self._field(name, 1, term, weight) for name, weight in EXACT_WEIGHTS.items())
                other = np.array(
                    [(f"accented:{term.exact}" in terms) != term.accented for terms in self.terms]
                )
                lost = other * (1 - FOLDED)
                self._known[term] = self._known[term] - lost * sum(exact, np.zeros(len(self.keys)))
        return self._known[term]

    def _field(self, name: str, part: int, term: Term, weight: float) -> np.ndarray:
        lengths, tf = self._counts(name, part, term)
        averages = np.ones(len(lengths))
        for code in set(self.groups.tolist()):
            among = self.groups == code
            averages[among] = lengths[among].sum() / max(1, np.count_nonzero(lengths[among])) or 1.0
        norm = K1 * (1 - B + B * lengths / averages)
        own, other = self._own_idf(name, part, term), self._idf(name, part, term)
        rarity = np.where(self.groups == (-1 if term.asked is None else term.asked), own, other)
        return np.asarray(weight * rarity * tf * (K1 + 1) / (tf + norm))


def _idf(count: int, df: int) -> float:
    return float(np.log1p((count - df + 0.5) / (df + 0.5)))


class Corpus:
    """Random notes of few words, in English and French, so that everything collides."""

    COMMON = "the of and to le la les des is est".split()  # noqa: SIM905
    WORDS = (
        "run runs running décision décisions decision en-cours cours en état états vault vaults note notes"
        " 2025-07-14 2025 c++ c ⏫ 東京 東京都 l'eau eau don't porter porte porté portes index indexes indexing"
    )

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def text(self, most: int) -> str:
        rng = self.random
        words = [*self.WORDS.split(), *(f"mot{n}" for n in range(40))]
        weights = [1 / (at + 2) for at in range(len(words))]
        size = rng.randint(0, most)
        return " ".join(
            rng.choice(self.COMMON) if rng.random() < 0.3 else rng.choices(words, weights)[0]
            for _ in range(size)
        )

    def note(self, path: str) -> Written:
        bodies = [self.text(40) for _ in range(self.random.randint(1, 4))]
        return note(path, *bodies, heading=self.text(5), title=self.text(3), aliases=self.text(2),
                    terms=[f"tag:{self.random.randint(0, 3)}", *accented_terms(" ".join(bodies))])  # fmt: skip

    def query(self) -> str:
        rng = self.random
        return " ".join(
            rng.choice((*self.WORDS.split(), *self.COMMON, "mot3", "mot20", "absent"))
            for _ in range(rng.randint(1, 6))
        )
