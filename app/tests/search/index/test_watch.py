"""A watcher tells of what changes, whenever the system begins to report it."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.search.index.sync import Watcher

watchfiles = pytest.importorskip("watchfiles")


def test_what_changes_before_the_system_reports_it_is_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch, may_begin = watchfiles.watch, threading.Event()

    def late(*given: Any, **named: Any) -> Iterator[Any]:
        may_begin.wait()
        yield from watch(*given, **named)

    monkeypatch.setattr(watchfiles, "watch", late)
    watcher = Watcher(tmp_path)
    try:
        assert watcher.take()
        assert not watcher.changed.wait(0)
        # Until then each look at the vault is worth it.
        assert watcher.take()
        (tmp_path / "a.md").write_text("larch")
        may_begin.set()
        watcher.changed.wait()
        watcher.begun.wait()
        assert watcher.take()
        assert not watcher.take()
        (tmp_path / "b.md").write_text("larch")
        watcher.changed.wait()
        assert watcher.take()
    finally:
        may_begin.set()
        watcher.close()
