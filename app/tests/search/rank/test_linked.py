"""deep follows the links and names of its first hits: the second half of an answer comes up, and nothing floods."""

from pathlib import Path
from typing import Any

import pytest

from app.config.settings import DeepSettings
from app.search import search
from app.search.query.filters import chunk_filter
from app.search.rank.deep import SEEDS, linked_notes
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.tests.search.rank.test_deep import indexed

QUESTION = "who published the first journal of wooden boats"
ANSWER = "orgs/Harbour Society.md"
OTHERS = {f"notes/n{n}.md": f"A journal of {'x' * n}.\n" for n in range(1, 70)}


def source(text: str) -> dict[str, str]:
    return {"Review.md": f"The first journal of wooden boats was published in Brest.\n{text}\n"}


@pytest.fixture
def asked(tiny_vault: MakeVault, tiny_model: Path) -> Any:
    """Make a vault and give the paths found for the question, each once."""

    def ask(
        notes: dict[str, str], weight: float | None = None, question: str = QUESTION, **options: Any
    ) -> list[str]:
        # The model's weights are drawn by chance, so words alone rank.
        deep = DeepSettings(words_weight=1)
        if weight is not None:
            deep = deep.model_copy(update={"links_weight": weight})
        vault = tiny_vault(notes, index=indexed(tiny_model), deep=deep)
        return list(dict.fromkeys(hit.path for hit in search(vault, question, "deep", limit=100, **options)))

    return ask


@pytest.mark.parametrize(
    ("written", "note"),
    [
        ("It belonged to the Harbour Society.", "Ada Quill was its head.\n"),
        ("It belonged to the HARBOUR  society's friends.", "Ada Quill was its head.\n"),
        ("Ask [[Harbour Society|them]].", "Ada Quill was its head.\n"),
        ("It belonged to the Quay Fellows.", "---\naliases: [Quay Fellows]\n---\nAda Quill was its head.\n"),
        ("It belonged to the Quay Fellows.", "# Quay Fellows (club)\n\nAda Quill was its head.\n"),
        ("Elle fut à l'Amicale des pêcheurs.", "# Amicale des Pecheurs\n\nAda Quill was its head.\n"),
    ],
)
def test_what_the_first_hit_names_comes_up(asked: Any, written: str, note: str) -> None:
    notes = OTHERS | source(written) | {ANSWER: note}
    without, found = asked(notes, 0.0), asked(notes)
    assert without[0] == found[0] == "Review.md"
    assert ANSWER not in without[:5]
    assert ANSWER in found[:5]


@pytest.mark.parametrize(
    "written", ["It belonged to the Harbours Society.", "A society of the harbour.", "No name."]
)
def test_what_is_not_named_stays_where_it_was(asked: Any, written: str) -> None:
    notes = OTHERS | source(written) | {ANSWER: "Ada Quill was its head.\n"}
    assert asked(notes) == asked(notes, 0.0)


def test_a_long_list_of_links_does_not_flood(asked: Any) -> None:
    listed = {f"people/Person{'abcdefghij'[n % 10]}{n}.md": "Somebody.\n" for n in range(40)}
    links = "\n".join(f"- [[{path[7:-3]}]]" for path in listed)
    found = asked(OTHERS | listed | source(links))
    assert "Review.md" in found[:SEEDS]
    assert listed.keys().isdisjoint(found[:20])


def test_excluded_notes_are_neither_reached_nor_followed(asked: Any) -> None:
    rules = {".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}'}
    hidden = {"private/Harbour Society.md": "Ada Quill was its head. See [[Ada Quill]].\n"}
    notes = OTHERS | source("It belonged to the Harbour Society.") | {"Ada Quill.md": "A sailor.\n"}
    found = asked(notes | hidden | rules)
    assert "private/Harbour Society.md" not in found
    assert found == asked(notes)


def test_a_filter_holds_for_what_is_named(asked: Any) -> None:
    notes = OTHERS | {
        "notes/Review.md": source("Ask the Harbour Society.")["Review.md"],
        ANSWER: "Ada Quill.\n",
    }
    assert ANSWER in asked(notes)[:5]
    assert all(path.startswith("notes/") for path in asked(notes, scopes="notes/*"))


def test_only_allowed_lines_are_read(tiny_vault: MakeVault) -> None:
    text = "## Boats\nby the Harbour Society\n\n## Bread\nby [[Ada Quill]]\n"
    vault = tiny_vault({"n.md": text, "Harbour Society.md": "x\n", "Ada Quill.md": "y\n"})
    searcher_for(vault).update()
    view = searcher_for(vault).view()
    doc = view.lexical.paths()["n.md"] + 1
    found = {}
    for scope in ("n.md#Boats", "n.md#Bread"):
        chunks = chunk_filter(view, parse_request({"operation": "fast", "query": "x", "scopes": [scope]}))
        notes = linked_notes(view, doc, chunks, view.snapshot.visible)
        found[scope] = [view.lexical.path(note) for note in notes]
    assert found == {"n.md#Boats": ["Harbour Society.md"], "n.md#Bread": ["Ada Quill.md"]}
