"""From a model's name to a model, and one question to it."""

import asyncio
import os
from typing import TYPE_CHECKING, Any

from app.config.settings import Settings, default_settings
from app.errors import ModelError
from app.llm.failures import SETTING_HINT, model_errors
from app.llm.loop import run

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.providers import Provider

OLLAMA_BASE_URL = "http://localhost:11434/v1"


def resolve_model(name: str, settings: Settings | None = None) -> "Model":
    """Turn a name as pydantic-ai writes it, such as ``ollama:qwen3``, into a model.

    No network is used; the provider's library is imported here and nowhere earlier. What the model is
    sent later is recorded in the state folder; its waits and retries are those of the settings.

    Args:
        name: The model's name.
        settings: The program's settings; without them, the defaults and the environment.

    Raises:
        ModelError: the name is unknown, a key is missing, or the provider's package is not installed.
    """
    from pydantic_ai.models import infer_model
    from pydantic_ai.models.test import TestModel

    from app.llm.recorded import RecordedModel

    name = name.strip()
    if not name:
        raise ModelError("the model's name is empty", SETTING_HINT)
    with model_errors(name):
        is_ollama = name.startswith("ollama:")
        model = infer_model(name, provider_factory=provider_of) if is_ollama else infer_model(name)
    if isinstance(model, TestModel):
        # It answers by itself and sends nothing.
        return model
    return RecordedModel(model, name, settings or default_settings())


def provider_of(name: str) -> "Provider[Any]":
    """Return the provider of a name; Ollama where it listens by default, which the library must be told."""
    from pydantic_ai.providers import infer_provider
    from pydantic_ai.providers.ollama import OllamaProvider

    if name != "ollama":
        return infer_provider(name)
    return OllamaProvider(base_url=os.environ.get("OLLAMA_BASE_URL") or OLLAMA_BASE_URL)


def complete(
    prompt: str,
    *,
    system: str = "",
    model: str,
    seconds: float | None = None,
    settings: Settings | None = None,
) -> str:
    """Ask ``model`` once and wait for its whole text; also inside a running event loop.

    Args:
        prompt: What to ask.
        system: Instructions that stand above the prompt.
        model: The model's name.
        seconds: The longest wait, retries included; by default the setting ``model_seconds``.
        settings: The program's settings; without them, the defaults and the environment.

    Raises:
        ModelError: the model cannot be reached, refuses, or takes longer than ``seconds``.
    """
    settings = settings or default_settings()
    if seconds is not None:
        settings = settings.model_copy(update={"model_seconds": seconds})
    return run(_complete(prompt, system, model, settings))


async def _complete(prompt: str, system: str, name: str, settings: Settings) -> str:
    from pydantic_ai import Agent

    from app.llm.recorded import RecordedModel

    model = resolve_model(name, settings)
    if isinstance(model, RecordedModel):
        # A person may think longer than a model may take.
        await model.ask_about([system, prompt])
    agent = Agent(model, instructions=system or None, name="complete")
    with model_errors(name):
        # An answer that is no answer is asked for once more: the wait is for both.
        async with asyncio.timeout(settings.model_seconds):
            result = await agent.run(prompt)
    return result.output
