"""What the vault excludes changes while something runs: the next answer, of whatever kind, shows nothing of it."""

import json
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters

from app.chat.conversation import Conversation
from app.dependencies import ChatDependencies
from app.llm.loop import run as wait_for
from app.llm.models import resolve_model
from app.notes.answer import operate
from app.search.answer import answer
from app.search.searcher import searcher_for
from app.tests.cli.conftest import run as run
from app.tests.conftest import MakeVault
from app.tests.engines import SHARED_ENGINES, no_milvus
from app.tests.llm.conftest import server as server
from app.tests.llm.server import ModelServer, Reply
from app.tests.mcp.conftest import said
from app.tests.search.embedding.conftest import make_model as make_model
from app.tests.search.embedding.conftest import tiny_model as tiny_model
from app.tests.serving.conftest import start as start
from app.tests.web.conftest import visit
from app.vault.client import VaultClient

ROOT = Path(__file__).parents[2]
LEXICAL: dict[str, object] = {"indexes": {"notes": {"embedding_model": None}}}
NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Home.md": "# Home\n\nThe heating is electric. See [[Zephyr]].\n",
    "Work/Zephyr.md": (
        "---\ntags: [quixotag]\naliases: [Quixoname]\nquixoprop: quixoval\ncreated: 2025-07-14\n---\n"
        "# Quixotitle\n\nThe heating is electric and quixotic. [[Home]], [[Quixomissing]].\n\n- [ ] quixotask\n"
    ),
}
# Where its file's name stands in another note's text it is that note's; of its own nothing may show.
SECRET = re.compile(r"quixo\w*|work/zephyr", re.IGNORECASE)

SEARCHES: list[dict[str, Any]] = [
    {"operation": "fulltext", "query": "electric"},
    {"operation": "fulltext", "query": "electric", "folder": "Work"},
    {"operation": "by_tag", "tags": ["garden"]},
    {"operation": "by_link", "note_path": "Home", "direction": "both", "depth": 2},
    {"operation": "by_date", "start_date": "2025-07-01"},
    {"operation": "combined", "query": "heating", "start_date": "2020-01-01"},
    {"operation": "fast", "query": "heating electric", "explain": True, "links": True},
    {"operation": "fast", "query": "*"},
    {"operation": "scoped", "query": "heating", "scopes": ["Work/**"]},
    {"operation": "keyword", "query": "what is electric", "search_terms": ["electric"]},
    # Suggestions of near words, tags and names.
    {"operation": "fulltext", "query": "quicotic"},
    {"operation": "by_tag", "tags": ["quicotag"]},
    {"operation": "fast", "query": "Zephir"},
]
PAGES = [
    "/",
    "/?q=electric",
    "/?q=*",
    "/?q=quicotic",
    "/facets?q=electric",
    "/note/Home.md",
    "/around/Home.md",
]


def write(folder: Path, text: str) -> None:
    (folder / "app.json").write_text(text, encoding="utf-8")


EXCLUDING = json.dumps({"userIgnoreFilters": ["private/", "Work/Zephyr.md"]})
CHANGES: dict[str, Callable[[Path], object]] = {
    "excluded": lambda folder: None,
    "malformed": lambda folder: write(folder, EXCLUDING[:30]),
    "emptied": lambda folder: write(folder, ""),
    "no object": lambda folder: write(folder, "[]"),
    "deleted": lambda folder: (folder / "app.json").unlink(),
    "renamed": lambda folder: folder.rename(folder.with_name(".obsidian-old")),
    "a dangling link": lambda folder: _replace(folder, lambda file: file.symlink_to("nowhere.json")),
    "a link to itself": lambda folder: _replace(folder, lambda file: file.symlink_to("app.json")),
    "a folder": lambda folder: _replace(folder, Path.mkdir),
    "a pipe": lambda folder: _replace(folder, os.mkfifo),
}


def _replace(folder: Path, make: Callable[[Path], object]) -> None:
    (folder / "app.json").unlink()
    make(folder / "app.json")


@pytest.fixture
def vault(tiny_vault: MakeVault, every_engine: str) -> VaultClient:
    made = tiny_vault(NOTES, index=LEXICAL, catch_up_seconds=60)
    _made_an_hour_ago(made)
    return made


def _made_an_hour_ago(vault: VaultClient) -> None:
    for note in vault.root.rglob("*.md"):
        os.utime(note, (time.time() - 3600, time.time() - 3600))


def exclude(vault: VaultClient) -> None:
    write(vault.root / ".obsidian", EXCLUDING)


@pytest.mark.parametrize(
    ("change", "watched"), [*((name, False) for name in CHANGES), ("deleted", True), ("renamed", True)]
)
def test_no_answer_shows_it_any_more(vault: VaultClient, change: str, watched: bool) -> None:
    shows_nothing(vault, change, watched=watched)


@no_milvus
@pytest.mark.parametrize("every_engine", ["lite"], indirect=True)
def test_no_answer_from_milvus_shows_it_any_more(vault: VaultClient) -> None:
    shows_nothing(vault, "deleted", watched=False)


def shows_nothing(vault: VaultClient, change: str, *, watched: bool) -> None:
    page = visit(vault)
    if watched:
        searcher_for(vault).watch()

    def answers() -> dict[str, str]:
        notes = {
            name: operate(vault, {"operation": name, "path": "Work/Zephyr"})
            for name in ("read", "info", "summarize")
        }
        return {
            **{str(each): answer(vault, each, "t") for each in SEARCHES},
            **{name: text.replace("Work/Zephyr", "<the name asked for>") for name, text in notes.items()},
            **{address: page.get(address).text for address in PAGES},
            "info of another": operate(vault, {"operation": "info", "path": "Home"}),
        }

    before = answers()
    showing = {name for name, text in before.items() if SECRET.search(text)}
    assert len(showing) >= 19, "it is shown nearly everywhere"
    try:
        exclude(vault)
        assert {name: SECRET.findall(text) for name, text in answers().items() if SECRET.search(text)} == {}
        CHANGES[change](vault.root / ".obsidian")
        assert {name: SECRET.findall(text) for name, text in answers().items() if SECRET.search(text)} == {}
        assert page.get("/note/Work/Zephyr.md").status_code == 404
    finally:
        searcher_for(vault).close()


def test_settings_that_cannot_be_read_hide_all_and_cost_no_vectors(
    tiny_vault: MakeVault, tiny_model: Path
) -> None:
    vault = tiny_vault(NOTES, index={"indexes": {"notes": {"embedding_model": str(tiny_model)}}})
    _made_an_hour_ago(vault)
    searcher, file = searcher_for(vault), vault.root / ".obsidian/app.json"
    searcher.update()
    made = searcher.embed().embedded
    settings = file.read_text()
    file.write_text(settings[:20])
    cut = searcher_for(VaultClient(vault.root, vault.settings.model_copy(update={"catch_up_seconds": 60})))
    assert (cut.update().deleted, cut.embed().embedded) == (0, 0)
    for operation in ("fulltext", "deep"):
        assert "Home" not in answer(cut.vault, {"operation": operation, "query": "electric"})
    file.write_text(settings)
    assert (searcher.update().written, searcher.embed().embedded, made) == (0, 0, 2)
    assert "Home.md" in answer(vault, {"operation": "deep", "query": "electric"})


@pytest.mark.parametrize("every_engine", SHARED_ENGINES, indirect=True)
@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.asyncio
async def test_a_client_of_a_running_server_is_shown_none_of_it(
    vault: VaultClient, tmp_path: Path, mode: str
) -> None:
    config = tmp_path / "config.json"
    index = vault.settings.index.model_dump(mode="json", exclude_unset=True)
    config.write_text(json.dumps({"index": index, "catch_up_seconds": 60}))
    command = ["-m", "app.cli.main", "mcp", "--vault", str(vault.root), "--config", str(config)]
    process = StdioServerParameters(
        command=sys.executable, args=[*command, "--tools", TOOLS], env=dict(os.environ)
    )
    calls: list[tuple[str, dict[str, Any]]] = [
        *(("search", each) for each in SEARCHES),
        ("search", {"queries": ["heating electric"]}),
        ("search", {"operation": "keyword", "query": "what is electric", "search_terms": ["electric"]}),
        ("wksm_search", {"query": "heating electric"}),
        ("ask", {"question": "What about the electric heating?"}),
        ("read", {"operation": "tree"}),
    ]
    async with Client(process, mode=mode) as client:

        async def shown() -> str:
            texts = [said(await client.call_tool(name, arguments)) for name, arguments in calls]
            listed = (await client.list_resources()).resources
            return "\n".join([*texts, *(str(each.uri) for each in listed)])

        assert SECRET.search(await shown())
        assert SECRET.search(str(await client.read_resource("note:///Work/Zephyr.md")))
        exclude(vault)
        assert SECRET.findall(await shown()) == []
        for name in ("deleted", "renamed"):
            with pytest.raises(MCPError):
                await client.read_resource("note:///Work/Zephyr.md")
            (vault.root / ".obsidian").mkdir(exist_ok=True)
            write(vault.root / ".obsidian", EXCLUDING)
            CHANGES[name](vault.root / ".obsidian")
            assert SECRET.findall(await shown()) == [], name


TOOLS = "search,wksm_search,ask,read"


class TestConversations:
    """What a chat was told before stays with those who were told it."""

    SEARCH = Reply(call={"operation": "fast", "query": "heating electric"})

    @pytest.fixture
    def conversation(self, vault: VaultClient, server: ModelServer) -> Conversation:
        return Conversation(ChatDependencies(vault), resolve_model("ollama:m", vault.settings))

    def ask(self, conversation: Conversation, question: str) -> str:
        return wait_for(conversation.ask(question, lambda _: None, lambda _: None))

    def test_its_text_is_not_sent_again(
        self, conversation: Conversation, vault: VaultClient, server: ModelServer
    ) -> None:
        server.replies = [
            self.SEARCH,
            Reply("It is quixotic."),
            self.SEARCH,
            Reply("It is electric."),
            Reply("Yes."),
        ]
        self.ask(conversation, "How is it heated?")
        assert SECRET.search(json.dumps(server.seen[-1].body["messages"]))
        exclude(vault)
        told = self.ask(conversation, "And now?")
        assert told == (
            "Note: what the vault excludes has changed, and this conversation starts anew.\n\nIt is electric."
        )
        again = json.dumps([seen.body["messages"] for seen in server.seen[2:]])
        assert SECRET.findall(again) == []
        assert "The heating is electric" in again
        # It is not saved into a note that is shown, either.
        assert SECRET.findall(vault.read(conversation.save("Chat")).text) == []
        assert self.ask(conversation, "Sure?") == "Yes.", "it is said once"
        assert "And now?" in json.dumps(server.seen[-1].body["messages"]), "what was said since is remembered"
