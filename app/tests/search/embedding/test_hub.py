"""Models are fetched from a hub whole and checked, or not at all."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.config.settings import EmbeddingSettings
from app.errors import ModelError
from app.search.embedding.hub import fetch, find_model, look_up
from app.search.embedding.loading import load_embedder
from app.tests.search.embedding.hub_server import REVISION, Hub, serving

NAME = "acme/moon-small"
SHOWN = "'acme/moon-small'"


@pytest.fixture
def hub(tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """Serve a small random model, with files beside it that must not be fetched."""
    folder = tmp_path / "served"
    shutil.copytree(tiny_model, folder)
    (folder / "modeling_moon.py").write_text("raise SystemExit('run')\n")
    (folder / "pytorch_model.bin").write_bytes(b"pickled")
    (folder / "onnx").mkdir()
    (folder / "onnx" / "config.json").write_text("{}")
    with serving(Hub({NAME: folder})) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
        # The library waits between its tries.
        for module in ("file_download", "utils._http"):
            monkeypatch.setattr(f"huggingface_hub.{module}.time.sleep", lambda _: None)
        yield hub


def test_a_model_is_fetched_checked_and_found(hub: Hub, tiny_model: Path, own_environment: Path) -> None:
    offer = look_up(NAME)
    assert (offer.repository, offer.revision, offer.licence) == (NAME, REVISION, "mit")
    names = set(offer.files)
    assert "model.safetensors" in names
    assert not {"modeling_moon.py", "pytorch_model.bin", "onnx/config.json"} & names
    steps: list[tuple[int, int]] = []
    folder = fetch(offer, lambda done, total: steps.append((done, total)))
    assert steps[-1] == (offer.size, offer.size)
    assert steps == sorted(steps)
    for name in names:
        assert (folder / name).read_bytes() == (tiny_model / name).read_bytes()
    assert {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()} == names
    assert find_model(NAME) == folder
    settings = EmbeddingSettings(device="cpu", precision="fp32")
    assert load_embedder(NAME, cache=own_environment / "cache/models", settings=settings).dimension == 32
    hub.asked.clear()
    assert fetch(offer) == folder
    assert not [path for _, path, _ in hub.asked if "/resolve/" in path]


def test_what_was_cut_off_is_not_found_and_what_is_whole_is_not_fetched_again(hub: Hub) -> None:
    offer = look_up(NAME)
    hub.cut_after = 30_000
    with pytest.raises(ModelError, match=f"{SHOWN} cannot be fetched from 127.0.0.1: peer closed") as caught:
        fetch(offer)
    assert caught.value.hint.startswith("try again: whole files stay")
    with pytest.raises(ModelError, match="is not on this machine"):
        find_model(NAME)
    hub.cut_after, hub.asked = None, []
    assert fetch(offer) == find_model(NAME)
    assert not [path for _, path, _ in hub.asked if path.endswith("/config_sentence_transformers.json")]


@pytest.mark.parametrize("file", ["model.safetensors", "config.json"])
def test_a_file_with_another_digest_is_refused_and_not_kept(hub: Hub, file: str) -> None:
    offer = look_up(NAME)
    hub.spoiled = {file}
    with pytest.raises(ModelError) as caught:
        fetch(offer)
    assert caught.value.message == (
        f"'{file}' of {SHOWN} is not what 127.0.0.1 says it is: its digest differs"
    )
    with pytest.raises(ModelError, match="is not on this machine"):
        find_model(NAME)
    hub.spoiled = set()
    assert (fetch(offer) / file).read_bytes() == (hub.models[NAME] / file).read_bytes()


def test_names_that_are_none_missing_models_and_terms_are_told_apart(hub: Hub) -> None:
    with pytest.raises(ModelError, match=r"127\.0\.0\.1 has no model 'a b/\.\./c'"):
        look_up("a b/../c")
    with pytest.raises(ModelError, match=r"127\.0\.0\.1 has no model 'acme/none'"):
        look_up("acme/none")
    hub.gated = {"acme/secret"}
    with pytest.raises(ModelError) as caught:
        look_up("acme/secret")
    assert caught.value.message == "'acme/secret' is given only to people who accepted its terms"
    assert caught.value.hint == f"accept them at {hub.url}/acme/secret, then log in: hf auth login"


def test_a_model_with_pickled_weights_alone_is_refused_before_it_is_fetched(hub: Hub) -> None:
    (hub.models[NAME] / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="has no weights that are safe to load"):
        look_up(NAME)


@pytest.mark.parametrize(
    "change",
    [
        {"sha": "../../../victim"},
        {"siblings": [{"rfilename": "../../evil.json", "size": 1, "blobId": "0" * 40}]},
        {"siblings": [{"rfilename": "a\0.json", "size": 1, "blobId": "0" * 40}]},
    ],
)
def test_a_listing_that_leads_elsewhere_is_refused_whole(hub: Hub, change: dict[str, object]) -> None:
    listing = hub.listing(NAME) | change
    hub.listing = lambda name: listing  # type: ignore[method-assign]
    with pytest.raises(ModelError) as caught:
        look_up(NAME)
    assert "cannot be fetched from 127.0.0.1: it does not answer as a hub does" in caught.value.message
    assert not [path for _, path, _ in hub.asked if "/resolve/" in path]


def test_a_server_that_sends_without_end_is_not_listened_to(hub: Hub, tmp_path: Path) -> None:
    offer = look_up(NAME)
    hub.longer = {"model.safetensors"}
    with pytest.raises(ModelError, match=rf"{SHOWN} cannot be fetched .*: more than the {offer.size} bytes"):
        fetch(offer)
    assert sum(file.stat().st_size for file in (tmp_path / "hub").rglob("*")) < 11_000_000
