"""What a family of models wants before a text, where the model's own files do not say."""

import json
import re
from pathlib import Path
from typing import Any

from app.search.embedding.tokenizing import Prompts

SENTENCE = "Represent this sentence for searching relevant passages: "
FAMILIES: tuple[tuple[str, Prompts], ...] = (
    (r"(intfloat-)?(multilingual-)?e5-(small|base|large)(-v2)?", Prompts("query: ", "passage: ")),
    (r"bge-(small|base|large)(-en(-v1\.5)?)?", Prompts(SENTENCE)),
    (r"snowflake-arctic-embed(-\w+(-v1\.5)?)?", Prompts(SENTENCE)),
    (r"snowflake-arctic-embed(2|-\w+-v2\.0)", Prompts("query: ")),
    (r"mxbai-embed-\w+(-v1)?", Prompts(SENTENCE)),
    (r"nomic-embed-text(-v\d(\.\d)?(-\w+)?)?", Prompts("search_query: ", "search_document: ")),
    (r"embeddinggemma(-\w+)?", Prompts("task: search result | query: ", "title: none | text: ")),
    (r"granite-embedding-.+", Prompts()),
    (r"gte-.+", Prompts()),
)
"""Names of models, and the prompts of their model cards; ``-`` and ``_`` are told apart, capitals are not."""
OWN = "config_sentence_transformers.json"
BASE = "_name_or_path"
"""The setting of a model's ``config.json`` that holds the name under which it was saved."""
MOST_BYTES = 1_000_000


def family_prompts(name: str, folder: Path | None) -> Prompts | None:
    """Return the prompts of a model's family; None where its own files name some, or the family is not known.

    Args:
        name: A folder, or a name on the hub.
        folder: Where the model lies; None where it is not on this machine.
    """
    names = [name]
    if folder is not None:
        if any(map(bool, _prompts_in(_read(folder / OWN)).values())):
            return None
        names += [folder.name, str(_read(folder / "config.json").get(BASE, ""))]
    for each in names:
        last = each.rstrip("/").rpartition("/")[2]
        for pattern, prompts in FAMILIES:
            if re.fullmatch(pattern, last, re.IGNORECASE):
                return prompts
    return None


def _prompts_in(settings: dict[str, Any]) -> dict[str, Any]:
    named = settings.get("prompts")
    return named if isinstance(named, dict) else {}


def _read(file: Path) -> dict[str, Any]:
    """Read a settings file of a model; empty where there is none, or one that cannot be read."""
    try:
        with file.open("rb") as stream:
            found = json.loads(stream.read(MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        # What is broken is said when the model is loaded.
        return {}
    return found if isinstance(found, dict) else {}
