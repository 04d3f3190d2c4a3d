"""How a command ends, as whoever started it sees it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
STOPPED = """
import sys
from app.cli.ending import ended
sys.exit(ended(lambda: exec("raise KeyboardInterrupt")))
"""


def test_a_command_that_is_stopped_in_code_given_as_text_ends_with_its_exit_code(tmp_path: Path) -> None:
    (tmp_path / "stopped.py").write_text(STOPPED)
    paths = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run([sys.executable, "-m", "stopped"], env=paths, check=False)
    assert done.returncode == 130
