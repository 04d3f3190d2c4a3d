"""An app without a log of its own hears nothing of ours."""

import subprocess
import sys
from pathlib import Path


def test_an_app_without_a_log_of_its_own_hears_nothing(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from app.dependencies import VaultClient\n"
        "from app.notes.answer import operate\n"
        "from app.search.answer import answer\n"
        "vault = VaultClient(sys.argv[1])\n"
        "print(operate(vault, {'operation': 'read', 'path': 'Missing'}))\n"
        "vault.resolve = None\n"
        "print(operate(vault, {'operation': 'read', 'path': 'A'}))\n"
        "print(answer(vault, {'operation': 'paint'}))\n"
    )
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, check=False)
    assert [line[:6] for line in done.stdout.splitlines()] == ["Error:"] * 3
    assert (done.returncode, done.stderr) == (0, "")
