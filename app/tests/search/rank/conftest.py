"""The small embedding model that the ranking by meaning is tried with, and vaults with vectors of the bundled one."""

from collections.abc import Callable, Mapping

import pytest

from app.config.settings import Settings
from app.search.searcher import searcher_for
from app.tests.conftest import ShareExports
from app.tests.search.embedding.conftest import make_model as make_model
from app.tests.search.embedding.conftest import tiny_model as tiny_model
from app.vault.client import VaultClient

Embedded = Callable[[Mapping[str, str]], VaultClient]


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory, share_exports: ShareExports) -> Embedded:
    """Make a vault of some notes, with vectors of the model that comes along."""
    settings = Settings(cache_dir=share_exports(tmp_path_factory.mktemp("cache")))

    def make(notes: Mapping[str, str]) -> VaultClient:
        root = tmp_path_factory.mktemp("vault")
        for name, text in notes.items():
            file = root / f"{name.removesuffix('.md')}.md"
            file.parent.mkdir(exist_ok=True)
            file.write_text(f"{text}\n", encoding="utf-8")
        vault = VaultClient(root, settings)
        searcher_for(vault).update()
        searcher_for(vault).embed()
        return vault

    return make
