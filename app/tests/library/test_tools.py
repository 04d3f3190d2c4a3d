"""The tools for any agent library: schemas, several vaults, texts with data behind them, and no exceptions."""

import json
import shutil
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from app.chat.ask.concat import Document
from app.dependencies import ProposedWrite
from app.errors import BadRequestError
from app.library.definitions import TOOLS
from app.library.tools import CallInfo, Failed, VaultTools
from app.library.vault import Vault
from app.notes.models import Reading, Touched
from app.notes.proposal import Proposal
from app.search.models import ShownResults
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import contents
from app.vault.client import VaultClient
from app.vault.named import check_apart

WORK: dict[str, str | bytes] = {"A.md": "# Larch\n\nThe larch came late.\n", "B.md": "# Oak\n\n[[A]]\n"}
HOME: dict[str, str | bytes] = {"A.md": "# Larch\n\nA larch table, larch chairs.\n", "x/C.md": "tea\n"}


@pytest.fixture
def work(tiny_vault: MakeVault) -> VaultClient:
    return tiny_vault(WORK, name="work")


@pytest.fixture
def both(tiny_vault: MakeVault, work: VaultClient) -> list[VaultClient]:
    return [work, tiny_vault(HOME, name="home")]


def test_tools_are_chosen_by_name_and_have_a_prefix(work: VaultClient) -> None:
    assert [each["name"] for each in VaultTools(work).tool_schemas()] == ["search", "read", "ask"]
    named = VaultTools(work, ["write", "search"], prefix="notes_").tool_schemas()
    assert [each["name"] for each in named] == ["notes_search", "notes_write"]
    unknown: Any = ["paint"]
    with pytest.raises(BadRequestError, match="unknown tool 'paint'"):
        VaultTools(work, unknown)
    with pytest.raises(BadRequestError, match="the vaults are none"):
        VaultTools([])
    with pytest.raises(BadRequestError, match="the vaults are work, work"):
        VaultTools([work, work])


def test_schemas_are_json_schema_and_say_what_each_parameter_is_for(both: list[VaultClient]) -> None:
    for vaults in (both, both[:1]):
        for tool in VaultTools(vaults, TOOLS).tool_schemas():
            jsonschema.Draft202012Validator.check_schema(tool["parameters"])
            assert len(tool["description"]) < 1000
            assert ("vault" in tool["parameters"]["properties"]) == (len(vaults) > 1)
            assert tool["parameters"]["additionalProperties"] is False
    [search] = VaultTools(both, ["search"]).tool_schemas()
    assert search["parameters"]["properties"]["vault"]["enum"] == ["work", "home"]
    assert "required" not in search["parameters"]


@pytest.mark.asyncio
async def test_a_vault_is_named_by_its_folder_too(work: VaultClient, both: list[VaultClient]) -> None:
    for vault in (str(work.root), work.root, [str(work.root)]):
        assert "1. A.md:1-3" in await VaultTools(vault).call("search", {"query": "larch late"})
    assert list(VaultTools([one.root for one in both]).vaults) == ["work", "home"]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "arguments",
    [
        {"path": "x/Ruche.md#Décisions"},
        {"path": "x/ruche.md#decisions"},
        {"path": "Ruche", "heading": "decisions"},
        {"path": "Ruche", "heading": "RUCHE#decisions"},
    ],
)
async def test_a_section_is_read_by_a_heading_in_the_path_and_without_accents(
    tiny_vault: MakeVault, arguments: dict[str, str]
) -> None:
    vault = tiny_vault(
        {"x/Ruche.md": "# Ruche\n\n## Décisions\nhoney\n\n## Après\n", "y.md": "# Tâche\n# Tache\n# Tâché\n"}
    )
    read = await VaultTools(vault).call("read", arguments)
    assert isinstance(read.value, Reading), read
    assert [line for _, line in read.value.lines] == ["## Décisions", "honey"]
    for heading, line in (("tache", 2), ("Tâché", 3)):
        exact = await VaultTools(vault).call("read", {"path": "y", "heading": heading})
        assert isinstance(exact.value, Reading)
        assert [number for number, _ in exact.value.lines] == [line]
    several = await VaultTools(vault).call("read", {"path": "y", "heading": "TÀCHE"})
    assert "stands 3 times" in several


@pytest.mark.asyncio
async def test_a_text_for_the_model_and_data_for_the_program(work: VaultClient) -> None:
    tools = VaultTools(work, TOOLS, writes="allow", model="offline")
    found = await tools.call("search", {"query": "larch late"})
    assert isinstance(found.value, ShownResults)
    assert [(hit.path, hit.lines) for hit in found.value.results] == [("A.md", "1-3")]
    assert "1. A.md:1-3" in found
    read = await tools.call("read", {"path": "A"})
    assert isinstance(read.value, Reading)
    assert f"hash {work.read('A.md').hash}" in read
    assert "3 | The larch came late." in read
    part = await tools.call("read", {"path": "A", "heading": "Larch"})
    assert "1 | # Larch" in part
    info = await tools.call("read", {"path": "A", "operation": "info"})
    assert info.value == Touched(("A.md",))
    written = await tools.call("write", {"operation": "append", "path": "A", "content": "more"})
    assert written.value == Touched(("A.md",))
    assert written.startswith("Done: append to 'A.md'.")
    asked = await tools.call("ask", {"question": "How late was the larch?"})
    assert isinstance(asked.value, Document)
    assert "The larch came late." in asked


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("name", "arguments", "kind", "text"),
    [
        (
            "paint",
            {},
            "BadRequestError",
            "Error: unknown tool 'paint'. valid: pack, search, read, write, ask, wksm_search",
        ),
        ("search", "[]", "BadRequestError", "Error: the arguments are a list. give an object"),
        ("search", {"operation": "paint"}, "BadRequestError", "Error: "),
        ("read", {"path": "Nowhere"}, "NoteNotFoundError", "Error: "),
        (
            "read",
            {"operation": "delete", "path": "A"},
            "BadRequestError",
            "Error: unknown operation 'delete'",
        ),
        ("write", {"changes": "x"}, "BadRequestError", "Error: 'changes' is no list of changes"),
        ("write", {"changes": [{}], "path": "A"}, "BadRequestError", "Error: 'path' stands beside 'changes'"),
        (
            "write",
            {"operation": "undo", "dry_run": "maybe"},
            "BadRequestError",
            "Error: 'dry_run' must be true or false (got 'maybe')",
        ),
    ],
)
async def test_what_goes_wrong_is_one_line(
    work: VaultClient, name: str, arguments: Any, kind: str, text: str
) -> None:
    told = await VaultTools(work, TOOLS, writes="allow", model="offline").call(name, arguments)
    assert told.startswith(text)
    assert "\n" not in told
    assert isinstance(told.value, Failed)
    assert told.value.kind == kind
    assert contents(work) == {name: text for name, text in WORK.items() if isinstance(text, str)}


@pytest.mark.asyncio
async def test_the_unexpected_is_one_line_too_and_logged(
    work: VaultClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(VaultClient, "scan", lambda self: 1 / 0)
    told = await VaultTools(work).call("read", {"path": "A"}, CallInfo("turn"))
    assert told == "Error: performing read: division by zero"
    assert told.value == Failed("ZeroDivisionError", "division by zero")
    [record] = [each for each in caplog.records if each.message == "tool_failed"]
    assert record.exc_info is not None


@pytest.mark.asyncio
async def test_hits_of_several_vaults_are_one_list_by_score(both: list[VaultClient]) -> None:
    tools = VaultTools(both, TOOLS)
    found = await tools.call("search", {"query": "larch"})
    assert isinstance(found.value, ShownResults)
    paths = [hit.path for hit in found.value.results]
    assert sorted(paths) == ["home:A.md", "work:A.md"]
    scores = [hit.score for hit in found.value.results]
    assert scores == sorted(scores, reverse=True)
    assert all(path in found for path in paths)
    first = await tools.call("search", {"query": "larch", "limit": 1})
    second = await tools.call("search", {"query": "larch", "limit": 1, "offset": 1})
    assert isinstance(first.value, ShownResults)
    assert isinstance(second.value, ShownResults)
    assert [hit.path for hit in (*first.value.results, *second.value.results)] == paths
    one = await tools.call("search", {"query": "larch", "vault": "home"})
    assert isinstance(one.value, ShownResults)
    assert [hit.path for hit in one.value.results] == ["home:A.md"]
    wrong = await tools.call("search", {"query": "larch", "vault": "attic"})
    assert wrong == "Error: no vault 'attic'. valid: work, home"


@pytest.mark.asyncio
async def test_what_a_hit_names_is_read_and_written(both: list[VaultClient]) -> None:
    tools = VaultTools(both, TOOLS, writes="allow", model="offline")
    assert "A larch table" in await tools.call("read", {"path": "home:A.md"})
    assert "came late" in await tools.call("read", {"path": "A", "vault": "work"})
    assert (
        await tools.call("read", {"path": "A"}) == "Error: there are several vaults. give vault: work, home"
    )
    clash = await tools.call("read", {"path": "home:A", "vault": "work"})
    assert clash == "Error: the call names several vaults: home, work. name one vault"
    await tools.call("write", {"operation": "append", "path": "home:x/C", "content": "more"})
    assert contents(both[1])["x/C.md"] == "tea\n\nmore\n"
    changes = [{"operation": "append", "path": f"{name}:A", "content": "more"} for name in ("work", "home")]
    assert (await tools.call("write", {"changes": changes})).startswith(
        "Error: 'changes' are to several vaults"
    )
    linked = await tools.call("search", {"operation": "by_link", "note_path": "work:A.md"})
    assert isinstance(linked.value, ShownResults)
    assert [hit.path for hit in linked.value.results] == ["work:B.md"]
    assert "table" in await tools.call("ask", {"question": "What is made of larch?", "vault": "home"})
    read = await tools.call("read", {"path": "home:C"})
    assert read.startswith("Vault 'home':\n'x/C.md', lines 1-3 of 3; ")
    assert isinstance(read.value, Reading)
    assert read.value.path == "home:x/C.md"


CHANGE = {"operation": "append", "path": "A", "content": "more"}


@pytest.mark.asyncio
@pytest.mark.parametrize("how", ["dry_run", "propose", "ask"])
async def test_a_change_can_be_shown_and_kept_for_a_person(work: VaultClient, how: Any) -> None:
    before = contents(work)
    tools = VaultTools(work, TOOLS, writes="allow" if how == "dry_run" else how)
    told = await tools.call("write", {**CHANGE, "dry_run": how == "dry_run"})
    assert contents(work) == before
    assert isinstance(told.value, Proposal)
    assert told.startswith("Nothing was written yet: a person has to agree to this change.\n")
    assert told.value.token not in told
    assert "+more" in told
    await Vault(work).approve(told.value.token)
    assert contents(work)["A.md"] == "# Larch\n\nThe larch came late.\n\nmore\n"


@pytest.mark.asyncio
async def test_where_nothing_may_be_written_nothing_is_kept_either(work: VaultClient) -> None:
    tools = VaultTools(work, TOOLS, writes="refuse")
    for dry_run in (True, False):
        told = await tools.call("write", {**CHANGE, "dry_run": dry_run})
        assert told == "Error: append was not done: the setting 'writes' is 'refuse'. a person can change it"
    assert list(work.settings.state_folder.rglob("proposals/*.json")) == []


@pytest.mark.asyncio
@pytest.mark.parametrize("agrees", [True, False])
async def test_a_person_is_asked_by_a_function_that_blocks(work: VaultClient, agrees: bool) -> None:
    asked: list[ProposedWrite] = []

    def approve(change: ProposedWrite) -> bool:
        asked.append(change)
        return agrees

    told = await VaultTools(work, TOOLS, approve=approve).call("write", CHANGE)
    assert [change.path for change in asked] == ["A.md"]
    assert told.startswith("Done: " if agrees else "Not done: the person declined.")
    assert ("more" in contents(work)["A.md"]) == agrees
    assert list(work.settings.state_folder.rglob("proposals/*.json")) == []


@pytest.mark.asyncio
async def test_a_template_is_asked_about_even_where_all_is_allowed(tiny_vault: MakeVault) -> None:
    settings = {
        ".obsidian/templates.json": json.dumps({"folder": "Templates"}),
        ".obsidian/core-plugins.json": json.dumps({"templates": True}),
    }
    vault = tiny_vault({**WORK, **settings})
    tools = VaultTools(vault, TOOLS, writes="allow")
    told = await tools.call("write", {"operation": "create", "path": "Templates/T", "content": "x"})
    assert isinstance(told.value, Proposal)
    assert "Templates/T.md" not in contents(vault)


@pytest.mark.asyncio
async def test_several_changes_are_made_as_one(work: VaultClient) -> None:
    tools = VaultTools(work, TOOLS, writes="allow")
    before = contents(work)
    changes = [CHANGE, {"operation": "move", "path": "A", "new_path": "Z"}]
    told = await tools.call("write", json.dumps({"changes": changes}))
    assert told.startswith("Done: append to 'A.md'; move 'A.md' to 'Z.md'.")
    assert contents(work)["B.md"] == "# Oak\n\n[[Z]]\n"
    assert (await tools.call("write", {"operation": "undo"})).startswith("Done: take back batch")
    assert contents(work) == before


@pytest.mark.asyncio
async def test_plain_functions_take_their_arguments_by_name(work: VaultClient) -> None:
    functions = VaultTools(work, prefix="my_").functions()
    assert list(functions) == ["my_search", "my_read", "my_ask"]
    read = functions["my_read"]
    assert (read.__name__, bool(read.__doc__)) == ("my_read", True)
    assert "The larch came late." in await read(path="A", lines="3")


@pytest.mark.asyncio
async def test_a_vault_is_named_in_every_place_of_a_call(both: list[VaultClient]) -> None:
    tools = VaultTools(both, TOOLS, writes="allow", model="offline")
    moved = {"operation": "move", "path": "work:A.md", "new_path": "work:Moved.md"}
    told = await tools.call("write", moved)
    assert not isinstance(told.value, Failed), told
    assert contents(both[0])["B.md"] == "# Oak\n\n[[Moved]]\n"
    for place in ({"new_path": "home:Moved.md"}, {"vault": "home"}):
        assert "name one vault" in await tools.call("write", {**moved, "path": "work:Moved.md", **place})
    assert "x/C.md" in await tools.call("search", {"query": "tea", "folder": "home:x"})
    assert "'vault' must be text" in await tools.call("search", {"query": "tea", "vault": ["home"]})


@pytest.mark.asyncio
async def test_a_vault_that_fails_is_said_and_the_others_answer(
    both: list[VaultClient], caplog: pytest.LogCaptureFixture
) -> None:
    tools = VaultTools(both, ["search"])
    found = await tools.call("search", {"operation": "by_link", "note_path": "C", "direction": "both"})
    assert isinstance(found.value, ShownResults), found
    # What only one of them has is found there; the others did not fail.
    assert "did not answer" not in found
    none = await tools.call("search", {"operation": "by_link", "note_path": "Nowhere"})
    assert isinstance(none.value, Failed)
    with caplog.at_level("INFO", "vault_assistant"):
        shutil.rmtree(both[0].root)
        left = await tools.call("search", {"query": "larch"}, CallInfo(trace_id="t"))
    assert isinstance(left.value, ShownResults)
    assert [hit.path for hit in left.value.results] == ["home:A.md"]
    assert "Note: the vault 'work' did not answer: " in left
    # It is one call, whatever the number of vaults.
    names = [record.message for record in caplog.records if record.message.startswith("vault_search_")]
    assert names == ["vault_search_called", "vault_search_answered"]


def test_a_vault_inside_another_would_show_through_it(tiny_vault: MakeVault) -> None:
    around = tiny_vault({"sub/A.md": "a"}, name="around")
    inside = VaultClient(around.root / "sub")
    with pytest.raises(BadRequestError, match="'one' and 'two' are one vault"):
        check_apart({"one": around.root, "two": around.root / "sub" / ".."})
    with pytest.raises(BadRequestError, match="the vault 'sub' lies inside the vault 'around'"):
        VaultTools([inside, around])
