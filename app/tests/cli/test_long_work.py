"""Work that lasts: a bar on a terminal alone, and a stop that keeps what is done."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.cli import build
from app.cli.progress import stoppable
from app.tests.cli import conftest


@pytest.fixture
def many(tmp_path: Path) -> str:
    root = tmp_path / "many"
    (root / ".obsidian").mkdir(parents=True)
    for number in range(30):
        (root / f"Note {number}.md").write_text(f"# Note {number}\n\nA larch, the {number}th.\n")
        os.utime(root / f"Note {number}.md", (1.7e9, 1.7e9))
    return str(root)


def stopping_at(step: int) -> Callable[..., object]:
    """Return a bar at whose step the person presses Ctrl-C."""

    @contextmanager
    def bar(label: str, note: str) -> Iterator[Callable[[int, int], None]]:
        def progress(done: int, total: int) -> None:
            if done == step:
                os.kill(os.getpid(), signal.SIGINT)

        yield progress

    return bar


def test_ctrl_c_keeps_the_words_that_are_indexed_and_says_so(
    run: conftest.Run, many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(build, "progress_bar", stopping_at(12))
        stopped = run("index", "--vault", many)
    assert (stopped.code, stopped.out) == (130, "")
    assert stopped.err == (
        "Stopped. 12 of 30 notes are in the index and can be found; 'vault-assistant index' goes on from there.\n"
    )
    status = run("status", "--vault", many, "--json").json
    assert (status["notes"], status["pending"]) == (12, 18)
    assert run("index", "--vault", many).out.startswith("30 notes in the index: 18 written, 0 deleted, ")


@pytest.mark.usefixtures("interruptible")
def test_a_second_ctrl_c_ends_at_once() -> None:
    with stoppable() as stopped:
        assert not stopped()
        os.kill(os.getpid(), signal.SIGINT)
        assert stopped()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
