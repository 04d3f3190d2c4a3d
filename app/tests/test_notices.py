"""The kinds of notices: each can be said in both languages, with the facts it is made with."""

import ast
from enum import StrEnum
from string import Formatter

import pytest

from app.notices import (
    ChangeKind,
    ClaimKind,
    FailureKind,
    LanguageKind,
    Notice,
    NoticeKind,
    WhyKind,
)
from app.search.lexical.language import LANGUAGE_CODES
from app.sentences import Sentence, in_french
from app.tests.test_architecture import MODULES

TABLES: dict[str, type[StrEnum]] = {
    "ChangeKind": ChangeKind,
    "NoticeKind": NoticeKind,
    "FailureKind": FailureKind,
    "WhyKind": WhyKind,
    "ClaimKind": ClaimKind,
    "LanguageKind": LanguageKind,
}


def facts_of(wording: str) -> dict[str, set[str]]:
    """The facts that a wording names, with the forms in which it gives them."""
    found: dict[str, set[str]] = {}
    for _, name, spec, _ in Formatter().parse(wording):
        if name is not None:
            found.setdefault(name, set()).add(spec or "")
    return found


def made_in_the_code() -> list[tuple[str, set[StrEnum], set[str]]]:
    """Every notice that the code makes: where, of which kinds that stand there by name, with which facts."""
    made = []
    for name, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Notice":
                kinds = {
                    TABLES[ast.unparse(part.value)][part.attr]
                    for part in ast.walk(node.args[0])
                    if isinstance(part, ast.Attribute) and ast.unparse(part.value) in TABLES
                }
                facts = {keyword.arg or "" for keyword in node.keywords}
                made.append((f"{name}:{node.lineno}", kinds, facts))
    return made


MADE = made_in_the_code()


KINDS = [kind for table in TABLES.values() for kind in table]


def test_every_kind_has_both_wordings_without_a_full_stop() -> None:
    # Two of a table with the same English would be one.
    assert len(KINDS) == sum(len(table.__members__) for table in TABLES.values())
    for kind in KINDS:
        assert in_french(kind) != kind, kind.name
        assert not kind.endswith("."), f"{kind.name}: whoever shows it puts the full stop"


def test_the_code_makes_notices_with_the_facts_of_their_kind() -> None:
    assert len(MADE) > 50
    for place, kinds, facts in MADE:
        for kind in kinds:
            # What is given as a mapping is not read here.
            assert "" in facts or facts == facts_of(kind).keys(), place


def test_the_code_makes_every_kind() -> None:
    code = [path.read_text(encoding="utf-8") for path in MODULES.values()]
    named = {
        TABLES[ast.unparse(part.value)][part.attr]
        for text in code
        for part in ast.walk(ast.parse(text))
        if isinstance(part, ast.Attribute) and ast.unparse(part.value) in TABLES
    }
    # A language is named by its code.
    assert named | {LanguageKind[code.upper()] for code in LANGUAGE_CODES} == set(KINDS)


@pytest.mark.parametrize(
    ("notes", "english", "french"),
    [
        (0, "searched 0 notes", "recherche dans 0 note"),
        (1, "searched 1 note", "recherche dans 1 note"),
        (2, "searched 2 notes", "recherche dans 2 notes"),
    ],
)
def test_a_number_chooses_between_singular_and_plural(notes: int, english: str, french: str) -> None:
    notice = Notice(NoticeKind.SEARCHED, what=Sentence("{notes} {notes:note|notes}", notes=notes))
    assert (notice, notice.said("fr")) == (english, french)
