"""Ask a vault of monthly reports for one month of them: ``python -m bench.dated [--work DIR]``.

Every report has the same headings and nearly the same words: figures, names and incidents differ. A report
tells its month in one place only, and each place has a vault of its own: the name of the note, a property, a
dated heading, or its text. Each speaks of the month before as well, and each subject has a page of its own
besides. 100 questions, half of them in French, name a month; the first passage must be of that month's
report, and every passage that is found without a window must be found with it.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from unittest import mock

from app.config.settings import Settings
from app.dependencies import VaultClient
from app.search import search
from app.search.query import read
from app.search.query.period import months_from
from app.search.searcher import searcher_for

TODAY = date(2026, 11, 18)
FIRST = (2024, 12)
MONTHS = 24
EN = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
]  # fmt: skip
FR = [
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
    "octobre", "novembre", "décembre",
]  # fmt: skip
PLACES = ("name", "property", "heading", "text")

TOPICS = {
    "Budget": ("the budget", "le budget", "It stood at {n} euros after the invoice of {who} for {what}.",
               "Il était de {n} euros après la facture de {who} pour {quoi}."),
    "Kiln": ("the kiln", "le four", "It was fired {n} times, and {who} replaced {what}.",
             "Il a servi {n} fois, et {who} a remplacé {quoi}."),
    "Garden": ("the garden", "le jardin", "There {who} planted {n} rows, and {what} was lost to frost.",
               "{who} y a planté {n} rangs, et le gel a pris {quoi}."),
    "Visitors": ("the visitors", "les visiteurs", "There were {n} of them; {who} showed them {what}.",
                 "Ils étaient {n} ; {who} leur a montré {quoi}."),
    "Library": ("the library", "la bibliothèque", "It lent {n} books, and {who} repaired {what}.",
                "Elle a prêté {n} livres, et {who} a réparé {quoi}."),
    "Concert": ("the concert", "le concert", "{who} sold {n} tickets and borrowed {what} for it.",
                "{who} a vendu {n} billets et emprunté {quoi}."),
}  # fmt: skip
"""Each with its English and its French name, and what is said of it in both."""
PEOPLE = [
    "Marie", "Paul", "Ines", "Karim", "Sofia", "Jonas", "Lena", "Theo", "Nora", "Hugo", "Alma",
    "Felix",
]  # fmt: skip
THINGS = [
    "the shelves", "the roof", "the pump", "the glaze", "the old door", "the fence", "the press",
    "the lamps", "the gutter",
]  # fmt: skip
CHOSES = [
    "les étagères", "le toit", "la pompe", "l'émail", "la vieille porte", "la clôture",
    "la presse", "les lampes",
]  # fmt: skip
SAID = {
    "en": "This month we looked at {name} again. {fact} {fact2} Compared with {before} that is {more}, and nothing else "  # noqa: E501
    "about {name} is urgent for now; the next look at it is planned, and whoever has an idea should say so.",
    "fr": "Ce mois-ci nous avons revu {name}. {fact} {fact2} Par rapport à {before} c'est {more}, et rien d'autre ne "  # noqa: E501
    "presse pour {name} ; on y reviendra, et celui qui a une idée devrait le dire.",
}
Notes = dict[date, set[str]]


def months() -> list[date]:
    return [months_from(FIRST[0], FIRST[1] + at, 1, "month").first for at in range(MONTHS)]


def report(month: date, place: str, language: str, rng: random.Random) -> tuple[str, str]:
    """Give the path and the text of one report."""
    english = language == "en"
    names = EN if english else FR
    told, before = f"{names[month.month - 1]} {month.year}", names[month.month - 2]
    title = "Monthly report" if english else "Rapport du mois"
    day = month.replace(day=28)
    lines = ["---", f"date: {day}", "---"] if place == "property" else []
    lines += [f"# {day} {title}" if place == "heading" else f"# {title}", ""]
    for topic, (name, nom, fact, fait) in TOPICS.items():
        facts = [
            (fact if english else fait).format(
                n=rng.randint(3, 990),
                who=rng.choice(PEOPLE),
                what=rng.choice(THINGS),
                quoi=rng.choice(CHOSES),
            )
            for _ in range(2)
        ]
        more = rng.choice(["more", "less", "as usual"] if english else ["plus", "moins", "comme d'habitude"])
        said = SAID[language].format(
            name=name if english else nom, fact=facts[0], fact2=facts[1], before=before, more=more
        )
        written = f"({told}) " if place == "text" else ""
        lines += [f"## {topic if english else nom.split()[-1].capitalize()}", "", written + said, ""]
    name = f"{month:%Y-%m} {language}" if place == "name" else f"{language} {rng.randrange(10**6):06}"
    return f"reports/{name}.md", "\n".join(lines) + "\n"


def make_vault(folder: Path, place: str) -> Notes:
    """Write the reports, and notes that are about the same things; give each month's notes."""
    rng = random.Random(place)
    notes: Notes = {}
    for month in months():
        for language in SAID:
            path, text = report(month, place, language, rng)
            notes.setdefault(month, set()).add(path)
            _write(folder / path, text)
    for topic, (name, nom, _, _) in TOPICS.items():
        _write(
            folder / f"topics/{topic}.md",
            f"# {topic}\n\nAll that is always so with {name}: who, when, where.\n",
        )
        _write(
            folder / f"sujets/{nom}.md",
            f"# {nom}\n\nTout ce qui vaut toujours pour {nom} : qui, quand, où.\n",
        )
    return notes


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def questions(count: int, seed: int = 11) -> Iterator[tuple[str, date]]:
    """Yield questions that name a month, English and French in turn."""
    rng = random.Random(seed)
    usual = [m for m in months() if m <= TODAY]
    for number in range(count):
        month, topic = rng.choice(usual), rng.choice(list(TOPICS.values()))
        last_begun = months_from(month.year, month.month + 12, 1, "month").first > TODAY
        year = "" if last_begun and rng.random() < 0.4 else f" {month.year}"
        if number % 2:
            name = FR[month.month - 1] + year
            of = f"d'{name}" if name[0] in "ao" else f"de {name}"
            yield (
                rng.choice(
                    [
                        f"qu'a-t-on dit sur {topic[1]} en {name} ?",
                        f"{topic[1]}, rapport {of}",
                        f"{topic[1]} en {name}",
                    ]
                ),
                month,
            )
        else:
            name = EN[month.month - 1] + year
            yield (
                rng.choice(
                    [
                        f"what was said about {topic[0]} in {name}?",
                        f"{topic[0]} in {name}",
                        f"report of {name}: {topic[0]}",
                    ]
                ),
                month,
            )


def measure(
    vault: VaultClient, notes: Notes, mode: str, count: int
) -> tuple[float, float, bool, float, float]:
    """Give the share of questions whose month is first, with a window and without, and if none was hidden."""
    right, before, whole = 0, 0, True
    spent: dict[bool, list[float]] = {True: [], False: []}
    for text, month in questions(count):
        found = {}
        for windowed in (True, False):
            # A day that is given stands instead of a time that is named.
            given = None if windowed else "1900-01-01"
            with mock.patch.object(read, "local_today", return_value=TODAY):
                begun = time.perf_counter()
                found[windowed] = search(vault, [text], mode, date_from=given)
                spent[windowed].append((time.perf_counter() - begun) * 1000)
        hits = {windowed: {(hit.path, hit.lines) for hit in each} for windowed, each in found.items()}
        right += found[True][0].path in notes[month]
        before += found[False][0].path in notes[month]
        whole &= hits[True] >= hits[False]
    within, without = (statistics.median(spent[windowed]) for windowed in (True, False))
    return right / count, before / count, whole, within, without


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, help="where vaults and indexes are made, and used again")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--modes", nargs="*", default=["fast", "deep"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or Path(scratch)
        print(
            "| the month stands in | mode | first with a window | without one | none hidden | p50, ms | without, ms |"  # noqa: E501
        )
        print("| --- | --- | ---: | ---: | --- | ---: | ---: |")
        for place in PLACES:
            folder = work / place
            notes = make_vault(folder / "vault", place)
            vault = VaultClient(folder / "vault", Settings(cache_dir=folder / "cache"))
            searcher_for(vault).update()
            if "deep" in options.modes:
                searcher_for(vault).embed()
            for mode in options.modes:
                right, before, whole, spent, plain = measure(vault, notes, mode, options.questions)
                print(
                    f"| {place} | `{mode}` | {right:.2f} | {before:.2f} | {'yes' if whole else 'NO'} | {spent:.1f} | {plain:.1f} |",  # noqa: E501
                    flush=True,
                )


if __name__ == "__main__":
    main()
