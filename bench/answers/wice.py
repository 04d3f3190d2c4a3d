"""Hold the claims of WiCE against their evidence, and compare with what people said of them.

    python -m bench.answers.wice FILE [--judge MODEL] [--cases FILE]

FILE has a claim on each line, with the sentences of the page it cites, whether these support it (`supported`,
`partially_supported`, `not_supported`), and which of them do. WiCE: Kamoi, Goyal, Rodriguez, Durrett, "WiCE:
Real-World Entailment for Claims in Wikipedia", EMNLP 2023. As there, a claim that is supported in part
counts as not supported.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz import fuzz, process

from bench.answers.cases import rows

LABELS = ("supported", "partially_supported", "not_supported")
VERDICTS = ("supported", "unsupported", "contradicted", "uncited")
NEAREST = 5
"""Sentences taken where those most like the claim stand for what a search finds."""
PUBLISHED = (
    ("T5-3B trained on ANLI", "61.8", "74.0"),
    ("T5-3B trained on ANLI and WiCE", "77.8", "88.0"),
    ("GPT-3.5", "39.3", "32.0"),
    ("GPT-4", "61.0", "77.0"),
)
"""Name, F1 and accuracy in percent, from the authors' repository (`ryokamoi/wice`, `result_table.tex`).

They are of the first hundred claims of the test set, held against passages that have all the sentences
which support them, with thresholds chosen on the other set.
"""

Judge = Callable[[str, Sequence[str], str], str]
"""Returns the verdict of a claim beside some sentences and the title of their page."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim, its label, and the sentences it is held against."""

    text: str
    label: str
    title: str
    sentences: Sequence[str]


def gold(row: Mapping[str, object]) -> Claim | None:
    """Return a claim with the sentences that support it, or a part of it; None where there are none."""
    evidence, sets = _evidence(row), row["supporting_sentences"]
    assert isinstance(sets, list)
    first = next((each for each in sets if each), None)
    return None if first is None else _claim(row, [evidence[at] for at in first])


def nearest(row: Mapping[str, object]) -> Claim:
    """Return a claim with the sentences of the page that are most like it, in the page's order."""
    evidence = _evidence(row)
    found = process.extract(str(row["claim"]), evidence, scorer=fuzz.token_set_ratio, limit=NEAREST)
    return _claim(row, [evidence[at] for at in sorted(at for _, _, at in found)])


def everything(row: Mapping[str, object]) -> Claim:
    """Return a claim with all sentences of the page."""
    return _claim(row, _evidence(row))


def _claim(row: Mapping[str, object], sentences: Sequence[str]) -> Claim:
    title = _evidence(row)[0].partition("TITLE: ")[2]
    return Claim(str(row["claim"]), str(row["label"]), title, sentences)


def _evidence(row: Mapping[str, object]) -> list[str]:
    evidence = row["evidence"]
    assert isinstance(evidence, list)
    return evidence


@dataclass(frozen=True, slots=True)
class Figures:
    """How verdicts agree with labels; "supported" is what is looked for, and all are shares."""

    precision: float
    recall: float
    f1: float
    accuracy: float


def figures(pairs: Iterable[tuple[str, str]]) -> Figures:
    """Compare labels with verdicts, each pair one claim's."""
    counts = Counter((label == "supported", verdict == "supported") for label, verdict in pairs)
    right, said, wanted = counts[True, True], counts[False, True], counts[True, False]
    total = counts.total()
    return Figures(
        right / (right + said) if right + said else 0.0,
        right / (right + wanted) if right + wanted else 0.0,
        2 * right / (2 * right + said + wanted) if right else 0.0,
        (right + counts[False, False]) / total if total else 0.0,
    )


def measure(name: str, claims: Sequence[Claim], judge: Judge) -> list[tuple[Claim, str]]:
    """Judge claims, and print what labels and verdicts have to do with each other."""
    begun = time.process_time()
    judged = [(claim, judge(claim.text, claim.sentences, claim.title)) for claim in claims]
    spent = (time.process_time() - begun) * 1000 / len(claims)
    counts = Counter((claim.label, verdict) for claim, verdict in judged)
    print(f"\n## {name}: {len(claims)} claims, {spent:.1f} ms of CPU each\n")
    print(f"| label | {' | '.join(VERDICTS)} |\n| --- |{' ---: |' * len(VERDICTS)}")
    for label in LABELS:
        print(f"| {label} | {' | '.join(str(counts[label, verdict]) for verdict in VERDICTS)} |")
    print("\n| supported or not | precision | recall | F1 | accuracy |\n| --- | ---: | ---: | ---: | ---: |")
    print(_row("this checker", figures((claim.label, verdict) for claim, verdict in judged)))
    print(_row("saying always that it is", figures((claim.label, "supported") for claim in claims)))
    return judged


def _row(name: str, of: Figures) -> str:
    return f"| {name} | {of.precision:.1%} | {of.recall:.1%} | {of.f1:.1%} | {of.accuracy:.1%} |"


def print_published() -> None:
    """Print what the authors of the set published, and on what."""
    print("\n## Published, first hundred claims of the test set, passages that have what supports them\n")
    print("| supported or not | F1 | accuracy |\n| --- | ---: | ---: |")
    for name, f1, accuracy in PUBLISHED:
        print(f"| {name} | {f1}% | {accuracy}% |")


def checker(model: str | None) -> Judge:
    """Return the checker of the program: its rules, and a model for what they let pass where one is named."""
    from app.chat.cite.second import second_judge
    from app.chat.cite.support import judge

    def judged(sentence: str, lines: Sequence[str], title: str) -> str:
        verdict = judge(sentence, lines, context=title).verdict
        if verdict != "supported" or model is None:
            return verdict
        return second_judge(model).judge(sentence, lines).verdict

    return judged


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--cases", type=Path, help="where each claim is written to, with its verdicts")
    parser.add_argument("--judge", metavar="MODEL", help="a model, as in the setting 'ask_judge'")
    options = parser.parse_args()
    given = list(rows(options.file))
    groups = {
        "Against the sentences that support it": [each for row in given if (each := gold(row)) is not None],
        f"Against the {NEAREST} sentences most like it": list(map(nearest, given)),
        "Against the whole page": list(map(everything, given)),
    }
    judged = {name: measure(name, claims, checker(options.judge)) for name, claims in groups.items()}
    print_published()
    if options.cases:
        with options.cases.open("w", encoding="utf-8") as lines:
            for name, pairs in judged.items():
                for claim, verdict in pairs:
                    row = {"against": name, "claim": claim.text, "label": claim.label, "verdict": verdict}
                    lines.write(json.dumps({**row, "sentences": list(claim.sentences)}) + "\n")


if __name__ == "__main__":
    main()
