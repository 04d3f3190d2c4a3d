"""Links found by the terms of the index are those of all notes, resolved at once."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.config.settings import Settings
from app.markdown.links import LinkGraph, LinkResolver, last_parts
from app.search.index.snapshot import VaultSnapshot
from app.search.searcher import searcher_for
from app.tests.conformance.reading import VAULT
from app.tests.conftest import EXAMPLES, MakeVault
from app.vault.client import VaultClient
from app.vault.paths import path_key

LONG = "long " * 50
FILES = [
    "N.md",
    "n.md",
    "a/N.md",
    "a/b/Été.md",
    "b/N.md.md",
    "a/b/N",
    "b/p.png",
    "a/p.PNG",
    "c/.md",
    f"{LONG}1.md",
    f"a/{LONG}2.md",
]
TARGETS = [
    *("", " ", "N", "n.MD", "N.md", "N.md.md", "a/N", "/N", "./N", "../N", "../../N", "./a/../N", "x/../N"),
    *("E\u0301te\u0301", "ÉTÉ.md", "p.png", "P.png", "absent", "Absent.md", "x/absent", "./absent", "../absent.MD"),
    *(".", "..", "../", "./", "/", "./b/..", "./b/.", "./b/", "a/", "./c/", "./N.md/", "../N.md/x/..", "c/.md", ".md", "a\nb", "a\tb", "\\n"),
    *(LONG + "1", LONG + "2", LONG + "3", "strasse", "straße", "b/n", "a/b/N"),
]  # fmt: skip
PARTS = st.lists(
    st.sampled_from(["N", "n.md", "É", "e\u0301.MD", "..", ".", "", "a", "p.png", ".md"]), max_size=4
)
PATHS = PARTS.map("/".join)


def assert_as_built_whole(snapshot: VaultSnapshot) -> None:
    """Every question about links is answered as by a graph of all links, in the same order."""
    notes = {path: snapshot.links(doc) for path, doc in sorted(snapshot.lexical.paths().items())}
    files = [*snapshot.vault.files, *notes]
    whole = LinkGraph.build(notes, files, all_types=snapshot.vault.all_types)
    graph = snapshot.graph
    for path in (*files, "nowhere.md", "nowhere/p.png"):
        assert graph.outgoing(path) == whole.outgoing(path), path
        assert graph.incoming(path) == whole.incoming(path), path
        assert graph.unresolved(path) == whole.unresolved(path), path
    targets = {link.target for links in notes.values() for link in links}
    tails = {target[at:] for target in targets for at, sign in enumerate(target, start=1) if sign == "/"}
    for name in {*files, *targets, *tails, "nothing is called that", ""}:
        assert graph.naming(name) == whole.naming(name), name
        assert graph.mentions(name) == whole.mentions(name), name


@pytest.mark.parametrize("source", [EXAMPLES / "vault", VAULT])
def test_links_of_whole_vaults(source: Path, tmp_path: Path) -> None:
    shutil.copytree(source, tmp_path / "vault")
    searcher = searcher_for(VaultClient(tmp_path / "vault", Settings(cache_dir=tmp_path / "cache")))
    searcher.update()
    snapshot = searcher.view().snapshot
    assert any(snapshot.graph.incoming(path) for path in snapshot.lexical.paths())
    assert_as_built_whole(snapshot)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(st.sampled_from(FILES), st.lists(st.sampled_from(TARGETS), max_size=6), min_size=1),
    st.booleans(),
)
@example(dict.fromkeys(FILES, TARGETS), False)
@example(dict.fromkeys(FILES, TARGETS), True)
def test_links_of_any_vault(
    tmp_path_factory: pytest.TempPathFactory, written: dict[str, list[str]], all_types: bool
) -> None:
    root = tmp_path_factory.mktemp("linked")
    for path, targets in written.items():
        file = root / "vault" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        # A backslash or a line end stands in a Markdown link alone, behind a percent sign.
        links = [f"[x]({_quoted(target)}) [[{target}]]" for target in targets]
        file.write_text("\n\n".join(links), encoding="utf-8")
    settings_folder = root / "vault/.obsidian"
    settings_folder.mkdir(parents=True)
    (settings_folder / "app.json").write_text(
        f'{{"showUnsupportedFiles": {str(all_types).lower()}, "userIgnoreFilters": ["b/"]}}'
    )
    searcher = searcher_for(VaultClient(root / "vault", Settings(cache_dir=root / "cache", commit_notes=3)))
    searcher.update()
    assert_as_built_whole(searcher.view().snapshot)
    searcher.close()
    shutil.rmtree(root)


def _quoted(target: str) -> str:
    return (
        "".join(f"%{byte:02X}" if chr(byte) in " \n\t\\%" else chr(byte) for byte in target.encode())
        if (target.isascii())
        else target.replace(" ", "%20")
    )


@example(["a/N.md"], "./N.md/x/..", "a/x.md", False)
@settings(max_examples=100)
@given(st.lists(PATHS, max_size=6), PATHS, PATHS, st.booleans())
def test_a_link_has_the_name_of_the_file_it_leads_to(
    files: list[str], target: str, source: str, all_types: bool
) -> None:
    found = LinkResolver(files, all_types=all_types).resolve(target, source)
    if found is not None and target.strip():
        name = path_key(found).rpartition("/")[2]
        assert {name, name.removesuffix(".md")} & set(last_parts(target, source))


def test_only_notes_with_a_link_of_that_name_are_read(
    tiny_vault: MakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {f"n{number}.md": f"[[n{number + 1}]] [[elsewhere/B]]" for number in range(20)}
    vault = tiny_vault({**others, "B.md": "x", "a.md": "[[B]]", "c/d.md": "[[../b.md]] [[Absent]]"})
    searcher = searcher_for(vault)
    searcher.update()
    lexical = searcher.view().lexical
    read: list[str] = []
    data = lexical.data

    def watched(doc: int) -> bytes:
        read.append(lexical.path(doc))
        return data(doc)

    monkeypatch.setattr(lexical, "data", watched)
    graph = searcher.view().snapshot.graph
    assert [edge.source for edge in graph.mentions("absent")] == ["c/d.md"]
    assert [edge.source for edge in graph.incoming("n7.md")] == ["n6.md"]
    assert [edge.target for edge in graph.outgoing("n7.md")] == ["n8.md", None]
    assert read == ["c/d.md", "n6.md", "n7.md"]


def test_of_a_private_note_only_links_that_lead_somewhere_are_terms(tiny_vault: MakeVault) -> None:
    vault = tiny_vault(
        {
            ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
            "private/Diary.md": "[[Home]] [[A secret place]]",
            "Home.md": "[[Diary]] [[Nowhere]]",
        }
    )
    searcher = searcher_for(vault)
    searcher.update()
    assert searcher.view().lexical.terms("link:") == ["link:diary", "link:home", "link:nowhere"]
