"""What a setting of a configuration file lets happen, in words for the person who is to accept it."""

from collections.abc import Iterator
from typing import Any

LIMIT = "a limit on time, length or number"
RANKING = "how passages are found and ranked"

MEANS = {
    "vault": "commands that start there open the vault in this folder, unless another is named",
    "vaults": "a name for a further vault",
    "keyword_models": "these models read what 'keyword' finds: text of your notes is sent to them",
    "index": "which notes can be found, and how",
    "embedding": "on what the embedding model runs",
    "deep": RANKING,
    "cache_dir": "the index, which holds the words of your notes, is kept there",
    "state_dir": "the journal, with earlier contents of notes, and the texts sent to models are kept there",
    "resident": "whether a server of the vault that runs already may answer",
    "chunk_chars": RANKING,
    "max_note_bytes": "which notes are large enough to be left unread",
    "commit_notes": "how often the index is saved while it is built",
    "model_seconds": LIMIT,
    "model_retries": LIMIT,
    "history_chars": LIMIT,
    "ask_requests": LIMIT,
    "ask_tool_calls": LIMIT,
    "ask_chars": LIMIT,
    "catch_up_seconds": LIMIT,
}
"""By the setting's name; what depends on more is in `consequence`."""

SECRETS = {
    "ask": "you are asked before a text that looks like a key is sent to a model elsewhere",
    "mask": "a text that looks like a key is left out of what a model elsewhere is sent",
    "send": "texts that look like keys are sent to a model elsewhere without asking you",
}
WRITES = {
    "allow": "notes are changed without asking you",
    "ask": "you are asked before a note is changed",
    "refuse": "no note is changed",
}


def consequence(keys: tuple[str, ...], value: object) -> str:
    """Return what a value lets happen; empty for a setting that is not known here.

    Args:
        keys: Where the value stands, such as ``("index", "indexes", "notes", "exclude")``.
        value: The value, as it stands in the file.
    """
    match keys:
        case ("model", *_):
            return _model(value)
        case ("writes", *_):
            return WRITES.get(str(value), "")
        case ("secrets", *_):
            return SECRETS.get(str(value), "")
        case ("vaults", name, "path"):
            return f"--vault {name} opens the vault in this folder"
        case (*_, "embedding_model") | ("deep", "reranker"):
            if value is None:
                return "no model of your machine reads the notes for this"
            return "this model, a folder or a name on your machine, reads the notes"
        case ("deep", "rewrites"):
            return "how many other wordings of a question the language model is asked for"
        case (*_, "include" | "exclude"):
            return "which notes can be found"
        case (name, *_):
            return MEANS.get(name, "")
        case _:
            return ""


def _model(value: object) -> str:
    if value is None:
        return "no language model: answers quote your notes, and nothing is sent"
    if str(value).startswith("ollama:"):
        return "this model reads text of your notes, on your machine or wherever OLLAMA_BASE_URL leads"
    return "text of your notes is sent to this model's provider, with your key, when you ask or chat"


def leaves(value: object, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each single value below nested objects, and where it stands."""
    if isinstance(value, dict) and (value or not keys):
        for name, inner in value.items():
            yield from leaves(inner, (*keys, name))
    else:
        yield keys, value


def at(value: Any, keys: tuple[str, ...]) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return what stands at the keys of nested objects; None where nothing does."""
    for name in keys:
        value = value.get(name) if isinstance(value, dict) else None
    return value
