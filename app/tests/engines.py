"""The engines of an index, so that one test runs on each of them: ``pytestmark = on_every_engine``."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.config.settings import ENV_PREFIX

if TYPE_CHECKING:
    from app.search.models import Ranking, SearchRequest
    from app.search.searcher import Searcher
    from app.search.view import View

on_every_engine = pytest.mark.usefixtures("every_engine")

no_milvus = pytest.mark.skipif(
    find_spec("pymilvus") is None or find_spec("milvus_lite") is None,
    reason="needs pymilvus[milvus-lite], which the extra 'dev' installs",
)
ENGINES = [
    "local",
    pytest.param("lite", marks=[pytest.mark.slow, no_milvus]),
    pytest.param("tcp", marks=[pytest.mark.slow, no_milvus]),
]
QUICK_ENGINES = ["local", pytest.param("lite", marks=no_milvus), ENGINES[2]]
"""For a test that takes a few seconds on Milvus Lite in this process."""
SHARED_ENGINES = [ENGINES[0], ENGINES[2]]
"""Those that several processes can open; a file of Milvus Lite is one process's."""
READY_SECONDS = 120


@pytest.fixture(scope="session")
def milvus_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database of Milvus Lite in this process."""
    return str(tmp_path_factory.mktemp("milvus") / "lite.db")


@pytest.fixture(scope="session")
def milvus_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of Milvus Lite, which speaks the protocol of Milvus."""
    with LiteServer(tmp_path_factory.mktemp("served")) as uri:
        yield uri


class LiteServer:
    """A server of Milvus Lite over a folder, for as long as the context lasts."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder, self.port = folder, port or free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def uri(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = Path(sys.executable).with_name("milvus-lite")
        self.process = subprocess.Popen(
            [
                sys.executable,
                str(command),
                "server",
                "--data-dir",
                str(self.folder),
                "--port",
                str(self.port),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end:
            assert self.process is not None
            assert self.process.poll() is None, "the server of Milvus Lite ended"
            with socket.socket() as probe:
                probe.settimeout(1)
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        raise AssertionError("the server of Milvus Lite does not listen")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def __enter__(self) -> str:
        self.start()
        return self.uri

    def __exit__(self, *_: object) -> None:
        self.kill()


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def index_variable(uri: str, database: str, **more: object) -> str:
    """The setting by which the index of each vault is one in Milvus."""
    return json.dumps({"indexes": {"notes": {"engine": "milvus", "uri": uri, "database": database, **more}}})


@pytest.fixture(params=ENGINES)
def every_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run a test on each engine: what it opens without naming an index is kept there."""
    engine, asked = str(request.param), set[str]()
    if engine != "local":
        uri = request.getfixturevalue("milvus_file" if engine == "lite" else "milvus_server")
        # Collections of its own for each module: Milvus Lite reads all that a collection holds.
        database = "t_" + request.module.__name__.rpartition(".")[2]
        monkeypatch.setenv(ENV_PREFIX + "INDEX", index_variable(uri, database))
        # A machine that is busy with something else brings notes slowly.
        monkeypatch.setenv(ENV_PREFIX + "CATCH_UP_SECONDS", os.environ.get("CATCH_UP", "120"))
        from app.search import searcher as opened

        rank = opened.Searcher._rank

        def noted(searcher: "Searcher", request: "SearchRequest") -> "tuple[View, Ranking]":
            asked.add(searcher.definition.engine)
            return rank(searcher, request)

        monkeypatch.setattr(opened.Searcher, "_rank", noted)
    yield engine
    # A vault that was opened before the setting was made is searched on this machine, whatever it says.
    assert asked != {"local"}, f"searched on this machine alone, not on {engine}"
