"""Language models: by name, on demand, and with failures a person can read."""

import asyncio
import atexit
import os
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from app.errors import ModelError

if TYPE_CHECKING:
    from pydantic_ai.exceptions import AgentRunError
    from pydantic_ai.models import Model
    from pydantic_ai.providers import Provider

T = TypeVar("T")

OLLAMA_BASE_URL = "http://localhost:11434/v1"
COMPLETE_SECONDS = 120.0
MESSAGE_CHARS = 300
WAKE_SECONDS = 0.2
"""How often a waiting thread looks up: a signal that another thread received does not wake it."""
SETTING_HINT = "set 'model' to a name such as 'ollama:qwen3', 'anthropic:...' or 'openai:...'"

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_thread: threading.Thread | None = None


def resolve_model(name: str) -> "Model":
    """Turn a name as pydantic-ai writes it, such as ``ollama:qwen3``, into a model.

    No network is used; the provider's library is imported here and nowhere earlier.

    Raises:
        ModelError: the name is unknown, a key is missing, or the provider's package is not installed.
    """
    from pydantic_ai.models import infer_model

    if not name.strip():
        raise ModelError("the model's name is empty", SETTING_HINT)
    with model_errors(name):
        if name.startswith("ollama:"):
            return infer_model(name, provider_factory=_ollama)
        return infer_model(name)


def _ollama(name: str) -> "Provider[Any]":
    """Look for Ollama where it listens by default; the library itself insists on being told."""
    from pydantic_ai.providers.ollama import OllamaProvider

    return OllamaProvider(base_url=os.environ.get("OLLAMA_BASE_URL") or OLLAMA_BASE_URL)


def complete(prompt: str, *, system: str = "", model: str, seconds: float = COMPLETE_SECONDS) -> str:
    """Ask ``model`` once and wait for its whole text; also inside a running event loop.

    Raises:
        ModelError: the model cannot be reached, refuses, or takes longer than ``seconds``.
    """
    return run(_complete(prompt, system, model, seconds))


async def _complete(prompt: str, system: str, name: str, seconds: float) -> str:
    from pydantic_ai import Agent

    agent = Agent(resolve_model(name), instructions=system or None, name="complete")
    with model_errors(name):
        async with asyncio.timeout(seconds):
            result = await agent.run(prompt)
    return result.output


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` on the background loop and wait for it; an interrupt cancels it."""
    if threading.current_thread() is _thread:
        work.close()
        raise RuntimeError("run() waits for the background loop and cannot be called on it; use a thread")
    task = submit(work)
    try:
        while not task.done():
            wait([task], timeout=WAKE_SECONDS)
        return task.result()
    except BaseException:
        task.cancel()
        raise


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Start ``work`` on the background loop.

    All model traffic of a process goes through this one loop, because the providers' connections
    belong to the loop they were opened on.
    """
    return asyncio.run_coroutine_threadsafe(work, _background_loop())


def _background_loop() -> asyncio.AbstractEventLoop:
    global _loop, _thread
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            _thread = threading.Thread(target=_loop.run_forever, name="llm", daemon=True)
            _thread.start()
            atexit.register(_close)
        return _loop


def _close() -> None:
    if _loop is not None and _thread is not None:
        _loop.call_soon_threadsafe(_loop.stop)
        _thread.join(timeout=1)
        if not _thread.is_alive():
            _loop.close()


@contextmanager
def model_errors(name: str) -> Iterator[None]:
    """Turn what pydantic-ai and the providers raise around ``name`` into a ``ModelError``."""
    from pydantic_ai.exceptions import AgentRunError, UserError

    try:
        yield
    except UserError as error:
        raise _configuration_error(name, str(error)) from error
    except ImportError as error:
        raise ModelError(f"model '{name}' needs a package that is missing", _one_line(error)) from error
    except TimeoutError as error:
        raise ModelError(
            f"model '{name}' took too long to answer", "try again, or a smaller model"
        ) from error
    except AgentRunError as error:
        raise _run_error(name, error) from error


def _configuration_error(name: str, message: str) -> ModelError:
    if "environment variable" in message:
        variable = message.split("`")[1] if "`" in message else "its API key"
        return ModelError(f"model '{name}' is not set up", f"set the environment variable {variable}")
    if message.startswith("Unknown model"):
        return ModelError(f"unknown model '{name}'", SETTING_HINT)
    return ModelError(f"model '{name}' cannot be used", _one_line(message))


def _run_error(name: str, error: "AgentRunError") -> ModelError:
    from pydantic_ai import exceptions as known

    if isinstance(error, known.ModelTimeoutError | known.RunTimedOut):
        return ModelError(f"model '{name}' took too long to answer", "try again, or a smaller model")
    if isinstance(error, known.ModelConnectionError):
        hint = "start the server or check its address"
        return ModelError(f"cannot reach the server of model '{name}'", hint)
    if isinstance(error, known.ModelHTTPError):
        reason = _reason(error.body)
        said = f": {reason}" if reason else ""
        return ModelError(
            f"model '{name}' refused the request ({error.status_code}{said})", _advice(error.status_code)
        )
    if isinstance(error, known.UsageLimitExceeded):
        return ModelError(
            f"model '{name}' did not come to an answer: {_one_line(error)}", "ask more narrowly"
        )
    return ModelError(f"model '{name}' did not give a usable answer: {_one_line(error)}", "try another model")


def _advice(status: int) -> str:
    if status in (401, 403):
        return "check the API key"
    if status == 404:
        return "check the model's name"
    if status == 429:
        return "wait a moment, or use another model"
    return "try again later" if status >= 500 else "check the model's name and settings"


def _reason(body: object) -> str:
    if isinstance(body, dict):
        inner = body.get("error", body)
        body = inner.get("message", "") if isinstance(inner, dict) else inner
    return _one_line(body) if body else ""


def _one_line(text: object) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= MESSAGE_CHARS else line[: MESSAGE_CHARS - 1] + "…"
