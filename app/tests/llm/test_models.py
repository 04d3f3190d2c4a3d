"""Models by name, one question to one of them, and the loop that all of it runs on."""

import asyncio
import os
import threading

import pytest
from pydantic_ai import Agent

from app.config.settings import Settings
from app.errors import ModelError
from app.llm.failures import model_errors
from app.llm.log import read_sent
from app.llm.loop import run
from app.llm.models import complete, resolve_model
from app.tests.llm.server import ModelServer, Reply

JOIN_SECONDS = 300.0


def test_ollama_is_looked_for_at_home_unless_said_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLLAMA_BASE_URL", raising=False)
    model = resolve_model("ollama:qwen3")
    assert model.base_url == "http://localhost:11434/v1/"
    assert model.model_name == "qwen3"


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


def test_resolving_a_model_leaves_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLLAMA_BASE_URL", raising=False)
    before = dict(os.environ)
    resolve_model("ollama:qwen3")
    assert dict(os.environ) == before


def test_complete_gives_the_models_text(server: ModelServer) -> None:
    server.replies = [Reply("Forty-two.")]
    assert complete("How many?", system="Be brief.", model="ollama:m") == "Forty-two."
    messages = server.seen[0].body["messages"]
    assert [(part["role"], part["content"]) for part in messages] == [
        ("system", "Be brief."),
        ("user", "How many?"),
    ]


def test_complete_works_inside_a_running_loop_and_twice(server: ModelServer) -> None:
    server.replies = [Reply("yes")]

    async def inside() -> str:
        return complete("?", model="ollama:m") + complete("?", model="ollama:m")

    assert asyncio.run(inside()) == "yesyes"


def test_many_threads_share_the_one_loop(server: ModelServer) -> None:
    answers: list[str] = []
    threads = [
        threading.Thread(target=lambda: answers.append(complete("?", model="ollama:m"))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(JOIN_SECONDS)
    assert answers == ["ok"] * 4


def test_errors_that_are_not_the_models_pass_through() -> None:
    with pytest.raises(ZeroDivisionError), model_errors("ollama:m"):
        raise ZeroDivisionError


def test_waiting_for_the_loop_on_the_loop_is_refused_not_a_deadlock() -> None:
    async def nothing() -> None:
        pass

    async def inside() -> None:
        run(nothing())

    with pytest.raises(RuntimeError, match="cannot be called on it"):
        run(inside())


def test_another_apps_agent_can_use_it_on_loops_of_its_own(server: ModelServer) -> None:
    agent = Agent(resolve_model("openai-chat:m"))
    assert [asyncio.run(agent.run(question)).output for question in ("one", "two")] == ["ok", "ok"]
    entries = read_sent(Settings().state_folder)
    assert [entry.text for entry in entries] == [
        "[user]\ntwo",
        "[user]\none",
    ]


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
