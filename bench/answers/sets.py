"""The sets of questions that answers are measured on, each with the vault that it is asked of."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.answers.cases import (
    EXAMPLES,
    Case,
    read_keyed,
    read_keyed_beside,
    read_questions,
    read_short,
    spread,
)
from bench.judged import write_vault

EXAMPLE_VAULT = Path(__file__).parents[2] / "examples" / "vault"
MOST_UNJUDGED = 100
"""Questions asked of a set that has no keys, where only refusals are counted."""
ALIKE = frozenset({"hotpotqa_train100", "musique_train100"})
"""Sets from one source: the notes of one may well answer the questions of another."""


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """Questions to one vault; sets of the same ``home`` share it."""

    name: str
    home: str
    vault: Path
    cases: Sequence[Case]


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
    name of the set's folder.
    """
    return [each for name in names for each in _read(name, vaults, work)]


def _read(name: str, vaults: Mapping[str, Path], work: Path) -> Iterator[AnswerSet]:
    if name == "examples":
        vault = work / name / "vault"
        shutil.copytree(EXAMPLE_VAULT, vault, dirs_exist_ok=True)
        yield AnswerSet(name, name, vault, read_keyed(EXAMPLES))
        return
    folder = Path(name).resolve()
    has_corpus, has_answers = ((folder / file).exists() for file in ("corpus.jsonl", "answers.jsonl"))
    if has_corpus:
        vault = work / folder.name / "vault"
        write_vault(folder / "corpus.jsonl", vault)
    elif folder.name in vaults:
        vault = vaults[folder.name]
    else:
        raise SystemExit(f"{folder} has no corpus.jsonl: name its vault with --vault {folder.name}=FOLDER")
    if has_answers and not has_corpus:
        yield AnswerSet(folder.name, folder.name, vault, read_keyed_beside(folder))
    elif has_answers:
        yield AnswerSet(folder.name, folder.name, vault, read_short(folder, vault))
    else:
        asked = spread(read_questions(folder), MOST_UNJUDGED)
        cases = [Case(str(at), text, "", "") for at, text in enumerate(asked, start=1)]
        yield AnswerSet(folder.name, folder.name, vault, cases)
    if (folder / "human.jsonl").exists():
        yield AnswerSet(f"{folder.name} human", folder.name, vault, read_keyed(folder / "human.jsonl"))


def foreign(sets: Sequence[AnswerSet], most: int) -> Iterator[tuple[AnswerSet, AnswerSet, list[Case]]]:
    """Yield a set, another's vault that it is asked of, and the questions: nothing there answers them."""
    homes: dict[str, AnswerSet] = {}
    for each in sets:
        homes.setdefault(each.home, each)
    for asked in sets:
        texts = [case.text for case in asked.cases if case.is_answerable]
        for other in homes.values():
            if other.home != asked.home and not {other.home, asked.home} <= ALIKE:
                kind = f"of {asked.name}"
                yield asked, other, [Case(text, text, "", kind, False) for text in spread(texts, most)]
