"""``setup install``: one entry into another program's configuration, and nothing of it lost."""

import json
import os
import stat
import tomllib
from pathlib import Path

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from app.errors import ConfigError, ConflictError
from app.mcp.install.change import entry_in, make_change, plan_change
from app.mcp.install.clients import CLIENTS
from app.tests.cli.conftest import Run

ENTRY = {"command": "/opt/my tools/vault-assistant", "args": ["mcp", "--vault", "/home/é/My Notes"]}


@pytest.fixture(autouse=True)
def no_other_place(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)


def test_each_client_has_its_file(
    run: Run, garden: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    mac = "Library/Application Support/"
    places = {  # on Linux, on a Mac, in a project
        "claude-desktop": ("xdg/Claude/claude_desktop_config.json", mac + "Claude/claude_desktop_config.json", None),
        "claude-code": (".claude.json", ".claude.json", ".mcp.json"),
        "codex": (".codex/config.toml", ".codex/config.toml", ".codex/config.toml"),
        "cursor": (".cursor/mcp.json", ".cursor/mcp.json", ".cursor/mcp.json"),
        "vscode": ("xdg/Code/User/mcp.json", mac + "Code/User/mcp.json", ".vscode/mcp.json"),
    }  # fmt: skip
    assert set(places) == set(CLIENTS)
    for name, (linux, darwin, project) in places.items():
        assert CLIENTS[name].path(platform="linux") == tmp_path / linux
        assert CLIENTS[name].path(platform="darwin") == tmp_path / darwin
        if project:
            assert CLIENTS[name].path(tmp_path / "project") == tmp_path / "project" / project
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "moved"))
    assert CLIENTS["claude-code"].path() == tmp_path / "moved/.claude.json"
    failed = run("setup", "install", "claude-desktop", "--vault", garden, "--project", str(tmp_path))
    assert failed.err.startswith("error: Claude Desktop has no configuration for one project")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "servers": {\n    "v": {\n      "x": 1\n    }\n  }\n}\n'),
        ('{\n\t"servers": {\n\t\t"é": {\n\t\t\t"a": 1\n\t\t}\n\t}\n}\n',
         '{\n\t"servers": {\n\t\t"é": {\n\t\t\t"a": 1\n\t\t},\n\t\t"v": {\n\t\t\t"x": 1\n\t\t}\n\t}\n}\n'),
        ('{"servers": {"v": {"x": 0, "mine": true}}}',
         '{\n  "servers": {\n    "v": {\n      "x": 1,\n      "mine": true\n    }\n  }\n}\n'),
    ],
    ids=["no-file", "tabs", "known-entry"],
)  # fmt: skip
def test_the_entry_comes_into_the_file_in_its_indentation(before: str, after: str) -> None:
    assert entry_in(before, "servers", "v", {"x": 1}) == after
    assert entry_in(after, "servers", "v", {"x": 1}) == after


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    rest=st.dictionaries(st.text().filter(lambda name: name != "servers"), JSON_VALUES, max_size=3),
    servers=st.none() | st.dictionaries(st.text(), st.dictionaries(st.text(), JSON_VALUES, max_size=2), max_size=3),
    indent=st.sampled_from([None, 1, 2, "\t"]),
    name=st.text(),
)  # fmt: skip
def test_whatever_stands_in_a_file_is_still_there(
    rest: dict[str, object], servers: dict[str, dict[str, object]] | None, indent: int | str | None, name: str
) -> None:
    before = {**rest, **({} if servers is None else {"servers": servers})}
    found = json.loads(entry_in(json.dumps(before, indent=indent), "servers", name, ENTRY))
    known = (servers or {}).get(name, {})
    assert found == {**before, "servers": {**(servers or {}), name: {**known, **ENTRY}}}


CODEX = """\
# What I use.
model = "gpt-5"  # the small one

[mcp_servers.other]
command = "other" # keep
env = { KEY = "1" }

[profiles.work]
approval_policy = "never"
"""
OURS = """\
[mcp_servers.vault-assistant]
command = "/opt/my tools/vault-assistant"
args = ["mcp", "--vault", "/home/é/My Notes"]
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", OURS),
        (CODEX, CODEX.replace("[profiles", f"{OURS}[profiles")),
        (
            '[mcp_servers.vault-assistant]\n# patient\nstartup_timeout_sec = 30\ncommand = "old" # was\n',
            "[mcp_servers.vault-assistant]\n# patient\nstartup_timeout_sec = 30\n"
            'command = "/opt/my tools/vault-assistant" # was\nargs = ["mcp", "--vault", "/home/é/My Notes"]\n',
        ),
    ],
    ids=["no-file", "others", "known-entry"],
)
def test_a_table_comes_into_codexs_file_and_every_comment_stays(before: str, after: str) -> None:
    for text in (before, after):
        assert entry_in(text, "mcp_servers", "vault-assistant", ENTRY, is_toml=True) == after


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1)
TABLES = st.recursive(
    st.booleans() | st.integers(-(2**60), 2**60) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(
    rest=st.dictionaries(st.text("abc-é. ", min_size=1), TABLES, max_size=3),
    servers=st.none() | st.dictionaries(st.text("abc-", min_size=1), st.dictionaries(st.text("xyz", min_size=1), TABLES, max_size=2), max_size=3),
    name=st.text("abc-é. ", min_size=1),
)  # fmt: skip
def test_whatever_stands_in_a_toml_file_is_still_there(
    rest: dict[str, object], servers: dict[str, dict[str, object]] | None, name: str
) -> None:
    before = {**rest, **({} if servers is None else {"mcp_servers": servers})}
    found = tomllib.loads(entry_in(tomlkit.dumps(before), "mcp_servers", name, ENTRY, is_toml=True))
    known = (servers or {}).get(name, {})
    assert found == {**before, "mcp_servers": {**(servers or {}), name: {**known, **ENTRY}}}


@pytest.mark.parametrize(
    ("client", "text"),
    [
        ("vscode", '{\n  // mine\n  "servers": {}\n}'),
        ("vscode", '{"servers": {"a": 1}, "servers": {"b": 2}}'),
        ("vscode", '{"servers": {"v": {"x": 1}, "v": {"y": 2}}}'),
        ("vscode", '{"servers": [1]}'),
        ("vscode", "[1]"),
        ("vscode", "[" * 100_000),
        ("codex", "a = "),
        ("codex", "[mcp_servers]\na = 1\n[mcp_servers]\n"),
        ("codex", "mcp_servers = 3\n"),
        ("codex", "[[mcp_servers]]\na = 1\n"),
    ],
    ids=str,
)
def test_a_file_that_cannot_be_kept_as_it_is_is_left_alone_and_the_entry_shown(
    run: Run, garden: str, tmp_path: Path, client: str, text: str
) -> None:
    file = CLIENTS[client].path(tmp_path)
    file.parent.mkdir()
    file.write_text(text)
    failed = run("setup", "install", client, "--vault", garden, "--project", str(tmp_path), "--yes")
    assert failed.code == 2
    assert failed.err.startswith(f"error: '{file}' was not changed: ")
    shown = tomllib.loads(failed.out)["mcp_servers"] if client == "codex" else failed.json["servers"]
    assert shown["vault-assistant"]["args"] == ["mcp", "--vault", garden]
    assert file.read_text() == text
    assert list(file.parent.iterdir()) == [file]


def test_codex_is_set_up_after_a_yes(run: Run, garden: str, tmp_path: Path) -> None:
    file = tmp_path / ".codex" / "config.toml"
    file.parent.mkdir()
    file.write_text(CODEX)
    at = ("setup", "install", "codex", "--vault", garden, "--project", str(tmp_path), "--read-only")
    shown = run(*at)
    assert (shown.code, shown.err) == (
        2,
        "error: nothing was written: nobody is here to approve it\nhint: add --yes\n",
    )
    assert shown.out.startswith(f"--- {file}\n+++ {file}\n@@ ")
    assert file.read_text() == CODEX
    done = run(*at, "--yes")
    assert done.code == 0
    assert file.read_text().startswith(CODEX.partition("[profiles")[0])
    ours = tomllib.loads(file.read_text())["mcp_servers"]["vault-assistant"]
    assert ours["args"] == ["mcp", "--vault", garden, "--read-only"]
    assert "it offers pack, search, read, ask, wksm_search" in done.err


def test_what_was_there_is_backed_up_and_a_second_run_changes_nothing(
    run: Run, garden: str, tmp_path: Path
) -> None:
    # A file that is a link stays one.
    (tmp_path / "dotfiles").mkdir()
    file, link = tmp_path / "dotfiles/mcp.json", CLIENTS["cursor"].path(tmp_path)
    link.parent.mkdir()
    link.symlink_to(file)
    file.write_text('{"mcpServers": {"other": {"command": "x"}}}')
    file.chmod(0o600)
    arguments = ["setup", "install", "cursor", "--vault", garden, "--project", str(tmp_path), "--yes"]
    first = run(*arguments)
    assert (first.code, link.is_symlink()) == (0, True)
    (backup,) = file.parent.glob("mcp.json.*.bak")
    assert backup.read_text() == '{"mcpServers": {"other": {"command": "x"}}}'
    assert f"What it held: '{backup}'" in first.err
    assert set(json.loads(file.read_text())["mcpServers"]) == {"other", "vault-assistant"}
    assert stat.S_IMODE(file.stat().st_mode) == stat.S_IMODE(backup.stat().st_mode) == 0o600
    again = run(*arguments)
    assert (again.code, again.err) == (0, f"'{link}' has this entry already.\n")
    assert list(file.parent.glob("mcp.json.*.bak")) == [backup]


def test_what_changed_meanwhile_or_is_no_text_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / ".claude.json"
    file.write_text('{"a": 1}')
    change = plan_change(file, "mcpServers", "v", ENTRY)
    file.write_text('{"a": 2}')
    with pytest.raises(ConflictError, match="changed meanwhile"):
        make_change(change)
    assert file.read_text() == '{"a": 2}'
    assert list(tmp_path.iterdir()) == [file]
    file.write_bytes(b'{"a": "\xe9"}')
    for path, message in ((tmp_path, "no configuration file"), (file, "not UTF-8")):
        with pytest.raises(ConfigError, match=message):
            plan_change(path, "servers", "v", ENTRY)


def test_it_works_where_paths_hold_spaces_and_the_server_is_tried_first(
    run: Run, tmp_path: Path, own_environment: Path
) -> None:
    notes = tmp_path / "My notes, été"
    notes.mkdir()
    (notes / "Note one.md").write_text("# One\n\nThe heating.\n")
    config = tmp_path / "the config.json"
    config.write_text('{"index": {"indexes": {"notes": {"embedding_model": null}}}}')
    done = run("setup", "install", "claude-code", "--vault", str(notes), "--config", str(config), "--yes")
    assert done.code == 0, done.err
    entry = json.loads((own_environment / ".claude.json").read_text())["mcpServers"]["vault-assistant"]
    assert (entry["type"], Path(entry["command"]).is_absolute()) == ("stdio", True)
    assert entry["args"][-5:] == ["mcp", "--vault", str(notes), "--config", str(config)]
    assert "it offers pack, search, read, write, ask, wksm_search" in done.err


def test_a_server_that_does_not_start_is_not_installed(run: Run, garden: str, own_environment: Path) -> None:
    # A variable that the client does not pass on: here the vault's configuration is right, there it is not.
    bad = own_environment / ".config" / "vault-assistant" / "config.json"
    bad.parent.mkdir(parents=True)
    bad.write_text('{"chunk_chars": 1}')
    failed = run("setup", "install", "cursor", "--vault", garden, "--yes")
    assert failed.code == 2
    assert "the server does not answer, so nothing was written: error: setting 'chunk_chars'" in failed.err
    assert not (own_environment / ".cursor").exists()


def test_wrong_arguments_are_refused_before_anything_is_written(run: Run, garden: str) -> None:
    for arguments, message in (
        (["cursr", "--vault", garden], "error: unknown client 'cursr'\nhint: valid: claude-desktop, "),
        (["cursor", "--vault", garden, "--tools", "serch"], "error: unknown tool 'serch'"),
        (["cursor", "--vault", garden, "--folder", "Nowhere"], "error: no folder 'Nowhere' in the vault"),
        (["cursor", "--vault", "/nowhere"], "error: no vault at '/nowhere'"),
    ):
        failed = run("setup", "install", *arguments)
        assert (failed.code, failed.out, failed.err.startswith(message)) == (2, "", True)
    assert not (Path(os.environ["HOME"]) / ".cursor").exists()
