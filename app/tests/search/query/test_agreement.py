"""The real evaluator against the slow one, on random queries over whole vaults, on every engine."""

import re
import shutil
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.config.settings import Settings
from app.search.milvus import finding
from app.search.query.evaluate import matching_notes
from app.search.query.parse import UNITS
from app.search.query.read import read_query
from app.search.request import parse_request
from app.search.searcher import Searcher, searcher_for
from app.tests.conformance.reading import VAULT
from app.tests.engines import QUICK_ENGINES
from app.tests.search.milvus.conftest import settings_for
from app.tests.search.query.slow import Ask, Note, matches, read_vault, written
from app.vault.client import VaultClient

EXAMPLE = Path(__file__).parents[4] / "examples" / "vault"
PLAIN_WORD = re.compile(r"[^\W_](?:[\w'’+.#/-]*[\w+])?")


class Material:
    """A vault, opened and read twice, and the pieces of it that queries are made of."""

    def __init__(self, source: Path, folder: Path, given: Settings | None = None) -> None:
        shutil.copytree(source, folder / "vault")
        client = VaultClient(folder / "vault", given or Settings(cache_dir=folder / "cache"))
        self.searcher: Searcher = searcher_for(client)
        self.searcher.update()
        view = self.searcher.view()
        shown = {view.lexical.path(doc) for doc in np.flatnonzero(view.snapshot.visible).tolist()}
        self.notes: dict[str, Note] = {p: n for p, n in read_vault(client).items() if p in shown}
        self.asks = asks(list(self.notes.values()))

    def kept(self, query: str) -> set[str]:
        *_, view = self.searcher.engine.views(parse_request({"operation": "combined", "query": query}))
        parts = read_query(view.snapshot, query).parts
        mask = matching_notes(view, parts, view.snapshot.visible)
        # Other files are found as well; only notes are read by the slow evaluator.
        return {view.lexical.path(doc) for doc in np.flatnonzero(mask).tolist()} & self.notes.keys()


def one_of(items: Sequence[str]) -> st.SearchStrategy[str]:
    """Choose an item; unlike `sampled_from` it does not print them all."""

    @st.composite
    def choose(draw: st.DrawFn) -> str:
        return items[draw(st.integers(0, len(items) - 1))]

    return choose()


def asks(notes: list[Note]) -> st.SearchStrategy[Ask]:
    """Make queries out of what stands in some notes, and a little that does not."""
    lines = sorted({line.strip() for note in notes for line in note.lines if 3 < len(line.strip()) < 200})
    words = sorted({word for line in lines for word in PLAIN_WORD.findall(line) if word != "OR"} | {"zzyx"})
    tags = sorted(
        {t for n in notes for t in n.parsed.tags} | {t.split("/")[0] for n in notes for t in n.parsed.tags}
    )
    names = sorted({name for note in notes for name in note.parsed.properties})
    given = {value for note in notes for value in note.parsed.properties.values() if isinstance(value, str)}
    values = sorted(value for value in given if value.strip() and "\n" not in value)
    named = ("2024-06-01", "2025-02-10", "2025-03-01", "2025-07-13", "2025-08-16", "2026-01-01")
    days = [date.fromisoformat(day) for day in named]

    @st.composite
    def cut_word(draw: st.DrawFn) -> str:
        word = draw(one_of(words))
        start = draw(st.integers(0, len(word) - 1))
        piece = word[start : start + draw(st.integers(1, 12))]
        found = PLAIN_WORD.search(piece)
        return found[0] if found and found[0] != "OR" else word

    @st.composite
    def cut_line(draw: st.DrawFn) -> str:
        line = draw(one_of(lines))
        start = draw(st.integers(0, len(line) - 2))
        piece = line[start : start + draw(st.integers(2, 25))].replace("\\", "").strip()
        return piece or "zzyx"

    @st.composite
    def expression(draw: st.DrawFn) -> str:
        word, other = re.escape(draw(cut_word())), re.escape(draw(one_of(words)))
        # What `re.escape` adds before a plain sign is no escape of JavaScript's.
        word, other = (re.sub(r"\\(?=[ #&~'’])", "", text) for text in (word, other))
        form = draw(st.sampled_from([
            r"{0}", r"\b{0}", r"{0}\w*", r"\w+{0}", r"^.*{0}", r"{0}.{{0,20}}{1}", r"(?:{0}|{1})\b", r"{0}(?!{1})", r"(?<!\w){0}",
            r"[aeé]{{2}}", r"\d{{4}}-\d{{2}}", r"^[-*] \[.\]", r"(\w)\1(?:{0})", r"{0}$", r"[^\s\w]{0}", r"\s{0}\s*\n",
        ]))  # fmt: skip
        return form.format(word, other)

    word = st.one_of(one_of(words), cut_word()).map(lambda text: ("word", text))
    phrase = cut_line().map(lambda text: ("phrase", text))
    regex = expression().map(lambda text: ("regex", text))
    leaf: st.SearchStrategy[Ask] = st.one_of(word, word, phrase, regex)

    def combined(inner: st.SearchStrategy[Ask]) -> st.SearchStrategy[Ask]:
        some = st.lists(inner, min_size=2, max_size=3)
        return st.one_of(
            some.map(lambda parts: ("and", parts)),
            some.map(lambda parts: ("or", parts)),
            inner.map(lambda part: ("not", part)),
        )

    case = st.tuples(st.just("case"), st.booleans(), leaf)
    text = st.recursive(st.one_of(leaf, leaf, case), combined, max_leaves=4)
    day = st.sampled_from(days)
    bound = st.one_of(day, st.integers(0, 5000))
    value = st.recursive(
        st.one_of(
            one_of(values or ["x"]).map(lambda text: ("phrase", text.replace("\\", ""))),
            word,
            regex,
            st.just(("null",)),
            st.tuples(st.just("compare"), st.sampled_from(["<", "<=", ">", ">="]), bound),
        ),
        combined,
        max_leaves=3,
    )
    paths = [note.path for note in notes]
    whole = st.one_of(
        leaf,
        leaf,
        case,
        st.tuples(st.sampled_from(["file", "path", "content"]), text),
        one_of(tags).map(lambda tag: ("tag", tag)),
        st.tuples(st.sampled_from(sorted(UNITS)), text),
        st.tuples(st.just("property"), one_of([*names, "absent"]), value),
        st.tuples(st.just("property"), one_of(names), st.none()),
        st.tuples(st.sampled_from(["links-to", "linked-from"]), one_of(paths)),
        st.tuples(
            st.just("case"), st.just(True), st.tuples(st.sampled_from(["line", "path", "content"]), text)
        ),
        st.tuples(st.sampled_from(["created", "modified"]), st.none(), day),
        st.tuples(st.sampled_from(["created", "modified"]), day, st.sampled_from([None, date(2026, 2, 1)])),
    )
    return st.recursive(whole, combined, max_leaves=4)


@pytest.fixture(scope="module", params=[EXAMPLE, VAULT], ids=["example", "conformance"])
def source(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture(scope="module", params=QUICK_ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def material(
    source: Path, engine: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Material]:
    folder = tmp_path_factory.mktemp(engine)
    with pytest.MonkeyPatch.context() as patch:
        if engine == "local":
            yield Material(source, folder)
            return
        # Three notes at first: Milvus chooses though these vaults are small.
        patch.setattr(finding, "FEW", 3)
        uri = request.getfixturevalue("milvus_file" if engine == "lite" else "milvus_server")
        yield Material(source, folder, settings_for(folder, uri, f"agree_{source.parent.name}"))


def agrees(material: Material, count: int) -> None:
    """Hold the real evaluator against the slow one on so many random queries."""

    @settings(max_examples=count, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
    @given(st.data())
    def agree(data: st.DataObject) -> None:
        ask = data.draw(material.asks)
        query = written(ask)
        expected = {path for path, note in material.notes.items() if matches(ask, note)}
        assert material.kept(query) == expected, query

    agree()


def test_some_random_queries_keep_the_notes_that_the_slow_evaluator_keeps(material: Material) -> None:
    agrees(material, 10)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_random_queries_keep_the_notes_that_the_slow_evaluator_keeps(material: Material, engine: str) -> None:
    # Milvus Lite takes ten times as long for a query.
    agrees(material, 1000 if engine == "local" else 300)
