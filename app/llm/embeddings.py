"""Vectors of texts from a model behind a server; recorded, masked and bounded as any other request."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from app.config.settings import Settings
from app.errors import ModelError
from app.llm.failures import model_errors
from app.llm.log import Sent, record_sent
from app.llm.loop import run
from app.llm.masks import KeyGate
from app.llm.models import provider_of
from app.llm.recorded import address_of

if TYPE_CHECKING:
    from pydantic_ai.embeddings import EmbeddingModel

Use = Literal["query", "document"]


def embed_texts(texts: Sequence[str], *, use: Use, model: str, settings: Settings) -> list[list[float]]:
    """Have a model make a vector of each text, and wait for all.

    What looks like a key is masked first, as the setting ``secrets`` says; what is sent is recorded.

    Args:
        texts: What is embedded.
        use: Whether these are questions or passages, for servers that tell them apart.
        model: The model's name, such as ``ollama:bge-m3`` or ``openai:text-embedding-3-small``.
        settings: Say how long to wait, how often to try again, and where the record lies.

    Raises:
        ModelError: the model cannot be reached, refuses, or takes longer than the setting ``model_seconds``.
    """
    return run(_embed(list(texts), use, model, settings))


async def _embed(texts: list[str], use: Use, name: str, settings: Settings) -> list[list[float]]:
    with model_errors(name):
        model = _model_of(name, settings)
    where = address_of(model.base_url) or model.system
    clean, left_out = await KeyGate(name, where, settings.secrets).cleaned(texts)
    passed = [clean.get(text, text) for text in texts]
    whole = "\n\n".join(f"[{'user' if use == 'query' else use}]\n{text}" for text in passed)
    await asyncio.to_thread(record_sent, settings.state_folder, Sent.now(name, where, whole, left_out))
    with model_errors(name):
        async with asyncio.timeout(settings.model_seconds):
            found = await model.embed(passed, input_type=use)
    if len(found.embeddings) != len(texts):
        raise ModelError(
            "model '{name}' gave {count} vectors for {texts} texts",
            name=name,
            count=len(found.embeddings),
            texts=len(texts),
        )
    return [list(vector) for vector in found.embeddings]


def _model_of(name: str, settings: Settings) -> "EmbeddingModel":
    """Make the model of a name; its client tries again, so nothing of ours does."""
    from pydantic_ai.embeddings import infer_embedding_model

    def provider(kind: str) -> Any:  # noqa: ANN401 - a provider of any client
        made = provider_of(kind)
        if hasattr(made.client, "max_retries"):
            made.client.max_retries = settings.model_retries
        return made

    try:
        return infer_embedding_model(name, provider_factory=provider)
    except ValueError as error:
        raise ModelError(
            "unknown embedding model '{name}'", "name one such as 'ollama:bge-m3' or 'openai:…'", name=name
        ) from error
