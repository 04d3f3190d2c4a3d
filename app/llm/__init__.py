"""Language models: by name, on demand, and with failures a person can read."""

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
