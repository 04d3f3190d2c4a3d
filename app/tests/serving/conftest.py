"""The command as a process of its own, such as a server."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
WORDS_ALONE = '{"notes": {"embedding_model": null}}'


@pytest.fixture(autouse=True)
def words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Index words alone: loading a model takes seconds."""
    monkeypatch.setenv("VAULT_ASSISTANT_INDEX__INDEXES", WORDS_ALONE)


@dataclass(frozen=True)
class Process:
    """A process, and what it wrote to its log."""

    process: "subprocess.Popen[bytes]"
    log: Path

    def wait_until(self, met: Callable[[], bool]) -> None:
        """Wait for something that takes it a moment."""
        while not met():
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
            time.sleep(0.02)


def started(log: Path, *arguments: str, ready: str = "Ctrl-C ends") -> Process:
    """Start the command with the environment of the test, and wait until it says that it is ready."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.cli.main", "--debug", *arguments],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            cwd=log.parent,
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=out,
            # A background job would be deaf to Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
    running = Process(process, log)
    running.wait_until(lambda: ready in log.read_text(encoding="utf-8"))
    return running


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Start real processes, and end those that the test has not."""
    processes: list[Process] = []

    def call(*arguments: str, ready: str = "Ctrl-C ends") -> Process:
        processes.append(started(tmp_path / f"log{len(processes)}", *arguments, ready=ready))
        return processes[-1]

    yield call
    for process in processes:
        ended(process)


def ended(running: Process, how: int = signal.SIGKILL) -> int:
    """End a process and give its exit code."""
    running.process.send_signal(how)
    running.process.communicate(timeout=200)
    return running.process.returncode
