"""The script that learns glosses, from a few sentences."""

import gzip
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

WHO = (("le boulanger", "the baker"), ("la voisine", "the neighbour"), ("un chien", "a dog"))
DOES = (("regarde", "watches"), ("cherche", "seeks"), ("aime", "likes"))
WHAT = (("la rivière", "the river"), ("le jardin", "the garden"), ("la lettre", "the letter"))


@pytest.fixture(scope="module")
def sentences(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        f"made\t{' '.join(part[0] for part in parts)}\t{' '.join(part[1] for part in parts)}\n"
        for parts in product(WHO, DOES, WHAT)
    ]
    file = tmp_path_factory.mktemp("sentences") / "fr-en.tsv.gz"
    rows.append("made\tles lettres du boulanger\tthe letters of the baker\n")
    file.write_bytes(gzip.compress("".join(["source\tfrench\tenglish\n", *rows]).encode()))
    return file


def learn(sentences: Path, out: Path) -> str:
    command = [sys.executable, "-m", "bench.glosses", str(sentences), str(out)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_words_are_learnt_from_where_they_stand(sentences: Path, tmp_path: Path) -> None:
    out = tmp_path / "fr-en.gz"
    assert learn(sentences, out).startswith("28 pairs, 10 words, ")
    table = dict(line.split("\t") for line in gzip.decompress(out.read_bytes()).decode().splitlines())
    assert {word: table[word] for word in ("boulanger", "chien", "regarde", "aime", "rivière")} == {
        "boulanger": "baker",
        "chien": "dog",
        "regarde": "watches",
        "aime": "likes",
        "rivière": "river",
    }
    # Of one stem, the commonest form comes first.
    words = [*table]
    assert words.index("lettres") == words.index("lettre") + 1
    assert not {"le", "la", "un", "du"} & {*table}


def test_the_same_sentences_give_the_same_bytes(sentences: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one.gz", tmp_path / "other.gz"
    learn(sentences, one)
    learn(sentences, other)
    assert one.read_bytes() == other.read_bytes()
