"""``install``: one entry into another program's configuration, and nothing of it lost."""

import json
import os
import shlex
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


def test_each_client_has_its_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    mac = tmp_path / "Library/Application Support"
    assert {name: client.path(platform="linux") for name, client in CLIENTS.items()} == {
        "claude-desktop": tmp_path / "xdg/Claude/claude_desktop_config.json",
        "claude-code": tmp_path / ".claude.json",
        "codex": tmp_path / ".codex/config.toml",
        "cursor": tmp_path / ".cursor/mcp.json",
        "vscode": tmp_path / "xdg/Code/User/mcp.json",
    }
    assert {name: client.path(platform="darwin") for name, client in CLIENTS.items()} == {
        "claude-desktop": mac / "Claude/claude_desktop_config.json",
        "claude-code": tmp_path / ".claude.json",
        "codex": tmp_path / ".codex/config.toml",
        "cursor": tmp_path / ".cursor/mcp.json",
        "vscode": mac / "Code/User/mcp.json",
    }
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "moved"))
    assert CLIENTS["claude-code"].path() == tmp_path / "moved/.claude.json"
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    assert CLIENTS["codex"].path() == tmp_path / "codex/config.toml"
    assert CLIENTS["cursor"].path() == tmp_path / ".cursor/mcp.json"


def test_projects_have_files_of_their_own(run: Run, garden: str, tmp_path: Path) -> None:
    paths = {
        name: CLIENTS[name].path(tmp_path).relative_to(tmp_path)
        for name in ("claude-code", "codex", "cursor", "vscode")
    }
    assert {name: str(path) for name, path in paths.items()} == {
        "claude-code": ".mcp.json", "codex": ".codex/config.toml", "cursor": ".cursor/mcp.json",
        "vscode": ".vscode/mcp.json",
    }  # fmt: skip
    failed = run("setup", "install", "claude-desktop", "--vault", garden, "--project", str(tmp_path))
    assert failed.code == 2
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
    rest=st.dictionaries(st.text(), JSON_VALUES, max_size=3),
    servers=st.none() | st.dictionaries(st.text(), st.dictionaries(st.text(), JSON_VALUES, max_size=2), max_size=3),
    indent=st.sampled_from([None, 1, 2, "\t"]),
    name=st.text(),
)  # fmt: skip
def test_whatever_stands_in_a_file_is_still_there(
    rest: dict[str, object], servers: dict[str, object] | None, indent: int | str | None, name: str
) -> None:
    before = {**rest, **({} if servers is None else {"servers": servers})}
    if not isinstance(before.get("servers", {}), dict):
        return
    found = json.loads(entry_in(json.dumps(before, indent=indent), "servers", name, ENTRY))
    known = (servers or {}).get(name, {})
    assert isinstance(known, dict)
    assert found == {**before, "servers": {**(servers or {}), name: {**known, **ENTRY}}}


@pytest.mark.parametrize(
    "text",
    [
        '{\n  // mine\n  "servers": {}\n}',
        '{"servers": {},}',
        '{"servers": {"a": 1}, "servers": {"b": 2}}',
        '{"servers": {"v": {"x": 1}, "v": {"y": 2}}}',
        '{"servers": [1]}',
        "[1]",
        '{"a": ',
        "[" * 100_000,
    ],
    ids=["comment", "comma", "block-twice", "entry-twice", "no-object", "list", "cut", "deep"],
)
def test_a_file_that_cannot_be_kept_as_it_is_is_left_alone_and_the_entry_shown(
    run: Run, garden: str, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(text)
    failed = run("setup", "install", "vscode", "--vault", garden, "--file", str(file), "--name", "v")
    assert failed.code == 2
    assert failed.err.startswith(f"error: '{file}' was not changed: ")
    assert failed.err.endswith("hint: add the entry by hand\n")
    assert failed.json["servers"]["v"]["args"] == ["mcp", "--vault", garden]
    assert file.read_text() == text
    assert sorted(path.name for path in tmp_path.glob("mcp.json*")) == ["mcp.json"]


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
        ("# mine\n", f"# mine\n\n{OURS}"),
        (CODEX, CODEX.replace("[profiles", f"{OURS}[profiles")),
        (
            '[mcp_servers.vault-assistant]\n# patient\nstartup_timeout_sec = 30\ncommand = "old" # was\n',
            "[mcp_servers.vault-assistant]\n# patient\nstartup_timeout_sec = 30\n"
            'command = "/opt/my tools/vault-assistant" # was\nargs = ["mcp", "--vault", "/home/é/My Notes"]\n',
        ),
        (CODEX.replace("[profiles", f"{OURS}[profiles"), None),
    ],
    ids=["no-file", "comment", "others", "known-entry", "same"],
)
def test_a_table_comes_into_codexs_file_and_every_comment_stays(before: str, after: str | None) -> None:
    assert entry_in(before, "mcp_servers", "vault-assistant", ENTRY, is_toml=True) == (
        before if after is None else after
    )


def test_codexs_form_does_not_depend_on_the_files_name(tmp_path: Path) -> None:
    change = plan_change(tmp_path / "codex.conf", "mcp_servers", "vault-assistant", ENTRY, is_toml=True)
    assert change.after.decode() == OURS


TABLES = st.recursive(
    st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.text(st.characters(codec="utf-8", exclude_categories=["C"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1), inner, max_size=3
        )
    ),
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


@pytest.mark.parametrize("text", ['a = ', '[mcp_servers]\na = 1\n[mcp_servers]\n', 'mcp_servers = 3\n', '[[mcp_servers]]\na = 1\n'])  # fmt: skip
def test_a_toml_file_that_cannot_be_changed_is_left_alone_and_the_entry_shown(
    run: Run, garden: str, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    failed = run("setup", "install", "codex", "--vault", garden, "--file", str(file), "--name", "v")
    assert failed.code == 2
    assert failed.err.startswith(f"error: '{file}' was not changed: ")
    assert tomllib.loads(failed.out)["mcp_servers"]["v"]["args"] == ["mcp", "--vault", garden]
    assert file.read_text() == text


def test_codex_is_set_up_and_told_of_the_skill(run: Run, garden: str, tmp_path: Path) -> None:
    file = tmp_path / ".codex" / "config.toml"
    file.parent.mkdir()
    file.write_text(CODEX)
    done = run(
        "setup", "install", "codex", "--vault", garden, "--project", str(tmp_path), "--no-test", "--read-only"
    )
    assert done.code == 0
    assert file.read_text().startswith(CODEX.partition("[profiles")[0])
    ours = tomllib.loads(file.read_text())["mcp_servers"]["vault-assistant"]
    assert ours["args"] == ["mcp", "--vault", garden, "--read-only"]
    assert done.err.endswith(
        f"It can be told what the vault holds: vault-assistant setup skill --vault {shlex.quote(garden)} --agents AGENTS.md\n"
    )


def test_a_dry_run_shows_the_change_and_makes_none(run: Run, garden: str, tmp_path: Path) -> None:
    file = tmp_path / "a folder" / "mcp.json"
    shown = run(
        "setup", "install", "cursor", "--vault", garden, "--file", str(file), "--dry-run", "--read-only"
    )
    assert shown.code == 0
    assert shown.out.startswith(f"--- {file}\n+++ {file}\n@@ -0,0 +1,")
    assert '+        "--read-only"\n' in shown.out
    assert shown.err == "Not written: this is a dry run.\n"
    assert not file.parent.exists()


def test_what_was_there_is_backed_up_and_a_second_run_changes_nothing(
    run: Run, garden: str, tmp_path: Path
) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {"other": {"command": "x"}}}')
    file.chmod(0o600)
    arguments = ["setup", "install", "cursor", "--vault", garden, "--file", str(file), "--no-test"]
    first = run(*arguments)
    assert first.code == 0
    (backup,) = tmp_path.glob("mcp.json.*.bak")
    assert backup.read_text() == '{"mcpServers": {"other": {"command": "x"}}}'
    assert f"What it held: '{backup}'" in first.err
    assert set(json.loads(file.read_text())["mcpServers"]) == {"other", "vault-assistant"}
    assert stat.S_IMODE(file.stat().st_mode) == stat.S_IMODE(backup.stat().st_mode) == 0o600
    again = run(*arguments)
    assert (again.code, again.out) == (0, "")
    assert again.err == f"'{file}' has this entry already.\n"
    assert list(tmp_path.glob("mcp.json.*.bak")) == [backup]


def test_a_file_that_is_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    target = tmp_path / "dotfiles" / "mcp.json"
    target.write_text("{}")
    link = tmp_path / "mcp.json"
    link.symlink_to(target)
    backup = make_change(plan_change(link, "servers", "v", ENTRY))
    assert link.is_symlink()
    assert json.loads(target.read_text()) == {"servers": {"v": ENTRY}}
    assert backup is not None
    assert backup.parent == target.parent


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / ".claude.json"
    file.write_text('{"a": 1}')
    change = plan_change(file, "mcpServers", "v", ENTRY)
    file.write_text('{"a": 2}')
    with pytest.raises(ConflictError, match="changed meanwhile"):
        make_change(change)
    assert file.read_text() == '{"a": 2}'
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("..claude")]


def test_what_is_no_text_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "latin").write_bytes(b'{"a": "\xe9"}')
    for name, message in (("folder", "no configuration file"), ("latin", "not UTF-8")):
        with pytest.raises(ConfigError, match=message):
            plan_change(tmp_path / name, "servers", "v", ENTRY)


def test_it_works_where_paths_hold_spaces_and_the_server_is_tried_first(
    run: Run, tmp_path: Path, own_environment: Path
) -> None:
    notes = tmp_path / "My notes, été"
    notes.mkdir()
    (notes / "Note one.md").write_text("# One\n\nThe heating.\n")
    config = tmp_path / "the config.json"
    config.write_text('{"index": {"indexes": {"notes": {"embedding_model": null}}}}')
    done = run("setup", "install", "claude-code", "--vault", str(notes), "--config", str(config))
    assert done.code == 0, done.err
    file = own_environment / ".claude.json"
    entry = json.loads(file.read_text())["mcpServers"]["vault-assistant"]
    assert entry["type"] == "stdio"
    assert Path(entry["command"]).is_absolute()
    assert entry["args"][-5:] == ["mcp", "--vault", str(notes), "--config", str(config)]
    assert "it offers pack, search, read, write, ask, wksm_search" in done.err


def test_a_server_that_does_not_start_is_not_installed(run: Run, garden: str, own_environment: Path) -> None:
    # A variable that the client does not pass on: here the vault's configuration is right, there it is not.
    (own_environment / "config" / "vault-assistant").mkdir(parents=True)
    bad = own_environment / ".config" / "vault-assistant" / "config.json"
    bad.parent.mkdir(parents=True)
    bad.write_text('{"chunk_chars": 1}')
    failed = run("setup", "install", "cursor", "--vault", garden)
    assert failed.code == 2
    assert "the server does not answer, so nothing was written: error: setting 'chunk_chars'" in failed.err
    assert not (own_environment / ".cursor").exists()


def test_wrong_arguments_are_refused_before_anything_is_written(run: Run, garden: str) -> None:
    for arguments, message in (
        (
            ["cursr"],
            "error: unknown client 'cursr'\nhint: valid: claude-desktop, claude-code, codex, cursor, vscode",
        ),
        (["cursor", "--tools", "serch"], "error: unknown tool 'serch'"),
        (["cursor", "--folder", "Nowhere"], "error: no folder 'Nowhere' in the vault"),
        (["cursor", "--vault", "/nowhere"], "error: no vault at '/nowhere'"),
    ):
        failed = run(
            "setup", "install", *arguments, *(["--vault", garden] if "--vault" not in arguments else [])
        )
        assert failed.code == 2
        assert failed.out == ""
        assert failed.err.startswith(message)
    assert not (Path(os.environ["HOME"]) / ".cursor").exists()
