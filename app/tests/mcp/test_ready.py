"""A server makes its model ready and builds vectors by itself; an export outlives the server that began it."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from mcp import Client

from app.config.settings import IndexDefinition, IndexSettings
from app.search.embedding.loading import prepare_model
from app.search.searcher import searcher_for
from app.tests.mcp.conftest import NOTES, age, make_server, said
from app.tests.search.embedding.conftest import make_model as make_model
from app.tests.search.embedding.conftest import tiny_model as tiny_model
from app.tests.waiting import wait_until
from app.vault.client import VaultClient

pytest.importorskip("faiss")

ASKED = {"operation": "deep", "query": "heating"}
NOT_READY = "is still being made ready"


@pytest.fixture
def meaning(tiny_vault: Callable[..., VaultClient], tiny_model: Path) -> VaultClient:
    """A vault whose index has a model, which nobody has opened yet."""
    made = tiny_vault(
        NOTES, index=IndexSettings(indexes={"notes": IndexDefinition(embedding_model=str(tiny_model))})
    )
    age(made)
    return made


@pytest.mark.slow
@pytest.mark.usefixtures("own_exports")
@pytest.mark.asyncio
async def test_the_model_and_the_vectors_come_without_a_search(
    meaning: VaultClient, tiny_model: Path
) -> None:
    server, keeper = make_server(meaning)
    searcher = searcher_for(meaning)
    keeper.start()
    try:
        async with Client(server) as client:
            while not (status := searcher.status()).notes or status.embedded != 1:
                await asyncio.sleep(0.2)
            text = said(await client.call_tool("search", ASKED))
            assert NOT_READY not in text
            assert "not found by meaning yet" not in text
            assert searcher.status().embedded == 1
            # A note that is written gets its vectors at once.
            pytest.importorskip("watchfiles")
            (meaning.root / "Fresh.md").write_text("# Fresh\n\nA zephyr blew over the glass.\n")
            while (status := searcher.status()).notes != 5 or status.embedded != 1:
                await asyncio.sleep(0.2)
            assert (status.notes, status.embedded, status.pending) == (5, 1, 0)
    finally:
        keeper.close()
        searcher.close()
    assert list((meaning.settings.cache_folder / "models").glob("*-onnx2"))


@pytest.mark.slow
@pytest.mark.usefixtures("own_exports")
def test_an_export_goes_on_when_the_server_that_began_it_is_killed(
    meaning: VaultClient, tiny_model: Path
) -> None:
    models = meaning.settings.cache_folder / "models"
    assert not models.exists()
    begun = (
        "import sys; from pathlib import Path; from app.search.embedding.loading import prepare_model;"
        "print('begun', flush=True); prepare_model(sys.argv[1], Path(sys.argv[2]), lambda: False)"
    )
    server = subprocess.Popen(
        [sys.executable, "-c", begun, str(tiny_model), str(models)], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    server.stdout.readline()
    wait_until((models / "export.lock").exists)
    assert not list(models.glob("*-onnx2"))
    server.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    server.wait()
    server.stdout.close()
    wait_until(lambda: any(models.glob("*-onnx2")))
    # What is there already is not made again.
    prepare_model(str(tiny_model), models, lambda: pytest.fail("it was begun"))
