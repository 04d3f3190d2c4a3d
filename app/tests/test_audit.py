"""`make audit`: what is known fails, what is excused does not, and no answer is never taken for a good one."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
VULN = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": ["2.0"], "description": "reads\ntoo much"}
GOOD = {"name": "good", "version": "1.0", "vulns": []}
BAD = {"name": "bad", "version": "1.1", "vulns": [VULN]}


def audited(folder: Path, exceptions: str = "", **answers: Any) -> tuple[int, str]:
    """Run a copy of the script beside its exceptions, and a tool that answers by the source it is asked for."""
    (folder / "audit.py").write_bytes((ROOT / "bench/audit.py").read_bytes())
    (folder / "audit-exceptions.txt").write_text(exceptions)
    (folder / "pip_audit.py").write_text(
        "import json, sys\n"
        f"answer = json.loads({json.dumps(answers)!r}).get(sys.argv[sys.argv.index('--vulnerability-service') + 1])\n"
        "if answer is None:\n    sys.exit('ConnectionError: no such host')\n"
        "print(json.dumps({'dependencies': answer, 'fixes': []}))\n"
        "sys.exit(any(each.get('vulns') for each in answer))\n"
    )
    ran = subprocess.run(
        [sys.executable, "audit.py", str(ROOT / "constraints.txt")],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    return ran.returncode, ran.stdout + ran.stderr


def test_what_is_known_fails_and_is_named(tmp_path: Path) -> None:
    assert audited(tmp_path, pypi=[GOOD, BAD]) == (
        1,
        "2 of 2 packages looked up at PyPI: 1 advisories\nbad 1.1: PYSEC-1, mended by 2.0: reads too much\n",
    )


@pytest.mark.parametrize("name", ["PYSEC-1", "CVE-1"])
def test_an_exception_needs_its_reason(tmp_path: Path, name: str) -> None:
    assert audited(tmp_path, f"# why\n{name}  we never read\n", pypi=[BAD])[0] == 0
    code, said = audited(tmp_path, f"{name}\n", pypi=[BAD])
    assert (code, said) == (1, f"audit-exceptions.txt: '{name}' has no reason\n")


def test_no_answer_at_all_is_one_line_and_a_code_of_its_own(tmp_path: Path) -> None:
    line = "not audited: neither PyPI nor OSV gave any advisories; nothing is known, good or bad\n"
    skipped = {"name": "torch", "skip_reason": "Dependency not found on PyPI and could not be audited"}
    assert audited(tmp_path, pypi=[skipped]) == (3, line)
    assert audited(tmp_path) == (3, line)
