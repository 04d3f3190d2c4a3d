"""The manual page is made of the commands' help, and is a page that troff reads."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.tests.test_docs import ROOT

READERS = {
    "mandoc": ["-T", "lint", "-W", "warning,stop"],
    "groff": ["-man", "-Tutf8", "-ww", "-P-c"],
}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("manual") / "vault-assistant.1"
    command = [sys.executable, str(ROOT / "bundle" / "manual.py")]
    made.write_bytes(subprocess.run(command, capture_output=True, check=True, env={"LC_ALL": "C"}).stdout)
    return made


def test_the_page_has_every_command(page: Path) -> None:
    from app.cli.main import COMMANDS

    text = page.read_text(encoding="utf-8")
    assert text.startswith(".TH VAULT-ASSISTANT 1")
    assert [name for name in COMMANDS if f"\n.SS {name} " not in text] == []


@pytest.mark.parametrize("program", READERS)
def test_the_page_can_be_read(program: str, page: Path) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not here")
    command = [program, *READERS[program], str(page)]
    read = subprocess.run(command, capture_output=True, text=True, check=True)
    assert read.stderr == ""
    assert program == "mandoc" or "vault-assistant - search, read and change" in " ".join(read.stdout.split())
