"""The manual page says what the commands' help says, and is a page that troff reads."""

import shutil
import subprocess
import tomllib

import pytest

from app.tests.package.manual import STORED, manual
from app.tests.test_docs import ROOT


def test_the_page_is_what_is_written_of_the_commands_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    assert STORED.read_text(encoding="utf-8") == manual(), "python -m app.tests.package.manual --write"


def test_a_wheel_brings_the_page() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared == {str(STORED.relative_to(ROOT)): f"share/man/man1/{STORED.name}"}


@pytest.mark.skipif(not (shutil.which("groff") or shutil.which("mandoc")), reason="neither is here")
def test_the_page_can_be_read() -> None:
    if shutil.which("mandoc"):
        command = ["mandoc", "-T", "lint", "-W", "warning,stop", str(STORED)]
        assert subprocess.run(command, capture_output=True, text=True, check=False).stdout == ""
    if shutil.which("groff"):
        command = ["groff", "-man", "-Tutf8", "-ww", "-P-c", str(STORED)]
        read = subprocess.run(command, capture_output=True, text=True, check=True)
        assert read.stderr == ""
        assert "vault-assistant - search, read and change" in " ".join(read.stdout.split())
        assert "find tag:#boat -l -0 --limit 0 | xargs -0 wc -w" in read.stdout
