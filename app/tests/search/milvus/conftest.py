"""A vault in Milvus Lite beside the same vault on this machine."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from app.config.settings import Settings
from app.search.milvus import finding
from app.search.models import SearchResults
from app.search.request import parse_request
from app.search.searcher import Searcher, searcher_for
from app.vault.client import VaultClient

Open = Callable[..., Searcher]


def settings_for(folder: Path, uri: str, database: str, **index: Any) -> Settings:
    definition = {"embedding_model": None, "engine": "milvus", "uri": uri, "database": database, **index}
    return Settings(
        cache_dir=folder / "cache",
        state_dir=folder / "state",
        catch_up_seconds=600,
        index={"default": "notes", "indexes": {"notes": definition}},
    )


def write(root: Path, notes: Mapping[str, str]) -> None:
    for path, text in notes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


@pytest.fixture
def in_milvus(tmp_path: Path, milvus_file: str, request: pytest.FixtureRequest) -> Open:
    """Open a folder as a vault in Milvus: ``in_milvus(root, remote_name="team")``."""
    database = "t_" + "".join(sign if sign.isalnum() else "_" for sign in request.node.name)[:38]

    def open_(root: Path, *, folder: str = "here", uri: str = milvus_file, **index: Any) -> Searcher:
        given = {"database": database, **index}
        return searcher_for(VaultClient(root, settings_for(tmp_path / folder, uri, **given)))

    return open_


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """Let Milvus choose though a vault is small: it gives three notes at first."""
    monkeypatch.setattr(finding, "FEW", 3)
    return 3


def ask(searcher: Searcher, operation: str, **parameters: Any) -> SearchResults:
    return searcher.search(parse_request({"operation": operation, "limit": 100, **parameters}))
