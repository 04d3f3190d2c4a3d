"""The language of whoever sits at the terminal. Nothing is imported here that takes long."""

import os
from typing import Literal

LANGUAGES: tuple[Literal["en"], Literal["fr"]] = ("en", "fr")

_chosen: Literal["en", "fr"] | None = None


def choose(language: Literal["en", "fr"] | None) -> None:
    """Speak a language from now on; None speaks that of the system."""
    global _chosen
    _chosen = language


def spoken() -> Literal["en", "fr"]:
    """Return the language of whoever sits at the terminal: as chosen, else by the system's variables."""
    if _chosen is not None:
        return _chosen
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((value for name in names if (value := os.environ.get(name))), "")
    return "fr" if locale.partition("_")[0].partition(".")[0].lower() == "fr" else "en"
