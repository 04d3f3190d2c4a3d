"""Colours and pages: what the options and variables say, on a real terminal and in a pipe."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.serving.display import has_styles, take_display
from app.tests.cli.conftest import GARDEN
from app.tests.cli.session import Session
from app.tests.cli.terminal import ROOT, on_terminal
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


@pytest.mark.parametrize("columns", [60, 200])
@pytest.mark.parametrize("program", [ENTRY, (sys.executable, "-m", "app.cli.main")])
def test_long_output_goes_through_the_pager(
    long: str, pager: str, columns: int, program: tuple[str, ...]
) -> None:
    asked = ("find", "larch", "--limit", "20", "--vault", long)
    with Session(*asked, columns=columns, program=program, environment={"PAGER": pager}) as session:
        assert session.end() == 0
        assert "PAGED " in session.text
        assert MARKED + "larch" in session.text
        assert "20 results" in session.text


def test_less_is_told_how_letters_are_written_where_the_system_has_not_the_locale(
    long: str, tmp_path: Path
) -> None:
    (tmp_path / "pager.py").write_text(
        'import os; print("SET", os.environ["LESSCHARSET"], os.environ["LESS"])'
    )
    asked = ("find", "larch", "--limit", "20", "--vault", long)
    environment = {"PAGER": f"{sys.executable} {tmp_path / 'pager.py'}", "LC_ALL": "C.UTF-8"}
    for chosen, told in (({}, "SET utf-8 FRX"), ({"LESSCHARSET": "latin1", "LESS": "M"}, "SET latin1 M")):
        with Session(*asked, environment=environment | chosen) as session:
            session.end()
            assert told in session.text


@pytest.mark.parametrize(
    ("options", "environment"),
    [
        (["--no-pager"], {}),
        ([], {"NO_PAGER": "1"}),
        ([], {"TERM": "dumb"}),
        ([], {"PAGER": ""}),
        ([], {"PAGER": "/nowhere/pager"}),
        (["--limit", "2"], {}),
    ],
)
def test_without_one_or_where_it_fits_it_is_printed(
    long: str, pager: str, options: list[str], environment: dict[str, str]
) -> None:
    asked = ("find", "larch", "--limit", "20", *options, "--vault", long)
    with Session(*asked, environment={"PAGER": pager, **environment}) as session:
        assert session.end() == 0
        assert "PAGED" not in session.text
        assert "Larch" in session.text


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


@pytest.mark.parametrize("place", ["before", "after"])
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
    long: str, place: str, option: tuple[str, ...], environment: dict[str, str], is_marked: bool
) -> None:
    asked = ("find", "heating", "--vault", long)
    words = (*option, *asked) if place == "before" else (*asked, *option)
    shown = on_terminal(*words, environment=environment).text
    assert (MARKED in shown) is is_marked
    assert ("\x1b" in shown) is is_marked


def test_what_stands_behind_two_dashes_is_a_query() -> None:
    assert take_display(["find", "--color", "never", "--", "--color", "--no-pager"]) == [
        "find", "--", "--color", "--no-pager",
    ]  # fmt: skip
    assert not has_styles(is_terminal=True)
    assert take_display(["find", "x"]) == ["find", "x"]
    assert not has_styles(is_terminal=False)


@pytest.mark.parametrize("program", [ENTRY, (sys.executable, "-m", "app.cli.main")])
@pytest.mark.parametrize(
    ("before", "after", "locale", "said"),
    [
        ((), ("--lang", "fr"), "en_GB.UTF-8", "erreur : il n'y a rien à chercher\n"),
        (("--lang=en",), (), "fr_FR.UTF-8", "error: nothing to look for is given\n"),
        ((), (), "fr_FR.UTF-8", "erreur : il n'y a rien à chercher\n"),
        (("--lang", "fr"), ("--lang", "en"), "fr_FR.UTF-8", "error: nothing to look for is given\n"),
        (
            (),
            ("--lang", "de"),
            "en_GB.UTF-8",
            "error: Invalid value for '--lang': 'de' is not one of 'en', 'fr'.\n",
        ),
        (
            ("--lang=de",),
            (),
            "fr_FR.UTF-8",
            "erreur : valeur invalide pour « --lang » : « de » n'est pas l'un de « en », « fr »\n",
        ),
    ],
)
def test_the_language_is_the_one_that_was_chosen(
    program: tuple[str, ...], before: tuple[str, ...], after: tuple[str, ...], locale: str, said: str
) -> None:
    done = subprocess.run(
        [*program, *before, "find", *after],
        capture_output=True,
        text=True,
        env={**os.environ, "LC_ALL": locale, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 2
    assert done.stderr.startswith(said)


def test_a_word_that_is_completed_is_not_taken() -> None:
    words = ["__complete", "bash", "find", "--lang", "--color"]
    assert take_display(words) == words


def test_a_colour_that_there_is_not_is_an_error(long: str) -> None:
    with Session("--color", "sometimes", "find", "larch", "--vault", long, piped=True) as session:
        assert session.end() == 2
        assert "'sometimes' is not one of 'auto', 'always', 'never'" in " ".join(session.text.split())
