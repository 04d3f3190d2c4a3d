"""Measure what mistyped words cost `fast` and `deep`, end to end.

    python -m bench.typos SET [SET ...] --work DIR [--vault FOLDER] [--seeds N] [--modes fast deep]

SET and DIR are as in `bench.quality`, which builds the indexes. Each question is asked as it is, with one
edit in its longest word, and with one in every word of four letters or more: a letter put in, left out or
replaced, or two exchanged, drawn from a seed. The first table holds means over the seeds; the second what
spelling changes where nothing is mistyped.
"""

import argparse
import random
import re
import statistics
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from unittest.mock import patch

from app.dependencies import VaultClient
from app.search.lexical.speller import Speller
from bench.judged import JudgedSet, Question, measures, notes_of, read_set
from bench.quality import ask, client

_WORD = re.compile(r"[^\W\d_]+")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
LEAST_LETTERS = 4

Change = Callable[[str, random.Random], str]


def mistyped(word: str, chance: random.Random) -> str:
    """Make one edit in a word; the result is another word."""
    while True:
        at, letter = chance.randrange(len(word)), chance.choice(_LETTERS)
        made = (
            word[:at] + letter + word[at:],
            word[:at] + word[at + 1 :],
            word[:at] + letter + word[at + 1 :],
            word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
        )[chance.randrange(4)]
        if made != word:
            return made


def in_longest(text: str, chance: random.Random) -> str:
    """Mistype the longest word of a question; one of signs alone stays as it is."""
    longest = max(_WORD.finditer(text), key=lambda found: len(found[0]), default=None)
    if longest is None:
        return text
    return text[: longest.start()] + mistyped(longest[0], chance) + text[longest.end() :]


def in_every(text: str, chance: random.Random) -> str:
    """Mistype every word of a question, short ones aside."""
    return _WORD.sub(
        lambda found: mistyped(found[0], chance) if len(found[0]) >= LEAST_LETTERS else found[0], text
    )


CHANGES: dict[str, Change] = {
    "as asked": lambda text, _: text,
    "longest word": in_longest,
    "every word": in_every,
}


def without_spelling() -> AbstractContextManager[object]:
    """Let the notes spell nothing otherwise than as typed."""
    return patch.object(Speller, "_find_spellings", lambda *_: ())


def ndcg(judged: JudgedSet, vault: VaultClient, mode: str, questions: Sequence[Question]) -> float:
    """Give the mean nDCG of some questions."""
    found = (notes_of(ask(vault, mode, each, None)[0], each.skip) for each in questions)
    return statistics.fmean(
        measures(ranked, each.gains, judged.depth)[0] for ranked, each in zip(found, questions, strict=True)
    )


def print_set(
    judged: JudgedSet, work: Path, seeds: int, modes: Sequence[str], without: Sequence[str]
) -> None:
    """Print the rows of one set."""
    vault = client(judged, work, {})
    asked = [each for each in judged.questions if each.gains and each.kind not in without]
    for mode in modes:
        cells = []
        for spelling in (without_spelling(), nullcontext()):
            with spelling:
                for name, change in CHANGES.items():
                    figures = []
                    for seed in range(seeds if name != "as asked" else 1):
                        chance = random.Random(seed)
                        changed = [
                            Question(change(each.text, chance), each.gains, each.kind, each.skip)
                            for each in asked
                        ]
                        figures.append(ndcg(judged, vault, mode, changed))
                    cells.append(statistics.fmean(figures))
        print(f"| {judged.name} | {mode} | " + " | ".join(f"{cell:.3f}" for cell in cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", type=Path, nargs="+", metavar="SET")
    parser.add_argument("--work", type=Path, required=True, help="where `bench.quality` made the indexes")
    parser.add_argument("--vault", type=Path, help="the vault of a set without a corpus")
    parser.add_argument("--without", nargs="*", default=["french"], help="kinds left out of the means")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--modes", nargs="+", default=["fast", "deep"])
    options = parser.parse_args()
    columns = [*CHANGES, *(f"{name}, spelt" for name in CHANGES)]
    print(f"| set | mode | {' | '.join(columns)} |\n| --- | --- |{' ---: |' * len(columns)}")
    for folder in options.sets:
        judged = read_set(folder.resolve(), options.work, options.vault)
        print_set(judged, options.work, options.seeds, options.modes, options.without)


if __name__ == "__main__":
    main()
