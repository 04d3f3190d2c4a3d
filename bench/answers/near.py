"""Questions near to what notes say that no note answers: written by hand, and made of others by one word.

`near.jsonl` has 56 to the example vault and to `tasks-docs`, in English and French. They were written by one
who had read both vaults, before any was asked: of people, things and features that the notes speak of, what
they do not say of them ("when is Hélène's birthday?"), or of what stands beside them ("can I sync due dates
with my Outlook calendar?"). Every second one is for fitting (``fit``), the others are held back (``held``).

An exchanged question is one that notes answer, with the most informative word that it shares with the lines
that answer put out, and one put in that stands in no note: a name for a name, a thing for any other word.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from app.search.query.parse import parse_question
from app.search.searcher import searcher_for
from app.search.show.lines import line_words
from app.search.view import View
from app.vault.client import VaultClient
from bench.answers.cases import Case, rows

NEAR = Path(__file__).with_name("near.jsonl")
LEAST_LETTERS = 4
"""A shorter word is none to put out: most are no names of things."""
BESIDE = 2
"""Lines above and below those that answer which still belong to them."""
NAMES = (
    "Quentin Zanzibar Kowalski Marrakech Brunhilde Okinawa Thaddeus Patagonia Ingeborg Vladivostok Ximena "
    "Samarkand Wolfgang Tegucigalpa Anneliese Novosibirsk"
)
THINGS = {
    "en": "trombone giraffe helicopter chessboard volcano saxophone microscope passport umbrella sunglasses "
    "pineapple skateboard thermostat lawnmower parachute submarine",
    "fr": "trombone girafe hélicoptère échiquier volcan saxophone microscope passeport aspirateur lunettes "
    "ananas tournevis thermostat tondeuse parachute sous-marin",
}


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
    for number, case in enumerate(case for case in cases if case.is_answerable):
        place = _most_informative(client, view, case)
        if place is None:
            continue
        start, end = place
        pool = (NAMES if start and case.text[start].isupper() else THINGS[case.language]).split()
        turned = [*pool[number % len(pool) :], *pool[: number % len(pool)]]
        new = next((word for word in turned if not view.snapshot.speller.has(word)), None)
        if new is not None:
            text = f"{case.text[:start]}{new}{case.text[end:]}"
            yield Case(f"{case.id} exchanged", text, case.language, f"exchanged {case.language}", False)


def _most_informative(client: VaultClient, view: View, case: Case) -> tuple[int, int] | None:
    """Return where in a question the word stands that tells most of those in the lines that answer."""
    words = line_words(view.lexical, [parse_question(case.text)])
    asked = words.places([case.text], 0)[0]
    answering = case.evidence[0]
    lines = client.read(answering.path).text.split("\n")
    shown = [answering.path, *lines[max(answering.first - 1 - BESIDE, 0) : answering.last + BESIDE]]
    there = {place.part for line in words.places(shown, 0) for place in line}
    shared = [place for place in asked if place.part in there]
    best = max(shared, key=lambda place: place.worth, default=None)
    return (best.start, best.end) if best and best.end - best.start >= LEAST_LETTERS else None
