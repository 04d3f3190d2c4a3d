"""The tools in another agent library: its own runner calls them by their JSON schemas."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.library.definitions import ToolName
from app.library.tools import VaultTools
from app.tests.conftest import MakeVault
from app.tests.notes.conftest import contents

pytestmark = pytest.mark.slow

NOTES: dict[str, str | bytes] = {"A.md": "# Larch\n\nThe larch came late.\n"}


@pytest.mark.asyncio
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
async def test_the_openai_agents_library_runs_them(tiny_vault: MakeVault) -> None:
    from agents import Agent, FunctionTool, Model, ModelResponse, RunConfig, Runner, Usage
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    calls: list[tuple[str, dict[str, Any]]] = [
        ("vault_search", {"query": "larch late"}),
        ("vault_read", {"path": "A.md", "lines": "3"}),
        ("vault_write", {"operation": "append", "path": "A.md", "content": "more"}),
        ("vault_ask", {"question": "How late was the larch?"}),
    ]
    told: list[str] = []
    seen: list[dict[str, Any]] = []

    class Scripted(Model):
        """Calls each tool once, then ends."""

        async def get_response(  # type: ignore[override]
            self, *given: Any, input: Any, tools: Any, **more: Any
        ) -> ModelResponse:
            seen.extend(tool.params_json_schema for tool in tools)
            last = input[-1]
            told.extend([last["output"]] if last.get("type") == "function_call_output" else [])
            output: Any
            if len(told) < len(calls):
                name, arguments = calls[len(told)]
                text, at = json.dumps(arguments), f"call-{len(told)}"
                output = ResponseFunctionToolCall(
                    arguments=text, call_id=at, name=name, type="function_call", id=at, status="completed"
                )
            else:
                said = ResponseOutputText(annotations=[], text="That is all.", type="output_text")
                output = ResponseOutputMessage(
                    id="m", content=[said], role="assistant", status="completed", type="message"
                )
            return ModelResponse(output=[output], usage=Usage(), response_id=None)

        def stream_response(self, *given: Any, **more: Any) -> AsyncIterator[Any]:
            raise NotImplementedError

    vault = tiny_vault(NOTES)
    chosen: list[ToolName] = ["search", "read", "write", "ask"]
    tools = VaultTools(vault, chosen, prefix="vault_", writes="allow", model="offline")

    def tool(schema: dict[str, Any]) -> FunctionTool:
        async def invoke(context: Any, arguments: str) -> str:
            return await tools.call(schema["name"], arguments)

        named = (schema["name"], schema["description"], schema["parameters"])
        return FunctionTool(*named, invoke, strict_json_schema=False)

    agent = Agent("notes", tools=[tool(schema) for schema in tools.tool_schemas()], model=Scripted())
    result = await Runner.run(agent, "How late?", run_config=RunConfig(tracing_disabled=True))
    assert result.final_output == "That is all."
    search, read, write, ask = told
    assert "1. A.md:1-3" in search
    assert "3 | The larch came late." in read
    assert write.startswith("Done: append to 'A.md'.")
    assert "The larch came late." in ask
    assert contents(vault)["A.md"] == "# Larch\n\nThe larch came late.\n\nmore\n"
    assert seen[: len(chosen)] == [schema["parameters"] for schema in tools.tool_schemas()]
