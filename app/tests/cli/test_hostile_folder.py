"""A folder from a stranger, with a config.json that names much: no command that starts there takes any of it."""

import json
import os
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
STATED = "sets, for every command"
LEXICAL = {"indexes": {"notes": {"embedding_model": None}}}


@pytest.fixture
def bait(tmp_path: Path) -> Path:
    """A vault that exists and that nobody asked for."""
    folder = tmp_path / "bait"
    folder.mkdir()
    (folder / "Bait.md").write_text("# Bait\n\nThe heating of the bait.\n")
    return folder


@pytest.fixture
def clone(tmp_path: Path, bait: Path, own_environment: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The stranger's folder: its file names a vault, a model, and places in the folder itself."""
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


def ignored(clone: Path) -> str:
    return (
        f"'{clone}/config.json' is ignored: you have not trusted it; 'vault-assistant setup trust' shows what it would "
        "change, and asks\n"
    )


def start(clone: Path, *arguments: str, said: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=clone,
        input=said,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def untouched(clone: Path) -> bool:
    return sorted(str(path.relative_to(clone)) for path in clone.rglob("*")) == ["cache", "config.json"]


COMMANDS: list[tuple[str, ...]] = [
    ("status", "--json"),
    ("index",),
    ("find", "fast", "heating", "--json"),
    ("search", "heating", "--display", "json"),
    ("rm", "serre", "--yes"),
    ("status", "Home", "--json"),
    ("ask", "How is the greenhouse heated?", "--json"),
    ("chat",),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_command_with_a_vault_takes_nothing_from_the_folder(
    clone: Path, garden: Path, own_environment: Path, command: tuple[str, ...]
) -> None:
    ended = start(clone, *command, "--vault", str(garden), said="How is the greenhouse heated?\n")
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.startswith(ignored(clone))
    assert ended.stderr.count("is ignored") == 1
    assert "ignored" not in ended.stdout or command[0] == "status"
    assert "Bait" not in ended.stdout
    if "--json" in command or "json" in command:
        json.loads(ended.stdout)
    assert untouched(clone)
    if command == ("status", "--json"):
        shown: dict[str, Any] = json.loads(ended.stdout)
        own = own_environment / "config" / "vault-assistant" / "config.json"
        assert (shown["vault"], shown["writes"], shown["model"]) == (str(garden), "ask", "offline assistant")
        assert shown["folder"].startswith(str(own_environment / ".cache" / "vault-assistant"))
        assert shown["configuration"]["file"] == str(own)
        assert shown["configuration"]["ignored"]["file"] == f"{clone}/config.json"
    elif command[0] == "rm":
        assert (own_environment / ".local" / "state" / "vault-assistant" / "journal").is_dir()
        assert not (garden / "serre.md").exists()
    elif command[0] in ("find", "search", "ask", "chat"):
        # The file's globs would have hidden every note.
        assert "greenhouse" in ended.stdout.casefold()


@pytest.mark.parametrize(
    "command",
    [
        ("status",),
        ("index",),
        ("find", "fast", "heating"),
        ("search", "heating"),
        ("ask", "How is it heated?"),
        ("cat", "Bait"),
        ("chat",),
        ("serve", "--no-browser", "--port", "0"),
        ("mcp",),
        ("setup", "install", "cursor", "--dry-run"),
    ],
    ids=lambda command: command[0],
)
def test_without_a_vault_the_one_of_the_file_is_not_opened(clone: Path, command: tuple[str, ...]) -> None:
    ended = start(clone, *command)
    assert (ended.returncode, "Bait" in ended.stdout) == (2, False)
    first, second = ended.stderr.splitlines()[:2]
    assert first.startswith(f"'{clone}/config.json' is ignored: ")
    assert second.startswith(f"error: no vault named, and none around '{clone}'")
    assert untouched(clone)


def test_status_of_what_was_sent_does_not_read_the_folder(clone: Path) -> None:
    log = clone / "state" / "sent" / "sent.jsonl"
    log.parent.mkdir(parents=True)
    entry = {"when": "2025-07-14", "model": "m", "where": "w", "characters": 4, "text": "bait"}
    log.write_text(json.dumps(entry) + "\n")
    ended = start(clone, "status", "--sent")
    assert (ended.returncode, ended.stdout) == (1, "Nothing was sent to a language model so far.\n")
    assert ended.stderr == ignored(clone)


@pytest.mark.parametrize("trusted", [False, True])
def test_a_server_that_a_client_starts_in_the_folder_takes_nothing_from_it(
    clone: Path, garden: Path, own_environment: Path, trusted: bool
) -> None:
    if trusted:
        # As far as a file may be trusted: places elsewhere are refused anyway.
        values = json.loads((clone / "config.json").read_text())
        del values["cache_dir"], values["state_dir"]
        (clone / "config.json").write_text(json.dumps(values))
        assert STATED in start(clone, "setup", "trust", "--yes").stdout
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
    rest, log = server.communicate(timeout=200)
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert "projects/garden/Greenhouse.md" in answers[2]["result"]["content"][0]["text"]
    assert log.startswith(
        f"'{clone}/config.json' is ignored: a server takes no file of the folder that a client starts it in; "
        "if it is yours, name it with --config\n"
    )
    assert untouched(clone)


@pytest.mark.usefixtures("interruptible")
def test_the_page_takes_nothing_from_the_folder(clone: Path, garden: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "serve", "--vault", str(garden), "--no-browser", "--port", "0"],
        cwd=clone, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline() == ignored(clone)
        assert process.stderr.readline().startswith("Open http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=200)
    assert out == ""
    assert untouched(clone)


def test_a_file_of_another_program_makes_no_noise(clone: Path, garden: Path) -> None:
    (clone / "config.json").write_text('{"name": "somebody elses", "port": 8080}')
    ended = start(clone, "find", "fast", "heating", "--vault", str(garden))
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_fifo_in_its_place_holds_nobody_up(clone: Path, garden: Path) -> None:
    (clone / "config.json").unlink()
    os.mkfifo(clone / "config.json")
    ended = start(clone, "find", "fast", "heating", "--vault", str(garden))
    assert (ended.returncode, ended.stderr) == (0, "")
