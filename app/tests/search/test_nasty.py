"""A vault of hostile files: indexed, searched, and each file that cannot be used is reported."""

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from app.config.settings import Settings
from app.search import search
from app.search.request import parse_request
from app.search.searcher import Searcher, searcher_for
from app.tests.conformance.make_nasty_vault import churn, main
from app.vault.client import VaultClient

# Kinds whose file is not read, with a word of the reason that is reported.
REPORTED = {
    "name: not UTF-8": "not UTF-8",
    "name: NFD": "Unicode form",
    "symlink to a file outside": "outside",
    "absolute symlink outside": "outside",
    "symlink to itself": "circle",
    "dangling symlink": "nothing",
    "symlink inside the vault": "inside",
    "FIFO": "not a regular file",
    "Latin-1": "not valid UTF-8",
    "NUL bytes": "NUL",
    "yaml: alias bomb": "properties not read",
    "yaml: code tags": "properties not read",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("nasty")
    assert main([str(out), "--small"]) == 0
    return out


@pytest.fixture(scope="module")
def searcher(made: Path) -> Searcher:
    vault = VaultClient(made / "vault", Settings(cache_dir=made / "cache", max_note_bytes=1_500_000))
    searcher = searcher_for(vault)
    searcher.update()
    return searcher


def cases(made: Path) -> dict[str, Mapping[str, Any]]:
    manifest = json.loads((made / "manifest.json").read_text(encoding="utf-8"))
    return {case["kind"]: case for case in manifest["cases"]}


def test_what_lies_outside_is_never_found(searcher: Searcher, made: Path) -> None:
    word = json.loads((made / "manifest.json").read_text(encoding="utf-8"))["forbidden_word"]
    for query in (word, f'"{word}"', "dehors"):
        for operation in ("fast", "fulltext"):
            found = searcher.search(parse_request({"operation": operation, "query": query}))
            assert not [result for result in found.results if word in result.excerpt]
    assert searcher.search(parse_request({"operation": "by_tag", "tags": ["dehors"]})).total == 0


@pytest.mark.parametrize("kind", REPORTED)
def test_what_cannot_be_used_is_reported_with_the_reason(kind: str, searcher: Searcher, made: Path) -> None:
    case = cases(made)[kind]
    if "skipped" in case:
        pytest.skip(f"this disk cannot hold it: {case['skipped']}")
    path = case.get("path", "").removeprefix("vault/")
    # A name that is no text, and the one of two twins that is not used, are reported under another spelling.
    reasons = [
        reason
        for place, reason in searcher.status().problems
        if place == path or kind in ("name: not UTF-8", "name: NFD")
    ]
    assert any(REPORTED[kind] in reason for reason in reasons)


def test_every_note_with_the_word_is_found(searcher: Searcher, made: Path) -> None:
    wanted = {
        case["path"].removeprefix("vault/")
        for case in cases(made).values()
        if "found by the word témoin" in case["expect"] and "skipped" not in case
    }
    found = {hit.path for hit in search(searcher.vault, ["témoin"], "fast")}
    assert len(wanted) >= 14
    assert wanted - {"note.md.md"} <= found
    assert "note.md.md" in found


def test_files_that_change_while_they_are_read_stop_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "vault" / "churn"
    folder.mkdir(parents=True)
    vault = VaultClient(tmp_path / "vault", Settings(cache_dir=tmp_path / "cache"))
    changing = threading.Thread(target=churn, args=(str(folder), 3))
    changing.start()
    while changing.is_alive():
        for hit in search(vault, ["version moitié"], "fast"):
            assert hit.path.startswith("churn/")
    changing.join()
    here = {f"churn/{file.name}" for file in folder.iterdir() if file.suffix == ".md"}
    assert {hit.path for hit in search(vault, ["*"], "fast")} == here
