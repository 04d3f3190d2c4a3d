"""``search`` on the command line: the document, its two forms, exit codes and what stderr says."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.bootstrap import open_vault
from app.cli.search import as_yaml
from app.search.named.search import wksm_search
from app.tests.cli.conftest import Run
from app.tests.search.named.conftest import NOTES, checked, make_vault


@pytest.fixture
def place(tmp_path: Path, tiny_model: Path) -> tuple[str, ...]:
    """A vault and its configuration, as options."""
    root = tmp_path / "vault"
    root.mkdir()
    make_vault(root, NOTES)
    config = tmp_path / "config.json"
    kinds = {"words": {"embedding_model": None}, "meaning": {"embedding_model": str(tiny_model)}}
    config.write_text(json.dumps({"index": {"default": "words", "indexes": kinds}}))
    return ("--vault", str(root), "--config", str(config))


CALLS: list[dict[str, Any]] = [
    {"query": "larch"},
    {"query": "larch", "index": "meaning"},
    {"query": "the kiln broke down", "index": "meaning", "k": 2},
    {"query": "Chère Zoé", "index": "meaning"},
    {"query": "tag:wood larch"},
    {"query": "zeppelin"},
    {"query": "line:(larch"},
    {"query": "", "index": "meaning"},
    {},
    {"query": "larch", "index": "nowhere"},
    {"query": "larch", "k": 0},
    {"query": "larch", "query_image": "larch.png"},
    {"query": "larch", "index": "meaning", "query_image": "larch.png"},
    {"index": "words", "k": -1, "query_image": "larch.png"},
]
OPTIONS = {"index": "--index", "k": "--top", "query_image": "--query-image"}


def test_srch_4_the_command_gives_what_wksm_search_gives(run: Run, place: tuple[str, ...]) -> None:
    vault = open_vault(place[1], Path(place[3]))
    outcomes = []
    for call in CALLS:
        words = [call["query"]] if "query" in call else []
        options = [f"{OPTIONS[name]}={value}" for name, value in call.items() if name in OPTIONS]
        expected = checked(wksm_search(vault, **call).data())
        printed = run("search", *words, *options, "--display", "json", *place)
        assert printed.json == expected, call
        assert yaml.safe_load(run("search", *words, *options, *place).out) == expected
        outcomes.append(printed.code)
    assert [outcomes.count(code) for code in (0, 1, 2)] == [5, 1, 8]


def test_yaml_is_the_display_where_none_is_chosen(run: Run, place: tuple[str, ...]) -> None:
    found = run("search", "kiln", "--top", "1", *place)
    assert (found.code, found.err) == (0, "")
    assert found.out.startswith(
        "errors: []\nwarnings: []\nquery: kiln\nindex_name: words\nsearch_mode: lexical\n"
    )
    assert run("search", "kiln", "--top", "1", "--display", "yaml", *place).out == found.out


def test_an_error_is_a_document_one_line_on_stderr_and_exit_code_2(run: Run, place: tuple[str, ...]) -> None:
    found = run("search", "larch", "--index", "nowhere", "--top", "0", "--json", *place)
    assert found.code == 2
    assert checked(found.json)["errors"] == [
        "no index 'nowhere' is configured. there are: meaning, words",
        "'k' must be from 1 to 1,000 (got 0). choose a number from 1 to 1,000",
    ]
    assert found.err == "error: " + "; ".join(found.json["errors"]) + "\n"


def test_without_a_vault_it_is_a_document_too(run: Run, tmp_path: Path) -> None:
    found = run("search", "larch", "--json", "--vault", str(tmp_path / "absent"))
    assert found.code == 2
    assert checked(found.json)["errors"][0].startswith(f"no vault at '{tmp_path / 'absent'}'")
    assert found.err.count("\n") == 1


@pytest.mark.parametrize(
    ("index", "key"),
    [
        ({"default": "other"}, "index.default"),
        ({"indexes": {"notes": {"embeding_model": None}}}, "index.indexes.notes.embeding_model"),
    ],
)
def test_a_wrong_setting_is_named(index: dict[str, Any], key: str, run: Run, place: tuple[str, ...]) -> None:
    Path(place[3]).write_text(json.dumps({"index": index}))
    found = run("search", "larch", "--json", *place)
    assert found.code == 2
    assert checked(found.json)["errors"][0].startswith(f"setting '{key}")


def test_yaml_holds_any_text() -> None:
    texts = [
        "", " ", "a\n", "a \nb", "x\ty\nz", "null", "é\u2028\nb", "\x07\nb", "# a\n", "- b\nc", "\ufeff", "'",
    ]  # fmt: skip
    assert yaml.safe_load(as_yaml({"texts": texts})) == {"texts": texts}
