"""`deep` by a resident, with the model that comes along: the same bytes, and no model in whoever asks."""

from collections.abc import Callable

import pytest

from app.bootstrap import open_vault
from app.serving.resident import Resident
from app.tests.cli.conftest import Outcome
from app.vault.client import VaultClient

pytest.importorskip("faiss")

ASKED = [
    ("find", "deep", "what did the neighbours complain about"),
    ("find", "deep", "heating", "--json", "--explain", "--limit", "4"),
    ("find", "scoped", "budget", "--mode", "deep", "--scopes", "projects", "--json"),
    ("ask", "What was decided about the budget?"),
]


@pytest.mark.parametrize("arguments", ASKED, ids=" ".join)
def test_deep_is_equal_to_the_last_byte(
    run: Callable[..., Outcome],
    embedded_example: VaultClient,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    arguments: tuple[str, ...],
) -> None:
    monkeypatch.delenv("VAULT_ASSISTANT_INDEX__INDEXES")
    monkeypatch.setenv("VAULT_ASSISTANT_CACHE_DIR", str(embedded_example.settings.cache_folder))
    caplog.set_level("INFO")
    with Resident(open_vault(str(embedded_example.root))):
        helped = run(*arguments, "--vault", str(embedded_example.root))
        alone = run(*arguments, "--vault", str(embedded_example.root), alone=True)
    assert helped == alone
    assert alone.code == 0
    assert [record.message for record in caplog.records].count("resident_answered") == 1
