"""Measure how long the nearest words of a mistyped one take to find, and print a table.

    python -m bench.spelling VAULT [--words N] [--typos N]

VAULT is a folder of Markdown notes, whose words are joined to others until there are N distinct ones (the
default is 200,000). Times are of the processor, so that other work on the machine counts little.
"""

import argparse
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path

from app.search.lexical.index import ChunkDoc, LexicalIndex, NoteDoc, Snapshot
from bench.typos import mistyped

WORDS_A_NOTE = 200


def distinct_words(vault: Path, count: int, chance: random.Random) -> list[str]:
    """Give so many distinct words: those of a vault, and pieces of them put together."""
    texts = (note.read_text(encoding="utf-8", errors="replace") for note in sorted(vault.rglob("*.md")))
    own = sorted({word for text in texts for word in re.findall(r"[a-z]{3,24}", text.lower())})
    words = set(own)
    while len(words) < count:
        left, right = chance.choice(own), chance.choice(own)
        words.add(left[: chance.randint(2, 6)] + right[-chance.randint(2, 6) :])
    return sorted(words)[:count] if len(words) > count else sorted(words)


def index_of(words: list[str], folder: Path) -> Snapshot:
    """Index the words, some hundreds in each note."""
    index = LexicalIndex(folder)
    rest = iter(words)
    with index.writer() as writer:
        while piece := list(islice(rest, WORDS_A_NOTE)):
            path = f"{piece[0]}.md"
            chunk = ChunkDoc(" ".join(piece), "", "", "", 1, 2, 0, b"")
            writer.replace(NoteDoc(path, (), 1, 1, 1, 1, b""), [chunk])
        writer.commit()
    return index.snapshot()


def spent(call: Callable[[], object]) -> float:
    """Give the milliseconds of processor that a call takes."""
    begun = time.process_time()
    call()
    return (time.process_time() - begun) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("vault", type=Path)
    parser.add_argument("--words", type=int, default=200_000)
    parser.add_argument("--typos", type=int, default=200)
    options = parser.parse_args()
    chance = random.Random(1)
    words = distinct_words(options.vault, options.words, chance)
    long = [word for word in words if len(word) > 4]
    typos = [mistyped(word, chance) for word in chance.sample(long, options.typos)]
    with tempfile.TemporaryDirectory() as folder:
        snapshot = index_of(words, Path(folder))

        def correct(word: str) -> None:
            snapshot.speller(snapshot.chunks).spellings(word)

        snapshot.rank(words[0])
        standing = [spent(partial(correct, word)) for word in words[:: len(words) // 200]]
        first = spent(partial(correct, typos[0]))
        times = [spent(partial(correct, typo)) for typo in typos[1:]]
    print(f"{len(words):,} distinct words, milliseconds of processor\n\n| | median | 95th percentile |")
    print("| --- | ---: | ---: |")
    for name, figures in {"a word that stands": standing, "a mistyped word": times}.items():
        tail = statistics.quantiles(figures, n=20)[-1]
        print(f"| {name} | {statistics.median(figures):.2f} | {tail:.2f} |")
    print(f"| the first mistyped word of a process, rapidfuzz imported | {first:.1f} | |")


if __name__ == "__main__":
    main()
