"""Put vault_search on your own pydantic-ai agent, with your own dependencies.

Runs without a key: a scripted model stands where yours will stand.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from app.dependencies import VaultClient
from app.search import vault_search

VAULT = Path(__file__).parent / "vault"
QUESTION = "What has to be sewn before the winter?"


@dataclass
class BoatyardDeps:
    """What this app's tools need; vault_search looks at `vault` and `trace_id` only."""

    vault: VaultClient
    trace_id: str
    customer: str


agent = Agent(
    deps_type=BoatyardDeps,
    instructions="Answer from the notes, and name the note and the lines.",
    tools=[vault_search],
)


def scripted_model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Search once, then answer with what the tool returned."""
    for part in messages[-1].parts:
        if isinstance(part, ToolReturnPart):
            return ModelResponse(parts=[TextPart(f"The notes say:\n\n{part.content}")])
    arguments = {"operation": "fast", "query": "winter cover sew canvas", "limit": 2}
    return ModelResponse(parts=[ToolCallPart("vault_search", arguments)])


def main() -> str:
    """Ask one question and return the answer."""
    deps = BoatyardDeps(vault=VaultClient(VAULT), trace_id="order-1961", customer="Alasdair")
    run = agent.run(QUESTION, deps=deps, model=FunctionModel(scripted_model))
    return asyncio.run(run).output


if __name__ == "__main__":
    print(main())
