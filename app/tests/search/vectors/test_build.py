"""Vectors are built once for each text, resumed after any interruption, and never keep a search waiting."""

from pathlib import Path

import numpy as np

from app.config.settings import EmbeddingSettings
from app.search.named.search import wksm_search
from app.search.searcher import Searcher, searcher_for
from app.search.vectors.faiss_index import Model
from app.search.vectors.store import read_shards
from app.tests.conftest import MakeVault
from app.tests.search.conftest import Find, paths
from app.tests.search.embedding.conftest import MakeModel
from app.tests.search.rank.test_deep import indexed, some_notes
from app.vault.client import VaultClient

EXACT = EmbeddingSettings(precision="fp32", threads=1)


def on_disk(searcher: Searcher) -> tuple[Path, Model]:
    """The folder of the configured model's vectors, and what is known of the model."""
    assert searcher.vectors is not None
    listed = searcher.vectors.listed()
    assert listed is not None
    return listed[0], listed[1].model


def vectors(searcher: Searcher) -> set[tuple[int, int]]:
    """The vectors on disk by hash and window."""
    shards = read_shards(*on_disk(searcher))[1].values()
    return {(int(row["hash"]), int(row["window"])) for shard in shards for row in shard.rows}


def embed(vault: VaultClient) -> int:
    searcher = searcher_for(vault)
    searcher.update()
    report = searcher.embed()
    assert report.remaining == 0
    return report.embedded


def test_only_new_texts_are_embedded(tiny_vault: MakeVault, tiny_model: Path) -> None:
    notes = {"a.md": "a boat\n", "sub/b.md": "# B\nbread\n\n# C\nlamp\n"}
    vault = tiny_vault(notes, index=indexed(tiny_model), embedding=EXACT)
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


def test_vectors_stay_until_new_ones_are(tiny_vault: MakeVault, make_model: MakeModel, find: Find) -> None:
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


def test_a_vault_opened_by_its_path_keeps_its_model(tiny_vault: MakeVault, tiny_model: Path) -> None:
    notes = {"a.md": "a boat\n", "b.md": "bread\n"}
    made = tiny_vault(notes, index=indexed(tiny_model), embedding=EXACT)
    assert embed(made) == 2
    # In turn, as a program and the command line do: nothing is embedded again.
    for vault in (VaultClient(made.root), tiny_vault(notes, embedding=EXACT), made) * 2:
        assert embed(vault) == 0
        assert searcher_for(vault).status().embedding_model == str(tiny_model)
        assert wksm_search(vault, "boat").embedding_model == str(tiny_model)
