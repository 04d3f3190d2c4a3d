"""Models by name, and failures a person can read; the providers' real clients against a local server."""

import asyncio
import json
import os
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pydantic_ai.models
import pytest

from app.errors import ModelError
from app.llm import complete, model_errors, resolve_model, run

MISSING_SECONDS = 10.0


class Provider(ThreadingHTTPServer):
    """A server that speaks just enough of the chat completions protocol."""

    status = 200
    body: object = None
    delay = 0.0
    seen: list[dict[str, object]]


class Answer(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        self.server.seen.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        time.sleep(self.server.delay)
        body = json.dumps(self.server.body).encode()
        try:
            self.send_response(self.server.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def log_message(self, *args: object) -> None:
        pass


def completion(text: str) -> dict[str, object]:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    server = Provider(("127.0.0.1", 0), Answer)
    server.seen = []
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    monkeypatch.setenv("OLLAMA_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setattr(pydantic_ai.models, "ALLOW_MODEL_REQUESTS", True)
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def failure(name: str, seconds: float = MISSING_SECONDS) -> str:
    with pytest.raises(ModelError) as caught:
        complete("hello", model=name, seconds=seconds)
    assert "\n" not in str(caught.value)
    return str(caught.value)


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


def test_complete_gives_the_models_text(provider: Provider) -> None:
    provider.body = completion("Forty-two.")
    assert complete("How many?", system="Be brief.", model="ollama:m") == "Forty-two."
    messages = provider.seen[0]["messages"]
    assert [(part["role"], part["content"]) for part in messages] == [  # type: ignore[attr-defined]
        ("system", "Be brief."),
        ("user", "How many?"),
    ]


def test_complete_works_inside_a_running_loop_and_twice(provider: Provider) -> None:
    provider.body = completion("yes")

    async def inside() -> str:
        return complete("?", model="ollama:m") + complete("?", model="ollama:m")

    assert asyncio.run(inside()) == "yesyes"


def test_many_threads_share_the_one_loop(provider: Provider) -> None:
    provider.body = completion("ok")
    answers: list[str] = []
    threads = [
        threading.Thread(target=lambda: answers.append(complete("?", model="ollama:m"))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(MISSING_SECONDS)
    assert answers == ["ok"] * 4


@pytest.mark.parametrize(
    ("status", "said", "hint"),
    [
        (401, "refused the request (401: bad key, sorry)", "check the API key"),
        (404, "refused the request (404: bad key, sorry)", "check the model's name and the server's address"),
        (400, "refused the request (400: bad key, sorry)", "check the model's name and settings"),
    ],
)
def test_a_refused_request_is_one_line(provider: Provider, status: int, said: str, hint: str) -> None:
    provider.status, provider.body = status, {"error": {"message": "bad key,\nsorry"}}
    assert failure("ollama:m") == f"model 'ollama:m' {said}. {hint}"


def test_nonsense_from_the_server_is_one_line(provider: Provider) -> None:
    provider.body = {"hello": "world"}
    assert failure("ollama:m").startswith("model 'ollama:m' did not give a usable answer: ")


def test_a_slow_model_is_given_up(provider: Provider) -> None:
    provider.delay, provider.body = 0.5, completion("late")
    assert failure("ollama:m", seconds=0.2) == (
        "model 'ollama:m' took too long to answer. try again, or a smaller model; "
        "the setting 'model_seconds' says how long to wait"
    )


@pytest.mark.slow
def test_an_unreachable_server_is_named_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setattr(pydantic_ai.models, "ALLOW_MODEL_REQUESTS", True)
    assert failure("ollama:m") == (
        "cannot reach the server of model 'ollama:m'. start the server or check its address"
    )


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
