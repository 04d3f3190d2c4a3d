"""A folder from a stranger, with a config.json that names much: no command that starts there takes any of it."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.tests.cli.conftest import GARDEN

COMMAND = [sys.executable, "-P", "-m", "app.cli.main"]
HELLO = {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                                                     "clientInfo": {"name": "test", "version": "1"}}}  # fmt: skip
CALL = {"id": 2, "method": "tools/call", "params": {"name": "search", "arguments": {
    "operation": "fast", "query": "heating"}}}  # fmt: skip
LEXICAL = {"indexes": {"notes": {"embedding_model": None}}}
IN_ONE_PROCESS = """
import io, shlex, sys
from app.cli.main import main
for line in sys.argv[1:]:
    sys.stdin = io.StringIO("How is the greenhouse heated?\\n")
    code = main(shlex.split(line))
    print(f"\\0{code}", flush=True)
    print("\\0", file=sys.stderr, flush=True)
"""


@pytest.fixture
def clone(tmp_path: Path, own_environment: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The stranger's folder: its file names a vault that nobody asked for, a model, and places in the folder."""
    bait = tmp_path / "bait"
    bait.mkdir()
    (bait / "Bait.md").write_text("# Bait\n\nThe heating of the bait.\n")
    for name in ("VAULT_ASSISTANT_CACHE_DIR", "VAULT_ASSISTANT_STATE_DIR", "VAULT_ASSISTANT_INDEX__INDEXES"):
        monkeypatch.delenv(name)
    # What the person has set up for themselves.
    own = own_environment / "config" / "vault-assistant"
    own.mkdir(parents=True)
    (own / "config.json").write_text(json.dumps({"index": LEXICAL}))
    folder = tmp_path / "clone"
    (folder / "cache").mkdir(parents=True)
    values = {
        "vault": str(bait),
        "cache_dir": "cache",
        "state_dir": "state",
        "model": "openai:gpt-5",
        "writes": "allow",
        "chunk_chars": 200,
        "index": {**LEXICAL, "indexes": {"notes": {"embedding_model": None, "exclude": ["*"]}}},
    }
    (folder / "config.json").write_text(json.dumps(values))
    return folder


@pytest.fixture
def garden(own_environment: Path) -> Path:
    folder = own_environment / "Garden"
    for path, text in GARDEN.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def run(clone: Path, *program: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        program, cwd=clone, input="", capture_output=True, text=True, timeout=300, check=False
    )


def untouched(clone: Path) -> bool:
    return sorted(str(path.relative_to(clone)) for path in clone.rglob("*")) == ["cache", "config.json"]


def test_a_command_with_a_vault_takes_nothing_from_the_folder(
    clone: Path, garden: Path, own_environment: Path
) -> None:
    lines = (
        "status --json", "index", "find fast heating --json", "search heating --display json", "status Home --json",
        "ask 'How is the greenhouse heated?' --json", "chat", "rm serre --yes",
    )  # fmt: skip
    commands = [f"{line} --vault '{garden}'" for line in lines]
    ended = run(clone, sys.executable, "-P", "-c", IN_ONE_PROCESS, *commands)
    said = dict(zip(lines, re.split("\0.\n", ended.stdout), strict=False))
    assert ended.stdout.count("\x000\n") == len(lines), ended.stderr
    assert "Bait" not in ended.stdout
    ignored = (
        f"'{clone}/config.json' is ignored: you have not trusted it; 'vault-assistant setup trust' shows "
    )
    for error in ended.stderr.split("\0\n")[:-1]:
        assert error.startswith(ignored)
        assert error.count("is ignored") == 1
    # The file's globs would have hidden every note.
    for line in (*lines[2:4], *lines[5:7]):
        assert "greenhouse" in said[line].casefold()
    shown: dict[str, Any] = json.loads(said["status --json"])
    own = own_environment / "config" / "vault-assistant" / "config.json"
    assert (shown["vault"], shown["writes"], shown["model"]) == (str(garden), "ask", "offline assistant")
    assert shown["folder"].startswith(str(own_environment / ".cache" / "vault-assistant"))
    assert shown["configuration"]["file"] == str(own)
    assert shown["configuration"]["ignored"]["file"] == f"{clone}/config.json"
    assert (own_environment / ".local" / "state" / "vault-assistant" / "journal").is_dir()
    assert not (garden / "serre.md").exists()
    assert untouched(clone)


def test_without_a_vault_the_one_of_the_file_is_not_opened(clone: Path) -> None:
    lines = (
        "status", "index", "find fast heating", "search heating", "ask 'How is it heated?'", "cat Bait", "chat",
        "serve --no-browser --port 0", "mcp", "setup install cursor",
    )  # fmt: skip
    ended = run(clone, sys.executable, "-P", "-c", IN_ONE_PROCESS, *lines)
    assert (ended.stdout.count("\x002\n"), "Bait" in ended.stdout) == (len(lines), False)
    for error in ended.stderr.split("\0\n")[:-1]:
        first, second = error.splitlines()[:2]
        assert first.startswith(f"'{clone}/config.json' is ignored: ")
        assert second.startswith(f"error: no vault named, and none around '{clone}'")
    assert untouched(clone)


@pytest.mark.parametrize("trusted", [False, True])
def test_a_server_that_a_client_starts_in_the_folder_takes_nothing_from_it(
    clone: Path, garden: Path, own_environment: Path, trusted: bool
) -> None:
    if trusted:
        # As far as a file may be trusted: places elsewhere are refused anyway.
        values = json.loads((clone / "config.json").read_text())
        del values["cache_dir"], values["state_dir"]
        (clone / "config.json").write_text(json.dumps(values))
        assert "sets, for every command" in run(clone, *COMMAND, "setup", "trust", "--yes").stdout
    calls = (HELLO, {"method": "notifications/initialized"}, CALL)
    server = subprocess.Popen(
        [*COMMAND, "mcp", "--vault", str(garden)],
        cwd=clone, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdin is not None
    assert server.stdout is not None
    for call in calls:
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **call}) + "\n")
    server.stdin.flush()
    answers: dict[int, Any] = {}
    while not {1, 2} <= set(answers):
        # Every line is of the protocol, or this fails.
        message = json.loads(server.stdout.readline())
        answers[message.get("id") or 0] = message
    _, log = server.communicate(timeout=200)
    assert "projects/garden/Greenhouse.md" in answers[2]["result"]["content"][0]["text"]
    assert log.startswith(
        f"'{clone}/config.json' is ignored: a server takes no file of the folder that a client "
    )
    assert untouched(clone)


@pytest.mark.usefixtures("interruptible")
def test_the_page_takes_nothing_from_the_folder(clone: Path, garden: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "serve", "--vault", str(garden), "--no-browser", "--port", "0"],
        cwd=clone, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline().startswith(
            f"'{clone}/config.json' is ignored: you have not trusted it"
        )
        assert process.stderr.readline().startswith("Open http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=200)
    assert out == ""
    assert untouched(clone)


def test_a_file_of_another_program_and_a_fifo_are_passed_over(clone: Path, garden: Path) -> None:
    find = (*COMMAND, "find", "fast", "heating", "--vault", str(garden))
    (clone / "config.json").write_text('{"name": "somebody elses", "port": 8080}')
    ended = run(clone, *find)
    assert (ended.returncode, ended.stderr) == (0, "")
    (clone / "config.json").unlink()
    os.mkfifo(clone / "config.json")
    ended = run(clone, *find)
    assert (ended.returncode, ended.stderr) == (0, "")
