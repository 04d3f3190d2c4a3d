"""Twenty vaults in one Milvus, served to three tokens: each sees what it may, whatever it asks."""

import json
import random
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.mcp.http import http_app
from app.mcp.permission import TokenFile
from app.mcp.start import serve_vaults
from app.search.searcher import searcher_for
from app.serving.address import Address
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


async def is_shown(
    transport: Any, token: str, served: dict[str, VaultClient], chance: random.Random
) -> set[str]:
    """Ask with a token, and give the vaults of which a passage was shown."""
    everything = {name: secret(int(name[1:])) for name in served}
    shown = set()
    async with connected(transport, token, MODES[0]) as client:
        for _ in range(SEARCHES // len(TOKENS) + 1):
            question = asked(chance)
            told = said(await client.call_tool("search", question))
            for vault, word in everything.items():
                if word not in str(question) and word in told:
                    shown.add(vault)
    return shown


async def test_a_token_is_never_shown_a_passage_of_a_vault_it_may_not_see(
    issuer: Issuer,  # noqa: F811
    served: dict[str, VaultClient],
) -> None:
    chance = random.Random(3)
    async with serving(issuer, served, vaults_claim="notes", audience="notes") as transport:
        for name, allowed in TOKENS.items():
            token = issuer.token(notes=allowed, aud="notes")
            assert await is_shown(transport, token, served, chance) == set(allowed), name


async def test_a_token_of_a_file_is_never_shown_a_passage_of_a_vault_it_may_not_see(
    tmp_path: Path, served: dict[str, VaultClient]
) -> None:
    secrets = {name: f"the long token of {name}" for name in TOKENS}
    file = tmp_path / "tokens.json"
    entries = [
        {"name": name, "sha256": sha256(token.encode()).hexdigest(), "vaults": TOKENS[name]}
        for name, token in secrets.items()
    ]
    file.write_text(json.dumps(entries))
    file.chmod(0o600)
    chance = random.Random(5)
    server, _ = serve_vaults(served, by_token=True)
    app = http_app(server, Address(port=8765), None, TokenFile(file, served))
    async with app.router.lifespan_context(app):
        for name, token in secrets.items():
            shown = await is_shown(httpx2.ASGITransport(app), token, served, chance)
            assert shown == set(TOKENS[name]), name
