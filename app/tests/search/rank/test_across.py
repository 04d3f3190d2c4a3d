"""French questions and English notes: found by meaning, and by the words that the question's stand for."""

import pytest

from app.notices import Notice, NoticeKind
from app.search import search
from app.tests.search.conftest import Find
from app.tests.search.rank.conftest import Embedded
from app.vault.client import VaultClient

ENGLISH = {
    "recurring": "A task can be repeated each month: write the rule behind it, and when it is done the next is made.",
    "postponing": "Postpone a late task to tomorrow with the button beside its date.",
    "reporting": "Report a bug with the steps that show it, and the version of the program.",
    "styling": "The boxes of tasks can have other colours, by a snippet of style.",
}
FRENCH = {
    "cuisine": "Le gâteau aux pommes est dans le four pendant une heure ; la pâte repose la veille.",
    "loyer": "Le loyer est versé chaque mois au propriétaire, et les charges une fois par an.",
}


@pytest.fixture(scope="module")
def vault(embedded: Embedded) -> VaultClient:
    return embedded(ENGLISH | FRENCH)


def first(find: Find, vault: VaultClient, question: str) -> tuple[str, list[Notice]]:
    found = find(vault, "deep", query=question)
    return found.results[0].path, [one for one in found.notices if one.kind is NoticeKind.FOUND_BY_GLOSS]


@pytest.mark.parametrize(
    ("question", "note", "gloss"),
    [
        ("comment signaler un bogue", "reporting", "how report bogue"),
        ("comment répéter une tâche tous les mois", "recurring", "how again task all month"),
    ],
)
def test_a_gloss_finds_a_note(find: Find, vault: VaultClient, question: str, note: str, gloss: str) -> None:
    path, [notice] = first(find, vault, question)
    assert path == f"{note}.md"
    assert notice == f"the first note found is in another language; the question was read as '{gloss}'"
    assert notice.said("fr").startswith("la première note trouvée est dans une autre langue ; ")


@pytest.mark.parametrize(
    ("question", "note"),
    [("quand payer le propriétaire ?", "loyer"), ("how is a task repeated", "recurring")],
)
def test_nothing_is_said_of_own_words(find: Find, vault: VaultClient, question: str, note: str) -> None:
    assert first(find, vault, question) == (f"{note}.md", [])


def test_the_list_of_glossed_words_holds_notes_of_the_other_language_alone(vault: VaultClient) -> None:
    hits = search(vault, "comment répéter une tâche tous les mois", "deep", explain=True)
    found = {hit.path: hit.relevance_reason or "" for hit in hits}
    by_gloss = {path for path, reason in found.items() if "words of the gloss #" in reason}
    assert by_gloss
    assert by_gloss <= {f"{name}.md" for name in ENGLISH}
    hits = search(vault, "how is a task repeated", "deep", explain=True)
    assert not any("words of the gloss" in (hit.relevance_reason or "") for hit in hits)


def test_words_of_the_other_language_are_suggested(find: Find, vault: VaultClient) -> None:
    found = find(vault, "fast", query="où signaler un bogue ?")
    assert not found.results
    [notice] = [one for one in found.notices if one.kind is NoticeKind.NEAR_GLOSS]
    assert notice == "in another language, 'where report bogue ?' finds 1 note"
    assert notice.said("fr") == "dans une autre langue, « where report bogue ? » trouve 1 note"
