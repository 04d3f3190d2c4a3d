"""Models by name, one question to one of them, and the loop that all of it runs on."""

import asyncio
import subprocess
import sys

import pytest
from pydantic_ai import Agent

from app.errors import ModelError
from app.llm.loop import run
from app.llm.models import complete, resolve_model
from app.tests.conftest import MakeVault
from app.tests.llm.server import ModelServer, Reply


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gpt-5", "unknown model 'gpt-5'. set 'model' to a name such as 'ollama:qwen3', 'anthropic:...'"),
        ("nobody:x", "unknown model 'nobody:x'"),
        (" ", "the model's name is empty"),
        ("openai:gpt-5", "model 'openai:gpt-5' is not set up. set the environment variable OPENAI_API_KEY"),
        ("anthropic:x", "model 'anthropic:x' is not set up. set the environment variable ANTHROPIC_API_KEY"),
        ("mistral:x", "model 'mistral:x' needs a package that is missing. Please install"),
    ],
)
def test_a_model_that_cannot_be_made_says_what_is_missing(name: str, said: str) -> None:
    with pytest.raises(ModelError) as caught:
        resolve_model(name)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


MISSING = """
import sys
for name in ("openai", "tiktoken", "anthropic"):
    sys.modules[name] = None
from app.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
"""The program as the base install has it."""


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["ask", "Is it heated?", "--model", "ollama:m"], "openai"),
        (["ask", "Is it heated?", "--model", "anthropic:m"], "anthropic"),
        (["setup", "model", "ollama:bge-m3"], "openai"),
        (["ask", "Is it heated?"], ""),
    ],
)
def test_without_the_clients_one_line_installs_one(
    tiny_vault: MakeVault, arguments: list[str], extra: str
) -> None:
    """In French, since that is made of the same message."""
    vault = tiny_vault({"House.md": "# House\n\nThe greenhouse is heated.\n"})
    command = [sys.executable, "-c", MISSING, *arguments, "--vault", str(vault.root), "--lang", "fr"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    hint = f"installez l'extra « {extra} » : pip install 'vault-assistant[{extra}]'"
    assert hint in run.stderr if extra else run.returncode == 0


def test_complete_works_inside_a_running_loop_and_twice(server: ModelServer) -> None:
    server.replies = [Reply("yes")]

    async def inside() -> str:
        return complete("?", model="ollama:m") + complete("?", model="ollama:m")

    assert asyncio.run(inside()) == "yesyes"


def test_waiting_for_the_loop_on_the_loop_is_refused_not_a_deadlock() -> None:
    async def nothing() -> None:
        pass

    async def inside() -> None:
        run(nothing())

    with pytest.raises(RuntimeError, match="cannot be called on it"):
        run(inside())


def test_a_turn_keeps_one_connection_and_closes_it(server: ModelServer) -> None:
    async def twice() -> None:
        model = resolve_model("openai-chat:m")
        async with model:
            for question in ("one", "two"):
                await Agent(model).run(question)

    asyncio.run(twice())
    assert len(server.seen) == 2
    assert len({seen.port for seen in server.seen}) == 1
    complete("three", model="openai-chat:m")
    assert server.seen[2].port != server.seen[0].port
