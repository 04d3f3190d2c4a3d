"""Ask a vault of monthly reports for one month of them: ``python -m bench.dated [--work DIR]``.

Every report has the same headings and nearly the same words: the figures, names and incidents differ. A report
tells its month in one place only, and each place has a vault of its own: the name of the note, a property, a dated
heading, or its text. Each report speaks of the month before as well. 100 questions, half of them in French, name a
month, some in the year before; the first passage must be of that month's report, and every passage that is found
without a window must be found with it.
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
from app.search.query.period import months_from
from app.search.rank import merge
from app.search.searcher import searcher_for

TODAY = date(2026, 11, 18)
FIRST = (2024, 12)
MONTHS = 24
EN = "January February March April May June July August September October November December".split()
FR = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()
PLACES = ("name", "property", "heading", "text")

TOPICS = {
    "Budget": ("the budget", "le budget", "The budget stood at {n} euros after the invoice of {who} for {what}."),
    "Workshop": ("the kiln", "le four", "The kiln was fired {n} times; {who} replaced {what} in the workshop."),
    "Garden": ("the garden", "le jardin", "In the garden {who} planted {n} rows, and {what} was lost to frost."),
    "Visitors": ("visitors", "les visiteurs", "We counted {n} visitors; {who} showed them {what}."),
    "Staff": ("the staff meeting", "la réunion d'équipe", "The staff meeting had {n} items; {who} spoke about {what}."),
}
PEOPLE = "Marie Paul Ines Karim Sofia Jonas Lena Theo Nora Hugo Alma Felix".split()
THINGS = "the shelves,the roof,the pump,the glaze,the old door,the fence,the press,the lamps,the gutter".split(",")
FRENCH = {
    "Budget": "Le budget était de {n} euros après la facture de {who} pour {what}.",
    "Workshop": "Le four a servi {n} fois à l'atelier ; {who} a remplacé {what}.",
    "Garden": "Au jardin {who} a planté {n} rangs, et le gel a pris {what}.",
    "Visitors": "Nous avons compté {n} visiteurs ; {who} leur a montré {what}.",
    "Staff": "La réunion d'équipe avait {n} points ; {who} a parlé de {what}.",
}


def months() -> list[date]:
    return [months_from(FIRST[0], FIRST[1] + at, 1, "month").first for at in range(MONTHS)]


def report(month: date, place: str, rng: random.Random) -> tuple[str, str]:
    """Give the path and the text of one report."""
    before = months_from(month.year, month.month + 11, 1, "month").first.replace(year=month.year)
    told = f"{EN[month.month - 1]} {month.year}"
    lines = {"property": ["---", f"date: {month.replace(day=28)}", "---"]}.get(place, [])
    lines += [f"# {month.replace(day=28)} Monthly report" if place == "heading" else "# Monthly report", ""]
    if place == "text":
        lines += [f"Report for {told}, rapport de {FR[month.month - 1]} {month.year}.", ""]
    for topic in TOPICS:
        facts = {"n": rng.randint(3, 990), "who": rng.choice(PEOPLE), "what": rng.choice(THINGS)}
        lines += [f"## {topic}", "", TOPICS[topic][2].format(**facts), FRENCH[topic].format(**facts)]
        lines += [f"Compared with {EN[before.month - 1]} that is {rng.choice(['more', 'less', 'the same'])}.", ""]
    name = f"{month:%Y-%m}" if place == "name" else f"report {rng.randrange(10**6):06}"
    return f"reports/{name}.md", "\n".join(lines) + "\n"


def make_vault(folder: Path, place: str) -> dict[date, str]:
    """Write the reports, and notes that are about the same things; give each month's note."""
    rng, notes = random.Random(place), {}
    for month in months():
        path, text = report(month, place, rng)
        notes[month] = path
        _write(folder / path, text)
    for topic, (english, french, line) in TOPICS.items():
        facts = {"n": 7, "who": rng.choice(PEOPLE), "what": rng.choice(THINGS)}
        text = f"# {topic}\n\nAll that concerns {english}, {french}.\n{line.format(**facts)}\n"
        _write(folder / f"topics/{topic}.md", text + FRENCH[topic].format(**facts) + "\n")
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
            yield rng.choice(
                [f"qu'a-t-on dit sur {topic[1]} en {name} ?", f"{topic[1]}, rapport {of}", f"{topic[1]} en {name}"]
            ), month
        else:
            name = EN[month.month - 1] + year
            yield rng.choice(
                [f"what was said about {topic[0]} in {name}?", f"{topic[0]} in {name}", f"report of {name}: {topic[0]}"]
            ), month


def measure(vault: VaultClient, notes: dict[date, str], mode: str, count: int) -> tuple[float, float, bool, float, float]:
    """Give the share of questions whose month is first, with a window and without, and whether none was hidden."""
    right, before, whole = 0, 0, True
    spent: dict[bool, list[float]] = {True: [], False: []}
    for text, month in questions(count):
        found = {}
        for windowed in (True, False):
            with mock.patch.object(merge, "local_today", return_value=TODAY):
                with mock.patch.object(merge, "window_of", merge.window_of if windowed else lambda *_: None):
                    begun = time.perf_counter()
                    found[windowed] = search(vault, [text], mode)
                    spent[windowed].append((time.perf_counter() - begun) * 1000)
        hits = {windowed: {(hit.path, hit.lines) for hit in each} for windowed, each in found.items()}
        right += found[True][0].path == notes[month]
        before += found[False][0].path == notes[month]
        whole &= hits[True] >= hits[False]
    times = (statistics.median(spent[windowed]) for windowed in (True, False))
    return right / count, before / count, whole, *times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, help="where vaults and indexes are made, and used again")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--modes", nargs="*", default=["fast", "deep"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or Path(scratch)
        print("| the month stands in | mode | first with a window | without one | none hidden | p50, ms | without, ms |")
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
                    f"| {place} | `{mode}` | {right:.2f} | {before:.2f} | {'yes' if whole else 'NO'} | {spent:.1f} | {plain:.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
