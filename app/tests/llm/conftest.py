"""The model server, and the providers pointed at it."""

import threading
from collections.abc import Iterator

import pydantic_ai.models
import pytest

from app.tests.llm.server import ModelServer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """Start a model server, and make it the one that every provider's name leads to."""
    started = ModelServer()
    thread = threading.Thread(target=started.serve_forever, args=(0.02,))
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{started.url}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-open")
    monkeypatch.setenv("OLLAMA_BASE_URL", f"{started.url}/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", started.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-anthropic")
    monkeypatch.setattr(pydantic_ai.models, "ALLOW_MODEL_REQUESTS", True)
    yield started
    started.ending.set()
    started.shutdown()
    started.server_close()
    thread.join()
