"""Many vaults in one collection: what is asked of one never shows a passage of another."""

import hashlib
import random
from pathlib import Path
from typing import Any

import pytest

from app.search.milvus import finding
from app.search.milvus.database import Row, Vault
from app.search.searcher import Searcher
from app.tests.engines import no_milvus
from app.tests.search.milvus.conftest import Open, ask, write

pytestmark = [no_milvus, pytest.mark.slow]

COUNT = 20
SHARED = ["larch", "spruce", "budget", "harbour", "kiln"]


def secret(number: int) -> str:
    return f"secret{number:02d}zz"


@pytest.fixture
def vaults(tmp_path: Path, in_milvus: Open) -> list[Searcher]:
    return brought(tmp_path, in_milvus)


def brought(folder: Path, in_milvus: Open) -> list[Searcher]:
    """Bring twenty vaults with notes of the same names and words, each with a word of its own in every line.

    Gives readers of them, which write nothing.
    """
    opened = []
    for number in range(COUNT):
        root = folder / f"v{number}"
        for name in SHARED:
            line = f"{' '.join(SHARED)} {secret(number)}"
            text = f"---\ncreated: 2025-03-{number + 1:02d}\n---\n# {name}\n\n{line} #tag/{name}\n\n[[{SHARED[0]}]]\n"
            write(root, {f"{name}.md": text, f"folder/{name} two.md": f"{line}\n"})
        remote_name = f"vault {number}"
        in_milvus(root, folder=f"c{number}", remote_name=remote_name).update()
        opened.append(in_milvus(root, folder=f"r{number}", remote_name=remote_name, feeds=False))
    return opened


def questions(chance: random.Random) -> tuple[str, dict[str, Any]]:
    word = chance.choice(SHARED)
    asked: list[tuple[str, dict[str, Any]]] = [
        ("fast", {"query": " ".join(chance.sample(SHARED, 2))}),
        ("fast", {"query": secret(chance.randrange(COUNT))}),
        ("fulltext", {"query": word}),
        ("by_tag", {"tags": [f"tag/{word}"]}),
        ("by_date", {"start_date": "2025-03-01", "end_date": "2025-03-31"}),
        ("by_link", {"note_path": SHARED[0]}),
        ("combined", {"folder": "folder", "query": word}),
        ("scoped", {"query": word, "scopes": ["folder/*"]}),
        ("fulltext", {"query": f'" or vault != "" or "{word}'}),
        ("fast", {"query": f'{word} tag:#x") or (vault != ""'}),
    ]
    return chance.choice(asked)


def leaks(vaults: list[Searcher], count: int) -> list[str]:
    """What of other vaults was shown in so many searches, by three readers who may see some vaults each."""
    chance = random.Random(11)
    readers = {"one": [0, 3, 7], "two": [1, 3, 19], "three": [5]}
    found = []
    for _ in range(count):
        reader = chance.choice(sorted(readers))
        number = chance.choice(readers[reader])
        operation, parameters = questions(chance)
        shown = ask(vaults[number], operation, **parameters)
        told = shown.model_dump_json(exclude={"query"}) + "".join(map(str, shown.notices))
        asked = str(parameters)
        others = [secret(other) for other in range(COUNT) if other != number]
        found += [
            f"{reader}: {other} in {operation} {asked}"
            for other in others
            if other in told and other not in asked
        ]
        assert operation != "by_tag" or shown.total, "a search that finds nothing proves nothing"
    return found


def test_five_hundred_searches_show_no_other_vault(vaults: list[Searcher]) -> None:
    assert leaks(vaults, 500) == []


def everywhere(_: Vault, filter_: str) -> str:
    return filter_ or "cut >= 0"


def all_rows(_: Vault, rows: list[Row]) -> list[Row]:
    return [dict(row) for row in rows]


def id_of_any(_: Vault, *parts: object) -> str:
    return hashlib.blake2b("\0".join(map(str, parts)).encode(), digest_size=16).hexdigest()


GUARDS = {"_condition": everywhere, "_own": all_rows, "id_of": id_of_any}
"""Each of these keeps a vault to itself. Taken out they do not."""


@pytest.mark.parametrize("without", [["_condition"], ["_own"], ["_condition", "_own"]])
def test_what_is_left_of_the_guards_keeps_others_out(
    vaults: list[Searcher], monkeypatch: pytest.MonkeyPatch, without: list[str]
) -> None:
    # More notes pass than are taken at first, as in a vault of any size.
    monkeypatch.setattr(finding, "FEW", 40)
    for name in without:
        monkeypatch.setattr(Vault, name, GUARDS[name])
    assert leaks(vaults, 40) == []


def test_without_guards_others_show(tmp_path: Path, in_milvus: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, taken_out in GUARDS.items():
        monkeypatch.setattr(Vault, name, taken_out)
    assert leaks(brought(tmp_path, in_milvus), 40)
