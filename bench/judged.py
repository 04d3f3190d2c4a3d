"""Judged sets for the quality benchmark: questions with the notes that answer them, and measures.

A set is a folder in one of two forms:

- ``corpus.jsonl`` (a passage a line: ``doc``, ``title``, ``section``, ``text``), ``queries.jsonl``
  (``id``, ``text``, and ``skip``: documents left out of this ranking) and ``qrels.tsv`` (query, document,
  grade); or the same as BEIR has it, such as SciFact and NFCorpus, which are yours to fetch: ``_id``, no
  ``section``, ``qrels/test.tsv``. It is written out as a vault, one note a document.
- ``queries.jsonl`` alone (``id``, ``query``, ``kind``, ``relevant``, ``partial``: paths of notes), which
  goes with a vault that is there already.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PARTIAL = 0.5
"""What a note gains that helps but does not settle the question."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, with the gain of each note that answers it; a gain of 1 or more answers in full."""

    text: str
    gains: Mapping[str, float]
    kind: str = ""
    skip: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """Questions to one vault; ``depth`` is where nDCG stops."""

    name: str
    vault: Path
    questions: Sequence[Question]
    depth: int


def read_set(folder: Path, scratch: Path, vault: Path | None) -> JudgedSet:
    """Read a set, and write its corpus out as a vault below ``scratch`` where it has one."""
    if (folder / "corpus.jsonl").exists():
        made = scratch / folder.name / "vault"
        write_vault(folder / "corpus.jsonl", made)
        return JudgedSet(folder.name, made, list(_graded(folder)), 10)
    if vault is None:
        raise SystemExit(f"{folder} has no corpus.jsonl: name its vault with --vault")
    return JudgedSet(folder.name, vault, list(_listed(folder)), 5)


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def read_gains(folder: Path) -> dict[str, dict[str, float]]:
    """Read of each question, by its id, the gain of each note that answers it."""
    gains: dict[str, dict[str, float]] = {}
    own = folder / "qrels.tsv"
    with (own if own.exists() else folder / "qrels" / "test.tsv").open(encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            query, doc, grade = line.rstrip("\n").split("\t")
            if float(grade) > 0:
                gains.setdefault(query, {})[f"{doc}.md"] = float(grade)
    return gains


def _graded(folder: Path) -> Iterator[Question]:
    gains = read_gains(folder)
    for row in _rows(folder / "queries.jsonl"):
        skip = frozenset(f"{doc}.md" for doc in row.get("skip", ()))
        yield Question(row["text"], gains.get(row.get("id") or row["_id"], {}), row.get("kind", ""), skip)


def _listed(folder: Path) -> Iterator[Question]:
    for row in _rows(folder / "queries.jsonl"):
        gains = {**dict.fromkeys(row["partial"], PARTIAL), **dict.fromkeys(row["relevant"], 1.0)}
        yield Question(row["query"], gains, row["kind"])


def write_vault(corpus: Path, folder: Path) -> None:
    """Write one note a document: the title as H1, new section paths as headings, the passages in order."""
    passages: dict[str, list[dict[str, Any]]] = {}
    for row in _rows(corpus):
        passages.setdefault(row.get("doc") or row["_id"], []).append(row)
    folder.mkdir(parents=True, exist_ok=True)
    for doc, rows in passages.items():
        (folder / f"{doc}.md").write_text("\n\n".join(_paragraphs(rows)) + "\n", encoding="utf-8")


def _paragraphs(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if rows[0]["title"] and not _has_heading(rows[0]):
        yield f"# {rows[0]['title']}"
    last: list[str] = []
    for row in rows:
        path = [] if _has_heading(row) else [part for part in row.get("section", "").split(" > ") if part]
        for depth, heading in enumerate(path):
            if last[: depth + 1] != path[: depth + 1]:
                yield f"{'#' * min(depth + 2, 6)} {heading}"
        last = path
        yield row["text"].strip()


def _has_heading(row: Mapping[str, Any]) -> bool:
    return str(row["text"]).lstrip().startswith("#")


def notes_of(paths: Iterable[str], skip: frozenset[str]) -> list[str]:
    """Give the notes of ranked passages: each stands where its best passage stands."""
    return [path for path in dict.fromkeys(paths) if path not in skip]


def measures(ranked: Sequence[str], gains: Mapping[str, float], depth: int) -> tuple[float, ...]:
    """Give nDCG at a depth, the reciprocal rank of the first full answer of ten, Hit@1, Recall@5 and @50."""
    gained = sum(gains.get(path, 0.0) / math.log2(at + 2) for at, path in enumerate(ranked[:depth]))
    best = sorted(gains.values(), reverse=True)[:depth]
    ideal = sum(gain / math.log2(at + 2) for at, gain in enumerate(best))
    full = [at for at, path in enumerate(ranked[:10]) if gains.get(path, 0.0) >= 1]
    recall = [sum(path in gains for path in ranked[:most]) / len(gains) for most in (5, 50)]
    return gained / ideal, 1 / (full[0] + 1) if full else 0.0, float(full[:1] == [0]), *recall


def auc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """Give how often a score of the first kind is above one of the second, ties counted half."""
    wins = sum((a > b) + 0.5 * (a == b) for a in higher for b in lower)
    return wins / (len(higher) * len(lower))
