"""Hold sentences against the lines they cite, and count what the checker marks, on two sets.

    python -m bench.answers.checking [--show]              the sentences of `sentences.jsonl`
    python -m bench.answers.checking WICE [--judge MODEL]  the claims of WiCE

`sentences.jsonl` has notes of three sets, each written before the checker was run on it. Each note comes with
true and false sentences: a false one has one number, unit, date, name or quotation wrong. Each line of WICE
has a claim with the sentences of the page it cites and whether these support it (Kamoi and others, "WiCE:
Real-World Entailment for Claims in Wikipedia", EMNLP 2023). As there, a claim that is supported in part
counts as not supported. GPT-4 is published with F1 61.0 %, on the first hundred claims of the test set.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz, process

from app.chat.cite.named import known_names
from app.chat.cite.support import judge
from bench.answers.cases import rows

SENTENCES = Path(__file__).with_name("sentences.jsonl")
NEAREST = 5
"""Sentences taken where those most like the claim stand for what a search finds."""


def count_sentences(*, shows: bool) -> None:
    """Print how many false sentences stand unmarked, and how many true ones are marked, by kind."""
    total, wrong = Counter[tuple[str, bool]](), Counter[tuple[str, bool]]()
    for row in rows(SENTENCES):
        names = known_names((row["title"],), ("\n".join(row["lines"]),))
        for each in row["sentences"]:
            verdict = judge(each["text"], row["lines"], context=row["title"], names=names).verdict
            total[each["kind"], each["true"]] += 1
            if (verdict == "unsupported") == each["true"]:
                wrong[each["kind"], each["true"]] += 1
                if shows:
                    print(f"- {'true, marked' if each['true'] else 'false, unmarked'}: {each['text']}")
    print("| kind | false, unmarked | true, marked |\n| --- | ---: | ---: |")
    for kind in dict.fromkeys(kind for kind, _ in total):
        print(
            f"| {kind} | "
            + " | ".join(f"{wrong[kind, is_true]} of {total[kind, is_true]}" for is_true in (False, True))
            + " |"
        )


def supporting(row: Mapping[str, Any]) -> list[str]:
    """Return the sentences that support a claim, or a part of it; none where there are none."""
    first: Sequence[int] = next((each for each in row["supporting_sentences"] if each), ())
    return [row["evidence"][at] for at in first]


def nearest(row: Mapping[str, Any]) -> list[str]:
    """Return the sentences of the page that are most like the claim, in the page's order."""
    found = process.extract(row["claim"], row["evidence"], scorer=fuzz.token_set_ratio, limit=NEAREST)
    return [row["evidence"][at] for at in sorted(at for _, _, at in found)]


def _verdicts(
    given: Sequence[Mapping[str, Any]], lines_of: Callable[[Mapping[str, Any]], list[str]], model: str | None
) -> Iterator[tuple[bool, bool]]:
    """Yield of each claim whether it is supported, and whether the checker says so."""
    from app.chat.cite.second import second_judge

    for row in given:
        if lines := lines_of(row):
            title = row["evidence"][0].partition("TITLE: ")[2]
            verdict = judge(row["claim"], lines, context=title).verdict
            if verdict == "supported" and model is not None:
                verdict = second_judge(model).judge(row["claim"], lines).verdict
            yield row["label"] == "supported", verdict == "supported"


def count_claims(file: Path, model: str | None) -> None:
    """Print how the checker's verdicts agree with those of people."""
    given = list(rows(file))
    print("| beside | claims | precision | recall | F1 |\n| --- | ---: | ---: | ---: | ---: |")
    for name, lines_of in (("those that support it", supporting), (f"the {NEAREST} most like it", nearest)):
        counts = Counter(_verdicts(given, lines_of, model))
        right, said, wanted = counts[True, True], counts[False, True], counts[True, False]
        precision, recall = right / max(right + said, 1), right / max(right + wanted, 1)
        f1 = 2 * right / max(2 * right + said + wanted, 1)
        print(f"| {name} | {counts.total()} | {precision:.1%} | {recall:.1%} | {f1:.1%} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", metavar="WICE")
    parser.add_argument("--judge", metavar="MODEL", help="a model, as in the setting 'ask_judge'")
    parser.add_argument("--show", action="store_true", help="name the sentences that are judged wrongly")
    options = parser.parse_args()
    if options.file is None:
        count_sentences(shows=options.show)
    else:
        count_claims(options.file, options.judge)


if __name__ == "__main__":
    main()
