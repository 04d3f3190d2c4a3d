"""An excluded note is answered, letter for letter, like one that does not exist: by tools, over MCP, on the page."""

import re
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from app.notes.answer import operate
from app.search.answer import answer
from app.tests.conftest import MakeVault
from app.tests.mcp.conftest import LEXICAL, Person, age, connected, said
from app.tests.web.conftest import visit
from app.vault.client import VaultClient

FILES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["hushed/", "Solo.md", "/^mixed\\\\/./"], "trashOption": "local"}',
    "Home.md": "# Home\n\nSee [[Xylograph]] and [[Zylograph]]; [[hushed/Xylograph]] and [[zushed/Zylograph]].\n",
    "Work/Green.md": "# Green\n\nHeating. [[Home]]\n",
    "Work/Zylographer.md": "# Zylographer\n",
    "hushed/Xylograph.md": "# Xylograph\n\nA quixotry. [[Home]] [[Elsewhere]]\n",
    "hushed/deep/Xa[b.md": "quixotry",
    "mixed/Under.md": "quixotry",
    "Solo.md": "quixotry [[Home]]",
}
EXCLUDED = [path for path in FILES if path.startswith(("hushed/", "mixed/", "Solo"))]
NAMES = [
    "hushed/Xylograph.md",
    "hushed/Xylograph",
    "Xylograph",
    "[[Xylograph]]",
    "/hushed/Xylograph.md",
    "HUSHED/xylograph",
    "Xylograpf",
    "hushed",
    "hushed/deep/Xa[b",
    "mixed/Under",
    "mixed",
    "Solo",
]
"""Names of what is excluded, in the forms in which it can be asked for."""

NOTES: list[dict[str, Any]] = [
    {"operation": "read"},
    {"operation": "read", "heading": "Xylograph"},
    {"operation": "read", "expected_hash": "0"},
    {"operation": "info"},
    {"operation": "summarize"},
    {"operation": "update", "content": "x"},
    {"operation": "append", "content": "x"},
    {"operation": "delete"},
    {"operation": "delete", "permanent": True},
    {"operation": "move", "new_path": "New"},
    {"operation": "undo"},
]
SEARCHES: list[dict[str, Any]] = [
    *({"operation": "by_link", "direction": way, "depth": 2} for way in ("backlinks", "forward", "both")),
    {"operation": "combined", "query": "heating"},
    {"operation": "fast", "query": "heating glass", "explain": True},
]


Two = tuple[VaultClient, VaultClient]


@pytest.fixture
def two(tiny_vault: MakeVault) -> Two:
    """A vault with excluded notes, and one with the same settings in which they do not exist."""
    made = [tiny_vault(FILES, name="vault1", index=LEXICAL)]
    others = {path: text for path, text in FILES.items() if path not in EXCLUDED}
    made.append(tiny_vault(others, name="vault2", index=LEXICAL))
    for each in made:
        age(each)
    return made[0], made[1]


@pytest.fixture
def vault(two: Two) -> VaultClient:
    return two[0]


def same(hidden: str, missing: str) -> None:
    """Hold the answers of the two vaults against each other, but for the vaults' own names."""
    # A page's token against foreign forms is made up for each visit.
    plain = [re.sub(r'csrf[^>]*"|vault[12]', "?", text) for text in (hidden, missing)]
    assert plain[0] == plain[1]
    assert "quixotry" not in hidden


@pytest.mark.parametrize("name", NAMES)
def test_the_tools_answer_alike(two: Two, name: str) -> None:
    calls: list[tuple[Any, dict[str, Any]]] = [
        *((operate, {**call, "path": name}) for call in NOTES),
        *((answer, {**call, "note_path": name}) for call in SEARCHES),
        *((answer, {"operation": each, "query": "heating", "folder": name}) for each in ("fast", "fulltext")),
        *(
            (answer, {"operation": "scoped", "query": "heating", "scopes": [name + end]})
            for end in ("", "/*", "#x")
        ),
        *(
            (answer, {"operation": "fulltext", "query": f'{each}:"{name}"'})
            for each in ("links-to", "linked-from")
        ),
    ]
    for ask, call in calls:
        same(*(ask(vault, call) for vault in two))
    assert all((two[0].root / path).is_file() for path in FILES), "nothing was written or removed"


@pytest.mark.parametrize("operation", ["create", "move"])
def test_nothing_is_made_where_an_excluded_note_stands_or_could_stand(
    vault: VaultClient, operation: str
) -> None:
    for there, not_there in (("hushed/Xylograph", "hushed/Zylograph"), ("mixed/Under", "mixed/Over")):
        found = []
        for path in (there, not_there):
            places = {"path": path} if operation == "create" else {"path": "Home", "new_path": path}
            for overwrite in (False, True) if operation == "create" else (False,):
                found.append(
                    operate(vault, {"operation": operation, **places, "overwrite": overwrite}).replace(
                        path, "?"
                    )
                )
        assert set(found) == {"Error: no note can be made at '?'. choose another path"}
    assert vault.read("hushed/Xylograph.md").text == FILES["hushed/Xylograph.md"]


def test_a_model_cannot_take_back_or_learn_of_a_write_to_an_excluded_note(vault: VaultClient) -> None:
    settings = vault.root / ".obsidian/app.json"
    rules = settings.read_text()
    settings.write_text("{}")
    operate(vault, {"operation": "append", "path": "Xylograph", "content": "More."})
    operate(vault, {"operation": "move", "path": "Home", "new_path": "House"})
    settings.write_text(rules)
    for path in ("hushed/Xylograph", "Xylograph"):
        undone = operate(vault, {"operation": "undo", "path": path})
        assert undone == f"Error: no write to '{path}' that could be taken back"
    assert operate(vault, {"operation": "undo"}).startswith("Done: take back move 'Home.md'")
    assert operate(vault, {"operation": "undo"}) == "Error: no write that could be taken back"


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ["hushed/Xylograph.md", "Xylograph", "hushed"])
async def test_the_server_answers_alike(two: Two, mode: str, name: str) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        *(
            (
                "read" if call["operation"] in ("read", "info", "summarize") else "write",
                {**call, "path": name},
            )
            for call in NOTES
        ),
        *(("search", {**call, "note_path": name}) for call in SEARCHES),
        ("search", {"operation": "fast", "query": "heating", "folder": name}),
        ("search", {"operation": "keyword", "query": "heating", "search_terms": ["heat"], "folder": name}),
        ("read", {"path": name}),
        ("read", {"operation": "tree", "path": name}),
        ("ask", {"question": f"What does [[{name}]] say?"}),
    ]
    found: list[list[str]] = []
    for vault in two:
        async with connected(
            vault, mode, tools=["all"], client={"elicitation_callback": Person(approve=False)}
        ) as opened:
            found.append([said(await opened.call_tool(tool, call)) for tool, call in calls])
            with pytest.raises(MCPError) as refused:
                await opened.read_resource(f"note:///{name}")
            found[-1].append(str(refused.value))
    for hidden, missing in zip(*found, strict=True):
        same(hidden, missing)


@pytest.mark.parametrize("name", ["hushed/Xylograph.md", "Xylograph", "hushed"])
def test_the_page_answers_alike(two: Two, name: str) -> None:
    clients = [visit(vault) for vault in two]
    for form in ("/note/{}", "/around/{}", "/file/{}", "/?q=heating&folder={}", "/?q=links-to:{}"):
        hidden, missing = (client.get(form.format(name)) for client in clients)
        assert hidden.status_code == missing.status_code
        same(hidden.text, missing.text)
