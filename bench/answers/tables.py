"""Print what answers came to, as tables of Markdown, and write each case to a file."""

import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from bench.answers.asking import Outcome
from bench.judged import auc

MOST_FAULTS = 20
"""Quotations shown that are not the note's own text."""
KEYED = (
    "| | asked | first | together | at the lines | answerable refused | unanswerable refused | "
    "quoted | noise | CPU, ms |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)
SHORT = (
    "| | asked | in the first | in any | evidence quoted | refused | quoted | noise | CPU, ms |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)
FOREIGN = (
    "| questions | asked of | asked | refused | own refused | median probability | AUC, own against them |\n"
    "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
)

NEAR = "| questions | asked of | asked | refused | median probability |\n| --- | --- | ---: | ---: | ---: |"


def print_keyed(name: str, outcomes: Sequence[Outcome]) -> None:
    """Print a set whose key is lines and strings: the whole of it, by language and by kind."""
    print(f"\n## {name}\n\n{KEYED}")
    print(_keyed_row("**all**", outcomes))
    languages = sorted({each.case.language for each in outcomes})
    for language in languages if len(languages) > 1 else ():
        print(_keyed_row(language, [each for each in outcomes if each.case.language == language]))
    for kind in dict.fromkeys(each.case.kind for each in outcomes):
        print(_keyed_row(kind, [each for each in outcomes if each.case.kind == kind]))


def _keyed_row(name: str, outcomes: Sequence[Outcome]) -> str:
    own = [each for each in outcomes if each.case.is_answerable]
    none = [each for each in outcomes if not each.case.is_answerable]
    cells = (
        str(len(outcomes)),
        _of(own, lambda each: each.judgement.verdict == "first"),
        _of(own, lambda each: each.judgement.verdict in ("first", "together")),
        _of(own, lambda each: each.judgement.is_at_evidence),
        _of(own, _is_refused),
        _of(none, _is_refused),
        *_costs(outcomes, own),
    )
    return f"| {name} | {' | '.join(cells)} |"


def print_short(name: str, outcomes: Sequence[Outcome]) -> None:
    """Print a set whose key is short answers, and sentences or notes that are the evidence."""
    print(f"\n## {name}\n\n{SHORT}")
    kinds = list(dict.fromkeys(each.case.kind for each in outcomes))
    groups = {"**all**": outcomes}
    if len(kinds) > 1:
        groups |= {kind: [each for each in outcomes if each.case.kind == kind] for kind in kinds}
    for label, group in groups.items():
        cells = (
            str(len(group)),
            _of(group, lambda each: each.judgement.verdict == "first"),
            _of(group, lambda each: each.judgement.verdict in ("first", "together")),
            f"{statistics.fmean(each.judgement.evidence_quoted for each in group):.0%}",
            _of(group, _is_refused),
            *_costs(group, group),
        )
        print(f"| {label} | {' | '.join(cells)} |")


def print_foreign(rows: Iterable[tuple[str, str, Sequence[Outcome], Sequence[Outcome]]]) -> None:
    """Print how questions fare in a vault that cannot answer them, beside the vault's own questions.

    A row is the set's name, the vault's, what its questions came to there, and the vault's own.
    """
    print(f"\n## Questions asked of notes that do not answer them\n\n{FOREIGN}")
    together: dict[str, tuple[list[Outcome], Sequence[Outcome]]] = {}
    for name, vault, there, own in rows:
        together.setdefault(vault, ([], own))[0].extend(there)
        print(_foreign_row(name, vault, there, own))
    for vault, (there, own) in together.items():
        print(_foreign_row("**all**", vault, there, own))
    if together:
        there = [each for group, _ in together.values() for each in group]
        own = [each for _, group in together.values() for each in group]
        print(_foreign_row("**all**", "**all**", there, own))


def _foreign_row(name: str, vault: str, there: Sequence[Outcome], own: Sequence[Outcome]) -> str:
    answerable = [each for each in own if each.case.is_answerable]
    foreign = [each.probability for each in there]
    area = auc([each.probability for each in answerable], foreign)
    return (
        f"| {name} | {vault} | {len(there)} | {_of(there, _is_refused)} | {_of(answerable, _is_refused)} | "
        f"{statistics.median(foreign):.2f} | {area:.3f} |"
    )


def print_near(rows: Iterable[tuple[str, str, Sequence[Outcome]]]) -> None:
    """Print how questions fare that are near to what the notes say, and that none answers.

    A row is what they are called, the name of the vault, and what they came to.
    """
    print(f"\n## Questions near to what the notes say\n\n{NEAR}")
    for name, vault, there in rows:
        probability = statistics.median(each.probability for each in there)
        refused = _of(there, _is_refused)
        print(f"| {name} | {vault} | {len(there)} | {refused} | {probability:.2f} |")


def print_faults(outcomes: Sequence[Outcome]) -> bool:
    """Print the quotations that do not stand in the lines they name; return whether there is none."""
    faults = [fault for each in outcomes for fault in each.faults]
    count = sum(len(each.quotations) for each in outcomes)
    print(f"\n## Quotations\n\n{count} quotations, {len(faults)} that do not stand in the lines they name\n")
    print("".join(f"- {fault}\n" for fault in faults[:MOST_FAULTS]), end="")
    return not faults


def write_cases(file: Path, groups: Iterable[tuple[str, Sequence[Outcome]]]) -> None:
    """Write a line of JSON for each question asked."""
    with file.open("w", encoding="utf-8") as lines:
        for name, outcomes in groups:
            for each in outcomes:
                lines.write(json.dumps(_as_data(name, each), ensure_ascii=False) + "\n")


def _as_data(name: str, outcome: Outcome) -> dict[str, object]:
    case = outcome.case
    return {
        "set": name,
        "id": case.id,
        "question": case.text,
        "kind": case.kind,
        "verdict": outcome.judgement.verdict,
        "quotations": [{"path": q.path, "lines": q.lines, "text": q.text} for q in outcome.quotations],
        "wanted": list(case.must or case.answers),
        "at": [f"{place.path}:{place.first}-{place.last}" for place in case.evidence],
        "probability": round(outcome.probability, 4),
        "milliseconds": round(outcome.seconds * 1000, 1),
        "faults": list(outcome.faults),
    }


def _is_refused(outcome: Outcome) -> bool:
    return outcome.judgement.verdict == "refused"


def _of(outcomes: Sequence[Outcome], is_so: Callable[[Outcome], bool]) -> str:
    """Return such as ``12 of 30 (40%)``; a dash where there are none."""
    if not outcomes:
        return "–"
    count = sum(map(is_so, outcomes))
    return f"{count} of {len(outcomes)} ({count / len(outcomes):.0%})"


def _costs(outcomes: Sequence[Outcome], judged: Sequence[Outcome]) -> tuple[str, str, str]:
    """Return the mean length of what is quoted and the share of noise, over judged answers, and the time."""
    quoting = [each.judgement for each in judged if each.judgement.chars]
    chars = sum(each.chars for each in quoting)
    length = f"{chars / len(quoting):.0f}" if quoting else "–"
    noise = f"{sum(each.noise for each in quoting) / chars:.0%}" if chars else "–"
    return length, noise, f"{statistics.fmean(each.seconds for each in outcomes) * 1000:.0f}"
