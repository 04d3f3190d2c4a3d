"""Ten clients at once, reading and writing: no error, no lost write, and an index that is right."""

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client

from app.search.answer import search
from app.search.searcher import Searcher, searcher_for
from app.tests.mcp.conftest import EVERY_TOOL, LEXICAL, MODES, age, make_server, said
from app.vault.client import VaultClient

CLIENTS, CALLS = 10, 200
WORDS = ("amber", "basalt", "cedar", "delta", "ember", "fjord", "granite", "heath", "iris", "jade")


def note(number: int) -> str:
    rng = random.Random(number)
    text = " ".join(rng.choice(WORDS) for _ in range(60))
    return f"---\ntags: [{WORDS[number % 10]}]\n---\n# Note {number}\n\n{text}\n\nSee [[N{(number + 1) % 60}]].\n"


def next_call(rng: random.Random, client: int, number: int) -> tuple[str, dict[str, Any]]:
    """One call of the mix: a quarter of them write, each client to notes of its own."""
    word = rng.choice(WORDS)
    if number % 10 == 0:
        return "write", {
            "operation": "create", "path": f"Client {client}/Made {number}", "content": f"{word} {number}\n",
        }  # fmt: skip
    if number % 6 == 1:
        return "write", {
            "operation": "append", "path": f"Client {client}/Log", "content": f"- entry {number} {word}",
        }  # fmt: skip
    if rng.random() < 0.6:
        path = f"N{rng.randrange(60)}"
        looks: list[tuple[str, dict[str, Any]]] = [
            ("read", {"path": path}),
            ("read", {"operation": "tree"}),
            ("read", {"operation": "read", "path": path}),
        ]
        return rng.choice(looks)
    searches: list[tuple[str, dict[str, Any]]] = [
        ("search", {"operation": "fast", "query": word}),
        ("search", {"operation": "fulltext", "query": f"{word} {rng.choice(WORDS)}"}),
        ("search", {"operation": "by_tag", "tags": [word]}),
        ("search", {"operation": "by_link", "note_path": f"N{rng.randrange(60)}"}),
        ("search", {"queries": [word], "limit": 3}),
        ("wksm_search", {"query": word}),
    ]
    return rng.choice(searches)


async def work(server: Any, client: int) -> list[str]:
    """Make all calls of one client; give the errors."""
    rng = random.Random(client)
    errors = []
    async with Client(server, mode=MODES[client % 2]) as opened:
        for number in range(CALLS):
            name, arguments = next_call(rng, client, number)
            result = await opened.call_tool(name, arguments)
            if result.is_error:
                errors.append(f"{name} {json.dumps(arguments)}: {said(result)}")
    return errors


def state(vault: VaultClient, searcher: Searcher) -> dict[str, Any]:
    """Everything that an index gives, put so that two can be compared."""
    view = searcher.view()
    return {
        "notes": {path: view.snapshot.note(doc).hash for path, doc in view.lexical.paths().items()},
        "links": {
            path: [edge.target for edge in view.snapshot.graph.outgoing(path)]
            for path in view.lexical.paths()
        },
        "backlinks": {
            path: sorted(edge.source for edge in view.snapshot.graph.incoming(path))
            for path in view.lexical.paths()
        },
        "hits": {
            word: sorted((hit.path, hit.lines, round(hit.score, 6)) for hit in search(vault, word, "fast"))
            for word in (*WORDS, "entry", "199")
        },
    }


@pytest.mark.slow
@pytest.mark.asyncio
async def test_ten_clients_at_once_lose_nothing(tiny_vault: Callable[..., VaultClient]) -> None:
    logs = {f"Client {client}/Log.md": f"# Log of {client}\n" for client in range(CLIENTS)}
    vault = tiny_vault(
        {**{f"N{number}.md": note(number) for number in range(60)}, **logs}, index=LEXICAL, writes="allow"
    )
    age(vault)
    server, keeper = make_server(vault, tools=EVERY_TOOL)
    keeper.start()

    failures = await asyncio.gather(*(work(server, client) for client in range(CLIENTS)))

    assert failures == [[]] * CLIENTS
    for client in range(CLIENTS):
        made = sorted(path.name for path in (vault.root / f"Client {client}").glob("Made *.md"))
        assert made == sorted(f"Made {number}.md" for number in range(0, CALLS, 10))
        log = vault.read(f"Client {client}/Log.md").text
        written = [int(line.split()[2]) for line in log.splitlines() if line.startswith("- entry")]
        assert written == list(range(1, CALLS, 6))
    searcher = searcher_for(vault)
    searcher.update()
    after = state(vault, searcher)
    searcher.update(rebuild=True)
    assert after == state(vault, searcher)
    assert len(after["hits"]["entry"]) >= CLIENTS
    searcher.close()
