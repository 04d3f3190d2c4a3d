"""The index follows the vault: whatever happens to the files, incremental equals rebuilt."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.config.settings import IndexDefinition, IndexSettings, Settings
from app.errors import ConfigError, IndexBusyError
from app.search import search, upkeep
from app.search.index.sync import SyncReport
from app.search.request import parse_request
from app.search.searcher import Searcher, searcher_for
from app.tests.conftest import MakeVault
from app.tests.engines import QUICK_ENGINES
from app.tests.search.conftest import Find, paths
from app.tests.search.index.test_graph import assert_as_built_whole
from app.tests.waiting import wait_until
from app.vault.client import VaultClient
from app.vault.scan import Listing

WORDS = (
    "serre budget décision tomates [[a]] [[b|x]] [[../A]] [[#Deux]] [[absent.md]] ![[p.png]] #idée #idée/verte"
    " 2025-07-14 ⏫"
)
NAMES = ["a.md", "b.md", "c d.md", "x/a.md", "x/été.md", "y/z/b.md"]
QUERIES: list[dict[str, Any]] = [
    {"operation": "fast", "query": "serre budget décision"},
    {"operation": "fast", "query": "2025-07-14"},
    {"operation": "fast", "query": "*"},
    {"operation": "fast", "query": "tomates", "folder": "x"},
    {"operation": "fulltext", "query": "serre -budget"},
    {"operation": "by_tag", "tags": ["idée"]},
    {"operation": "by_date", "start_date": "2024-01-01", "end_date": "2026-01-01"},
    {"operation": "combined", "note_path": "a", "direction": "both", "depth": 2},
]


def state(searcher: Searcher) -> dict[str, Any]:
    """Everything an index says about its vault, free of document numbers and of how it came about."""
    view = searcher.view()
    assert_as_built_whole(view.snapshot)
    notes = {
        path: (view.snapshot.note(doc), view.snapshot.links(doc), view.lexical.column("modified")[doc])
        for path, doc in view.lexical.paths().items()
    }
    chunks = sorted(
        (
            view.lexical.path(int(view.lexical.note_of[doc])),
            *view.snapshot.chunk_lines(doc),
            view.snapshot.chunk_day(doc),
            view.snapshot.chunk_headings(doc),
        )
        for doc in view.lexical.chunks.nonzero()[0].tolist()
    )
    results: list[list[Any]] = []
    for query in QUERIES:
        try:
            found = searcher.search(parse_request({**query, "limit": 100}))
            results.append([(r.path, r.lines, round(r.score, 5), r.excerpt) for r in found.results])
        except Exception as error:  # noqa: BLE001 - an error is an answer to compare
            results.append([str(error)])
    return {
        "notes": notes,
        "chunks": chunks,
        # A note written just now is looked at again, so that the state of the listing is not kept.
        "files": view.snapshot.vault._replace(state=""),
        "links": {path: view.snapshot.graph.outgoing(path) for path in notes},
        "aliases": view.snapshot.aliases(),
        "backlinks": {path: view.snapshot.graph.incoming(path) for path in notes},
        "results": results,
    }  # fmt: skip


def unordered(state: dict[str, Any]) -> dict[str, Any]:
    """The state with each result without its score, in the order of the paths."""
    rows = [
        sorted((row[0], row[1], row[3]) if len(row) == 4 else row for row in rows)
        for rows in state["results"]
    ]
    return {**state, "results": rows}


def rebuilt(vault: VaultClient, cache: Path) -> dict[str, Any]:
    """The state of a new index of a vault, on this machine."""
    given = {"cache_dir": cache, "index": IndexSettings()}
    fresh = VaultClient(vault.root, vault.settings.model_copy(update=given))
    searcher = searcher_for(fresh)
    searcher.update()
    try:
        return state(searcher)
    finally:
        searcher.close()
        shutil.rmtree(cache)


@contextmanager
def holding(lock: Path) -> Iterator[None]:
    """Hold a lock from another process."""
    code = (
        "import sys, filelock\n"
        "lock = filelock.FileLock(sys.argv[1]); lock.acquire(); print('held', flush=True); sys.stdin.read()"
    )
    held = subprocess.Popen(
        [sys.executable, "-c", code, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with held:
        assert held.stdout is not None
        assert held.stdout.readline() == "held\n"
        yield
        held.communicate()


NOT_JUST_NOW = (1_700_000_000, 1_700_000_000)


def settle(root: Path) -> None:
    """Date all notes back, as if nobody had written to them for long."""
    for file in root.rglob("*.md"):
        os.utime(file, NOT_JUST_NOW)


def test_a_vault_that_is_as_it_was_listed_is_known_by_its_state(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"a.md": "serre", "x/été.md": "budget", "x/p.png": ""})
    settle(vault.root)
    searcher = searcher_for(vault)
    assert searcher.update().written == 2
    known = searcher.view().snapshot.vault
    assert known.state == vault.listing().state != ""
    assert searcher.update() == SyncReport(total=2, seconds=ANY)
    # An edit in place changes neither the time of its folder nor, here, the size of its file.
    folder = (vault.root / "x").stat().st_mtime_ns
    (vault.root / "x" / "été.md").write_text("rubans")
    os.utime(vault.root / "x" / "été.md", (NOT_JUST_NOW[0] + 5, NOT_JUST_NOW[1] + 5))
    assert (vault.root / "x").stat().st_mtime_ns == folder
    assert searcher.update().written == 1
    found = searcher.search(parse_request({"operation": "fast", "query": "rubans"}))
    assert [result.path for result in found.results] == ["x/été.md"]
    # One that may change again within the same moment is read once more, here as its time is still to come.
    to_come = time.time() + 1000
    os.utime(vault.root / "a.md", (to_come, to_come))
    assert searcher.update().written == 1
    assert searcher.view().snapshot.vault.state == ""
    settle(vault.root)
    searcher.update()
    assert searcher.view().snapshot.vault.state == vault.listing().state


@given(drawn=st.data())
@settings(max_examples=30, deadline=None)
def test_listings_of_one_state_say_the_same(
    tmp_path_factory: pytest.TempPathFactory, drawn: st.DataObject
) -> None:
    names = st.sampled_from(["a.md", "A.MD", "b.png", "x/a.md", "x/b.md", "été.md", "x/y/a.md", "x/c.txt"])
    files = st.dictionaries(names, st.tuples(st.integers(0, 2), st.integers(1, 3)), max_size=5)
    found = []
    for _ in range(2):
        root = tmp_path_factory.mktemp("listed")
        for name, (size, seconds) in drawn.draw(files).items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text("x" * size)
            os.utime(root / name, (seconds, seconds))
        found.append(Listing(root))
    assert all(listing.state for listing in found)
    first, second = (listing.scan()._replace(folders=()) for listing in found)
    assert (found[0].state == found[1].state) == (first == second)


EDITS = st.lists(
    st.one_of(
        st.tuples(
            st.just("write"), st.sampled_from(NAMES), st.lists(st.sampled_from(WORDS.split()), max_size=8)
        ),
        st.tuples(st.just("delete"), st.sampled_from(NAMES), st.just([])),
        st.tuples(
            st.just("move"), st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), min_size=1, max_size=1)
        ),
        st.tuples(st.just("sync"), st.just(""), st.just([])),
        st.tuples(st.just("attach"), st.sampled_from(["p.png", "x/q.pdf"]), st.just([])),
    ),
    min_size=1,
    max_size=14,
)


@pytest.mark.parametrize("every_engine", QUICK_ENGINES, indirect=True)
@pytest.mark.timeout(900)
def test_after_any_edits_incremental_equals_rebuilt(
    every_engine: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    @settings(max_examples={"local": 25, "lite": 5, "tcp": 20}[every_engine], deadline=None)
    @given(EDITS)
    def equal(edits: list[Any]) -> None:
        folder = tmp_path_factory.mktemp("edited")
        root = folder / "vault"
        root.mkdir()
        vault = VaultClient(root, Settings(cache_dir=folder / "cache", commit_notes=2))
        searcher = searcher_for(vault)
        for kind, name, detail in [*edits, ("sync", "", [])]:
            if kind == "sync":
                searcher.update()
            else:
                edit(root, kind, name, detail)
        # A reader of a database sees what lies there alone, without the index of the machine that feeds it.
        reader = searcher if every_engine == "local" else searcher_for(reading(vault))
        incremental = state(reader)
        searcher.close()
        whole = rebuilt(vault, folder / "other")
        if every_engine != "local":  # A database scores and orders by its own statistics.
            incremental, whole = unordered(incremental), unordered(whole)
        assert incremental == whole

    equal()


def test_which_note_was_written_last_does_not_tell(tiny_vault: MakeVault, tmp_path: Path) -> None:
    text = "---\naliases: [Un]\n---\n[[c]]\n"
    names = [f"{name}.md" for name in "abdefg"]
    vault = tiny_vault({**dict.fromkeys(names, text), "c.md": ""})
    searcher = searcher_for(vault)
    searcher.update()
    for name in reversed(names):
        (vault.root / name).write_text(f"{text}Plus.\n")
        searcher.update()
    found = state(searcher)
    assert [edge.source for edge in found["backlinks"]["c.md"]] == names
    assert found == rebuilt(vault, tmp_path / "other")


def edit(root: Path, kind: str, name: str, detail: list[str]) -> None:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    if kind == "write":
        head = "---\nupdated: 2025-01-05\ntags: [projet]\n---\n" if len(detail) % 2 else ""
        file.write_text(
            f"{head}# {name}\n\n" + " ".join(detail) + "\n\n# Deux\n\n" + " ".join(detail[:3]) + "\n"
        )
    elif kind == "attach":
        file.write_bytes(b"x")
    elif kind == "delete":
        file.unlink(missing_ok=True)
    elif kind == "move" and file.exists():
        target = root / detail[0]
        target.parent.mkdir(parents=True, exist_ok=True)
        file.replace(target)


def reading(vault: VaultClient) -> VaultClient:
    """The same vault on a machine that only reads what lies in the database."""
    index = vault.settings.index
    notes = index.indexes["notes"].model_copy(update={"feeds": False})
    given = {"index": index.model_copy(update={"indexes": {"notes": notes}})}
    return VaultClient(vault.root, vault.settings.model_copy(update=given))


def test_a_search_sees_what_changed_just_before(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "premier\n", "b.md": "autre\n"})
    assert paths(find(vault, "fast", query="premier")) == ["a.md"]
    (vault.root / "a.md").write_text("deuxième\n")
    (vault.root / "c.md").write_text("premier\n")
    assert paths(find(vault, "fast", query="premier")) == ["c.md"]
    (vault.root / "c.md").unlink()
    assert paths(find(vault, "fast", query="premier")) == []


def test_an_edit_of_the_same_size_in_the_same_instant_is_seen(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "aaaa\n"})
    for word in ["bbbb", "cccc", "dddd", "eeee", "ffff"]:
        (vault.root / "a.md").write_text(word + "\n")
        assert paths(find(vault, "fast", query=word)) == ["a.md"]


def test_a_new_file_changes_what_a_link_means_in_notes_nobody_touched(
    tiny_vault: MakeVault, find: Find
) -> None:
    vault = tiny_vault({"x/a.md": "[[N]]\n", "y/N.md": "loin\n"})
    assert paths(find(vault, "by_link", note_path="y/N")) == ["x/a.md"]
    (vault.root / "N.md").write_text("près\n")
    assert paths(find(vault, "by_link", note_path="y/N")) == []
    assert paths(find(vault, "by_link", note_path="N.md")) == ["x/a.md"]


def test_include_and_exclude_narrow_the_index(tiny_vault: MakeVault, find: Find) -> None:
    definition = IndexDefinition(include=("x/**",), exclude=("x/old/*", "x/drafts"))
    vault = tiny_vault(
        {"x/a.md": "mot [[b]]\n", "x/old/c.md": "mot\n", "b.md": "mot\n", "x/drafts/d.md": "mot\n"},
        index=IndexSettings(indexes={"notes": definition}),
    )
    assert paths(find(vault, "fast", query="mot")) == ["x/a.md"]
    forward = find(vault, "by_link", note_path="x/a", direction="forward")
    assert forward.notices[0] == "links to files: b.md"
    assert searcher_for(vault).status().unindexed == ("b.md", "x/drafts/d.md", "x/old/c.md")


def test_a_cache_inside_the_vault_is_refused(tiny_vault: MakeVault, find: Find, tmp_path: Path) -> None:
    vault = tiny_vault({"a.md": "mot\n"}, cache_dir=tmp_path / "vault" / "cache")
    with pytest.raises(ConfigError, match="inside the vault"):
        find(vault, "fast", query="mot")
    assert not (tmp_path / "vault" / "cache").exists()


@pytest.mark.parametrize("is_deleted", [True, False])
def test_an_index_that_is_deleted_or_damaged_is_rebuilt(
    tiny_vault: MakeVault, find: Find, is_deleted: bool
) -> None:
    vault = tiny_vault({"a.md": "mot\n"})
    find(vault, "fast", query="mot")
    searcher = searcher_for(vault)
    if is_deleted:
        shutil.rmtree(searcher.folder)
    else:
        searcher.close()
        for file in searcher.folder.rglob("*.*"):
            file.write_bytes(b"garbage" * 10)
    results = find(vault, "fast", query="mot")
    assert paths(results) == ["a.md"]
    [notice] = results.notices
    assert "was rebuilt" in notice
    assert find(vault, "fast", query="mot").notices == []


def test_another_process_at_work_is_named_and_the_last_state_answers(
    tiny_vault: MakeVault, find: Find, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "LOCK_SECONDS", 0.05)
    vault = tiny_vault({"a.md": "mot\n"})
    find(vault, "fast", query="mot")
    searcher = searcher_for(vault)
    with holding(searcher.folder / "update.lock"):
        (vault.root / "b.md").write_text("mot\n")
        results = find(vault, "fast", query="mot")
        assert paths(results) == ["a.md"]
        assert results.notices == ["another process is updating the index; this answers from its last state"]
        with pytest.raises(IndexBusyError):
            searcher.update()
    assert sorted(paths(find(vault, "fast", query="mot"))) == ["a.md", "b.md"]


def test_a_search_waits_for_no_update_and_says_that_one_goes_on(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "mot\n"}, catch_up_seconds=0.05)
    find(vault, "fast", query="mot")
    (vault.root / "b.md").write_text("mot\n")
    begun, go_on = threading.Event(), threading.Event()

    def stall(done: int, todo: int) -> None:
        begun.set()
        go_on.wait(300)

    updating = threading.Thread(target=searcher_for(vault).update, kwargs={"progress": stall})
    updating.start()
    assert begun.wait(300)
    results = find(vault, "fast", query="mot")
    assert not go_on.is_set()
    assert paths(results) == ["a.md"]
    assert results.notices == ["the index is catching up with the vault; 1 note is searched so far"]
    go_on.set()
    updating.join()
    assert sorted(paths(find(vault, "fast", query="mot"))) == ["a.md", "b.md"]


def test_what_the_vault_begins_to_exclude_is_hidden_before_the_index_can_follow(
    tiny_vault: MakeVault, find: Find
) -> None:
    vault = tiny_vault({"private/s.md": "confidentiel\n", "a.md": "rien\n"})
    assert paths(find(vault, "fast", query="confidentiel")) == ["private/s.md"]
    with holding(searcher_for(vault).folder / "update.lock"):
        (vault.root / ".obsidian").mkdir()
        (vault.root / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["private/"]}')
        results = find(vault, "fast", query="confidentiel")
        assert paths(results) == []
        assert not any("private" in notice for notice in results.notices)


def test_a_change_seen_while_the_index_was_busy_is_not_forgotten(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "mot\n"})
    searcher: Any = searcher_for(vault)
    searcher.watch()
    # Before that, the watcher says "changed" by itself.
    searcher.engine._watcher.begun.wait()
    find(vault, "fast", query="mot")
    with holding(searcher.folder / "update.lock"):
        (vault.root / "b.md").write_text("mot\n")
        wait_until(lambda: bool(find(vault, "fast", query="mot").notices))
    assert sorted(paths(find(vault, "fast", query="mot"))) == ["a.md", "b.md"]
    searcher.close()


def test_searches_from_many_threads_while_notes_change(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({f"n{n}.md": f"mot commun {n}\n" for n in range(30)})
    failures: list[BaseException] = []
    stop = threading.Event()

    def read() -> None:
        try:
            while not stop.is_set():
                assert all(hit.path.startswith("n") for hit in search(vault, ["commun"], "fast"))
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for n in range(25):
        (vault.root / f"n{n}.md").write_text(f"mot commun changé {n}\n")
        time.sleep(0.01)
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []


def test_while_the_vaults_settings_cannot_be_read_nothing_is_shown_and_it_is_said(
    tiny_vault: MakeVault, find: Find
) -> None:
    vault = tiny_vault({".obsidian/app.json": "{", "private/s.md": "confidentiel\n", "a.md": "mot\n"})
    results = find(vault, "fast", query="confidentiel mot")
    assert paths(results) == []
    assert any("app.json" in notice for notice in results.notices)
    (vault.root / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["private/"]}')
    assert paths(find(vault, "fast", query="confidentiel mot")) == ["a.md"]
