"""``setup trust``: what a folder's file would change is shown, and accepted only by a yes."""

import json
import sys
from pathlib import Path

import pytest

from app.cli.trust import consequence
from app.config.file import read_config
from app.config.settings import Settings
from app.config.trust import standing_of, trusted_folders
from app.tests.cli.conftest import Run
from app.tests.cli.session import Session

COMMAND = [sys.executable, "-P", "-m", "app.cli.main"]


@pytest.fixture
def project(own_environment: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """A folder below home with a file of its own, in which the command is started."""
    for name in ("VAULT_ASSISTANT_CACHE_DIR", "VAULT_ASSISTANT_STATE_DIR", "VAULT_ASSISTANT_INDEX__INDEXES"):
        monkeypatch.delenv(name)
    folder = own_environment / "code" / "garden"
    (folder / "notes").mkdir(parents=True)
    monkeypatch.chdir(folder)
    write(folder, vault="notes", model="openai:gpt-5", writes="allow", cache_dir="kept")
    return folder


def write(folder: Path, **values: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(values))


def test_each_setting_is_shown_with_what_it_lets_happen_and_nothing_is_accepted_unasked(
    run: Run, project: Path
) -> None:
    shown = run("setup", "trust")
    assert shown.out.splitlines() == [
        f"'{project}/config.json' sets, for every command that starts in its folder:",
        f'  vault: "{project}/notes" (now none)',
        "      commands that start there open the vault in this folder, unless another is named",
        '  model: "openai:gpt-5" (now none)',
        "      text of your notes is sent to this model's provider, with your key, when you ask or chat",
        '  writes: "allow" (now "ask")',
        "      the chat, and clients of mcp, change notes without asking you",
        f'  cache_dir: "{project}/kept" (now none)',
        "      the index, which holds the words of your notes, is kept there",
    ]
    assert (shown.code, "was not trusted: a yes counts only where a person types it" in shown.err) == (
        2,
        True,
    )
    assert trusted_folders() == ()


def test_what_is_accepted_is_taken_until_it_changes_or_is_taken_back(
    run: Run, project: Path, garden: str
) -> None:
    assert run("setup", "trust", "--yes").err.startswith("Trusted until it changes; ")
    taken = run("status", "--json")
    assert (taken.json["vault"], taken.json["writes"], taken.err) == (f"{project}/notes", "allow", "")
    configuration = taken.json["configuration"]
    assert (configuration["file"], configuration["origin"]) == (f"{project}/config.json", "folder")
    # The vault that is named goes with the settings of a trusted file.
    named = run("status", "--json", "--vault", garden).json
    assert (named["vault"], named["writes"]) == (garden, "allow")
    assert "It is trusted already" in run("setup", "trust").err
    # Neither a server nor an installed one takes the file of the folder.
    planned = run("setup", "install", "cursor", "--vault", garden)
    assert (planned.code, "--config" in planned.out) == (2, False)
    assert planned.err.startswith(f"'{project}/config.json' is ignored: a server takes no file of the folder")
    shown = (project / "config.json").read_bytes()
    write(project, vault="notes", model="openai:gpt-5", writes="refuse")
    changed = run("status", "--json", "--vault", "notes")
    reason = "it changed since you trusted it; 'vault-assistant setup trust' shows what it would change"
    assert changed.json["writes"] == "ask"
    assert changed.err.startswith(f"'{project}/config.json' is ignored: {reason}")
    assert changed.json["configuration"]["ignored"]["reason"].startswith(reason)
    (project / "config.json").write_bytes(shown)
    assert run("setup", "trust", "../garden", "--revoke").code == 0
    assert run("status", "--json", "--vault", "notes").json["writes"] == "ask"
    again = run("setup", "trust", "--revoke")
    assert (again.code, again.err) == (1, f"Nothing was trusted in '{project}'.\n")


def test_what_the_persons_own_file_loses_and_what_a_variable_decides_is_shown(
    run: Run, project: Path, own_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = own_environment / "config" / "vault-assistant"
    write(own, chunk_chars=700, writes="refuse")
    write(project, writes="allow")
    assert run("setup", "trust").out.splitlines()[1:] == [
        '  writes: "allow" (now "refuse")',
        "      the chat, and clients of mcp, change notes without asking you",
        "Your own configuration is not read there, which also changes:",
        "  chunk_chars: 1500 (now 700)",
    ]
    said = run("setup", "trust", str(own))
    assert (said.code, "is your own configuration, and needs no trust" in said.err) == (0, True)
    assert trusted_folders() == ()
    monkeypatch.setenv("VAULT_ASSISTANT_WRITES", "refuse")
    assert "      a variable wins over it" in run("setup", "trust").out.splitlines()


def test_a_value_cannot_draw_on_the_terminal_nor_hide_the_others(run: Run, project: Path) -> None:
    write(project, model="\x1b[2J\u202e\nmodel: none" + "x" * 1000, vaults={"a\x1b\n b": {"path": "/"}})
    shown = run("setup", "trust").out
    assert not {"\x1b", "\u202e"} & set(shown)
    assert len(shown.splitlines()) == 5
    assert max(map(len, shown.splitlines())) < 400


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no config.json in '{folder}'"),
        ("{", "cannot read the configuration '{folder}/config.json'"),
        ('{"name": "garden"}', "'{folder}/config.json' holds no setting of this program"),
        ('{"writes": "maybe"}', "setting 'writes': Input should be 'allow', 'ask' or 'refuse'"),
        ('{"state_dir": "/var/lib/x"}', "setting 'state_dir': '/var/lib/x' is outside your own folders"),
    ],
)
def test_what_could_not_be_taken_is_not_accepted(
    run: Run, project: Path, content: str | None, message: str
) -> None:
    (project / "config.json").unlink()
    if content is not None:
        (project / "config.json").write_text(content)
    failed = run("setup", "trust", "--yes")
    assert (failed.code, trusted_folders()) == (2, ())
    assert failed.err.startswith("error: " + message.format(folder=project))


def test_every_setting_that_does_more_than_limit_or_weigh_has_words_for_what_it_lets_happen() -> None:
    unsaid = {name for name in Settings.model_fields if not consequence((name,), "x")}
    by_value = {"writes", "secrets"}
    limits = {name for name in unsaid if name.startswith("ask_") or name.endswith(("_chars", "_seconds"))}
    assert unsaid - by_value - limits == {
        "model_retries", "embedding", "deep", "picker_opens", "max_note_bytes", "commit_notes", "portable_names",
    }  # fmt: skip
    assert all(consequence(("writes",), value) for value in ("allow", "ask", "refuse"))
    assert all(consequence(("secrets",), value) for value in ("ask", "mask", "send"))
    assert "sent" in consequence(("deep", "reranker"), "openai:x")


@pytest.mark.parametrize(("answer", "code"), [("oui\n", 0), ("\n", 1)])
def test_a_person_at_a_terminal_is_asked(project: Path, answer: str, code: int) -> None:
    with Session("setup", "trust", folder=project, program=COMMAND, piped=True) as session:
        session.wait_for("Trust it? [y/N]")
        # What is accepted is what was shown, not what the file holds by the time of the answer.
        shown = (project / "config.json").read_bytes()
        write(project, writes="refuse")
        session.type(answer)
        assert session.end() == code
    (project / "config.json").write_bytes(shown)
    file = read_config(project / "config.json", "folder")
    assert standing_of(project, file.accepted) == ("unknown" if code else "trusted")
    assert len(trusted_folders()) == (not code)
