"""Language models: by name, on demand, and with failures a person can read.

Its names are loaded when first used: most of what asks for a part of this package never asks a model.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.llm.failures import failure_reason, is_setup, model_errors
    from app.llm.loop import ask_waiting, run, submit
    from app.llm.models import complete, resolve_model

__all__ = [
    "ask_waiting",
    "complete",
    "failure_reason",
    "is_setup",
    "model_errors",
    "resolve_model",
    "run",
    "submit",
]
_PLACES = {
    "failures": ("failure_reason", "is_setup", "model_errors"),
    "loop": ("ask_waiting", "run", "submit"),
    "models": ("complete", "resolve_model"),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a function
    for module, names in _PLACES.items():
        if name in names:
            return getattr(import_module(f"app.llm.{module}"), name)
    raise AttributeError(f"module 'app.llm' has no attribute '{name}'")
