"""The conformance vault, read by the functions under test, and the answers it should give."""

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.markdown.links import LinkGraph
from app.markdown.models import ParsedNote
from app.markdown.parse import parse_note
from app.vault.paths import nfc

DATA = Path(__file__).parent / "data"
VAULT = DATA / "vault"


@functools.cache
def expected() -> Mapping[str, Any]:
    """The content of `expected.json`."""
    content: dict[str, Any] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
    return content


@functools.cache
def files() -> Mapping[str, Path]:
    """Every visible file by its NFC path."""
    paths = {path.relative_to(VAULT): path for path in VAULT.rglob("*") if path.is_file()}
    return {
        nfc(relative.as_posix()): path
        for relative, path in sorted(paths.items())
        if not any(part.startswith(".") for part in relative.parts)
    }


@functools.cache
def texts() -> Mapping[str, str]:
    """The notes' texts, with the line ends of their files."""
    return {name: path.read_bytes().decode("utf-8") for name, path in files().items() if path.suffix == ".md"}


@functools.cache
def notes() -> Mapping[str, ParsedNote]:
    """The notes, parsed."""
    return {name: parse_note(text, name) for name, text in texts().items()}


@functools.cache
def graph() -> LinkGraph:
    """The links among all files."""
    return LinkGraph.build({name: note.links for name, note in notes().items()}, files())
