"""The page speaks the browser's language."""

import pytest
from jinja2 import Environment

from app.sentences import Sentence
from app.web.languages import language_of, spoken, typeset
from app.web.pages import TEMPLATES


def marked() -> dict[str, str | None]:
    """Return the sentences that the templates mark to be translated, each with its plural."""
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    environment.policies["ext.i18n.trimmed"] = True
    found: dict[str, str | None] = {}
    for template in sorted(TEMPLATES.rglob("*.html")):
        for _, _, message in environment.extract_translations(template.read_text()):  # type: ignore[attr-defined]
            one, several = message[:2] if isinstance(message, tuple) else (message, None)
            found[one] = several
    return found


@pytest.mark.parametrize(
    ("french", "set_so"),
    [
        ("Non écrit :", "Non écrit\u202f:"),
        ("« a ; b » : c ?", "«\u202fa\u202f; b\u202f»\u202f: c\u202f?"),
        ("https://a.example/x?y 12:30", "https://a.example/x?y 12:30"),
    ],
)
def test_no_french_line_begins_with_a_sign(french: str, set_so: str) -> None:
    assert typeset(french) == set_so


def test_the_names_of_notes_keep_their_spaces_in_french() -> None:
    text = Sentence("no note at '{path}'", path="Quoi ? Rien : non.md")
    assert spoken(text, "fr") == "aucune note «\u202fQuoi ? Rien : non.md\u202f»"


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        ("de-DE,de;q=0.9,fr;q=0.6,en;q=0.4", "fr"),
        ("en;q=0.3, fr; q=0.7", "fr"),
        ("de", "en"),
        ("fr;q=often, en", "en"),
        ("fr;q=0, de", "en"),
    ],
)
def test_the_first_accepted_language_that_the_page_speaks_is_chosen(accepted: str, language: str) -> None:
    assert language_of(accepted) == language
