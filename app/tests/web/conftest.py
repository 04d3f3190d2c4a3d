"""A browser's part in HTTP: it has come in, and keeps its cookie."""

import pytest
from starlette.testclient import TestClient

from app.config.settings import IndexDefinition, IndexSettings
from app.serving.keeper import Keeper
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient
from app.web.app import build_app

TOKEN = "a-token-for-the-tests"
BASE = "http://127.0.0.1:8766"
LEXICAL = IndexSettings(indexes={"notes": IndexDefinition(embedding_model=None)})
"""An index of words alone, so that no model is loaded."""


def visit(vault: VaultClient, keeper: Keeper | None = None) -> TestClient:
    """Come in to a vault's page."""
    client = TestClient(
        build_app(vault, token=TOKEN, keeper=keeper), base_url=BASE, raise_server_exceptions=False
    )
    assert client.post("/enter", data={"token": TOKEN}).status_code == 200
    return client


@pytest.fixture
def vault(tiny_vault: MakeVault, request: pytest.FixtureRequest) -> VaultClient:
    """Give the vault of the notes that the module of the test calls ``NOTES``."""
    return tiny_vault(request.module.NOTES, index=LEXICAL)


@pytest.fixture
def client(vault: VaultClient) -> TestClient:
    return visit(vault)
