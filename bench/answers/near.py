"""Questions near to what notes say that no note answers: written by hand, and made of others by one word.

`near.jsonl` has 56 to the example vault and to `tasks-docs`, in English and French, written by one who had
read both vaults before any was asked. Every second one is for fitting (``fit``), the others are held back
(``held``). An exchanged question is one that notes answer, with the most informative word that it shares with
the lines that answer put out, and one put in that stands in no note.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from app.search.query.read import parse_question
from app.search.searcher import searcher_for
from app.search.show.lines import line_words
from app.vault.client import VaultClient
from bench.answers.cases import Case, rows

NEAR = Path(__file__).with_name("near.jsonl")
LEAST_LETTERS = 4
"""A shorter word is none to put out: most are no names of things."""
BESIDE = 2
"""Lines above and below those that answer which still belong to them."""
WORDS = "Quentin Zanzibar Kowalski Brunhilde trombone saxophone microscope thermostat volcan girafe ananas"


def read_near(home: str, part: str) -> list[Case]:
    """Read the questions near to what the notes of a vault say, of one of the parts ``fit`` and ``held``."""
    return [
        Case(row["id"], row["text"], row["lang"], f"near {row['lang']}", False)
        for row in rows(NEAR)
        if (row["home"], row["part"]) == (home, part)
    ]


def exchanged(client: VaultClient, cases: Sequence[Case]) -> Iterator[Case]:
    """Make of questions that notes answer such that none answers; of some there is no word to exchange."""
    view = searcher_for(client).view()
    new = [word for word in WORDS.split() if not view.snapshot.speller.has(word)]
    for number, case in enumerate(case for case in cases if case.evidence):
        words, place = line_words(view.lexical, [parse_question(case.text)]), case.evidence[0]
        lines = client.read(place.path).text.split("\n")
        shown = [place.path, *lines[max(place.first - 1 - BESIDE, 0) : place.last + BESIDE]]
        there = words.worth(shown, 0)
        shared = [one for one in words.places([case.text], 0)[0] if one.part in there]
        best = max(shared, key=lambda one: one.worth, default=None)
        if best and new and best.end - best.start >= LEAST_LETTERS:
            text = f"{case.text[: best.start]}{new[number % len(new)]}{case.text[best.end :]}"
            yield Case(f"{case.id} exchanged", text, case.language, f"exchanged {case.language}", False)
