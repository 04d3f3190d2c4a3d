"""A vault is brought to Milvus by steps that can be cut short, by one machine at a time, and twice is once."""

from pathlib import Path
from typing import Any

import pytest

from app.errors import IndexBusyError, SearchError
from app.search.milvus.database import NOTES, PASSAGES, RECORDS
from app.search.milvus.engine import MilvusEngine
from app.search.milvus.feed import Lease
from app.search.searcher import Searcher
from app.tests.engines import no_milvus
from app.tests.search.embedding.conftest import MakeModel
from app.tests.search.embedding.conftest import make_model as make_model
from app.tests.search.embedding.conftest import tiny_model as tiny_model
from app.tests.search.milvus.conftest import Open, ask, write

pytestmark = no_milvus

NOTES_OF = {
    "a.md": "# A\n\nlarch and spruce #tree/larch\n",
    "b/b.md": "---\ncreated: 2025-03-01\n---\n# B\n\nspruce [[a]]\n",
    "c.md": "# C\n\nnothing\n",
}


def engine_of(searcher: Searcher) -> MilvusEngine:
    engine = searcher.engine
    assert isinstance(engine, MilvusEngine)
    return engine


def meant(searcher: Searcher) -> dict[str, int]:
    """Count the rows of each collection of vectors."""
    remote = engine_of(searcher).remote
    return {kind: len(remote.query(kind, "", ["id"])) for kind in remote.vectors()}


def rows(searcher: Searcher) -> set[tuple[str, str]]:
    return {
        (row["path"], row["digest"])
        for row in engine_of(searcher).remote.query(NOTES, "", ["path", "digest"])
    }


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "vault", NOTES_OF)
    return tmp_path / "vault"


def test_a_cut_run_is_gone_on_with(root: Path, in_milvus: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, {f"more/{number}.md": f"larch {number}\n" for number in range(60)})
    searcher = in_milvus(root)
    remote = engine_of(searcher).remote
    upsert, left = remote.upsert, [2]

    def cut_off(kind: str, given: list[dict[str, object]]) -> None:
        if kind == NOTES:
            left[0] -= 1
            if not left[0]:
                raise SearchError("the power went", "")
        upsert(kind, given)

    monkeypatch.setattr(remote, "upsert", cut_off)
    with pytest.raises(SearchError, match="power"):
        searcher.update()
    there = {path for path, _ in rows(searcher)}
    assert 0 < len(there) < 63
    monkeypatch.setattr(remote, "upsert", upsert)
    report = searcher.update()
    assert report.written == 63 - len(there)
    assert len(rows(searcher)) == 63
    assert ask(searcher, "fulltext", query="larch").total == 61


def test_one_machine_at_a_time_brings_a_vault(root: Path, in_milvus: Open) -> None:
    searcher = in_milvus(root, remote_name="team")
    searcher.update()
    remote = engine_of(searcher).remote
    other = Lease(remote, "another")
    other.hold()
    write(root, {"a.md": "larch again\n"})
    with pytest.raises(IndexBusyError, match="another machine is bringing the vault 'team'"):
        searcher.update()
    other.release()
    assert searcher.update().written == 1


@pytest.mark.parametrize("is_deleted", [True, False])
@pytest.mark.parametrize("kind", [PASSAGES, RECORDS, NOTES])
def test_what_goes_while_a_run_is_cut_short_is_gone_once_it_goes_on(
    root: Path, in_milvus: Open, monkeypatch: pytest.MonkeyPatch, kind: str, *, is_deleted: bool
) -> None:
    searcher = in_milvus(root)
    searcher.update()
    if is_deleted:
        (root / "a.md").unlink()
    else:
        write(root, {".obsidian/app.json": '{"userIgnoreFilters": ["a.md"]}'})
    remote = engine_of(searcher).remote
    delete, upsert = remote.delete, remote.upsert

    def cut_off(of: str, *given: Any) -> None:
        if of == kind:
            raise SearchError("the power went", "")
        delete(of, *given)

    def cut_off_before(of: str, given: list[dict[str, object]]) -> None:
        if of == kind == NOTES:
            raise SearchError("the power went", "")
        upsert(of, given)

    monkeypatch.setattr(remote, "delete", cut_off)
    monkeypatch.setattr(remote, "upsert", cut_off_before)
    with pytest.raises(SearchError, match="power"):
        searcher.update()
    monkeypatch.setattr(remote, "delete", delete)
    monkeypatch.setattr(remote, "upsert", upsert)
    searcher.update()
    left = {
        of: {row["digest"] for row in remote.query(of, 'path == "a.md"', ["digest"])}
        for of in (PASSAGES, RECORDS, NOTES)
    }
    # Of a private note is kept that it is there, and no word.
    assert left[PASSAGES] == set()
    assert left[RECORDS] == left[NOTES]
    assert len(left[NOTES]) == (0 if is_deleted else 1)


def test_private_vectors_go(root: Path, tiny_model: Path, make_model: MakeModel, in_milvus: Open) -> None:
    other = make_model(seed=5)
    write(root, {"twin.md": (root / "a.md").read_text(), "long.md": "# Long\n\n" + "larch by the sea\n" * 60})
    for model in (tiny_model, other):
        searcher = in_milvus(root, remote_name="team", embedding_model=str(model))
        searcher.update()
        assert searcher.embed().remaining == 0
    assert sorted(meant(searcher).values()) == [0, 5]
    (root / ".obsidian").mkdir()
    (root / ".obsidian" / "app.json").write_text('{"userIgnoreFilters": ["long.md", "twin.md"]}')
    searcher.update()
    remote = engine_of(searcher).remote
    found = [row["path"] for kind in remote.vectors() for row in remote.query(kind, "", ["path"])]
    assert sorted(found) == ["a.md", "b/b.md", "c.md"]
