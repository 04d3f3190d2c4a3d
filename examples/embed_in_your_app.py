"""Put the tools of a vault on your own pydantic-ai agent, with your own dependencies.

Runs without a key: a scripted model stands where yours will stand.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from vault_assistant import ShownResults, Vault, VaultToolset

VAULT = Path(__file__).parent / "vault"
QUESTION = "What has to be sewn before the winter?"


@dataclass
class BoatyardDeps:
    """What this app's own tools need; those of the vault need nothing."""

    customer: str


agent = Agent(
    deps_type=BoatyardDeps,
    instructions="Answer from the notes, and name the note and the lines.",
    toolsets=[VaultToolset(Vault(VAULT), prefix="notes_")],
)


def scripted_model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Search once, then answer with what the tool returned."""
    for part in messages[-1].parts:
        if isinstance(part, ToolReturnPart):
            assert isinstance(part.metadata, ShownResults)  # the hits as data, for your own surface
            return ModelResponse(parts=[TextPart(f"The notes say:\n\n{part.content}")])
    return ModelResponse(
        parts=[ToolCallPart("notes_search", {"query": "winter cover sew canvas", "limit": 2})]
    )


def main() -> str:
    """Ask one question and return the answer."""
    run = agent.run(QUESTION, deps=BoatyardDeps(customer="Alasdair"), model=FunctionModel(scripted_model))
    return asyncio.run(run).output


if __name__ == "__main__":
    print(main())
