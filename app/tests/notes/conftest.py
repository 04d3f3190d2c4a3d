"""A vault to write to, and the one call that all note operations go through."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.notes.answer import operate
from app.vault.client import VaultClient

Operate = Callable[..., str]


@pytest.fixture
def run() -> Operate:
    """Run one operation: ``run(vault, "read", path="A")``; keywords of `operate` pass through."""

    def call(vault: VaultClient, operation: str, **parameters: Any) -> str:
        names = ("writes", "trace_id", "approve")
        how = {name: parameters.pop(name) for name in names if name in parameters}
        return operate(vault, {"operation": operation, **parameters}, **how)

    return call


def contents(vault: VaultClient) -> dict[str, str]:
    """Give every file of the vault but its settings, hidden ones included, as text with its line ends."""
    return {
        str(file.relative_to(vault.root)): file.read_bytes().decode(errors="surrogateescape")
        for file in sorted(Path(vault.root).rglob("*"))
        if file.is_file() and ".obsidian" not in file.parts
    }
