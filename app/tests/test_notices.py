"""The kinds of notices: each can be said in both languages, with the facts it is made with."""

import ast
import copy
import json
import pickle
from enum import StrEnum
from string import Formatter

import pytest

from app.notices import (
    ChangeKind,
    ClaimKind,
    CommandKind,
    FailureKind,
    Language,
    LanguageKind,
    Notice,
    NoticeKind,
    StartKind,
    TerminalKind,
    WhyKind,
    WorkKind,
)
from app.search.lexical.language import LANGUAGE_CODES
from app.sentences import in_french
from app.tests.test_architecture import MODULES

TABLES: dict[str, type[StrEnum]] = {
    "ChangeKind": ChangeKind,
    "NoticeKind": NoticeKind,
    "FailureKind": FailureKind,
    "WhyKind": WhyKind,
    "ClaimKind": ClaimKind,
    "LanguageKind": LanguageKind,
    "TerminalKind": TerminalKind,
    "CommandKind": CommandKind,
    "WorkKind": WorkKind,
    "StartKind": StartKind,
}


def facts_of(wording: str) -> dict[str, set[str]]:
    """The facts that a wording names, with the forms in which it gives them."""
    found: dict[str, set[str]] = {}
    for _, name, spec, _ in Formatter().parse(wording):
        if name is not None:
            found.setdefault(name, set()).add(spec or "")
    return found


def sample(forms: set[str]) -> object:
    """A fact that fits the forms: a number where one is chosen by, a share, or several texts."""
    if any("|" in form for form in forms):
        return 3
    return 0.5 if ".0%" in forms else ("one", "two") if forms - {""} else "one"


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


def test_every_kind_is_said_with_all_its_facts() -> None:
    languages: tuple[Language, ...] = ("en", "fr")
    for kind in KINDS:
        french = facts_of(in_french(kind))
        facts = {name: sample(forms | french[name]) for name, forms in facts_of(kind).items()}
        notice = Notice(kind, **facts)  # type: ignore[arg-type]
        assert str(notice) == notice.said("en")
        for language in languages:
            said = notice.said(language)
            assert not set("{|") & set(said), kind.name
            for name, forms in facts_of(notice.wording(language)).items():
                assert "" not in forms or facts[name] != "one" or "one" in said, kind.name


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
    notice = Notice(NoticeKind.SEARCHED, notes=notes)
    assert (notice, notice.said("fr")) == (english, french)


def test_a_notice_inside_another_is_said_in_its_language() -> None:
    filters = (Notice(NoticeKind.FOLDER), Notice(NoticeKind.DATES))
    notice = Notice(NoticeKind.WITHOUT_FILTERS, filters=filters, total=3)
    assert notice == "without the folder and the dates there would be 3"
    assert notice.said("fr") == "sans le dossier et les dates il y en aurait 3"


def test_a_copy_is_said_in_both_languages_too() -> None:
    notice = Notice(NoticeKind.SEARCHED, notes=2)
    for copied in (copy.deepcopy(notice), pickle.loads(pickle.dumps(notice))):
        assert (copied, copied.kind, copied.said("fr")) == (notice, notice.kind, notice.said("fr"))


def test_it_is_made_again_from_json_and_said_in_both_languages() -> None:
    near = (
        Notice(NoticeKind.NEAR_WORD, word="kiln", notes=2),
        Notice(NoticeKind.NEAR_WORD, word="kin", notes=1),
    )
    notice = Notice(NoticeKind.NOTHING_HOLDS, typed="killn", near=near)
    again = Notice.from_data(json.loads(json.dumps(notice.as_data())))
    assert (again, again.kind, again.facts) == (notice, notice.kind, notice.facts)
    assert again.said("fr") == notice.said("fr")


def test_a_fact_with_braces_stays_as_it_is() -> None:
    assert Notice(NoticeKind.NEAR_NAMES, paths=("{a}.md",)) == "notes with a similar name: {a}.md"
