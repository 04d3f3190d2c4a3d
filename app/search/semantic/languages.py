"""Which languages an embedding model knows, as its card says, and whether the notes are in them."""

from pathlib import Path
from typing import Any

import yaml

from app.search.lexical.index import Snapshot
from app.search.lexical.language import LANGUAGE_CODES, LANGUAGES

MULTILINGUAL = "paraphrase-multilingual-MiniLM-L12-v2"
"""A small model that knows some fifty languages; it has to be downloaded."""

CARD_BYTES = 20_000


def known_languages(folder: Path) -> frozenset[str]:
    """Read the codes of the languages on a model's card; empty where it names none, or many.

    Source: the field ``language`` of Hugging Face's model cards.
    """
    try:
        with (folder / "README.md").open(encoding="utf-8", errors="replace") as file:
            text = file.read(CARD_BYTES)
    except OSError:
        return frozenset()
    if not text.startswith("---\n"):
        return frozenset()
    try:
        card: Any = yaml.safe_load(text[4:].partition("\n---")[0])
    except (yaml.YAMLError, ValueError, RecursionError):
        return frozenset()
    named = card.get("language") if isinstance(card, dict) else None
    codes = {str(code) for code in (named if isinstance(named, list) else [named]) if code}
    return frozenset() if "multilingual" in codes else frozenset(codes)


def language_hint(lexical: Snapshot, known: frozenset[str], model: str) -> str:
    """Say that a model does not know the language of most notes, and what to do; empty where it does."""
    if not known:
        return ""
    counts = lexical.language_counts
    foreign = {code: count for code, count in counts.items() if LANGUAGE_CODES[code] not in known}
    if sum(foreign.values()) > sum(counts.values()) / 2:
        language = LANGUAGES[max(foreign, key=lambda code: foreign[code])].capitalize()
    elif known == {"en"} and _other_script(lexical) > 1 / 2:
        language = "another script"
    else:
        return ""
    return (
        f"most notes are in {language}, which the model '{model}' does not know; for 'deep', set "
        f"'embedding_model' to a multilingual one such as {MULTILINGUAL}"
    )


def _other_script(lexical: Snapshot) -> float:
    """Give the share of the index's words that hold letters of another script than the Latin one."""
    words = [word for word in lexical.lexicon() if not word.isascii() and word.isalpha()]
    other = sum(any(ord(char) > 0x24F for char in word) for word in words)
    return other / max(len(lexical.lexicon()), 1)
