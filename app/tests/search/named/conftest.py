"""A vault with two indexes, one of words and one of meaning, and the published schema."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from app.config.settings import IndexDefinition, IndexSettings, Settings
from app.search.named.search import wksm_search
from app.search.searcher import searcher_for
from app.tests.cli.conftest import run as run
from app.tests.conftest import ShareExports
from app.tests.search.embedding.conftest import make_model as make_model
from app.tests.search.embedding.conftest import tiny_model as tiny_model
from app.tests.search.named.clip import build_clip
from app.vault.client import VaultClient

SCHEMA = json.loads(
    (Path(__file__).parents[4] / "docs" / "search-output.schema.json").read_text(encoding="utf-8")
)

NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Boat.md": "# Boat\n\nThe larch for the boat came late.\n",
    "Kiln.md": "---\ntags: [wood]\n---\n# The kiln\n\nThe kiln broke down, so the larch waited.\n",
    "garden/Seeds.md": "Lettuce and beans.\n\nSow them in April.\n",
    "garden/Copy of seeds.md": "Lettuce and beans.  \r\n\r\nSow them in April.\r\n\r\n",
    "letters/Anna.md": "Dear Anna, the harbour is quiet.\n",
    "letters/Zoé.md": "Chère Zoé, le port est calme.\n",
    "Stub.md": "",
    "Other stub.md": "\n",
    "private/Diary.md": "The larch is a secret.\n",
}

Ask = Callable[..., dict[str, Any]]


def indexes(model: Path | str | None) -> IndexSettings:
    return IndexSettings(
        default="words",
        indexes={
            "words": IndexDefinition(embedding_model=None),
            "meaning": IndexDefinition(embedding_model=str(model) if model else None),
            "garden": IndexDefinition(embedding_model=None, include=("garden/*",)),
        },
    )


def make_vault(root: Path, notes: dict[str, str], **settings: Any) -> VaultClient:
    for path, text in notes.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(text.encode())
    return VaultClient(root, Settings(**settings))


@pytest.fixture(scope="session")
def shared_vault(
    tmp_path_factory: pytest.TempPathFactory, tiny_model: Path, share_exports: ShareExports
) -> VaultClient:
    """The notes, indexed and embedded once for all tests that only read."""
    cache = share_exports(tmp_path_factory.mktemp("cache"))
    root = tmp_path_factory.mktemp("vault") / "vault"
    root.mkdir()
    made = make_vault(root, NOTES, index=indexes(tiny_model), cache_dir=cache)
    for name in made.settings.index.indexes:
        searcher_for(made, name).update()
    assert searcher_for(made, "meaning").embed().remaining == 0
    return made


@pytest.fixture
def ask(shared_vault: VaultClient) -> Ask:
    """Ask the shared vault: ``ask("larch", index="words")``; every answer holds to the published schema."""
    return lambda *args, **kwargs: checked(wksm_search(shared_vault, *args, **kwargs).data())


def checked(document: dict[str, Any]) -> dict[str, Any]:
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    return document


def paths(document: dict[str, Any]) -> list[str]:
    return [hit["path"] for hit in document["hits"]]


@pytest.fixture(scope="session")
def tiny_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small random model that understands texts and images."""
    return build_clip(tmp_path_factory.mktemp("clip"))
