"""Questions with the lines that answer them, read from the files of judged sets."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.judged import read_gains

EXAMPLES = Path(__file__).with_name("examples.jsonl")
"""Eighty questions to the example vault; private notes and the inbox answer none of them."""
YES_OR_NO = frozenset({"yes", "no"})


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of one note, 1-based and inclusive."""

    path: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Case:
    """A question, and how an answer to it is known."""

    id: str
    text: str
    language: str
    kind: str
    is_answerable: bool = True
    evidence: tuple[Place, ...] = ()
    """The places that answer; together, where there are several."""
    also: tuple[Place, ...] = ()
    """Other places that answer as well, each on its own."""
    must: tuple[str, ...] = ()
    """What quotations have to hold, all of it."""
    answers: tuple[str, ...] = ()
    """Ways to write a short answer, of which a quotation has to hold one."""


def rows(file: Path) -> Iterator[dict[str, Any]]:
    """Read a file that has an object on each line."""
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def read_keyed(file: Path) -> list[Case]:
    """Read questions that come with their keys: those of `examples.jsonl` and of files of its form."""
    return [_keyed(row, row["text"], row["lang"], row["kind"]) for row in rows(file)]


def read_keyed_beside(folder: Path) -> list[Case]:
    """Read questions of `queries.jsonl` with the keys that `answers.jsonl` beside it has for them."""
    keys = {row["id"]: row for row in rows(folder / "answers.jsonl")}
    return [
        _keyed(keys[row["id"]], row["query"], "fr" if row["kind"] == "french" else "en", row["kind"])
        for row in rows(folder / "queries.jsonl")
    ]


def _keyed(key: dict[str, Any], text: str, language: str, kind: str) -> Case:
    return Case(
        key["id"],
        text,
        language,
        kind,
        bool(key["evidence"]),
        tuple(map(_place, key["evidence"])),
        tuple(map(_place, key.get("also", ()))),
        tuple(key.get("must", ())),
    )


def _place(row: dict[str, str]) -> Place:
    first, last = map(int, row["lines"].split("-"))
    return Place(row["path"], first, last)


def read_short(folder: Path, vault: Path) -> list[Case]:
    """Read questions that have a short answer, and evidence in the notes of the vault written from a set.

    Where the set names sentences, these are the evidence, each sought in the notes with its title; else
    it is the whole of each note that is judged to answer. Questions that are answered by yes or no are
    left out: both words stand in any note.
    """
    titled: dict[str, list[str]] = {}
    for row in rows(folder / "corpus.jsonl"):
        titled.setdefault(row["title"], []).append(f"{row['doc']}.md")
    judged = read_gains(folder)
    keys = {row["id"]: row for row in rows(folder / "answers.jsonl")}
    cases = []
    for row in rows(folder / "queries.jsonl"):
        key = keys[row["id"]]
        if key["answer"].casefold() in YES_OR_NO:
            continue
        if isinstance(key["evidence"][0], str):
            places = [_whole(vault, path) for path in judged[row["id"]]]
        else:
            places = [_sought(vault, titled[each["title"]], each["sentence"]) for each in key["evidence"]]
        kind = key.get("type") or f"{key['hops']} hops"
        answers = (key["answer"], *key.get("aliases", ()))
        cases.append(Case(row["id"], row["text"], "en", kind, True, tuple(places), answers=answers))
    return cases


def _lines(vault: Path, path: str) -> list[str]:
    return (vault / path).read_text(encoding="utf-8").split("\n")


def _whole(vault: Path, path: str) -> Place:
    return Place(path, 1, len(_lines(vault, path)))


def _sought(vault: Path, paths: Sequence[str], sentence: str) -> Place:
    """Return the line of a sentence in one of some notes.

    Raises:
        ValueError: none of them has it.
    """
    wanted = folded(sentence)
    for path in paths:
        for at, line in enumerate(_lines(vault, path), start=1):
            if wanted in folded(line):
                return Place(path, at, at)
    raise ValueError(f"no line of {', '.join(paths)} holds {sentence!r}")


def folded(text: str) -> str:
    """Return a text in small letters, each run of blanks as one space."""
    return " ".join(text.casefold().split())


def read_questions(folder: Path) -> list[str]:
    """Read the questions of any set, in their order, without keys."""
    return [row.get("text") or row["query"] for row in rows(folder / "queries.jsonl")]


def spread(questions: Sequence[str], most: int) -> list[str]:
    """Return at most so many questions, evenly spread over the whole list."""
    step = max(len(questions) / most, 1)
    return [questions[int(at * step)] for at in range(min(most, len(questions)))]
