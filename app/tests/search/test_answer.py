"""search: the same answers as data."""

import asyncio

import pytest

from app.errors import BadRequestError, VaultError
from app.search import search
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient

NOTES = {
    "projects/x/state.md": "---\ntags: [état]\nupdated: 2025-07-03\n---\n# État\n\n## Focus\n\nle paiement\n\nfin\n",
    "b.md": "rien\n",
}


@pytest.fixture
def vault(tiny_vault: MakeVault) -> VaultClient:
    return tiny_vault(NOTES, name="Mon coffre")


def test_a_hit_has_all_its_fields(vault: VaultClient) -> None:
    [hit] = search(vault, ["paiement"], "fast", explain=True)
    assert (hit.path, hit.lines, hit.title, hit.heading) == ("projects/x/state.md", "1-11", "État", "État")
    assert (hit.tags, hit.date) == (("état",), "2025-07-03")
    assert hit.uri == "obsidian://open?vault=Mon%20coffre&file=projects%2Fx%2Fstate.md"
    assert hit.chunk_with_context.split("\n")[8] == "9  | le paiement"
    assert (
        hit.relevance_reason
        == "covers 100% of what is asked; matches paiement; nearest: # État ## Focus le paiement fin (no language model is configured)"
    )
    assert 0 < hit.score <= 1


def test_without_a_limit_every_matching_chunk_comes(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({f"n{n}.md": "serre\n" for n in range(150)})
    assert len(search(vault, ["serre"], "fast")) == 150
    assert len(search(vault, ["serre"], "fast", limit=7)) == 7


def test_min_score_keeps_equal_scores(vault: VaultClient) -> None:
    [hit] = search(vault, ["paiement absent"], "fast")
    assert search(vault, ["paiement absent"], "fast", min_score=hit.score) == [hit]
    assert search(vault, ["paiement absent"], "fast", min_score=min(1.0, hit.score + 0.01)) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"queries": [], "mode": "fast"}, "'queries' is empty"),
        ({"queries": ["x"], "mode": "slow"}, "unknown mode 'slow'"),
        ({"queries": ["x"], "mode": "fast", "scopes": ["a[b"]}, "malformed glob 'a\\[b'"),
        ({"queries": ["x"], "mode": "fast", "date_from": "hm"}, "'hm'"),
        ({"queries": ["x"], "mode": "fast", "date_from": "2025-02", "date_to": "2025-01"}, "lies after"),
        ({"queries": ["x"], "mode": "fast", "index": "none"}, "unknown index 'none'. valid: notes"),
    ],
)
def test_errors_are_explicit(arguments: dict[str, object], message: str, vault: VaultClient) -> None:
    with pytest.raises(BadRequestError, match=message):
        search(vault, **arguments)  # type: ignore[arg-type]


def test_it_works_inside_a_running_event_loop(vault: VaultClient) -> None:
    async def inside() -> list[str]:
        return [hit.path for hit in search(vault, ["paiement"], "fast", date_from="2025-07-01")]

    assert asyncio.run(inside()) == ["projects/x/state.md"]


def test_a_vault_that_vanished_is_an_error_that_says_so(vault: VaultClient) -> None:
    import shutil

    shutil.rmtree(vault.root)
    with pytest.raises(VaultError, match="vault"):
        search(vault, ["x"], "fast")
