"""The parameters of a request are declared once; whatever spells them again agrees with that."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai import Tool

from app.cli.main import make_command
from app.notes.models import NoteRequest
from app.notes.tools import note_operations
from app.parameters import parameters_of
from app.search.models import SearchRequest
from app.search.tools import vault_search


def defaults_of(function: Callable[..., object]) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters.values()
    named = [each for each in parameters if each.kind is not each.VAR_KEYWORD]
    return {each.name: None if each.default is each.empty else each.default for each in named}


@pytest.mark.parametrize(("tool", "model"), [(vault_search, SearchRequest), (note_operations, NoteRequest)])
def test_a_tool_of_agents_takes_the_parameters_in_their_order(
    tool: Callable[..., Any], model: type[BaseModel]
) -> None:
    declared = {name: row.default for name, row in parameters_of(model).items()}
    assert list(defaults_of(tool).items()) == list({"ctx": None, **declared}.items())
    shown = Tool(tool).function_schema.json_schema
    assert list(shown["properties"]) == list(declared)
    assert shown["required"] == ["operation"]


def test_find_takes_every_parameter_of_a_search() -> None:
    taken = {each.name: each.default for each in make_command("find").params}
    rows = parameters_of(SearchRequest)
    assert {name: taken[name] for name in rows if name != "operation"} == {
        name: row.default for name, row in rows.items() if name != "operation"
    }
