"""Which language model filters: the first available of a list, else the one configured for all."""

from collections.abc import Callable
from functools import partial

from app.config.settings import Settings
from app.errors import ModelError

Ask = Callable[[str, str], str]
"""Gives a model's answer to a prompt, under instructions."""


def choose_filter(settings: Settings) -> tuple[Ask | None, str]:
    """Choose the model that judges relevance.

    Returns:
        The way to ask it, or None where there is none; and then why.
    """
    from app.llm import resolve_model

    names = [*settings.keyword_models, *([settings.model] if settings.model else [])]
    reasons: list[str] = []
    for name in names:
        try:
            resolve_model(name, settings)
        except ModelError as error:
            reasons.append(error.message)
            continue
        return partial(_ask, name, settings), ""
    return None, "; ".join(reasons) or "no language model is configured"


def _ask(name: str, settings: Settings, prompt: str, system: str) -> str:
    from app.llm import complete

    return complete(prompt, system=system, model=name, settings=settings)
