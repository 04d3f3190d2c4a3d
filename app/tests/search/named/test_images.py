"""Indexes whose model understands images, asked with a picture."""

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from app.config.settings import IndexDefinition, IndexSettings
from app.search.embedding.image_model import MOST_BYTES, ImageEmbedder, read_picture
from app.search.named.search import wksm_search
from app.search.searcher import searcher_for
from app.tests.cli.conftest import Run
from app.tests.conftest import MakeVault
from app.tests.search.named.conftest import checked, paths
from app.vault.client import VaultClient

Make = Callable[..., VaultClient]


def picture(seed: int, kind: str = "PNG", size: tuple[int, int] = (48, 48), mode: str = "RGB") -> bytes:
    """A picture of a few coloured shapes, drawn by chance."""
    chance = np.random.default_rng(seed)
    image = Image.new("RGB", size, tuple(chance.integers(0, 255, 3).tolist()))
    draw = ImageDraw.Draw(image)
    for _ in range(4):
        left, top, right, bottom = (
            np.sort(chance.integers(0, min(size), (2, 2)), axis=0).ravel()[[0, 1, 2, 3]].tolist()
        )
        draw.rectangle((left, top, right + 1, bottom + 1), fill=tuple(chance.integers(0, 255, 3).tolist()))
    out = io.BytesIO()
    image.convert(mode).save(out, kind)
    return out.getvalue()


FILES: dict[str, str | bytes] = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Trip.md": "# Trip\n\nWe saw a lighthouse.\n\n![[lighthouse.png]]\n",
    "Boat.md": "The boat is painted. ![painted](img/boat.jpg)\n",
    "Plain.md": "No picture here, only a [link](img/boat.jpg).\n",
    "private/Diary.md": "![[lighthouse.png]] ![[secret.png]]\n",
    "img/lighthouse.png": picture(1),
    "img/boat.jpg": picture(2, "JPEG"),
    "img/flag.gif": picture(4, "GIF"),
    "private/secret.png": picture(5),
}


@pytest.fixture
def make(tiny_vault: MakeVault, tiny_clip: Path) -> Make:
    """Make a vault with an index ``photos`` that understands images, and one of words."""

    def vault(files: dict[str, Any] = FILES, **definition: Any) -> VaultClient:
        photos = IndexDefinition(embedding_model=str(tiny_clip), **definition)
        words = IndexDefinition(embedding_model=None)
        kinds = IndexSettings(default="photos", indexes={"photos": photos, "words": words})
        return tiny_vault(files, index=kinds)

    return vault


def ask(vault: VaultClient, *args: Any, **kwargs: Any) -> dict[str, Any]:
    return checked(wksm_search(vault, *args, **kwargs).data())


def encoder(vault: VaultClient) -> ImageEmbedder:
    semantic = searcher_for(vault).vectors
    assert semantic is not None
    found = semantic.wanted().embedder
    assert isinstance(found, ImageEmbedder)
    return found


def test_an_image_finds_notes_by_cosine_and_with_words_by_the_mean_of_both(make: Make) -> None:
    vault = make()
    model = encoder(vault)
    plain = model.encode(["Plain\nNo picture here, only a [link](img/boat.jpg)."])[0].vector
    image = model.encode_image(read_picture(bytes(FILES["img/boat.jpg"])))  # type: ignore[arg-type]
    both = image + model.encode_query("a lighthouse").vector
    for words, vector in ("", image), ("a lighthouse", both / np.linalg.norm(both)):
        hits = ask(vault, words, query_image="img/boat.jpg", k=20)["hits"]
        scores = {hit["path"]: hit["score"] for hit in hits}
        assert scores["Plain.md"] == pytest.approx(max(0.0, float(plain @ vector)), abs=2e-3)


def test_excluded_images_are_never_read(make: Make) -> None:
    vault = make()
    assert "private" not in str(ask(vault, "secret", query_image="img/flag.gif", k=100))
    (vault.root / "link.png").symlink_to(vault.root / "private/secret.png")
    for path in "link.png", "private/secret.png":
        assert ask(vault, query_image=path)["errors"] == [
            f"there is no image '{path}' in the vault. name a PNG, JPEG, WebP or GIF file in the vault"
        ]


def claiming(width: int, height: int) -> bytes:
    """A small file that says it is a PNG of any size."""
    data = picture(1)
    head = b"IHDR" + struct.pack(">II", width, height) + data[24:29]
    return data[:12] + head + struct.pack(">I", zlib.crc32(head)) + data[33:]


NO_IMAGE = "it is no PNG, JPEG, WebP or GIF"
BROKEN = {
    "text": (b"<html>", NO_IMAGE),
    "cut": (picture(1)[:90], "it is broken"),
    "too many pixels": (claiming(9000, 9000), "it has too many pixels"),
    "too many bytes": (b"\x89PNG" + bytes(MOST_BYTES), f"is too large: {MOST_BYTES + 4} bytes"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_an_unreadable_image_is_an_error(kind: str, make: Make) -> None:
    data, reason = BROKEN[kind]
    (error,) = ask(make({"A.md": "larch\n", "odd.png": data}), query_image="odd.png")["errors"]
    assert error.startswith("cannot read the image 'odd.png': ")
    assert reason in error


@pytest.mark.parametrize(
    "path", ["../outside.png", "/etc/outside.png", "C:/x.png", "img/%2e%2e/%2e%2e/x.png", "\0"]
)
def test_no_image_outside_of_the_vault_is_read(path: str, make: Make) -> None:
    vault = make({"A.md": "larch\n"})
    (vault.root.parent / "outside.png").write_bytes(picture(1))
    found = ask(vault, query_image=path)
    assert (len(found["errors"]), found["hits"]) == (1, [])
    outside = str(vault.root.parent / "outside.png")
    assert "there is no image" in ask(vault, query_image=outside)["errors"][0]
    (vault.root / "link.png").symlink_to(outside)
    assert "outside" in ask(vault, query_image="link.png")["errors"][0]


def test_the_command_line_may_name_any_image(make: Make, tiny_clip: Path, run: Run, tmp_path: Path) -> None:
    vault = make()
    config = tmp_path / "config.json"
    config.write_text(f'{{"index": {{"indexes": {{"notes": {{"embedding_model": "{tiny_clip}"}}}}}}}}')
    options = ("--json", "--vault", str(vault.root), "--config", str(config))
    outside = tmp_path / "elsewhere" / "seen.png"
    outside.write_bytes(picture(1))
    inside = run("search", "--query-image", "img/lighthouse.png", *options)
    assert (inside.code, sorted(paths(checked(inside.json)))) == (0, ["Boat.md", "Plain.md", "Trip.md"])
    assert run("search", "--query-image", str(outside), *options).json["hits"] == inside.json["hits"]
    assert run("search", "--query-image", "seen.png", *options).json["hits"] == inside.json["hits"]
    assert run("search", "--query-image", str(outside.parent), *options).code == 2
