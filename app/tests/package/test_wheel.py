"""The wheel installs `vault_assistant`, whole, and works where the host has an `app` of its own."""

import zipfile
from pathlib import Path

import pytest

from app.tests.package.wheel import ROOT, Installed

pytestmark = pytest.mark.slow

VAULT = str(ROOT / "examples" / "vault")
MOST_BYTES = 3_000_000


def test_it_is_small_and_has_what_it_needs_and_no_tests(installed: Installed) -> None:
    assert installed.wheel.stat().st_size < MOST_BYTES
    with zipfile.ZipFile(installed.wheel) as wheel:
        names = set(wheel.namelist())
        [entries] = [wheel.read(name).decode() for name in names if name.endswith("entry_points.txt")]
    assert not [name for name in names if name.startswith(("app/", "vault_assistant/tests/"))]
    listed = [path for path in (ROOT / "app").rglob("*") if path.is_file()]
    wanted = {
        "vault_assistant/" + path.relative_to(ROOT / "app").as_posix()
        for path in listed
        if not {"__pycache__", "tests"} & set(path.parts) and path.suffix != ".po"
    }
    assert wanted <= names
    assert "vault_assistant/py.typed" in names
    assert "vault_assistant/locale/fr/LC_MESSAGES/vault_assistant.mo" in names
    for licence in ("htmx.LICENSE.txt", "fr-en.LICENSE.txt", "licenses/LICENSE"):
        assert [name for name in names if "dist-info" in name and name.endswith(licence)]
    assert "vault-assistant = vault_assistant.cli.entry:main" in entries
    assert " app." not in entries


def test_no_module_of_it_names_the_package_of_the_repository(installed: Installed) -> None:
    script = (
        "import importlib, pkgutil, sys, vault_assistant\n"
        "for found in pkgutil.walk_packages(vault_assistant.__path__, 'vault_assistant.'):\n"
        "    importlib.import_module(found.name)\n"
        "print(vault_assistant.__file__)\n"
        "print([name for name in sys.modules if name == 'app' or name.startswith('app.')])\n"
    )
    done = installed.run("python", "-c", script)
    assert (done.returncode, done.stderr) == (0, "")
    where, foreign = done.stdout.splitlines()
    assert Path(where).is_relative_to(installed.folder)
    assert foreign == "[]"


def test_the_host_keeps_its_own_package(installed: Installed) -> None:
    done = installed.run("python", "-c", "import vault_assistant, app")
    assert done.returncode == 1
    assert done.stderr.endswith("ImportError: this is the host's own app\n")


@pytest.mark.parametrize(
    ("command", "found"),
    [
        (("find", "fast", "larch late"), "projects/petrel/changelog.md"),
        (("ask", "How late was the larch?", "--model", "offline"), "projects/petrel/"),
        (("cat", "profile.md"), "oysters"),
    ],
)
def test_the_command_line(command: tuple[str, ...], found: str, installed: Installed) -> None:
    done = installed.run("vault-assistant", *command, "--vault", VAULT)
    assert done.returncode == 0, done.stderr
    assert found in done.stdout
    as_module = installed.run("python", "-P", "-m", "vault_assistant.cli.main", *command, "--vault", VAULT)
    assert as_module.stdout == done.stdout
