"""Twenty vaults in one Milvus, served to three tokens: each sees what it may, whatever it asks."""

import random
from pathlib import Path
from typing import Any

import pytest

from app.search.searcher import searcher_for
from app.tests.engines import no_milvus
from app.tests.mcp.conftest import MODES, said
from app.tests.mcp.test_oauth import Issuer, connected, issuer, serving  # noqa: F401 - a fixture
from app.tests.search.milvus.conftest import settings_for, write
from app.tests.search.milvus.test_vaults import COUNT, SHARED, secret
from app.vault.client import VaultClient

pytestmark = [no_milvus, pytest.mark.slow, pytest.mark.asyncio]

TOKENS = {"ada": ["v0", "v3", "v7"], "bob": ["v1", "v3"], "eve": ["v5"]}
SEARCHES = 500


@pytest.fixture
def served(tmp_path: Path, milvus_file: str) -> dict[str, VaultClient]:
    """Vaults that one process brought to Milvus and another serves, which has none of their notes."""
    made = {}
    for number in range(COUNT):
        root, empty = tmp_path / f"v{number}", tmp_path / "readers" / f"v{number}"
        for name in SHARED:
            line = f"{' '.join(SHARED)} {secret(number)}"
            write(root, {f"{name}.md": f"# {name}\n\n{line} #tag/{name}\n\n[[{SHARED[0]}]]\n"})
        empty.mkdir(parents=True)
        index = {"remote_name": f"v{number}"}
        searcher_for(
            VaultClient(root, settings_for(tmp_path / "feeding", milvus_file, "mcp", **index))
        ).update()
        settings = settings_for(tmp_path / "reading", milvus_file, "mcp", feeds=False, **index)
        made[f"v{number}"] = VaultClient(empty, settings)
    return made


def asked(chance: random.Random) -> dict[str, Any]:
    some: list[dict[str, Any]] = [
        {"query": " ".join(chance.sample(SHARED, 2))},
        {"query": secret(chance.randrange(COUNT))},
        {"operation": "fulltext", "query": chance.choice(SHARED)},
        {"operation": "by_tag", "tags": [f"tag/{chance.choice(SHARED)}"]},
        {"operation": "by_date", "start_date": "2000-01-01"},
        {"operation": "fast", "query": f'{SHARED[0]}" or vault != "'},
    ]
    return chance.choice(some)


async def test_a_token_is_never_shown_a_passage_of_a_vault_it_may_not_see(
    issuer: Issuer,  # noqa: F811
    served: dict[str, VaultClient],
) -> None:
    chance = random.Random(3)
    everything = {name: secret(int(name[1:])) for name in served}
    async with serving(issuer, served, vaults_claim="notes", audience="notes") as transport:
        for name, allowed in TOKENS.items():
            shown = set()
            async with connected(transport, issuer.token(notes=allowed, aud="notes"), MODES[0]) as client:
                for _ in range(SEARCHES // len(TOKENS) + 1):
                    question = asked(chance)
                    told = said(await client.call_tool("search", question))
                    for vault, word in everything.items():
                        if word not in str(question) and word in told:
                            shown.add(vault)
            assert shown == set(allowed), name
