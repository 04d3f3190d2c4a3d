"""True sentences and lies about the example vault and made notes: which of them the checker marks.

`claims.txt` holds sentences written by hand. From the true ones lies are made as well, with a seed: a digit
changed, a name exchanged for another of the vault, a word of a quotation altered.
"""

import random
import re
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


PEOPLE = (
    "Callum", "Isla", "Nora", "Yann", "Maryvonne", "Samira", "Erwan", "Hélène", "Dougal", "Alasdair", "Virgule",
    "Morwenna", "Tobias", "Hallam", "Kerdraon",
)  # fmt: skip


def change_digit(case: Case, rng: random.Random) -> str | None:
    """Change a number of at least two digits, of a date or not, to one with a digit that stands nowhere."""
    places = [at for at in range(1, len(case.sentence)) if case.sentence[at - 1 : at + 1].isdecimal()]
    others = set("123456789") - set(case.shown + case.sentence + context_of(case.note, case.first))
    if not places or not others:
        return None
    at = rng.choice(places)
    return case.sentence[:at] + rng.choice(sorted(others)) + case.sentence[at + 1 :]


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
    "number": change_digit,
    "name": exchange_name,
    "quotation": alter_quotation,
}


def made(make: Callable[[Case, random.Random], str | None], kind: str, seed: int) -> Iterator[Case]:
    rng = random.Random(seed)
    for case in true_cases():
        sentence = make(case, rng)
        if sentence is not None and sentence != case.sentence:
            yield case.lie(kind, sentence)


def test_at_most_two_of_a_hundred_true_sentences_are_marked() -> None:
    cases = [*true_cases(), *made(keep_quotation, "true", 1)]
    marked = [(case.sentence, case.judged().reason) for case in cases if case.judged().verdict != "supported"]
    assert len(marked) <= 0.02 * len(cases), marked


@pytest.mark.parametrize("kind", ["number", "date", "name", "quotation"])
def test_at_most_five_of_a_hundred_lies_of_what_is_exact_pass(kind: str) -> None:
    lies = [case for case in written() if case.kind == kind]
    if kind in LIES:
        lies += [case for seed in range(3) for case in made(LIES[kind], kind, seed)]
    assert len(lies) >= 40
    passed = [(case.sentence, case.shown) for case in lies if case.judged().verdict == "supported"]
    assert len(passed) <= 0.05 * len(lies), passed


def test_every_mark_says_why_and_beside_which_line() -> None:
    for case in written():
        judged = case.judged()
        if judged.verdict != "supported":
            assert judged.reason, case.sentence
            assert judged.line in [line.strip() for line in case.lines], case.sentence
            assert judged.reason.said("fr") != judged.reason.said("en")
