"""A machine that only reads a vault in Milvus, too large to be fetched whole: all that searches answers."""

from pathlib import Path

import pytest

from app.cli.build import ready_searcher
from app.errors import SearchError
from app.search.milvus import engine
from app.search.request import parse_request
from app.search.searcher import Searcher
from app.tests.engines import no_milvus
from app.tests.search.milvus.conftest import Open, write
from app.tests.web.conftest import visit

pytestmark = no_milvus

NOTES = {
    "trees/a.md": "---\ncreated: 2025-03-01\ntags: [tree]\n---\n# A\n\nlarch and spruce\n",
    "trees/b.md": "---\ncreated: 2025-04-01\ntags: [tree]\n---\n# B\n\nlarch alone\n",
    "c.md": "# C\n\nnothing\n",
}


@pytest.fixture
def reader(tmp_path: Path, in_milvus: Open, monkeypatch: pytest.MonkeyPatch) -> Searcher:
    write(tmp_path / "vault", NOTES)
    in_milvus(tmp_path / "vault", remote_name="team").update()
    (tmp_path / "empty").mkdir()
    monkeypatch.setattr(engine, "MOST_WHOLE", 2)
    return in_milvus(tmp_path / "empty", folder="there", remote_name="team", feeds=False)


def test_a_command_finds_without_the_whole_vault(reader: Searcher) -> None:
    ready = ready_searcher(reader.vault)
    results, view = ready.searched(parse_request({"operation": "fast", "query": "larch"}))
    assert {result.path for result in results.results} == {"trees/a.md", "trees/b.md"}
    assert view.snapshot.visible_paths == ["c.md", "trees/a.md", "trees/b.md"]
    with pytest.raises(SearchError, match="asks for a whole vault, and 'team' has 3 notes"):
        reader.view()


def test_the_page_finds_and_counts_what_narrows_and_says_where_the_notes_are(reader: Searcher) -> None:
    page = visit(reader.vault)
    found = page.get("/", params={"q": "larch"})
    assert found.status_code == 200
    assert "trees/a.md" in found.text
    facets = page.get("/facets", params={"q": "larch"})
    assert (facets.status_code, ">#tree</a> <span>2<" in facets.text) == (200, True)
    missing = page.get("/note/trees/a.md")
    assert missing.status_code == 404
    for answer in (missing, page.get("/browse/"), page.get("/browse/trees")):
        assert "This machine only searches: the files of the notes are elsewhere." in answer.text
        assert "There is no note yet" not in answer.text
