"""Grow a vault of any number of notes from a real one: ``python -m bench.grown SOURCE TARGET --notes 6600``.

A note takes its name, folder and properties from one note of SOURCE, and its paragraphs from that note and
from others. Words that are not frequent get endings, the same all through a note, drawn by Zipf's law from a
number of endings that grows with the vault: so the vocabulary grows as that of texts does. Sizes lie around
a mean by a log-normal law. Links lead to notes that are there, a few of them to very many notes. Days in
names, properties and texts, and the times of files, are spread over six years. The same source, number and
seed give the same bytes, on any machine.
"""

import argparse
import hashlib
import math
import os
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

MEAN_BYTES = 2300
"""Bytes of a note on average: what the notes of large vaults have."""
SPREAD = 1.0
"""Standard deviation of the logarithm of a note's size."""
FREQUENT = 0.08
"""A word in a larger share of the source's notes stays as it is."""
KEPT = 0.35
"""Share of the other words that stay as they are in a note."""
FOLDER_NOTES = 60
"""Notes of one source folder that go into one folder."""
FIRST_DAY, DAYS = date(2019, 9, 1), 2190

_LINK = re.compile(r"(!?\[\[)([^\[\]|#\n]*)((?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\])|\]\([^()\n]*\)")
_WORD = re.compile(r"(?<![\w</\\{&.])[^\W\d_]{4,}(?![\w>/(.:=])")
_DAY = re.compile(r"\b20\d\d-[01]\d-[0-3]\d\b")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_SYLLABLES = ("an", "el", "is", "or", "um", "ka", "le", "mi", "no", "ru", "sa", "te", "vo", "ine", "aire")


@dataclass(frozen=True, slots=True)
class Source:
    """One note of the source."""

    path: str
    properties: str
    paragraphs: tuple[str, ...]


def read_source(vault: Path) -> list[Source]:
    """Return the notes of a vault, by path, each cut at the blank lines outside of code."""
    found = []
    for file in sorted(vault.rglob("*.md")):
        text = file.read_text("utf-8", "replace")
        properties = ""
        if text.startswith("---\n") and (end := text.find("\n---\n", 3)) > 0:
            properties, text = text[4 : end + 1], text[end + 5 :]
        paragraphs = tuple(_paragraphs(text))
        if paragraphs:
            found.append(Source(file.relative_to(vault).as_posix(), properties, paragraphs))
    return found


def _paragraphs(text: str) -> Iterator[str]:
    lines: list[str] = []
    fenced = False
    for line in text.split("\n"):
        fenced ^= bool(_FENCE.match(line))
        if line.strip() or fenced:
            lines.append(line)
        elif lines:
            yield "\n".join(lines)
            lines = []
    # A fence that nothing closes would run on into the next paragraph.
    if lines and not fenced:
        yield "\n".join(lines)


class Growth:
    """What a vault of some size is made by.

    Args:
        notes: The notes of the source.
        count: How many to make.
        seed: Another one makes another vault.
        mean: Bytes of a note on average.
    """

    def __init__(self, notes: Sequence[Source], count: int, seed: int, mean: int) -> None:
        self._notes, self._count, self._seed, self._mean = notes, count, seed, mean
        having = Counter(word for note in notes for word in {w.lower() for w in _words(note)})
        self._frequent = {word for word, number in having.items() if number > FREQUENT * len(notes)}
        # Texts have new words at about the square root of their length.
        endings = max(2, round(6 * math.sqrt(max(1.0, count / len(notes)))))
        self._endings = list(accumulate(1 / at for at in range(1, endings + 1)))
        self._by_name: dict[str, list[int]] = {}
        for at, note in enumerate(notes):
            self._by_name.setdefault(Path(note.path).stem.lower(), []).append(at)
        self._ending = lru_cache(maxsize=200_000)(self._drawn)

    def write(self, folder: Path) -> int:
        """Write all notes into a folder; returns their bytes."""
        size = 0
        for number in range(self._count):
            path, text = self.path(number), self.text(number)
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            data = text.encode("utf-8", "replace")
            file.write_bytes(data)
            when = (
                datetime.combine(self._day(number, "file"), datetime.min.time(), UTC).timestamp()
                + number % 86_000
            )
            os.utime(file, (when, when))
            size += len(data)
        return size

    def path(self, number: int) -> str:
        """Return the path of a note: the folder of its like, parted as it fills, and a name of its own."""
        like, round_ = number % len(self._notes), number // len(self._notes)
        folder, _, name = self._notes[like].path.rpartition("/")
        stem = name.removesuffix(".md")
        if round_:
            stem = (
                f"{_DAY.sub(lambda _: str(self._day(number, 'name')), self._varied(stem, number))} {round_}"
            )
        part = round_ // FOLDER_NOTES
        return "/".join(filter(None, [folder, f"part {part}" if part else "", f"{stem}.md"]))

    def text(self, number: int) -> str:
        """Return the text of a note."""
        rng = random.Random(f"{self._seed}:{number}")
        like = self._notes[number % len(self._notes)]
        size = self._mean * math.exp(rng.gauss(-SPREAD * SPREAD / 2, SPREAD))
        parts = [self._title(number)]
        own = list(like.paragraphs)
        rng.shuffle(own)
        length = 0
        while length < size:
            if own and rng.random() < 0.6:
                paragraph = own.pop()
            else:
                paragraph = rng.choice(rng.choice(self._notes).paragraphs)
            paragraph = paragraph[: max(200, int(2 * size))]
            if paragraph.count("```") % 2 or paragraph.count("~~~") % 2:
                continue
            parts.append(self._changed(paragraph, number, rng))
            length += len(paragraph)
        if rng.random() < 0.5:
            others = [self._named(rng) for _ in range(rng.choice((1, 1, 2, 3, 5)))]
            parts.append("See also " + ", ".join(f"[[{name}]]" for name in others) + ".")
        return self._properties(like, number, rng) + "\n\n".join(parts) + "\n"

    def _title(self, number: int) -> str:
        return "# " + self.path(number).rpartition("/")[2].removesuffix(".md")

    def _properties(self, like: Source, number: int, rng: random.Random) -> str:
        lines = []
        for line in like.properties.splitlines():
            key, colon, value = line.partition(":")
            lines.append(
                f"{key}:{self._changed(value, number, rng)}" if colon else self._changed(line, number, rng)
            )
        if rng.random() < 0.4 and not any(line.startswith("date:") for line in lines):
            lines.append(f"date: {self._day(number, 'date')}")
        if rng.random() < 0.5 and not any(line.startswith("tags:") for line in lines):
            tags = [self._tag(rng) for _ in range(rng.choice((1, 1, 2, 3)))]
            lines.append(f"tags: [{', '.join(dict.fromkeys(tags))}]")
        return "---\n" + "\n".join(lines) + "\n---\n" if lines else ""

    def _tag(self, rng: random.Random) -> str:
        at = _zipf(rng, 40 + self._count // 100)
        return (
            f"topic/{_SYLLABLES[at % 15]}{_SYLLABLES[at // 15 % 15]}{at // 225 or ''}"
            if at % 3
            else f"area{at}"
        )

    def _changed(self, text: str, number: int, rng: random.Random) -> str:
        """Vary a text's words and days, and lead its links to notes that are there."""
        made, last = [], 0
        for link in _LINK.finditer(text):
            made.append(self._plain(text[last : link.start()], number, rng))
            made.append(self._link(link, rng))
            last = link.end()
        return "".join([*made, self._plain(text[last:], number, rng)])

    def _plain(self, text: str, number: int, rng: random.Random) -> str:
        text = _DAY.sub(lambda _: str(FIRST_DAY + timedelta(rng.randrange(DAYS))), text)
        return self._varied(text, number)

    def _link(self, link: "re.Match[str]", rng: random.Random) -> str:
        name = (link[2] or "").strip()
        alike = self._by_name.get(name.rpartition("/")[2].lower().removesuffix(".md"))
        # Addresses, parts of a note itself, pictures and what leads nowhere stay as they are.
        if not alike:
            return link[0]
        rounds = max(1, self._count // len(self._notes))
        number = alike[0] + len(self._notes) * _zipf(rng, rounds)
        if number >= self._count:
            number = alike[0]
        return f"{link[1]}{self.path(number).rpartition('/')[2].removesuffix('.md')}{link[3]}"

    def _named(self, rng: random.Random) -> str:
        return self.path(_zipf(rng, self._count)).rpartition("/")[2].removesuffix(".md")

    def _varied(self, text: str, number: int) -> str:
        return _WORD.sub(lambda word: self._form(word[0], number), text)

    def _form(self, word: str, number: int) -> str:
        return word if word.lower() in self._frequent else word + self._ending(word.lower(), number)

    def _drawn(self, word: str, number: int) -> str:
        """Return the ending of a word in a note, which is the same wherever it stands there."""
        if number < len(self._notes):
            return ""
        digest = hashlib.blake2b(
            f"{self._seed}:{number}:{word}".encode("utf-8", "replace"), digest_size=8
        ).digest()
        share = int.from_bytes(digest, "big") / 2**64
        if share < KEPT:
            return ""
        wanted = (share - KEPT) / (1 - KEPT) * self._endings[-1]
        at = next(place for place, total in enumerate(self._endings) if total >= wanted)
        ending = ""
        while at:
            at, which = divmod(at, len(_SYLLABLES))
            ending += _SYLLABLES[which]
        return ending

    def _day(self, number: int, what: str) -> date:
        return FIRST_DAY + timedelta(random.Random(f"{self._seed}:{what}:{number}").randrange(DAYS))


def _words(note: Source) -> Iterator[str]:
    for paragraph in note.paragraphs:
        yield from _WORD.findall(paragraph)


def _zipf(rng: random.Random, count: int) -> int:
    """Draw a number below ``count``, each as often as its inverse says."""
    return min(count, int(math.exp(rng.random() * math.log(count + 1)))) - 1


def grow(source: Path, target: Path, count: int, *, seed: int = 17, mean: int = MEAN_BYTES) -> int:
    """Make a vault unless it is there; returns the bytes of its notes."""
    done = target.with_suffix(".done")
    if not done.exists():
        size = Growth(read_source(source), count, seed, mean).write(target)
        done.write_text(str(size), "ascii")
    return int(done.read_text("ascii"))


def main() -> None:
    """Make one vault."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--notes", type=int, default=6600)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--mean", type=int, default=MEAN_BYTES, help="bytes of a note on average")
    options = parser.parse_args()
    size = grow(options.source, options.target, options.notes, seed=options.seed, mean=options.mean)
    print(f"{options.notes} notes, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
