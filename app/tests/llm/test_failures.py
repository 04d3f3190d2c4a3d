"""Whatever a server does wrong becomes one line; what passes by itself is tried again, but not for ever."""

import re

import pydantic_ai.models
import pytest

from app.chat.conversation import Conversation
from app.dependencies import ChatDependencies
from app.errors import ModelError
from app.llm.loop import run
from app.llm.models import complete, resolve_model
from app.tests.conftest import MakeVault
from app.tests.llm.server import ModelServer, Reply

NAMES = ["openai-chat:m", "openai:m", "anthropic:m"]
# Each provider, and each way of asking, without all the pairs of them.
WAYS = [
    ("complete", "openai-chat:m"),
    ("chat", "openai-chat:m"),
    ("complete", "anthropic:m"),
    ("chat", "openai:m"),
]
SOON = {"retry-after-ms": "5"}
BROKEN = r"\n\nNote: the answer ends here \({}\); ask again for the rest\."
NONE = "did not come to an answer: "
TOO_LONG = f"{NONE}it took longer than 'model_seconds' allows. try again, or a smaller model"


@pytest.fixture(params=WAYS, ids="-".join)
def ask(request: pytest.FixtureRequest, tiny_vault: MakeVault) -> "Ask":
    way, name = request.param
    return Ask(way, name, tiny_vault)


class Ask:
    """One question to a model, as a single request or as a turn of the chat, which streams."""

    def __init__(self, way: str, name: str, tiny_vault: MakeVault) -> None:
        self.way, self.name = way, name
        self._tiny_vault = tiny_vault

    def __call__(self, **settings: object) -> str:
        vault = self._tiny_vault({"A.md": "# A\n"}, **settings)
        if self.way == "complete":
            return complete("hello", model=self.name, settings=vault.settings)
        talk = Conversation(ChatDependencies(vault), resolve_model(self.name, vault.settings))
        try:
            return run(talk.ask("hello", lambda _: None, lambda _: None))
        except ModelError:
            assert (talk.messages, talk.exchanges) == ([], []), "a turn that fails leaves no trace"
            raise

    def failure(self, **settings: object) -> str:
        with pytest.raises(ModelError) as caught:
            self(**settings)
        assert "\n" not in str(caught.value)
        return str(caught.value)


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (400, "check the model's name and settings"),
        (401, "check the API key"),
        (404, "check the model's name and the server's address"),
    ],
)
def test_a_request_that_is_refused_is_not_repeated(
    server: ModelServer, ask: Ask, status: int, hint: str
) -> None:
    server.replies = [Reply(status=status, body=b'{"error": {"message": "no,\\nsorry"}}')]
    assert ask.failure() == f"model '{ask.name}' refused the request ({status}: no, sorry). {hint}"
    assert len(server.seen) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_is_busy_once_is_asked_again(server: ModelServer, ask: Ask, status: int) -> None:
    server.replies = [Reply(status=status, body=b"{}", headers=SOON), Reply("fine")]
    assert ask() == "fine"
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    ("status", "hint"), [(429, "wait a moment, or use another model"), (500, "try again later")]
)
def test_a_server_that_stays_so_is_given_up(server: ModelServer, ask: Ask, status: int, hint: str) -> None:
    server.replies = [Reply(status=status, body=b'{"error": {"message": "busy"}}', headers=SOON)]
    assert ask.failure() == f"model '{ask.name}' refused the request ({status}: busy). {hint}"
    assert len(server.seen) == 3


@pytest.mark.parametrize("retries", [0, 4])
def test_how_often_is_a_setting(server: ModelServer, ask: Ask, retries: int) -> None:
    server.replies = [Reply(status=500, body=b"", headers=SOON)]
    ask.failure(model_retries=retries)
    assert len(server.seen) == 1 + retries


def test_waiting_ends(server: ModelServer, ask: Ask) -> None:
    # The reply is held back until the server is shut down, after the test: only the setting ends the wait.
    server.replies = [Reply("late", delay=3600)]
    assert ask.failure(model_seconds=0.1) == f"model '{ask.name}' {TOO_LONG}"
    assert len(server.seen) <= 1


def test_a_server_that_says_to_come_back_later_does_not_stretch_the_wait(
    server: ModelServer, ask: Ask
) -> None:
    server.replies = [Reply(status=429, body=b"{}", headers={"retry-after": "60"})]
    assert ask.failure(model_seconds=1.0) == f"model '{ask.name}' {TOO_LONG}"
    assert len(server.seen) <= 1, "it did not come back after the minute"


@pytest.mark.parametrize("body", [b"<html>log in</html>", b'{"a": 1}', b"[1]"])
def test_an_answer_that_is_none_is_said(server: ModelServer, ask: Ask, body: bytes) -> None:
    server.replies = [Reply(body=body)]
    failure = ask.failure()
    assert failure.startswith(f"model '{ask.name}' {NONE}")
    assert failure.endswith(". try another model")


def test_an_empty_answer_is_asked_for_once_more(server: ModelServer, ask: Ask) -> None:
    server.replies = [Reply(""), Reply("here")]
    assert ask() == "here"
    server.replies = [Reply("")]
    assert ask.failure().startswith(f"model '{ask.name}' {NONE}")


@pytest.mark.parametrize("name", NAMES)
class TestStreams:
    """What can go wrong once an answer has begun."""

    @pytest.fixture
    def ask(self, name: str, tiny_vault: MakeVault) -> Ask:
        return Ask("chat", name, tiny_vault)

    def test_a_connection_that_breaks_off_keeps_what_was_said(
        self, server: ModelServer, ask: Ask, name: str
    ) -> None:
        server.replies = [Reply("It is heated by the stove.", breaks_off=True)]
        assert re.fullmatch(rf"It is [a-z ]*{BROKEN.format('the connection to its server broke off')}", ask())
        assert len(server.seen) == 1, "what was shown is not said twice"

    def test_a_connection_that_breaks_off_before_a_word_is_no_answer(
        self, server: ModelServer, ask: Ask, name: str
    ) -> None:
        server.replies = [Reply("", breaks_off=True)]
        assert ask.failure() == f"model '{name}' {NONE}the connection to its server broke off. try again"

    def test_a_pause_ends(self, server: ModelServer, ask: Ask, name: str) -> None:
        server.replies = [Reply("It is heated by the stove.", pause=20)]
        reason = "it took longer than 'model_seconds' allows"
        assert re.fullmatch(rf"It is [a-z ]*{BROKEN.format(reason)}", ask(model_seconds=0.5))

    def test_events_of_another_protocol_are_no_answer(self, server: ModelServer, ask: Ask, name: str) -> None:
        for events in (
            ["data: [1]\n\n"],
            ["data: hello\n\n"],
            ['data: {"choices": 7}\n\n', "data: [DONE]\n\n"],
        ):
            if name == "openai:m" and "choices" in events[0]:
                # An answer that is never finished is fetched ten times more, two seconds apart.
                continue
            server.replies = [Reply(events=events)]
            assert ask.failure().startswith(f"model '{name}' {NONE}")


def test_an_answer_that_goes_on_longer_than_the_wait_is_not_cut(
    server: ModelServer, tiny_vault: MakeVault
) -> None:
    server.replies = [Reply("It is heated by the stove.", delay=0.5, pause=0.5)]
    assert Ask("chat", "openai-chat:m", tiny_vault)(model_seconds=0.9) == "It is heated by the stove."


def test_an_answer_that_reached_the_models_limit_says_so(server: ModelServer, tiny_vault: MakeVault) -> None:
    server.replies = [Reply("It is heated by the st", finish="length")]
    assert Ask("chat", "openai-chat:m", tiny_vault)() == (
        "It is heated by the st\n\n(The answer ends here: the model reached the longest one it gives.)"
    )


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", "nonsense"])
def test_a_server_that_cannot_be_reached_is_named_as_that(
    ask: Ask, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for provider in ("OPENAI", "OLLAMA", "ANTHROPIC"):
        monkeypatch.setenv(f"{provider}_BASE_URL", address)
        monkeypatch.setenv(f"{provider}_API_KEY", "key")
    monkeypatch.setattr(pydantic_ai.models, "ALLOW_MODEL_REQUESTS", True)
    assert ask.failure(model_retries=0) == (
        f"model '{ask.name}' {NONE}its server cannot be reached: start it, or check its address"
    )


@pytest.mark.parametrize("key", ["clé", "two\nlines", "ends in one\n"])
def test_a_key_that_is_none_is_one_line_and_never_shown(
    server: ModelServer, tiny_vault: MakeVault, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    assert Ask("complete", "openai-chat:m", tiny_vault).failure(model_retries=0) == (
        "model 'openai-chat:m' cannot be used. "
        "the API key holds a character that no key has, such as an accent or a line break"
    )
    assert server.seen == []
