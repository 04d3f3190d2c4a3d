"""The tools for any agent library: schemas, several vaults, texts with data behind them, and no exceptions."""

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
        ("paint", {}, "BadRequestError", "Error: unknown tool 'paint'. valid: pack, search, read, "),
        ("search", "[]", "BadRequestError", "Error: the arguments are a list. give an object"),
        ("read", {"path": "Nowhere"}, "NoteNotFoundError", "Error: "),
        (
            "read",
            {"operation": "delete", "path": "A"},
            "BadRequestError",
            "Error: unknown operation 'delete'",
        ),
        ("write", {"operation": "undo", "dry_run": "maybe"}, "BadRequestError", "Error: 'dry_run' must be"),
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
async def test_plain_functions_take_their_arguments_by_name(work: VaultClient) -> None:
    functions = VaultTools(work, prefix="my_").functions()
    assert list(functions) == ["my_search", "my_read", "my_ask"]
    read = functions["my_read"]
    assert (read.__name__, bool(read.__doc__)) == ("my_read", True)
    assert "The larch came late." in await read(path="A", lines="3")


@pytest.mark.asyncio
async def test_a_vault_that_fails_is_said_and_the_others_answer(
    both: list[VaultClient], caplog: pytest.LogCaptureFixture
) -> None:
    tools = VaultTools(both, ["search"])
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
