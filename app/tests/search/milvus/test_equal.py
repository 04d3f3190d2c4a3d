"""What filters keep is the same in Milvus as on this machine, whatever is asked and however notes are named."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.config.settings import Settings
from app.errors import VaultError
from app.search.milvus import database, finding
from app.search.milvus.conditions import SHOWN, every, has, holds, quote, some
from app.search.milvus.database import NOTES
from app.search.searcher import Searcher, searcher_for
from app.tests.conformance.reading import VAULT
from app.tests.engines import no_milvus
from app.tests.search.conftest import paths
from app.tests.search.milvus.conftest import Open, ask, settings_for, write
from app.tests.search.milvus.test_feed import engine_of
from app.tests.search.query.slow import written
from app.tests.search.query.test_agreement import EXAMPLE, Material
from app.vault.client import VaultClient

pytestmark = no_milvus

HOSTILE = [
    'say "no" or 1==1.md', "50% off_all.md", "50 percent offXall.md", "back\\slash.md", "it's or vault != ''.md",
    '") or (vault like "%.md', "été 🌱 ⏫.md", "new\tline.md", "[a]{b}(c)*.md", "%.md", "_.md",
]  # fmt: skip


class Pair:
    """One vault in both engines."""

    def __init__(self, source: Path, folder: Path, uri: str) -> None:
        self.material = Material(source, folder)
        root = folder / "vault"
        self.local = self.material.searcher
        database = "pair_" + folder.name.replace("-", "_")
        self.milvus = searcher_for(VaultClient(root, settings_for(folder / "other", uri, database)))
        self.milvus.update()

    def compare(self, operation: str, **parameters: Any) -> None:
        here, there = (ask(one, operation, **parameters) for one in (self.local, self.milvus))
        assert set(paths(here)) == set(paths(there)), parameters
        assert here.total == there.total, parameters


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory, milvus_file: str) -> Iterator[list[Pair]]:
    sources = {"example": EXAMPLE, "conformance": VAULT}
    with pytest.MonkeyPatch.context() as patch:
        # Three notes at first, then twelve: the ways of a large vault, which a small one is not worth.
        patch.setattr(finding, "FEW", 3)
        yield [Pair(source, tmp_path_factory.mktemp(name), milvus_file) for name, source in sources.items()]


def filters(pair: Pair, draw: st.DrawFn) -> dict[str, Any]:
    """Some of the parameters that filter besides the query."""
    notes = list(pair.material.notes.values())
    tags = sorted({tag for note in notes for tag in note.parsed.tags})
    folders = sorted({note.path.rpartition("/")[0] for note in notes} - {""})
    chosen: dict[str, Any] = {}
    if draw(st.booleans()):
        chosen["tags"] = draw(st.lists(st.sampled_from(tags), min_size=1, max_size=2))
        chosen["match_all"] = draw(st.booleans())
    if draw(st.booleans()):
        chosen["start_date"] = draw(st.sampled_from(["2024-01-01", "2025-02-01", "2025-07-13"]))
        chosen["date_field"] = draw(st.sampled_from(["created", "modified"]))
    if draw(st.booleans()):
        folder = draw(st.sampled_from(folders))
        chosen["scopes"] = [draw(st.sampled_from([folder, f"{folder}/*", f"{folder[:3]}**", "**/*.md"]))]
    return chosen


def agree(pairs: list[Pair], data: st.DataObject) -> None:
    pair = data.draw(st.sampled_from(pairs))
    query = written(data.draw(pair.material.asks))
    operation = data.draw(st.sampled_from(["combined", "fulltext", "fast"]))
    pair.compare(operation, query=query, **data.draw(st.composite(lambda draw: filters(pair, draw))()))


def many(count: int) -> settings:
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
    return settings(max_examples=count, deadline=None, suppress_health_check=checks)


@pytest.mark.slow
@many(1000)
@given(data=st.data())
def test_a_thousand_random_queries_find_the_same_notes(pairs: list[Pair], data: st.DataObject) -> None:
    agree(pairs, data)


def outcome(searcher: Searcher, operation: str, **parameters: Any) -> set[str] | str:
    """The notes that are found, or the error."""
    try:
        return set(paths(ask(searcher, operation, **parameters)))
    except VaultError as error:
        return str(error)


@pytest.fixture
def hostile(tmp_path: Path, in_milvus: Open, few: int) -> tuple[Searcher, Searcher]:
    root = tmp_path / "hostile"
    for number, name in enumerate(HOSTILE):
        folder = f"fo%l_der{number} \"'"
        stem = name.removesuffix(".md").replace("\t", " ").replace('"', "'")
        text = f"---\nkind_{number}: '{stem}'\n---\n#t{number}/x_y word {stem}\n[[{stem}]]\n"
        write(root, {f"{folder}/{name}": text})
    local = searcher_for(VaultClient(root, Settings(cache_dir=tmp_path / "local")))
    searcher = in_milvus(root)
    searcher.update()
    return local, searcher


def test_names_that_look_like_expressions_are_only_names(hostile: tuple[Searcher, Searcher]) -> None:
    for number, name in enumerate(HOSTILE):
        folder = f"fo%l_der{number} \"'"
        stem = name.removesuffix(".md")
        asked: list[tuple[str, dict[str, Any]]] = [
            ("by_tag", {"tags": [f"t{number}"]}),
            ("combined", {"folder": folder}),
            ("combined", {"scopes": [folder]}),
            ("combined", {"query": f"[kind_{number}]"}),
            ("combined", {"query": f"path:{stem[:4].strip()}"}),
            ("fulltext", {"query": stem}),
            ("fulltext", {"query": '"' + stem.replace('"', "'") + '"'}),
            ("fast", {"query": stem}),
            ("fast", {"query": f"word path:{folder[:9]}"}),
        ]
        for operation, parameters in asked:
            here, there = (outcome(one, operation, **parameters) for one in hostile)
            assert here == there, (operation, parameters)
    assert paths(ask(hostile[1], "combined", folder="fo%l_der1 \"'")) == ["fo%l_der1 \"'/50% off_all.md"]


def test_an_expression_holds_a_text_as_one_constant() -> None:
    assert quote('a"b\\c\nd') == r'"a\"b\\c\nd"'
    assert has('tag:x" or 1 == 1') == r'(array_contains(terms, "tag:x\" or 1 == 1") or cut == 1)'
    assert holds('50%_"\\', "name") == 'name like "%50____%"'
    assert holds("a\nbc1", "plain") == '(plain like "%a%" and (plain like "%bc1%" or plain like "%bc-1%"))'
    assert every(every(SHOWN), some([""])) == "hidden == 0"


def test_answers_are_paged_through(tmp_path: Path, in_milvus: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PAGE", 4)
    write(tmp_path / "many", {f"n{number}.md": f"larch {number}\n" for number in range(9)})
    searcher = in_milvus(tmp_path / "many")
    searcher.update()
    remote = engine_of(searcher).remote
    found = {most: remote.query(NOTES, "", ["path"], most) for most in (None, 3, 20)}
    assert {most: len(rows) for most, rows in found.items()} == {None: 9, 3: 3, 20: 9}
    assert {row["path"] for row in found[None]} == {f"n{number}.md" for number in range(9)}
