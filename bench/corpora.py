"""Corpora for the lexical benchmark: a vault as it is, and larger ones made of its paragraphs."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import TypedDict

from app.markdown.parse import parse_note
from app.search.index.chunk import chunk_note, split_lines
from app.search.lexical.analysis import atoms, runs
from app.search.lexical.language import stop_words

PER_CLASS = 60
WORD = re.compile(r"[^\W\d_]{3,}")
GLUE = "how do i the to a in my with for and of is can what from on".split()  # noqa: SIM905


class Row(TypedDict):
    """One chunk; a note's chunks follow each other."""

    path: str
    heading: str
    tags: list[str]
    body: str


class Queries(TypedDict):
    """Queries by class, each a list of words; ``filter`` is a folder and a tag that go with it."""

    classes: dict[str, list[list[str]]]
    filters: list[tuple[str, str]]
    words: int
    vocabulary: int


def tokens(text: str) -> list[str]:
    """Return the folded words of a text as they are indexed, wholes before their parts."""
    return [atom.term for run in runs(text) for atom in atoms(run)]


def folder_of(path: str) -> str:
    """Give the first folder of a path."""
    return path.split("/", 1)[0] if "/" in path else "."


def real(vault: Path) -> Iterator[Row]:
    """Cut every note of a vault into chunks, as the program does."""
    for file in sorted(vault.rglob("*.md")):
        path, text = file.relative_to(vault).as_posix(), file.read_text("utf-8", "replace")
        note, lines = parse_note(text, path), split_lines(text)
        tags = [tag.casefold() for tag in note.tags] or ["untagged"]
        for chunk in chunk_note(note, lines):
            heading = " ".join([note.title, *(" ".join(trail) for trail in chunk.headings)])
            yield Row(
                path=path, heading=heading, tags=tags, body="\n".join(lines[chunk.start - 1 : chunk.end])
            )


def scaled(base: list[Row], count: int, seed: int = 7) -> Iterator[Row]:
    """Make notes of paragraphs drawn from real ones, with words varied so that the vocabulary grows.

    The most frequent words keep their share; any other gets one of many endings, drawn by Zipf's law.
    """
    rng = random.Random(seed)
    pieces = Counter(p.strip() for row in base for p in re.split(r"\n\s*\n", row["body"]) if p.strip())
    pool = list(pieces)
    weights = list(accumulate(pieces[piece] ** 0.5 for piece in pool))
    df = Counter(word for row in base for word in set(tokens(row["body"])))
    frequent = {word for word, count in df.items() if count > len(base) * 0.01}
    endings = max(2, 4 * count // len(base))
    zipf = list(accumulate(1 / (at + 1) for at in range(endings)))

    def vary(match: re.Match[str]) -> str:
        word = match.group()
        if word.lower() in frequent or rng.random() < 0.35:
            return word
        ending: int = rng.choices(range(endings), cum_weights=zipf)[0]
        return word if not ending else f"{word}{'aeioubdfgklmnprst'[ending % 17]}{ending // 17 or ''}"

    folders = [folder_of(row["path"]) for row in base]
    made, note = 0, 0
    while made < count:
        folder, like = rng.choice(folders), rng.choice(base)
        for _ in range(min(count - made, rng.choice((1, 1, 2, 2, 3, 4, 6)))):
            body = ""
            while len(body) < rng.choice((200, 500, 900, 1200)):
                body += rng.choices(pool, cum_weights=weights)[0][:1500] + "\n\n"
            heading = WORD.sub(vary, like["heading"])
            yield Row(
                path=f"{folder}/n{note}.md", heading=heading, tags=like["tags"], body=WORD.sub(vary, body)
            )
            made += 1
        note += 1


def queries(rows: list[Row], seed: int = 3) -> Queries:
    """Draw queries of each class from the corpus's own words."""
    rng = random.Random(seed)
    texts = [tokens(row["body"]) for row in rows]
    df = Counter(word for text in texts for word in set(text))
    count, stops = len(rows), stop_words(0)
    plain = [
        word
        for word in df
        if word.isalpha() and word.isascii() and 3 <= len(word) <= 20 and word not in stops
    ]
    rare = [word for word in plain if 2 <= df[word] <= 8]
    common = sorted(plain, key=lambda word: -df[word])[:60]
    middle = {word for word in plain if max(3, count * 0.0005) <= df[word] <= max(6, count * 0.02)}

    def content(number: int) -> list[str]:
        while True:
            have = sorted(middle.intersection(rng.choice(texts)))
            if len(have) >= number:
                return rng.sample(have, number)

    def phrase() -> list[str]:
        while True:
            words = rng.choice(rows)["body"].lower().split()
            start = rng.randrange(max(1, len(words) - 3))
            found = words[start : start + rng.choice((2, 3))]
            if (
                len(found) > 1
                and all(w.isalpha() and w.isascii() for w in found)
                and middle.intersection(found)
            ):
                return found

    def shuffled(words: list[str]) -> list[str]:
        return rng.sample(words, len(words))

    classes = {
        "question": [shuffled(rng.sample(GLUE, 3) + content(3)) for _ in range(PER_CLASS)],
        "six": [content(6) for _ in range(PER_CLASS)],
        "three": [[rng.choice(rare), *content(1), rng.choice(common)] for _ in range(PER_CLASS)],
        "common": [[rng.choice(common)] for _ in range(PER_CLASS)],
        "rare": [[rng.choice(rare)] for _ in range(PER_CLASS)],
        "phrase": [phrase() for _ in range(PER_CLASS)],
    }
    pairs = Counter((folder_of(row["path"]), tag) for row in rows for tag in row["tags"])
    often = [pair for pair, _ in pairs.most_common(12)]
    filters = [rng.choice(often) for _ in range(PER_CLASS)]
    return Queries(classes=classes, filters=filters, words=sum(map(len, texts)), vocabulary=len(df))


def write(rows: list[Row], folder: Path, name: str) -> None:
    """Write a corpus and its queries."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / f"{name}.queries.json").write_text(json.dumps(queries(rows)), encoding="utf-8")


def read(folder: Path, name: str) -> Iterator[Row]:
    """Read a corpus."""
    with (folder / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read_queries(folder: Path, name: str) -> Queries:
    """Read the queries of a corpus."""
    found: Queries = json.loads((folder / f"{name}.queries.json").read_text("utf-8"))
    return found
