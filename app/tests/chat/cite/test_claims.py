"""True sentences and lies about the example vault and made notes: which of them the checker marks.

`claims.txt` holds sentences written by hand. From the true ones lies are made as well, with a seed: a number
changed, a date moved, a name exchanged for another of the vault, a word of a quotation altered.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from app.chat.cite.check import context_of
from app.chat.cite.named import known_names
from app.chat.cite.support import Judgement, judge
from app.markdown.plain import plain_line
from app.notes.document import Document
from app.vault.paths import NotePath

VAULT = Path(__file__).parents[4] / "examples" / "vault"
CLAIMS = Path(__file__).with_name("claims.txt")
EXACT = ("number", "date", "name", "quotation")
"""Lies of which none may pass."""


@dataclass(frozen=True)
class Case:
    """A sentence, the lines it cites, and what kind of lie it is; ``true`` where it is none."""

    kind: str
    sentence: str
    path: str
    first: int
    last: int

    @property
    def note(self) -> Document:
        return notes()[self.path]

    @property
    def lines(self) -> list[str]:
        return [self.note.line(number) for number in range(self.first, self.last + 1)]

    @property
    def shown(self) -> str:
        return " ".join(map(plain_line, self.lines))

    def judged(self) -> Judgement:
        return judge(self.sentence, self.lines, context=context_of(self.note, self.first), names=names())

    def lie(self, kind: str, sentence: str) -> "Case":
        return Case(kind, sentence, self.path, self.first, self.last)


@cache
def notes() -> dict[str, Document]:
    found = {str(path.relative_to(VAULT)): path.read_bytes() for path in VAULT.rglob("*.md")}
    name = ""
    for line in CLAIMS.read_text(encoding="utf-8").splitlines():
        if line.startswith("@@ "):
            name = line[3:]
            found[name] = b""
        elif line.startswith(">"):
            found[name] += line[2:].encode() + b"\n"
    return {path: Document(NotePath(path), data) for path, data in found.items()}


@cache
def names() -> frozenset[str]:
    return known_names((Path(path).stem for path in notes()), (note.text for note in notes().values()))


@cache
def written() -> list[Case]:
    cases: list[Case] = []
    place: tuple[str, int, int] | None = None
    for line in CLAIMS.read_text(encoding="utf-8").splitlines():
        if match := re.fullmatch(r"@ (.+) (\d+)(?:-(\d+))?", line):
            place = match[1], int(match[2]), int(match[3] or match[2])
        elif line.startswith(("= ", "! ")):
            assert place
            sign, text = line.split(" ", 1)
            kind, sentence = ("true", text) if sign == "=" else text.split(" ", 1)
            cases.append(Case(kind, sentence, *place))
    return cases


def true_cases() -> list[Case]:
    return [case for case in written() if case.kind == "true"]


WORDS = {
    "two": 2, "three": 3, "four": 4, "nine": 9, "twelve": 12, "twenty": 20, "deux": 2, "trois": 3, "quatre": 4,
    "neuf": 9, "douze": 12, "quinze": 15,
}  # fmt: skip
SPELLED = {
    **WORDS, "one": 1, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10, "eleven": 11, "fourteen": 14,
    "fifteen": 15, "seventeen": 17, "nineteen": 19, "cinq": 5, "sept": 7, "huit": 8, "dix": 10, "onze": 11,
    "quatorze": 14, "dix-sept": 17, "dix-neuf": 19, "vingt": 20, "fortnight": 14, "third": 3, "fourth": 4,
    "troisième": 3, "quatrième": 4, "half": 30, "quarante": 40, "trente": 30,
}  # fmt: skip
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December", "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
    "novembre", "décembre",
)  # fmt: skip
MONTH = "|".join(MONTHS)
PEOPLE = (
    "Callum", "Isla", "Nora", "Yann", "Maryvonne", "Samira", "Erwan", "Hélène", "Dougal", "Alasdair", "Virgule",
    "Morwenna", "Tobias", "Hallam", "Kerdraon",
)  # fmt: skip


def numbers_in(text: str) -> set[int]:
    """Every number that a text has in any form, parts of dates and times included."""
    plain = re.sub(r"(?<=\d)[ ,.\u202f](?=\d{3}\b)", "", text.lower())
    found = {int(each) for each in re.findall(r"\d+", plain)}
    return found | {
        SPELLED[word] for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", plain) if word in SPELLED
    }


def change_number(case: Case, rng: random.Random) -> str | None:
    dates = [
        match.span()
        for match in re.finditer(
            rf"\b\d{{1,2}}(?:er)? (?:{MONTH})|\d{{4}}-\d\d-\d\d|\d\d/\d\d/\d{{4}}|\b(?:19|20)\d\d\b",
            case.sentence,
        )
    ]
    pattern = rf"\b\d+(?:[ ,.:]\d+)*\b|\b(?:{'|'.join(WORDS)})\b"
    places = [
        match
        for match in re.finditer(pattern, case.sentence)
        if not any(start <= match.start() < end for start, end in dates)
    ]
    if not places:
        return None
    place, there = rng.choice(places), numbers_in(case.shown + case.sentence)
    if place[0] in WORDS:
        english = list(WORDS)[:6]
        others = [
            word
            for word, value in WORDS.items()
            if value not in there and (word in english) == (place[0] in english)
        ]
        other = rng.choice(others) if others else None
    else:
        # One digit is another one: 12,5 becomes 12,8.
        at = rng.choice([at for at, sign in enumerate(place[0]) if sign.isdigit()])
        digits = [digit for digit in "123456789" if digit != place[0][at]]
        changed = [place[0][:at] + digit + place[0][at + 1 :] for digit in digits]
        changed = [each for each in changed if not numbers_in(each) & there or "," in each or ":" in each]
        other = rng.choice(changed) if changed else None
    return other and case.sentence[: place.start()] + other + case.sentence[place.end() :]


def move_date(case: Case, rng: random.Random) -> str | None:
    there = numbers_in(" ".join((case.shown, context_of(case.note, case.first))))
    match = re.search(rf"\b(\d{{1,2}})( (?:{MONTH}))|(\d{{4}}-\d\d-)(\d\d)", case.sentence)
    if match:
        days = [day for day in range(1, 29) if day not in there]
        day = rng.choice(days)
        moved = f"{day}{match[2]}" if match[1] else f"{match[3]}{day:02d}"
        return case.sentence[: match.start()] + moved + case.sentence[match.end() :]
    match = re.search(rf"\b(?:{MONTH})\b", case.sentence)
    if match:
        at = MONTHS.index(match[0])
        months = [month for month in MONTHS[at // 12 * 12 :][:12] if month.lower() not in case.shown.lower()]
        # A month may stand in the lines in the other language, or as a number.
        months = [month for month in months if MONTHS.index(month) % 12 + 1 not in there]
        months = [month for month in months if MONTHS[(MONTHS.index(month) + 12) % 24] not in case.shown]
        return case.sentence[: match.start()] + rng.choice(months) + case.sentence[match.end() :]
    return None


def exchange_name(case: Case, rng: random.Random) -> str | None:
    own = [name for name in PEOPLE if re.search(rf"\b{name}\b", case.sentence)]
    there = case.shown + context_of(case.note, case.first) + "".join(case.lines)
    others = [name for name in PEOPLE if name not in there and name not in case.sentence]
    if not own or not others:
        return None
    return re.sub(rf"\b{rng.choice(own)}\b", rng.choice(others), case.sentence)


def alter_quotation(case: Case, rng: random.Random) -> str | None:
    words = case.shown.split()
    starts = [
        at
        for at in range(len(words) - 6)
        if all(re.fullmatch(r"[^\W\d_]+", word) for word in words[at : at + 6])
    ]
    if not starts:
        return None
    at = rng.choice(starts)
    quoted = words[at : at + 6]
    quoted[rng.randrange(1, 5)] = rng.choice(["yellow", "seldom", "bleu", "peut-être"])
    return f"The note says: “{' '.join(quoted)}”."


def keep_quotation(case: Case, rng: random.Random) -> str | None:
    words = case.shown.split()
    if len(words) < 6 or "“" in case.shown or "|" in case.shown:
        return None
    at = rng.randrange(len(words) - 5)
    return f"The note says: “{' '.join(words[at : at + 6])}”."


LIES: dict[str, Callable[[Case, random.Random], str | None]] = {
    "number": change_number,
    "date": move_date,
    "name": exchange_name,
    "quotation": alter_quotation,
}


def made(make: Callable[[Case, random.Random], str | None], kind: str, seed: int) -> Iterator[Case]:
    rng = random.Random(seed)
    for case in true_cases():
        sentence = make(case, rng)
        if sentence is not None and sentence != case.sentence:
            yield case.lie(kind, sentence)


def test_there_are_enough_sentences_of_each_kind() -> None:
    count = Counter(case.kind for case in written())
    assert count["true"] >= 200
    assert count.total() - count["true"] >= 150
    assert all(count[kind] >= 20 for kind in ("number", "date", "name"))


def test_at_most_two_of_a_hundred_true_sentences_are_marked() -> None:
    cases = [*true_cases(), *made(keep_quotation, "true", 1)]
    marked = [(case.sentence, case.judged().reason) for case in cases if case.judged().verdict != "supported"]
    assert len(marked) <= 0.02 * len(cases), marked


@pytest.mark.parametrize("kind", EXACT)
def test_at_most_five_of_a_hundred_lies_of_what_is_exact_pass(kind: str) -> None:
    lies = [case for case in written() if case.kind == kind]
    lies += [case for seed in range(3) for case in made(LIES[kind], kind, seed)]
    assert len(lies) >= 100
    passed = [(case.sentence, case.shown) for case in lies if case.judged().verdict == "supported"]
    assert len(passed) <= 0.05 * len(lies), passed


def test_every_mark_says_why_and_beside_which_line() -> None:
    for case in written():
        judged = case.judged()
        if judged.verdict != "supported":
            assert judged.reason, case.sentence
            assert judged.line in [line.strip() for line in case.lines], case.sentence
            assert judged.reason.said("fr") != judged.reason.said("en")
