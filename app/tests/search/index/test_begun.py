"""A vault that is not indexed yet answers at once, from the notes that hold the words."""

import asyncio
import threading
import time

import pytest
from filelock import FileLock
from mcp import Client

from app.search import upkeep
from app.search.keyword import likely
from app.search.searcher import Searcher, searcher_for
from app.tests.cli.conftest import Run
from app.tests.cli.conftest import run as run
from app.tests.conftest import MakeVault
from app.tests.mcp.conftest import make_server, said
from app.tests.search.conftest import Find, paths
from app.vault.client import VaultClient

NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "private/larch.md": "The larches are in the shed.\n",
    **{f"a/{number:03}.md": "Nothing is said of it here.\n" for number in range(60)},
    "z/Late.md": "# Wood\n\nThe LARCHES came late.\n",
    "z/kiln.md": "It broke down.\n",
    "z/Chaudière.md": "Réparée en mars.\n",
}
BEGUN = "not all notes are indexed yet; "


@pytest.fixture
def vault(tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch) -> VaultClient:
    """A vault of many notes, of which an update reads 20 a second."""
    monkeypatch.setattr(upkeep, "MANY_LEFT", 5)
    read = VaultClient.read

    def slow(self: VaultClient, path: str) -> object:
        time.sleep(0.05)
        return read(self, path)

    monkeypatch.setattr(VaultClient, "read", slow)
    return tiny_vault(NOTES, catch_up_seconds=0.05)


def begin(searcher: Searcher) -> threading.Thread:
    """Update an index from a thread, and return once that has begun."""
    begun = threading.Event()
    updating = threading.Thread(target=searcher.update, kwargs={"progress": lambda *_: begun.set()})
    updating.start()
    assert begun.wait(60)
    return updating


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"query": "why is the larch late?"}, ["z/Late.md"]),
        ({"query": "kiln"}, ["z/kiln.md"]),
        ({"query": "chaudière"}, ["z/Chaudière.md"]),
        ({"operation": "fulltext", "query": "larches -late"}, []),
    ],
)
def test_what_is_not_indexed_yet_is_found_by_the_words(
    vault: VaultClient, find: Find, parameters: dict[str, str], expected: list[str]
) -> None:
    updating = begin(searcher_for(vault))
    results = find(vault, **{"operation": "fast", **parameters})
    assert updating.is_alive()
    assert paths(results) == expected
    assert not [each for each in results.notices if "0 notes" in each]
    assert [each for each in results.notices if each.startswith(BEGUN)]
    updating.join()
    assert not [each for each in find(vault, "fast", query="kiln").notices if each.startswith(BEGUN)]


def test_without_ripgrep_names_tell_what_is_likely(
    vault: VaultClient, find: Find, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(likely, "find_ripgrep", lambda: "/nowhere/rg")
    updating = begin(searcher_for(vault))
    assert paths(find(vault, "fast", query="kiln")) == ["z/kiln.md"]
    updating.join()


@pytest.mark.asyncio
async def test_the_first_question_over_mcp_is_answered(vault: VaultClient) -> None:
    server, keeper = make_server(vault)
    keeper.start()
    try:
        async with Client(server) as client:
            for tool, arguments in (
                ("search", {"query": "larch"}),
                ("pack", {"question": "larch late?"}),
                ("search", {"operation": "by_date", "date_from": "2000"}),
            ):
                answer = said(await client.call_tool(tool, arguments))
                assert "0 notes" not in answer
                assert "private" not in answer
                assert "z/Late.md" in answer or "by_date" in arguments.values()
    finally:
        await asyncio.to_thread(keeper.close)
        searcher_for(vault).close()


@pytest.mark.parametrize(
    "words",
    [
        ("find", "fast", "larches"),
        ("find", "--max-tokens", "200", "larches"),
        ("ask", "Why did the larches come late?"),
    ],
)
def test_a_command_answers_first_and_indexes_the_rest_then(
    vault: VaultClient, run: Run, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_ASSISTANT_CATCH_UP_SECONDS", "0.05")
    result = run(*words, "--vault", str(vault.root))
    assert result.code == 0
    assert "z/Late.md" in result.out
    assert BEGUN in result.out + result.err
    assert run("status", "--json", "--vault", str(vault.root)).json["pending"] == 0


def test_what_stops_the_index_after_the_answer_is_said(
    vault: VaultClient, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_ASSISTANT_CATCH_UP_SECONDS", "0.05")
    monkeypatch.setattr(upkeep, "LOCK_SECONDS", 0.05)
    with FileLock(searcher_for(vault).folder / "update.lock"):
        result = run("find", "fast", "larches", "--vault", str(vault.root))
    assert "the index is not finished: another process is updating the index" in result.err.lower()
