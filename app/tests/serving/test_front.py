"""What a resident answers before the program is imported: the same bytes, and nothing that no longer holds."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer.main

from app.cli import chat, find
from app.cli.found import found_plain
from app.cli.main import main
from app.config.settings import Settings
from app.search.operations import OPERATIONS
from app.serving import front, known
from app.serving.front import plain_search
from app.serving.known import known_way
from app.tests.cli.conftest import Outcome
from app.tests.cli.terminal import on_terminal
from app.tests.serving.conftest import ROOT, Process, settle
from app.vault.nearest import nearest_vault
from app.vault.obsidian import find_vault

ENTRY = (sys.executable, "-m", "app.cli.entry")
ALONE = {"VAULT_ASSISTANT_RESIDENT": "false"}

ALIKE = [
    ("--version",),
    ("find", "fast", "heating"),
    ("find", "fast", "heating", "greenhouse", "--json"),
    ("--json", "find", "fast", "--query", "heating"),
    ("find", "fast", "chauffage de la serre", "--explain", "--links"),
    ("find", "fast", "électrique", "--json"),
    ("find", "fast", "--limit=1", "*", "--offset", "1"),
    ("find", "fast", "--", "-heating"),
    ("find", "fast", "heating", "--min-score", "0.2", "--max-chars", "500"),
    ("find", "fast", "zeppelin"),
    ("find", "fulltext", '"the heating" -serre'),
    ("find", "by_tag", "--tag", "garden/glass", "--tags", "#other", "--match-all"),
    ("find", "by_link", "--note-path", "Home", "--direction", "both", "--depth", "2"),
    ("find", "by_date", "--start-date", "2025-03-01", "--end-date", "2025-03", "--date-field", "modified"),
    ("find", "scoped", "heating", "--scope", "project:garden", "--mode", "fast"),
    ("find", "combined", "heating", "--folder", "projects"),
    ("find", "by_tag", "garden/glass", "--notes"),
    ("find", "by_link", "Home", "-l"),
    ("find", "by_link", "projects/garden/Greenhouse", "--direction", "both", "--null"),
    ("find", "heating", "--jsonl"),
    ("find", "*", "--limit", "0", "--sort", "title", "--paths"),
    ("find", "heating", "serre", "--format", "{path} {line}", "--sort=modified"),
    ("find", "heating", "--notes", "--limit", "1"),
    ("find", "heating", "--format", "{nothing}"),
    ("find", "keyword", "what is electric", "--search-term", "electric"),
    ("ask", "What about the heating of the greenhouse?"),
    ("ask", "Où", "en est la serre ?", "--json"),
    ("ask", "--full", "Où en est la serre ?"),
    ("ask", "zeppelin"),
    # Mistakes of a request, which the resident tells.
    ("find", "nonsense", "heating"),
    ("find", "by_link", "--note-path", "Grenhouse"),
    ("find", "fast", "heating", "--limit", "1000"),
    ("find", "fast", "heating", "--limit", "99999999999"),
    ("find", "fulltext", "/(/"),
    ("find", "by_tag"),
    ("find", "fast", "heating", "--index", "nowhere"),
    ("ask", "What?", "--model", "nobody:knows-it"),
    # What is left to the program.
    ("find", "by_date", "march", "2025", "-l"),
    ("find", "by_date", "today"),
    ("find", "fast", "heating", "--limit", "-1"),
    ("find", "fast", "heating", "--limit", "many"),
    ("find", "fast", "heating", "--min-score", "x"),
    ("find", "fast", "heating", "--nonsense"),
    ("find", "fast", "heating", "--vault"),
    ("find", "fast", "heating", "--query", "--json"),
    ("find",),
    ("find", "--help"),
    ("ask",),
    ("ask", " "),
    ("nonsense",),
    ("--version", "find"),
]


@pytest.fixture(autouse=True)
def at_home(words_alone: None, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    settle(monkeypatch, home)
    monkeypatch.setattr("app.serving.ask_resident.SETTLED_SECONDS", 0.0)


@dataclass(frozen=True)
class Call:
    """A command's outcome, and the modules that it imported."""

    outcome: Outcome
    modules: frozenset[str]


def call(*arguments: str, folder: Path, **variables: str) -> Call:
    seen, told = os.pipe()
    program = (
        "import sys\nfrom app.cli.entry import main\ncode = main()\nsys.stdout.flush()\n"
        f"with open({told}, 'w') as modules:\n    print(*sys.modules, file=modules)\nsys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        pass_fds=[told],
        text=True,
    )
    os.close(told)
    with os.fdopen(seen, encoding="utf-8") as modules:
        imported = frozenset(modules.read().split())
    assert "app.serving.front" in imported, done.stderr
    return Call(Outcome(done.returncode, done.stdout, done.stderr), imported)


def is_front(made: Call) -> bool:
    """Whether the program was not imported."""
    return not made.modules & {"pydantic", "numpy", "typer", "app.cli.main", "app.config.settings"}


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    return tmp_path


@pytest.mark.parametrize("arguments", ALIKE, ids=" ".join)
def test_both_ways_print_the_same(watching: Process, home: Path, arguments: tuple[str, ...]) -> None:
    options = ("--vault", str(home / "garden"))
    # Before the command, so that they belong to it whatever follows.
    given = arguments if arguments == ("--version",) else (*options, *arguments)
    call(*options, "find", "fast", "heating", folder=home)
    assert call(*given, folder=home).outcome == call(*given, folder=home, **ALONE).outcome


@pytest.mark.parametrize("arguments", ALIKE, ids=" ".join)
def test_a_plain_search_is_answered_as_the_command_line_answers_it(
    home: Path,
    arguments: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name, value in ALONE.items():
        monkeypatch.setenv(name, value)
    given = ["--vault", str(home / "garden"), *arguments]
    asked = plain_search(given)
    if asked is None:
        pytest.skip("the program reads it")
    answered = found_plain(asked), *capfd.readouterr()
    assert answered == (main(given), *capfd.readouterr())


def test_the_way_is_known_after_one_command(watching: Process, home: Path, elsewhere: Path) -> None:
    options = ("--vault", str(home / "garden"))
    first = call("find", "fast", "heating", *options, folder=elsewhere)
    assert not is_front(first)
    before = watching.answers()
    for arguments in (("find", "fast", "heating"), ("ask", "What about the heating?"), ("find", "by_tag")):
        made = call(*arguments, *options, folder=elsewhere)
        assert is_front(made), made.modules
    assert watching.answers() == before + 3
    assert is_front(call("--version", folder=elsewhere))
    assert call("find", "fast", "heating", *options, folder=elsewhere).outcome == first.outcome


def test_the_nearest_vault_is_found_as_the_program_finds_it(watching: Process, home: Path) -> None:
    garden, inner = home / "garden", home / "garden/projects/garden"
    (garden / ".obsidian").mkdir(exist_ok=True)
    expected = call("find", "fast", "heating", folder=inner).outcome
    made = call("find", "fast", "heating", folder=inner)
    assert is_front(made)
    assert made.outcome == expected
    assert nearest_vault(str(inner)) == str(find_vault(inner)) == str(garden)
    nearer = garden / "projects/.obsidian"
    nearer.mkdir()
    try:
        assert not is_front(call("find", "fast", "heating", folder=inner, **ALONE))
        assert nearest_vault(str(inner)) == str(find_vault(inner)) == str(garden / "projects")
        assert not is_front(call("find", "fast", "heating", folder=inner))
    finally:
        nearer.rmdir()


Change = Callable[[Path, Path], dict[str, str]]


def variable(garden: Path, elsewhere: Path) -> dict[str, str]:
    return {"VAULT_ASSISTANT_CHUNK_CHARS": "999"}


def zone(garden: Path, elsewhere: Path) -> dict[str, str]:
    return {"TZ": "Pacific/Kiritimati"}


def folder_file(garden: Path, elsewhere: Path) -> dict[str, str]:
    (elsewhere / "config.json").write_text('{"chunk_chars": 999}', encoding="utf-8")
    return {}


def own_file(garden: Path, elsewhere: Path) -> dict[str, str]:
    path = Path(os.environ["XDG_CONFIG_HOME"]) / "vault-assistant/config.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"chunk_chars": 999}', encoding="utf-8")
    return {}


def none(garden: Path, elsewhere: Path) -> dict[str, str]:
    return {}


@pytest.mark.parametrize(
    ("change", "is_same"),
    [(none, True), (variable, False), (zone, False), (folder_file, False), (own_file, False)],
)
def test_what_decides_the_settings_ends_a_way(
    watching: Process, home: Path, elsewhere: Path, change: Change, is_same: bool
) -> None:
    options = ("--vault", str(home / "garden"))
    call("find", "fast", "heating", *options, folder=elsewhere)
    changed = change(home / "garden", elsewhere)
    assert is_front(call("find", "fast", "heating", *options, folder=elsewhere, **changed)) is is_same


def test_a_named_file_counts_as_it_is(watching: Process, home: Path, elsewhere: Path) -> None:
    config = elsewhere / "settings.json"
    config.write_text("{}", encoding="utf-8")
    options = ("--vault", str(home / "garden"), "--config", "./settings.json")

    def ask_by_the_program(settled_seconds: float) -> None:
        program = (
            f"import app.serving.ask_resident as a; a.SETTLED_SECONDS = {settled_seconds};"
            "from app.cli.main import main; main()"
        )
        subprocess.run(
            [sys.executable, "-c", program, "find", "fast", "heating", *options],
            cwd=elsewhere,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
        )

    # A file that changed just now is not relied on; ten seconds may pass on a busy machine.
    ask_by_the_program(settled_seconds=3600)
    assert not is_front(call("find", "fast", "heating", *options, folder=elsewhere))
    ask_by_the_program(settled_seconds=0)
    assert is_front(call("find", "fast", "heating", *options, folder=elsewhere))
    config.write_text('{"chunk_chars": 999}', encoding="utf-8")
    assert not is_front(call("find", "fast", "heating", *options, folder=elsewhere))
    up = ("--vault", str(home / "garden"), "--config", "../x/settings.json")
    assert front._request(["find", "fast", "x", *up]) is None
    # Several vaults are asked by the program itself.
    assert front._request(["--vault", "a", "find", "fast", "x", "--vault", "b"]) is None


def test_another_vault_at_the_same_path_is_another(watching: Process, home: Path, elsewhere: Path) -> None:
    link = elsewhere / "link"
    link.symlink_to(home / "garden")
    options = ("--vault", str(link))
    call("find", "fast", "heating", *options, folder=elsewhere)
    assert is_front(call("find", "fast", "heating", *options, folder=elsewhere))
    link.unlink()
    (elsewhere / "other").mkdir()
    link.symlink_to(elsewhere / "other")
    made = call("find", "fast", "heating", *options, folder=elsewhere)
    assert not is_front(made)
    assert made.outcome.code == 1


def test_on_a_terminal_both_ways_look_the_same(watching: Process, home: Path) -> None:
    options = ("--vault", str(home / "garden"))
    call("find", "fast", "heating", *options, folder=ROOT)
    for arguments in (("find", "fast", "heating"), ("ask", "How is the greenhouse heated?")):
        shown = [
            on_terminal(*arguments, *options, columns=60, program=ENTRY, environment=environment)
            for environment in ({}, ALONE)
        ]
        assert shown[0] == shown[1]
        assert shown[0].code == 0


def test_a_way_that_others_could_have_written_or_that_is_damaged_is_not_taken(
    watching: Process, home: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = str(home / "garden")
    call("find", "fast", "heating", "--vault", vault, folder=elsewhere)
    monkeypatch.chdir(elsewhere)
    folder = Path(known.ways_folder())
    path = known_way(vault, None)
    assert path is not None
    folder.chmod(0o755)
    assert known_way(vault, None) is None
    folder.chmod(0o700)
    assert known_way(vault, None) == path
    way = folder / known.way_name(vault, None)
    whole = way.read_text(encoding="utf-8")
    for damage in (
        "",
        "[]",
        "{}",
        '{"socket": null}',
        whole[:-1],
        json.dumps(json.loads(whole) | {"files": 3}),
    ):
        way.write_text(damage, encoding="utf-8")
        assert known_way(vault, None) is None
    # The next command writes it anew, and takes away others that cannot be read.
    other = folder / ("0" * 20 + ".way")
    for damage in ("", "[]", '{"socket": null}'):
        way.write_text(damage, encoding="utf-8")
        other.write_text(damage, encoding="utf-8")
        assert call("find", "fast", "heating", "--vault", vault, folder=elsewhere).outcome.code == 0
        assert (known_way(vault, None), other.exists()) == (path, False)
    way.unlink()


def test_a_dead_residents_way_leads_to_the_program(
    start: Callable[..., Process], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.tests.serving.conftest import ended, write_garden

    root = write_garden(tmp_path / "own")
    options = ("--vault", str(root))
    resident = start("index", "--watch", *options)
    cache = Settings().cache_folder / "resident"
    resident.wait_until(lambda: any(cache.glob("*.sock")))
    first = call("find", "fast", "heating", *options, folder=tmp_path)
    assert is_front(call("find", "fast", "heating", *options, folder=tmp_path))
    ended(resident)
    alone = call("find", "fast", "heating", *options, folder=tmp_path)
    assert not is_front(alone)
    assert alone.outcome == first.outcome


def options_of(function: Callable[..., int]) -> dict[str, tuple[str | None, Any]]:
    app = typer.Typer(add_completion=False)
    app.command()(function)
    return {
        name: (one.name, vars(one)["type_descriptor"].annotation)
        for one in typer.main.get_command(app).params
        for name in getattr(one, "opts", ())
        if name.startswith("-")
    }


def test_the_options_are_the_commands_own() -> None:
    kinds = ((front.TEXTS, str), (front.LISTS, list[str]), (front.NUMBERS, int), (front.FLAGS, bool))
    ours: dict[str, Any] = {name: (key, kind) for table, kind in kinds for name, key in table.items()}
    ours["--min-score"] = ("min_score", float)
    common = {"--vault", "--config", "--json", "--debug"}
    assert ours == {name: kind for name, kind in options_of(find.find).items() if name not in common}
    assert options_of(chat.ask).keys() == common | {"--model", "--full", "--short"}


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("by_dat last week", "by_date"),
        ("by-date last week", "by_date"),
        ("by_tags boat", "by_tag"),
        ("bylink Home", "by_link"),
        ("fulltxt larch", "fulltext"),
        ("by_date last week", None),
        ("by_dat", None),
        ("bytes of the file", None),
        ("by-laws of the club", None),
        ("full-text search", None),
        ("fullest moon", None),
        ("keywords larch", None),
        ("combine larch", None),
        ("larch by_dat", None),
    ],
)
def test_a_slip_in_an_operation_is_told_from_a_word(words: str, meant: str | None) -> None:
    assert front.mistyped(words.split(), is_deep=False) == meant
    assert front.mistyped(words.split(), is_deep=True) is None
    assert front.mistyped([words], is_deep=False) is None


def test_the_operations_are_the_menus_and_other_words_are_looked_for() -> None:
    assert sorted(front.OPERATIONS) == sorted(OPERATIONS)

    def read(*words: str, is_deep: bool = False, has_query: bool = False) -> tuple[str, list[str], bool]:
        operation, query, is_named = front.read_words(words, is_deep=is_deep, has_query=has_query)
        return operation, list(query), is_named

    assert read("keyword", "larch") == ("keyword", ["larch"], True)
    assert read("larch", "keyword") == ("fast", ["larch", "keyword"], False)
    assert read("keyword", is_deep=True) == ("deep", ["keyword"], False)
    assert read("deep", "sea") == ("deep", ["sea"], True)
    # With nothing to look for, the operation's name is what is looked for.
    assert read("deep") == ("fast", ["deep"], False)
    assert read("fast", has_query=True) == ("fast", [], True)
    assert read("by_tag") == ("by_tag", [], True)
