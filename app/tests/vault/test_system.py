"""Names that Windows forbids, as Python's own paths of Windows have them, and paths written with backslashes."""

import ntpath
import warnings
from pathlib import PureWindowsPath

import pytest

from app import system
from app.cli.main import main
from app.errors import ConfigError, PathError
from app.notes.answer import operate
from app.tests.conftest import MakeVault
from app.vault.client import VaultClient
from app.vault.paths import normalize_path

NAMES = (
    "Plan.md", "CON", "con.md", "Nul.tar.md", "COM1.md", "com¹", "LPT9", "COM0", "COM10", "CONIN$", "AUX .md", "Console",
    "a.", "a ", "a. ", ".hidden", "what?.md", "a<b", "a*", 'a"b', "a|b", "a:b", "tab\there", "ok-name (1) é.md",
)  # fmt: skip


def reserved(name: str) -> bool:
    """What Python says; before 3.13 of devices alone, so that the rest is as Microsoft lists it."""
    if known := getattr(ntpath, "isreserved", None):
        return bool(known(name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        is_device = PureWindowsPath(name).is_reserved()
    return is_device or name.endswith((".", " ")) or any(sign in '<>:"|?*\t' for sign in name)


@pytest.mark.parametrize("name", NAMES)
def test_forbidden_names_are_those_of_windows(name: str) -> None:
    assert system.forbidden_on_windows(name) == reserved(name)


@pytest.mark.parametrize("written", ["Projects/Plan.md", "a b/ç/Note.md", "C:/x.md", "//host/share/x.md"])
def test_a_path_of_windows_is_one_in_the_vault_or_refused(
    monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    path = PureWindowsPath(written)
    monkeypatch.setattr("app.vault.paths.posix", lambda path: system.posix(path, "\\"))
    if path.drive:
        with pytest.raises(PathError):
            normalize_path(str(path))
    else:
        assert normalize_path(str(path)) == path.as_posix() == written


@pytest.mark.parametrize(
    ("name", "is_refused"), [("NUL", True), ("what?", True), ("a./b", True), ("Console", False)]
)
def test_new_and_mv_refuse_them_where_the_setting_says_so(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, is_refused: bool
) -> None:  # fmt: skip
    for setting in ("true", "false"):
        monkeypatch.setenv("VAULT_ASSISTANT_PORTABLE_NAMES", setting)
        vault = tiny_vault({"A.md": "", "C.md": ""}, name=setting)
        code = 2 if is_refused and setting == "true" else 0
        assert main(["new", name, "--vault", str(vault.root)]) == code
        assert main(["mv", "A", f"x/{name}", "--yes", "--vault", str(vault.root)]) == code
        assert ("on Windows" in capsys.readouterr().err) == bool(code)
        assert (
            "on Windows"
            in operate(VaultClient(vault.root), {"operation": "move", "path": "C", "new_path": f"y/{name}"})
        ) == bool(code)


def test_a_system_that_cannot_walk_is_refused_at_once(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tiny_vault({"A.md": ""}).root
    monkeypatch.setattr("app.vault.client.CAN_WALK", False)
    with pytest.raises(ConfigError, match="on Windows, use WSL"):
        VaultClient(root)


def test_flags_that_a_system_lacks_ask_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = system.flags("RDONLY", "NONBLOCK")
    monkeypatch.delattr("os.O_NONBLOCK")
    assert 0 < system.flags("RDONLY", "NONBLOCK") < whole
