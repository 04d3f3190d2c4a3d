"""Vectors and exports that were damaged or changed are noticed: built anew, or done without, never believed."""

import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from app.config.settings import EmbeddingSettings
from app.search.embedding.loading import load_embedder
from app.search.embedding.onnx_model import export_folder
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault, ShareExports
from app.tests.search.conftest import Find, paths
from app.tests.search.embedding.conftest import MakeModel
from app.tests.search.index.test_store import flip
from app.tests.search.rank.test_deep import indexed, some_notes
from app.tests.search.vectors.test_build import EXACT, embed, on_disk

PLAIN = EmbeddingSettings(precision="fp32", threads=1)


def test_a_flipped_bit_gives_no_other_answer(tiny_vault: MakeVault, tiny_model: Path, find: Find) -> None:
    rng = random.Random(5)
    vault = tiny_vault(some_notes(12), index=indexed(tiny_model), embedding=EXACT)
    embed(vault)
    expected = paths(find(vault, "deep", query="harbour"))
    folder = searcher_for(vault).folder / "vectors"
    for turn in range(24):
        searcher_for(vault).close()
        whole = (file for file in folder.rglob("*") if file.is_file() and file.stat().st_size)
        files = sorted(file for file in whole if not file.name.endswith(".tokens.npy"))
        flip(files[turn % len(files)], rng)
        assert paths(find(vault, "deep", query="harbour")) == expected
        assert searcher_for(vault).embed().remaining == 0


def test_no_link_is_written_to(tiny_vault: MakeVault, tiny_model: Path, find: Find, tmp_path: Path) -> None:
    vault = tiny_vault(some_notes(5), index=indexed(tiny_model), embedding=EXACT)
    embed(vault)
    searcher = searcher_for(vault)
    folder, _ = on_disk(searcher)
    searcher.close()
    precious = tmp_path / "precious.txt"
    precious.write_text("do not touch\n")
    for file in folder.glob("*.npy"):
        file.unlink()
        file.symlink_to(precious)
    results = find(vault, "deep", query="harbour")
    assert results.total
    assert precious.read_text() == "do not touch\n"


def hurt(folder: Path, other: Path, damage: str) -> None:
    graph, weights, outside = (
        folder / "model.onnx",
        folder / "model.onnx.data",
        folder.parent / "outside.data",
    )
    if damage == "cut":
        weights.write_bytes(weights.read_bytes()[:-64])
    elif damage == "record":
        flip(folder / "facts.json", random.Random(3))
    elif damage == "another's":
        for file in (graph, weights):
            shutil.copyfile(other / file.name, file)
    else:
        weights.rename(outside)
        graph.write_bytes(graph.read_bytes().replace(b"model.onnx.data", b"../outside.data"))


@pytest.fixture(scope="module")
def exports(
    make_model: MakeModel, tmp_path_factory: pytest.TempPathFactory, share_exports: ShareExports
) -> tuple[Path, Path]:
    """A folder with the export of one model, and the export of another; a test changes copies of them."""
    made = share_exports(tmp_path_factory.mktemp("exports"))

    def copied(model: Path, name: str) -> Path:
        embedder = load_embedder(str(model), cache=made / "models", settings=PLAIN)
        export = export_folder(made / "models", embedder.fingerprint)
        return shutil.copytree(export, made / name / export.name)

    return copied(make_model(), "one").parent, copied(make_model(seed=3, dimension=16), "other")


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    ["cut", "record", "another's", "outside"],
)
def test_exports_heal(make_model: MakeModel, exports: tuple[Path, Path], tmp_path: Path, damage: str) -> None:
    models, other = exports
    cache, model = shutil.copytree(models, tmp_path / "models"), make_model()
    (folder,) = cache.glob("*-onnx2")
    expected = load_embedder(str(model), cache=cache, settings=PLAIN).encode_query("moon").vector
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    hurt(folder, other, damage)
    found = load_embedder(str(model), cache=cache, settings=PLAIN).encode_query("moon").vector
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert (folder / "model.onnx.data").read_bytes() == before["model.onnx.data"]
    assert [file for file in folder.iterdir() if file.is_symlink() or file.stat().st_mode & 0o077] == []
