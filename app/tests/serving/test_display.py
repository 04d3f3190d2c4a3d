"""Colours and pages: what the options and variables say, on a real terminal and in a pipe."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.tests.cli.conftest import GARDEN
from app.tests.cli.session import ROOT, Session, on_terminal
from app.tests.conftest import MakeVault

ENTRY = (sys.executable, "-m", "app.cli.entry")
MARKED = "\x1b[1;33m"
PAGER = """
import sys
text = sys.stdin.read()
sys.stdout.write(f"PAGED {len(text.splitlines())}\\n{text}")
"""


@pytest.fixture
def long(tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch) -> str:
    """A vault whose notes with larches do not fit a screen of 30 rows."""
    monkeypatch.setenv("VAULT_ASSISTANT_INDEX__INDEXES", '{"notes": {"embedding_model": null}}')
    notes = {f"Larch {number}.md": f"# Larch {number}\n\nA larch.\n" for number in range(20)}
    return str(tiny_vault({**GARDEN, **notes}, name="long").root)


@pytest.fixture
def pager(tmp_path: Path) -> str:
    (tmp_path / "pager.py").write_text(PAGER)
    return f"{sys.executable} {tmp_path / 'pager.py'}"


@pytest.mark.parametrize("program", [ENTRY, (sys.executable, "-m", "app.cli.main")])
def test_long_output_goes_through_the_pager(long: str, pager: str, program: tuple[str, ...]) -> None:
    asked = ("find", "larch", "--limit", "20", "--vault", long)
    with Session(*asked, columns=60, program=program, environment={"PAGER": pager}) as session:
        assert session.end() == 0
        assert "PAGED " in session.text
        assert MARKED + "larch" in session.text


def test_a_pipe_is_never_paged_and_has_colours_only_where_told(long: str, pager: str) -> None:
    asked = ("find", "larch", "--limit", "20", "--vault", long)
    with Session(*asked, piped=True, environment={"PAGER": pager}) as session:
        assert session.end() == 0
        assert "PAGED" not in session.piped
        assert "\x1b" not in session.piped
        assert session.piped.count("\n") >= 20
    with Session(*asked, "--color", "always", piped=True) as session:
        session.end()
        assert f".md:3: A {MARKED}larch\x1b[0m." in session.piped


@pytest.mark.parametrize(
    ("option", "environment", "is_marked"),
    [
        (("--color", "never"), {}, False),
        (("--color=always",), {"NO_COLOR": "1"}, True),
        (("--color", "auto"), {}, True),
        (("--color", "auto"), {"NO_COLOR": "1"}, False),
    ],
)
def test_the_option_wins_over_the_variable(
    long: str, option: tuple[str, ...], environment: dict[str, str], is_marked: bool
) -> None:
    asked = ("find", "heating", "--vault", long)
    for words in ((*option, *asked), (*asked, *option)):
        shown = on_terminal(*words, environment=environment).text
        assert (MARKED in shown) is ("\x1b" in shown) is is_marked


@pytest.mark.parametrize("program", [ENTRY, (sys.executable, "-m", "app.cli.main")])
@pytest.mark.parametrize(
    ("before", "after", "locale", "said"),
    [
        ((), ("--lang", "fr"), "en_GB.UTF-8", "erreur : il n'y a rien à chercher\n"),
        (("--lang=en",), (), "fr_FR.UTF-8", "error: nothing to look for is given\n"),
        ((), (), "fr_FR.UTF-8", "erreur : il n'y a rien à chercher\n"),
        (("--lang=de",), (), "fr_FR.UTF-8", "erreur : valeur invalide pour « --lang » : « de » n'est pas"),
    ],
)
def test_the_language_is_the_one_that_was_chosen(
    program: tuple[str, ...], before: tuple[str, ...], after: tuple[str, ...], locale: str, said: str
) -> None:
    command = [*program, *before, "find", *after]
    environment = {**os.environ, "LC_ALL": locale, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(said)


@pytest.mark.parametrize(
    ("option", "environment"),
    [
        ("--no-pager", {}),
        ("--limit=2", {}),
        ("--limit=20", {"NO_PAGER": "1"}),
        ("--limit=20", {"PAGER": "/nowhere"}),
    ],
)
def test_without_one_or_where_it_fits_it_is_printed(
    long: str, pager: str, option: str, environment: dict[str, str]
) -> None:
    asked = ("find", "larch", option, "--vault", long)
    with Session(*asked, environment={"PAGER": pager, **environment}) as session:
        assert session.end() == 0
        assert "PAGED" not in session.text
        assert "Larch" in session.text
