"""Export a model in a process of its own, which goes on when the server that began it is ended."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.config.settings import EmbeddingSettings

LOCK = "export.lock"
_GOING_ON: list["subprocess.Popen[bytes]"] = []
"""What is not waited for any more; Python warns of a process that nothing refers to."""
LOOK_SECONDS = 0.2
PATIENCE_SECONDS = 600.0
"""How long one process waits for another that exports a model."""


def export_apart(
    name: str, cache: Path, settings: "EmbeddingSettings", stopped: Callable[[], bool] = lambda: False
) -> None:
    """Have a model exported, unless that was done, and wait for it until ``stopped``.

    An export takes half a minute of Python, in which a server would answer slowly, and clients end servers
    that answer slowly. Whether it succeeded is seen when the model is opened.

    Raises:
        EngineMissingError: the extra ``deep`` is not installed.
        ModelError: the model is not on this machine.
    """
    from app.search.embedding.loading import lacks_export

    if not lacks_export(name, cache):
        return
    asked = json.dumps([name, str(cache.absolute()), settings.model_dump(mode="json")])
    # Standard input and output may be a protocol's.
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__, asked],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while child.poll() is None:
        if stopped():
            _GOING_ON.append(child)
            return
        time.sleep(LOOK_SECONDS)


def main(asked: str) -> None:
    """Export a model, after any other process that does so."""
    from filelock import FileLock

    from app.config.settings import EmbeddingSettings
    from app.search.embedding.loading import load_embedder
    from app.search.private import private_folder

    name, folder, settings = json.loads(asked)
    if hasattr(os, "nice"):
        os.nice(10)
    cache = Path(folder)
    private_folder(cache)
    with FileLock(cache / LOCK, timeout=PATIENCE_SECONDS):
        load_embedder(name, cache=cache, settings=EmbeddingSettings(**settings))


if __name__ == "__main__":
    main(sys.argv[1])
