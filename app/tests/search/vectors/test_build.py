"""Vectors are built once for each text, resumed after any interruption, and never keep a search waiting."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.config.settings import BUNDLED_MODEL, EmbeddingSettings
from app.search.index.store import MADE_WITH, VECTORS
from app.search.named.search import wksm_search
from app.search.private import write_record
from app.search.searcher import Searcher, definition_of, searcher_for
from app.search.vectors.faiss_index import Model
from app.search.vectors.store import LIST, read_shards, write_list
from app.search.vectors.vectors import Semantic
from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find, paths
from app.tests.search.embedding.conftest import MakeModel
from app.tests.search.rank.test_deep import indexed, some_notes
from app.tests.waiting import wait_until
from app.vault.client import VaultClient

EXACT = EmbeddingSettings(precision="fp32", threads=1)


def on_disk(searcher: Searcher) -> tuple[Path, Model]:
    """The folder of the configured model's vectors, and what is known of the model."""
    assert searcher.vectors is not None
    listed = searcher.vectors.listed()
    assert listed is not None
    return listed[0], listed[1].model


def vectors(searcher: Searcher, *, opened: bool = False) -> dict[tuple[int, int], np.ndarray]:
    """All vectors on disk by hash and window; with ``opened`` the model is loaded first."""
    if opened and (semantic := searcher.vectors):
        semantic.wanted()
    shards = read_shards(*on_disk(searcher))[1].values()
    return {
        (int(row["hash"]), int(row["window"])): row["vector"].astype(np.float32)
        for shard in shards
        for row in shard.rows
    }


def same(one: dict[tuple[int, int], np.ndarray], other: dict[tuple[int, int], np.ndarray]) -> None:
    assert one.keys() == other.keys()
    for key, vector in one.items():
        cosine = float(vector @ other[key] / np.linalg.norm(vector) / np.linalg.norm(other[key]))
        assert cosine > 0.999


def embed(vault: VaultClient) -> int:
    searcher = searcher_for(vault)
    searcher.update()
    report = searcher.embed()
    assert report.remaining == 0
    return report.embedded


def test_only_new_texts_are_embedded(tiny_vault: MakeVault, tiny_model: Path) -> None:
    vault = tiny_vault(
        {"a.md": "a boat\n", "sub/b.md": "# B\nbread\n\n# C\nlamp\n"},
        index=indexed(tiny_model),
        embedding=EXACT,
    )
    assert embed(vault) == 3
    assert embed(vault) == 0
    # A note that moves keeps its name, and with it every text.
    (vault.root / "sub/b.md").rename(vault.root / "b.md")
    assert embed(vault) == 0
    # A copy under the same name has the same texts.
    (vault.root / "copy").mkdir()
    (vault.root / "copy/a.md").write_bytes((vault.root / "a.md").read_bytes())
    assert embed(vault) == 0
    # A changed chunk, not its neighbour.
    (vault.root / "b.md").write_text("# B\nbread\n\n# C\nlamp oil\n")
    assert embed(vault) == 1
    # A new name titles every chunk of the note.
    (vault.root / "b.md").rename(vault.root / "renamed.md")
    assert embed(vault) == 2
    # The properties are no part of the text, but for what names the note.
    (vault.root / "a.md").write_text("---\n\n---\na boat\n")
    before = embed(vault)
    (vault.root / "a.md").write_text("---\nstatus: open\n---\na boat\n".replace("status: open", "x: 1"))
    assert (before, embed(vault)) == (1, 0)


def test_of_a_very_long_passage_the_beginning_is_embedded(
    tiny_vault: MakeVault, tiny_model: Path, find: Find
) -> None:
    """A picture written as one line of letters must not keep the model busy for minutes."""
    vault = tiny_vault(
        {"a.md": "boat\n", "picture.md": "q8x" * 300_000 + " porcupine\n"}, index=indexed(tiny_model)
    )
    searcher = searcher_for(vault)
    searcher.update()
    report = searcher.embed()
    assert (report.embedded, report.remaining) == (2, 0)
    assert paths(find(vault, "deep", query="porcupine"))[0] == "picture.md"


def test_the_same_vectors_whatever_the_order(tiny_vault: MakeVault, tiny_model: Path) -> None:
    notes = some_notes(12)
    once = tiny_vault(notes, name="once", index=indexed(tiny_model), embedding=EXACT)
    embed(once)
    grown = tiny_vault({}, name="grown", index=indexed(tiny_model), embedding=EXACT)
    for path, text in notes.items():
        file = grown.root / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        embed(grown)
    same(vectors(searcher_for(once)), vectors(searcher_for(grown)))


def test_while_vectors_are_missing_the_share_is_said(
    tiny_vault: MakeVault, tiny_model: Path, find: Find
) -> None:
    vault = tiny_vault(some_notes(60), index=indexed(tiny_model), embedding=EXACT, catch_up_seconds=0.0)
    searcher = searcher_for(vault)
    searcher.update()
    results = find(vault, "deep", query="harbour")
    assert any("of the passages have vectors so far" in notice for notice in results.notices)
    assert results.results
    wait_until(lambda: not find(vault, "deep", query="harbour").notices)
    assert searcher.status().embedded == 1.0


def test_fast_and_sync_do_not_wait_for_vectors(tiny_vault: MakeVault, tiny_model: Path, find: Find) -> None:
    vault = tiny_vault(some_notes(20), index=indexed(tiny_model))
    searcher = searcher_for(vault)
    searcher.update()
    semantic = searcher.vectors
    assert semantic is not None
    with semantic.wanted().writing() as is_ours:
        assert is_ours
        (vault.root / "new.md").write_text("a porcupine\n")
        assert paths(find(vault, "fast", query="porcupine")) == ["new.md"]
        report = searcher.embed()
        assert (report.busy, report.embedded) == (True, 0)
        assert paths(find(vault, "deep", query="porcupine"))[0] == "new.md"
    assert searcher.embed().remaining == 0


def test_vectors_of_another_model_stay_until_the_new_ones_are_whole(
    tiny_vault: MakeVault, make_model: MakeModel, find: Find
) -> None:
    notes = some_notes(40)
    old = tiny_vault(notes, index=indexed(make_model()), embedding=EXACT)
    embed(old)
    folder, _ = on_disk(searcher_for(old))
    new = tiny_vault(notes, index=indexed(make_model(1, 48)), embedding=EXACT, catch_up_seconds=0.0)
    searcher = searcher_for(new)
    semantic = searcher.vectors
    assert semantic is not None
    with semantic.wanted().writing():
        # Nothing can be built meanwhile: words alone find.
        found = find(new, "deep", query="harbour")
        assert any("0% of the passages have vectors so far" in notice for notice in found.notices)
        assert paths(found)
        assert folder.is_dir()
    assert searcher.embed().remaining == 0
    assert not folder.exists()
    fresh = tiny_vault(notes, name="fresh", index=indexed(make_model(1, 48)), embedding=EXACT)
    embed(fresh)
    assert paths(find(new, "deep", query="zzz")) == paths(find(fresh, "deep", query="zzz"))


@pytest.mark.parametrize("digests", [("aa", "bb"), ("bb", "aa")])
def test_of_two_models_of_one_name_the_latest_is_known(
    tmp_path: Path, tiny_vault: MakeVault, digests: tuple[str, str]
) -> None:
    """As where other weights were put into a model's folder, and are not all embedded yet."""
    first, second = (Model("mine", digest, 8, 4) for digest in digests)
    for model in (first, second):
        (tmp_path / model.digest).mkdir()
        write_list(tmp_path / model.digest, model, {})
    os.utime(tmp_path / first.digest / LIST, (1, 1))
    mine, other = (Semantic(tiny_vault({}), tmp_path, tmp_path, name) for name in ("mine", "other"))
    found = mine.listed()
    assert found is not None
    assert found[1].model == second
    assert other.listed() is None


def test_what_has_become_private_leaves_the_vectors(tiny_vault: MakeVault, tiny_model: Path) -> None:
    vault = tiny_vault({"a.md": "a boat\n", "b/b.md": "bread\n"}, index=indexed(tiny_model), embedding=EXACT)
    embed(vault)
    searcher = searcher_for(vault)
    assert len(vectors(searcher)) == 2
    (vault.root / ".obsidian").mkdir()
    (vault.root / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["b/"]}')
    assert embed(vault) == 0
    [(kept, _)] = vectors(searcher)
    view = searcher.view()
    [doc] = np.flatnonzero(view.snapshot.chunks_of(view.snapshot.visible)).tolist()
    assert kept == int(view.lexical.column("text_hash")[doc])


def test_the_index_is_for_its_owner_alone(tiny_vault: MakeVault, tiny_model: Path) -> None:
    vault = tiny_vault({"a.md": "a boat\n"}, index=indexed(tiny_model), embedding=EXACT)
    vaults = vault.settings.cache_folder / "vaults"
    vaults.mkdir(mode=0o755, parents=True)
    embed(vault)
    assert vaults.stat().st_mode & 0o777 == 0o700


def test_vectors_of_what_is_gone_are_dropped(tiny_vault: MakeVault, tiny_model: Path) -> None:
    vault = tiny_vault({"a.md": "a boat\n", "b.md": "bread\n"}, index=indexed(tiny_model), embedding=EXACT)
    embed(vault)
    searcher = searcher_for(vault)
    (vault.root / "b.md").unlink()
    searcher.update(rebuild=True)
    searcher.embed(compact=True)
    assert len(vectors(searcher)) == 1
    assert embed(vault) == 0


def test_the_newest_notes_have_vectors_first(tiny_vault: MakeVault, tiny_model: Path) -> None:
    names = ("old", "mid", "new")
    vault = tiny_vault(
        {f"{name}.md": f"{name} of a boat\n" for name in names}, index=indexed(tiny_model), embedding=EXACT
    )
    for age, name in enumerate(reversed(names)):
        when = time.time() - 86_400 * age
        os.utime(vault.root / f"{name}.md", (when, when))
    searcher = searcher_for(vault)
    searcher.update()
    view = searcher.view()
    assert view.vectors is not None
    lexical = view.lexical
    missing = view.vectors.wanted().joined(view.snapshot).missing.tolist()
    order = [lexical.path(int(lexical.note_of[doc])) for doc in missing]
    assert order == ["new.md", "mid.md", "old.md"]


ENDS_EARLY = """
import sys, time, weakref
from pathlib import Path

from app.config.settings import IndexDefinition, Settings
from app.search.upkeep import Upkeep
from app.vault.client import VaultClient


class Library:
    pass


class Slow(Upkeep):
    def embed(self, *, stopped):
        started.set()
        while not stopped():
            time.sleep(0.01)
        library.append(Library())
        weakref.finalize(library[-1], lambda: print("finalized", sys.is_finalizing()))


import threading
started, library = threading.Event(), []
vault, cache = Path(sys.argv[1], "vault"), Path(sys.argv[1], "cache")
vault.mkdir()
slow = Slow(VaultClient(vault, Settings(cache_dir=cache)), "notes", IndexDefinition())
slow._go_on(slow.embed)
started.wait()
"""


def test_a_library_that_is_imported_while_the_program_ends_is_finalized_in_time(tmp_path: Path) -> None:
    """PyTorch's own finalizers printed a traceback each once its module was taken apart."""
    ended = subprocess.run(
        [sys.executable, "-c", ENDS_EARLY, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert (ended.stdout, ended.stderr) == ("finalized False\n", "")


def test_a_vault_that_is_opened_by_its_path_keeps_the_model_its_index_was_made_with(
    tiny_vault: MakeVault, tiny_model: Path, make_model: MakeModel
) -> None:
    notes = {"a.md": "a boat\n", "b.md": "bread\n"}
    made = tiny_vault(notes, index=indexed(tiny_model), embedding=EXACT)
    assert embed(made) == 2
    # In turn, as a program and the command line do: nothing is embedded again.
    for vault in (VaultClient(made.root), tiny_vault(notes, embedding=EXACT), made) * 2:
        assert embed(vault) == 0
        assert searcher_for(vault).status().embedding_model == str(tiny_model)
        assert wksm_search(vault, "boat").embedding_model == str(tiny_model)
    # A model that is asked for is taken, and kept from then on.
    other = make_model(seed=2)
    assert embed(tiny_vault(notes, index=indexed(other), embedding=EXACT)) == 2
    searcher_for(made).close()
    by_path = tiny_vault(notes, embedding=EXACT.model_copy(update={"threads": 2}))
    assert (embed(by_path), searcher_for(by_path).status().embedding_model) == (0, str(other))


def test_no_model_behind_a_server_is_taken_from_the_index(tiny_vault: MakeVault, tiny_model: Path) -> None:
    made = tiny_vault({"a.md": "a boat\n"}, index=indexed(tiny_model), embedding=EXACT)
    embed(made)
    record = searcher_for(made).folder / VECTORS / MADE_WITH
    odds: list[Any] = [{"name": "openai:text-embedding-3-small"}, {"name": 3}, [], {}]
    for odd in odds:
        write_record(record, odd)
        assert definition_of(VaultClient(made.root), "notes").embedding_model == BUNDLED_MODEL
