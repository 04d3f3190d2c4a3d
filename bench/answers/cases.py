"""Questions with the lines that answer them, read from the files of judged sets, each set with its vault."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.judged import read_gains, write_vault

EXAMPLES = Path(__file__).with_name("examples.jsonl")
"""Eighty questions to the example vault; private notes and the inbox answer none of them."""
EXAMPLE_VAULT = Path(__file__).parents[2] / "examples" / "vault"
YES_OR_NO = frozenset({"yes", "no"})
ALIKE = frozenset({"hotpotqa_train100", "musique_train100"})
"""Sets from one source: the notes of one may well answer the questions of another."""


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


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """Questions to one vault; sets of the same ``home`` share it."""

    name: str
    home: str
    vault: Path
    cases: Sequence[Case]


def rows(file: Path) -> Iterator[dict[str, Any]]:
    """Read a file that has an object on each line."""
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def named_vaults(given: Sequence[str]) -> dict[str, Path]:
    """Return the folders of vaults that were given as ``NAME=FOLDER``; others end the program."""
    vaults = {}
    for each in given:
        name, equals, folder = each.partition("=")
        if not equals or not Path(folder).is_dir():
            raise SystemExit(f"--vault {each}: give NAME=FOLDER, the folder of a vault that is there")
        vaults[name] = Path(folder).resolve()
    return vaults


def read_sets(names: Sequence[str], vaults: Mapping[str, Path], work: Path) -> list[AnswerSet]:
    """Read sets by their folders, or `examples` for the questions to the example vault.

    The vaults of sets that have a corpus are written below ``work``; those of others are looked up by the
    name of the set's folder. A folder has keys in `answers.jsonl`, or whole questions in `human.jsonl`.
    """
    return [each for name in names for each in _read(name, vaults, work)]


def _read(name: str, vaults: Mapping[str, Path], work: Path) -> Iterator[AnswerSet]:
    if name == "examples":
        vault = work / name / "vault"
        shutil.copytree(EXAMPLE_VAULT, vault, dirs_exist_ok=True)
        yield AnswerSet(name, name, vault, read_keyed(EXAMPLES))
        return
    folder = Path(name).resolve()
    if (folder / "corpus.jsonl").exists():
        vault = work / folder.name / "vault"
        write_vault(folder / "corpus.jsonl", vault)
        yield AnswerSet(folder.name, folder.name, vault, _read_short(folder, vault))
        return
    if folder.name not in vaults:
        raise SystemExit(f"{folder} has no corpus.jsonl: name its vault with --vault {folder.name}=FOLDER")
    vault = vaults[folder.name]
    if (folder / "answers.jsonl").exists():
        keys = {row["id"]: row for row in rows(folder / "answers.jsonl")}
        asked = rows(folder / "queries.jsonl")
        cases = [_keyed(keys[row["id"]], row["query"], _language(row["kind"]), row["kind"]) for row in asked]
        yield AnswerSet(folder.name, folder.name, vault, cases)
    if (folder / "human.jsonl").exists():
        yield AnswerSet(f"{folder.name} human", folder.name, vault, read_keyed(folder / "human.jsonl"))


def _language(kind: str) -> str:
    return "fr" if kind == "french" else "en"


def read_keyed(file: Path) -> list[Case]:
    """Read questions that come with their keys: those of `examples.jsonl` and of files of its form."""
    return [_keyed(row, row["text"], row["lang"], row["kind"]) for row in rows(file)]


def _keyed(key: dict[str, Any], text: str, language: str, kind: str) -> Case:
    evidence, also = (tuple(map(_place, key.get(name, ()))) for name in ("evidence", "also"))
    return Case(key["id"], text, language, kind, bool(evidence), evidence, also, tuple(key.get("must", ())))


def _place(row: dict[str, str]) -> Place:
    first, last = map(int, row["lines"].split("-"))
    return Place(row["path"], first, last)


def _read_short(folder: Path, vault: Path) -> list[Case]:
    """Read questions that have a short answer; the notes that are judged to answer are the evidence.

    Questions that are answered by yes or no are left out: both words stand in any note.
    """
    judged = read_gains(folder)
    keys = {row["id"]: row for row in rows(folder / "answers.jsonl")}
    cases = []
    for row in rows(folder / "queries.jsonl"):
        key = keys[row["id"]]
        if key["answer"].casefold() not in YES_OR_NO:
            size = {
                path: (vault / path).read_text(encoding="utf-8").count("\n") + 1 for path in judged[row["id"]]
            }
            places = tuple(Place(path, 1, lines) for path, lines in size.items())
            answers = (key["answer"], *key.get("aliases", ()))
            cases.append(Case(row["id"], row["text"], "en", "short", True, places, answers=answers))
    return cases


def folded(text: str) -> str:
    """Return a text in small letters, each run of whitespace as one space."""
    return " ".join(text.casefold().split())


def foreign(sets: Sequence[AnswerSet], most: int) -> Iterator[tuple[AnswerSet, AnswerSet, list[Case]]]:
    """Yield a set, another's vault that it is asked of, and the questions: nothing there answers them."""
    homes: dict[str, AnswerSet] = {}
    for each in sets:
        homes.setdefault(each.home, each)
    for asked in sets:
        texts = [case.text for case in asked.cases if case.is_answerable]
        step = max(len(texts) / most, 1) if most else 1
        spread = [texts[int(at * step)] for at in range(min(most, len(texts)))]
        for other in homes.values():
            if other.home != asked.home and not {other.home, asked.home} <= ALIKE:
                kind = f"of {asked.name}"
                yield asked, other, [Case(text, text, "", kind, False) for text in spread]
