"""The example app runs on the installed wheel, beside its own package `app`."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from app.tests.package.wheel import ROOT, Installed

pytestmark = pytest.mark.slow

SECONDS = 120


class Server:
    """The app's own server, on a port of its own."""

    def __init__(self, installed: Installed, folder: Path) -> None:
        self.vault, self._folder, self._installed = folder / "vault", folder, installed

    @contextmanager
    def running(self) -> Iterator[str]:
        """Start it, give its address, and end it."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [str(self._installed.python), "-m", "uvicorn", "app.main:app", "--port", str(port)]
        log = self._folder / "log.txt"
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=self._folder / "notes_app",
                env={**os.environ, "VAULT": str(self.vault)},
                stdout=output,
                stderr=output,
            )
        try:
            address = f"http://127.0.0.1:{port}"
            end = time.monotonic() + SECONDS
            while True:
                try:
                    httpx2.get(f"{address}/openapi.json", timeout=SECONDS).raise_for_status()
                    break
                except httpx2.ConnectError:
                    assert process.poll() is None, log.read_text()
                    assert time.monotonic() < end, log.read_text()
                    time.sleep(0.1)
            yield address
        finally:
            process.terminate()
            process.wait(SECONDS)
        assert "Traceback" not in log.read_text()


@pytest.fixture
def server(installed: Installed, tmp_path: Path) -> Server:
    shutil.copytree(ROOT / "examples" / "vault", tmp_path / "vault")
    shutil.copytree(ROOT / "examples" / "notes_app", tmp_path / "notes_app")
    return Server(installed, tmp_path)


def test_a_change_is_proposed_in_one_request_and_approved_in_the_next(server: Server) -> None:
    changes = [
        {"operation": "create", "path": "Plans/Cover", "content": "# Cover\n"},
        {"operation": "append", "path": "projects/petrel/tasks", "content": "See [[Cover]]."},
    ]
    tasks = server.vault / "projects" / "petrel" / "tasks.md"
    before = tasks.read_bytes()
    with server.running() as address:
        waiting = httpx2.post(f"{address}/changes", json={"changes": changes}, timeout=300).json()
        other = httpx2.post(f"{address}/changes", json={"changes": changes[1:]}, timeout=300).json()
    assert "+++ b/Plans/Cover.md" in waiting["diff"]
    assert tasks.read_bytes() == before
    # The server was started anew meanwhile.
    with server.running() as address:
        done = httpx2.post(f"{address}/changes/{waiting['token']}", timeout=300)
        again = httpx2.post(f"{address}/changes/{waiting['token']}", timeout=300)
        late = httpx2.post(f"{address}/changes/{other['token']}", timeout=300)
        wrong = httpx2.post(
            f"{address}/changes", json={"changes": [{"operation": "append", "path": "../x"}]}, timeout=300
        )
        page = httpx2.post(
            f"{address}/append", data={"path": "Cover", "content": "From the page."}, timeout=300
        ).text
        [token] = re.findall(r'name="token" value="([^"]+)"', page)
        agreed = httpx2.post(f"{address}/agree", data={"token": token}, timeout=300)
    assert done.json()["done"].startswith(
        "Done: create 'Plans/Cover.md'; append to 'projects/petrel/tasks.md'."
    )
    assert tasks.read_bytes() == before.rstrip(b"\n") + b"\n\nSee [[Cover]].\n"
    assert [again.status_code, late.status_code, wrong.status_code, agreed.status_code] == [
        410,
        409,
        400,
        303,
    ]
    assert late.json()["error"] == "'projects/petrel/tasks.md' changed meanwhile"
    assert "+From the page." in page
    assert (server.vault / "Plans" / "Cover.md").read_text() == "# Cover\n\nFrom the page.\n"
