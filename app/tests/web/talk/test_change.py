"""A proposed change as the page shows it, line by line."""

import re
from html import unescape

import pytest

from app.notes.answer import proposed
from app.notes.models import Change, Plan
from app.sentences import Language
from app.vault.paths import NotePath
from app.web.languages import spoken
from app.web.pages import _environment
from app.web.talk.sessions import Proposal

Row = tuple[str, str, str]
"""The class of a row, its number, and its text."""


def page(plan: Plan, language: Language = "en") -> str:
    template = _environment(language).get_template("ask_write.html")
    proposal = Proposal("p", proposed(plan))
    return template.render(proposal=proposal, language=language, csrf="c")


def update(before: str | None, after: str | None) -> Plan:
    data = (None if text is None else text.encode() for text in (before, after))
    return Plan("update", "A.md", (Change(NotePath("A.md"), *data),), "update 'A.md'")


def rows(shown: str) -> list[Row]:
    shown = re.sub(r'<span class="unseen">.*?</span>', "", shown)
    found = re.findall(
        r'<div class="row ?(\w*)"><span class="n"(?: data-n="(\d+)")?></span>'
        r'<span class="sign"[^>]*>[^<]*</span><span class="text[^>]*>(.*?)</span></div>',
        shown,
        re.DOTALL,
    )
    return [(kind, number, unescape(text)) for kind, number, text in found]


def names(shown: str) -> list[str]:
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", shown, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", "", each).split()) for each in captions]


def test_the_lines_that_go_and_come_have_their_numbers() -> None:
    assert rows(page(update("# Tea\nwe meet at noon\nend\n", "# Tea\nwe meet at five\nor six\nend\n"))) == [
        ("", "1", "# Tea"),
        ("gone", "2", "we meet at noon"),
        ("new", "2", "we meet at five"),
        ("new", "3", "or six"),
        ("", "4", "end"),
    ]


@pytest.mark.parametrize("text", ["-- a/B.md", "++ b/B.md", "@ -1 +1 @@", "\\ No newline at end of file"])
def test_a_line_that_looks_like_a_head_is_a_line(text: str) -> None:
    assert rows(page(update(f"-{text}\nsame\n", "same\n"))) == [("gone", "1", f"-{text}"), ("", "1", "same")]
    assert rows(page(update("same\n", f"same\n+{text}\nend"))) == [
        ("", "1", "same"),
        ("new", "2", f"+{text}"),
        ("new", "3", "end"),
    ]


def test_the_sentences_are_said_in_the_language_of_the_reader_and_the_lines_stay() -> None:
    plan = update("one\n", "two <script>x</script>\n")
    about = proposed(plan).about
    languages: tuple[Language, ...] = ("en", "fr")
    for language in languages:
        shown = page(plan, language)
        assert "<script>" not in shown
        assert [text for _, _, text in rows(shown)] == ["one", "two <script>x</script>"]
        assert all(spoken(each, language) in unescape(shown) for each in about)


def test_a_move_names_both_places_once() -> None:
    changes = (
        Change(NotePath("A.md"), b"see me\n", None),
        Change(NotePath("B.md"), None, b"see you\n"),
        Change(NotePath("C.md"), b"[[A]]\n", b"[[B]]\n"),
    )
    moved = (NotePath("A.md"), NotePath("B.md"))
    shown = page(Plan("move", "A.md", changes, "move 'A.md'", moved=moved))
    assert names(shown) == ["A.md → B.md", "C.md"]
    assert [text for _, _, text in rows(shown)] == ["see me", "see you", "[[A]]", "[[B]]"]
