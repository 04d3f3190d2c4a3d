"""Hold sentences that a model might say against the lines they cite, and count what is marked.

    python -m bench.answers.sentences [SET ...] [--show]

`sentences.jsonl` has notes of three sets, `first`, `second` and `third`, each written before the checker was
run on it. Each note comes with true and false sentences: a false one has one number, unit, date, name or
quotation wrong. True ones of the kind `other` have none of these. ``--show`` names those judged wrongly.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.chat.cite.named import known_names
from app.chat.cite.support import judge
from bench.answers.cases import rows

SENTENCES = Path(__file__).with_name("sentences.jsonl")
KINDS = ("number", "unit", "date", "name", "quotation", "other")
SETS = ("first", "second", "third")
MARKED = ("unsupported", "contradicted")
"""Verdicts that mark a sentence."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A sentence, the note it is about, and whether it is true."""

    set: str
    note: str
    kind: str
    text: str
    is_true: bool
    title: str
    lines: tuple[str, ...]

    def is_marked(self) -> bool:
        """Return whether the checker marks it beside all lines of the note."""
        names = known_names((self.title,), ("\n".join(self.lines),))
        return judge(self.text, self.lines, context=self.title, names=names).verdict in MARKED


def read_sentences(sets: Sequence[str] = SETS) -> Iterator[Stated]:
    """Read the sentences of some sets, in the order of the file."""
    for row in rows(SENTENCES):
        if row["set"] in sets:
            for each in row["sentences"]:
                yield Stated(
                    row["set"],
                    row["id"],
                    each["kind"],
                    each["text"],
                    each["true"],
                    row["title"],
                    tuple(row["lines"]),
                )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", metavar="SET", help=", ".join(SETS))
    parser.add_argument("--show", action="store_true", help="name the sentences that are judged wrongly")
    options = parser.parse_args()
    if unknown := set(options.sets) - set(SETS):
        sys.exit(f"no set {', '.join(sorted(unknown))}; there are: {', '.join(SETS)}")
    for name in options.sets or SETS:
        total: Counter[tuple[str, bool]] = Counter()
        wrong: Counter[tuple[str, bool]] = Counter()
        for each in read_sentences([name]):
            total[each.kind, each.is_true] += 1
            if each.is_marked() == each.is_true:
                wrong[each.kind, each.is_true] += 1
                if options.show:
                    said = "true, marked" if each.is_true else "false, unmarked"
                    print(f"- {said}, {each.kind}, {each.note}: {each.text}")
        print(f"\n| {name} | false, unmarked | true, marked |\n| --- | ---: | ---: |")
        for kind in KINDS:
            cells = (f"{wrong[kind, is_true]} of {total[kind, is_true]}" for is_true in (False, True))
            print(f"| {kind} | {' | '.join(cells)} |")
        sums = (
            f"{sum(n for (_, true), n in wrong.items() if true is is_true)} of "
            f"{sum(n for (_, true), n in total.items() if true is is_true)}"
            for is_true in (False, True)
        )
        print(f"| all | {' | '.join(sums)} |")


if __name__ == "__main__":
    main()
