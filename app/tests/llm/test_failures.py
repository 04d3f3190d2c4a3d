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

# Each provider, and each way of asking, without all the pairs of them.
WAYS = [
    ("complete", "openai-chat:m"),
    ("chat", "openai-chat:m"),
    ("complete", "anthropic:m"),
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


def test_a_request_that_is_refused_is_not_repeated(server: ModelServer, ask: Ask) -> None:
    server.replies = [Reply(status=401, body=b'{"error": {"message": "no,\\nsorry"}}')]
    assert ask.failure() == f"model '{ask.name}' refused the request (401: no, sorry). check the API key"
    assert len(server.seen) == 1


def test_a_server_that_is_busy_once_is_asked_again(server: ModelServer, ask: Ask) -> None:
    server.replies = [Reply(status=429, body=b"{}", headers=SOON), Reply("fine")]
    assert ask() == "fine"
    assert len(server.seen) == 2


def test_a_server_that_stays_so_is_given_up(server: ModelServer, ask: Ask) -> None:
    server.replies = [Reply(status=500, body=b'{"error": {"message": "busy"}}', headers=SOON)]
    assert ask.failure() == f"model '{ask.name}' refused the request (500: busy). try again later"
    assert len(server.seen) == 3


def test_waiting_ends(server: ModelServer, ask: Ask) -> None:
    # The reply is held back until the server is shut down, after the test: only the setting ends the wait.
    server.replies = [Reply("late", delay=3600)]
    assert ask.failure(model_seconds=0.1) == f"model '{ask.name}' {TOO_LONG}"
    assert len(server.seen) <= 1


def test_an_answer_that_is_none_is_said(server: ModelServer, ask: Ask) -> None:
    server.replies = [Reply(body=b"<html>log in</html>")]
    failure = ask.failure()
    assert failure.startswith(f"model '{ask.name}' {NONE}")
    assert failure.endswith(". try another model")


@pytest.mark.parametrize("name", ["openai-chat:m", "anthropic:m"])
@pytest.mark.parametrize(
    ("breaks_off", "reason"),
    [
        (True, "the connection to its server broke off"),
        (False, "it took longer than 'model_seconds' allows"),
    ],
)
def test_what_was_said_before_a_stream_ends_too_early_is_kept(
    server: ModelServer, tiny_vault: MakeVault, name: str, breaks_off: bool, reason: str
) -> None:
    server.replies = [Reply("It is heated by the stove.", breaks_off=breaks_off, pause=20)]
    said = Ask("chat", name, tiny_vault)(model_seconds=0.5 if not breaks_off else 60)
    assert re.fullmatch(rf"It is [a-z ]*{BROKEN.format(reason)}", said)
    assert len(server.seen) == 1, "what was shown is not said twice"


def test_an_answer_that_reached_the_models_limit_says_so(server: ModelServer, tiny_vault: MakeVault) -> None:
    server.replies = [Reply("It is heated by the st", finish="length")]
    assert Ask("chat", "openai-chat:m", tiny_vault)() == (
        "It is heated by the st\n\n(The answer ends here: the model reached the longest one it gives.)"
    )


def test_a_server_that_cannot_be_reached_is_named_as_that(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{provider}_BASE_URL", "http://127.0.0.1:9/v1")
        monkeypatch.setenv(f"{provider}_API_KEY", "key")
    monkeypatch.setattr(pydantic_ai.models, "ALLOW_MODEL_REQUESTS", True)
    assert ask.failure(model_retries=0) == (
        f"model '{ask.name}' {NONE}its server cannot be reached: start it, or check its address"
    )


@pytest.mark.parametrize("key", ["clé", "two\nlines"])
def test_a_key_that_is_none_is_one_line_and_never_shown(
    server: ModelServer, tiny_vault: MakeVault, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    assert Ask("complete", "openai-chat:m", tiny_vault).failure(model_retries=0) == (
        "model 'openai-chat:m' cannot be used. "
        "the API key holds a character that no key has, such as an accent or a line break"
    )
    assert server.seen == []
