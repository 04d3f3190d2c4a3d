"""Ask a vault of monthly reports for one month of them: ``python -m bench.dated [--work DIR]``.

Every report has the same headings and nearly the same words: figures, names and incidents differ. A report
tells its month in one place only, and each place has a vault of its own: the name of the note, a property, a
dated heading, or its text. Each speaks of the month before as well, and each subject has a page of its own
besides. 100 questions, half of them in French, name a month; the first passage must be of that month's
report, and every passage that is found without a window must be found with it.
"""

import argparse
import random
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from unittest import mock

from babel.dates import get_month_names

from app.config.settings import Settings
from app.dependencies import VaultClient
from app.search import search
from app.search.query import read
from app.search.query.period import months_from
from app.search.searcher import searcher_for

TODAY = date(2026, 11, 18)
FIRST = (2024, 12)
MONTHS = 24
EN, FR = ([*get_month_names("wide", locale=language).values()] for language in ("en", "fr"))
PLACES = ("name", "property", "heading", "text")

TOPICS = {
    "Budget": ("the budget", "le budget", "{who} put {n} euros into it.", "{who} y a mis {n} euros."),
    "Kiln": ("the kiln", "le four", "{who} fired it {n} times.", "{who} l'a allumé {n} fois."),
    "Garden": ("the garden", "le jardin", "There {who} planted {n} rows.", "{who} y a planté {n} rangs."),
    "Library": ("the library", "la bibliothèque", "{who} lent {n} books.", "{who} a prêté {n} livres."),
}  # fmt: skip
"""Each with its English and its French name, and what is said of it in both."""
PEOPLE = ["Marie", "Paul", "Ines", "Karim", "Sofia", "Jonas", "Lena", "Theo", "Nora", "Hugo"]
SAID = {
    "en": "This month we looked at {name} again. {facts} Since {before} nothing about {name} is urgent; "
    "the next look at it is planned, and whoever has an idea should say so.",
    "fr": "Ce mois-ci nous avons revu {name}. {facts} Depuis {before}, rien d'autre ne presse pour {name} ; "
    "on y reviendra, et celui qui a une idée devrait le dire.",
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
        told_of = [
            (fact if english else fait).format(n=rng.randint(3, 990), who=rng.choice(PEOPLE)) for _ in "ab"
        ]
        said = SAID[language].format(name=name if english else nom, facts=" ".join(told_of), before=before)
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
        _write(folder / f"topics/{topic}.md", f"# {topic}\n\nWhat is always so with {name}.\n")
        _write(folder / f"sujets/{nom}.md", f"# {nom}\n\nCe qui vaut toujours pour {nom}.\n")
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
        english, french = EN[month.month - 1] + year, FR[month.month - 1] + year
        forms = (
            (f"what was said about {topic[0]} in {english}?", f"qu'a-t-on dit sur {topic[1]} en {french} ?"),
            (f"{topic[0]} in {english}", f"{topic[1]} en {french}"),
            (f"report of {english}: {topic[0]}", f"rapport, {topic[1]}, {french}"),
        )
        yield rng.choice(forms)[number % 2], month


def measure(vault: VaultClient, notes: Notes, mode: str, count: int) -> tuple[float, float, bool]:
    """Give the share of questions whose month is first, with a window and without, and if none was hidden."""
    right, whole = {True: 0, False: 0}, True
    for text, month in questions(count):
        found = {}
        for windowed in (True, False):
            # A day that is given stands instead of a time that is named.
            given = None if windowed else "1900-01-01"
            with mock.patch.object(read, "local_today", return_value=TODAY):
                hits = search(vault, [text], mode, date_from=given)
            right[windowed] += hits[0].path in notes[month]
            found[windowed] = {(hit.path, hit.lines) for hit in hits}
        whole &= found[True] >= found[False]
    return right[True] / count, right[False] / count, whole


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
        print("| the month stands in | mode | first with a window | without one | none hidden |")
        print("| --- | --- | ---: | ---: | --- |")
        for place in PLACES:
            folder = work / place
            notes = make_vault(folder / "vault", place)
            vault = VaultClient(folder / "vault", Settings(cache_dir=folder / "cache"))
            searcher_for(vault).update()
            if "deep" in options.modes:
                searcher_for(vault).embed()
            for mode in options.modes:
                right, before, whole = measure(vault, notes, mode, options.questions)
                hidden = "yes" if whole else "NO"
                print(f"| {place} | `{mode}` | {right:.2f} | {before:.2f} | {hidden} |", flush=True)


if __name__ == "__main__":
    main()
