"""What leaves this machine, and what is left out of it: real requests to a server that stands for one elsewhere."""

import json
from pathlib import Path

import pytest
from pydantic_ai import Agent

from app.config.settings import Secrets, Settings
from app.errors import ModelError
from app.llm.left_out import left_out
from app.llm.log import read_sent
from app.llm.loop import run
from app.llm.masks import Choice, Question, asking, is_elsewhere
from app.llm.models import complete, resolve_model
from app.tests.llm.server import ModelServer, Reply

KEY = "sk-proj-abcDEF1234567890abcdEFGH"
# Ollama sends on what it is given for such a model; here it is our own server.
ELSEWHERE = "ollama:m-cloud"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(state_dir=tmp_path / "state")


def prompt(server: ModelServer) -> str:
    return str(server.seen[-1].body["messages"][-1]["content"])


@pytest.mark.parametrize(
    ("address", "model", "elsewhere"),
    [
        ("http://localhost:11434/v1", "ollama:qwen3", False),
        ("http://127.0.0.1:1234/v1", "openai:m", False),
        ("http://[::1]:1234/v1", "openai:m", False),
        ("http+unix://%2Frun%2Fm.sock/v1", "openai:m", False),
        ("http://localhost:11434/v1", "ollama:gpt-oss:120b-cloud", True),
        ("https://api.openai.com/v1", "openai:m", True),
        ("http://192.168.1.4:11434/v1", "ollama:m", True),
        ("http://localhost.example.com/v1", "openai:m", True),
        ("http://localhost@example.com/v1", "openai:m", True),
        ("http://0x7f.1/v1", "openai:m", True),
        ("", "x:m", True),
    ],
)
def test_elsewhere_is_whatever_is_not_surely_here(address: str, model: str, elsewhere: bool) -> None:
    assert is_elsewhere(address, model) is elsewhere


def test_where_nobody_can_answer_it_is_left_out_and_said(server: ModelServer, settings: Settings) -> None:
    with left_out() as masked:
        complete(f"mine is {KEY}, yes", system="password: hunter22", model=ELSEWHERE, settings=settings)
    sent = json.dumps(server.seen[0].body)
    assert KEY not in sent
    assert "hunter22" not in sent
    assert prompt(server) == "mine is [key left out], yes"
    assert masked.notices() == [
        "2 texts that look like keys or passwords were left out of what was sent to ollama:m-cloud"
    ]
    assert masked.notices() == [], "once"
    (entry,) = read_sent(settings.state_folder)
    assert (entry.left_out, entry.text) == (
        2,
        "[instructions]\npassword: [key left out]\n\n[user]\nmine is [key left out], yes",
    )


@pytest.mark.parametrize(("rule", "sent"), [("send", KEY), ("mask", "[key left out]")])
def test_the_setting_decides_and_nobody_is_asked(
    server: ModelServer, tmp_path: Path, rule: Secrets, sent: str
) -> None:
    def nobody(question: Question) -> Choice:
        raise AssertionError(question)

    with asking(nobody):
        complete(KEY, model=ELSEWHERE, settings=Settings(state_dir=tmp_path, secrets=rule))
    assert prompt(server) == sent


class Answers:
    """A person with answers ready, in the order they are asked."""

    def __init__(self, *answers: Choice) -> None:
        self.answers = list(answers)
        self.asked: list[Question] = []

    def __call__(self, question: Question) -> Choice:
        self.asked.append(question)
        return self.answers.pop(0)


def test_a_person_is_asked_once_for_each_text(server: ModelServer, settings: Settings) -> None:
    person = Answers("send", "mask")
    text = f'<note path="Accounts.md">\n{KEY} and\npassword: hunter22\n</note>'
    with asking(person):
        complete(text, model=ELSEWHERE, settings=settings)
        assert prompt(server) == text.replace("hunter22", "[key left out]")
        complete(f"again {KEY} and pwd=hunter22", model=ELSEWHERE, settings=settings)
        assert prompt(server) == f"again {KEY} and pwd=[key left out]"
    where = f"{server.url}/v1"
    assert person.asked == [
        Question("a key", "sk-p", "Accounts.md", ELSEWHERE, where),
        Question("a password", "hunt", "Accounts.md", ELSEWHERE, where),
    ]
    # Another time, nobody there.
    complete(f"{KEY} and pwd=hunter22", model=ELSEWHERE, settings=settings)
    assert prompt(server) == "[key left out] and pwd=[key left out]"


def test_what_was_let_go_to_one_server_is_asked_about_for_another(
    server: ModelServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = Answers("send", "mask")
    with asking(person):
        complete(KEY, model=ELSEWHERE, settings=settings)
        monkeypatch.setenv("OLLAMA_BASE_URL", f"{server.url}/other/v1")
        complete(KEY, model=ELSEWHERE, settings=settings)
    assert (len(person.asked), prompt(server)) == (2, "[key left out]")


def test_a_person_can_stop_it_and_is_asked_again_later(server: ModelServer, settings: Settings) -> None:
    person = Answers("stop", "mask")
    with asking(person):
        with pytest.raises(ModelError, match="nothing was sent to ollama:m-cloud: you stopped at a text"):
            complete(KEY, model=ELSEWHERE, settings=settings)
        assert server.seen == []
        assert read_sent(settings.state_folder) == []
        complete(KEY, model=ELSEWHERE, settings=settings)
    assert len(person.asked) == 2


def test_a_streamed_answer_is_asked_for_without_it_too(server: ModelServer, settings: Settings) -> None:
    agent: Agent[None, str] = Agent(resolve_model(ELSEWHERE, settings))

    async def work() -> str:
        async with agent.run_stream(KEY) as answer:
            return await answer.get_output()

    assert run(work()) == "ok"
    assert prompt(server) == "[key left out]"


def test_what_tools_take_and_return_is_looked_at_in_every_request(
    server: ModelServer, settings: Settings
) -> None:
    agent: Agent[None, str] = Agent(resolve_model(ELSEWHERE, settings))

    @agent.tool_plain
    def look(words: str) -> dict[str, list[str]]:
        return {"lines": [f"{words}: password: hunter22"]}

    server.replies = [Reply(call={"words": KEY}, tool="look"), Reply("fine")]

    async def work() -> str:
        return (await agent.run("look")).output

    with left_out() as masked:
        assert run(work()) == "fine"
    told = json.dumps(server.seen[1].body)
    assert KEY not in told
    assert "hunter22" not in told
    call = server.seen[1].body["messages"][1]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(call) == {"words": "[key left out]"}
    assert json.loads(server.seen[1].results[0]) == {"lines": ["[key left out]: password: [key left out]"]}
    assert len(masked.found) == 2
