"""The example vault holds what the demo, the documentation and other tests count on."""

from pathlib import Path

import pytest

from app.markdown.links import LinkGraph
from app.markdown.models import Link, ParsedNote
from app.markdown.parse import parse_note
from app.vault.client import VaultClient

VAULT = Path(__file__).parents[2] / "examples" / "vault"
UNRESOLVED_ON_PURPOSE = {"Carnet de bord", "Dougal Reid", "Iris Hallam"}


@pytest.fixture(scope="module")
def vault() -> VaultClient:
    return VaultClient(VAULT)


@pytest.fixture(scope="module")
def texts(vault: VaultClient) -> dict[str, str]:
    return {path: vault.read(path).text for path in vault.scan().notes}


@pytest.fixture(scope="module")
def notes(texts: dict[str, str]) -> dict[str, ParsedNote]:
    return {path: parse_note(text, path) for path, text in texts.items()}


@pytest.fixture(scope="module")
def graph(vault: VaultClient, notes: dict[str, ParsedNote]) -> LinkGraph:
    scan = vault.scan()
    return LinkGraph.build({path: note.links for path, note in notes.items()}, [*scan.notes, *scan.others])


def subpath_exists(link: Link, note: ParsedNote) -> bool:
    if link.subpath.startswith("^"):
        return link.subpath[1:].casefold() in {block.id.casefold() for block in note.blocks}
    return link.subpath.split("#")[-1] in {heading.text for heading in note.headings}


def test_its_own_settings_are_kept_with_it_and_read(vault: VaultClient) -> None:
    assert vault.obsidian.trash_option == "local"
    assert vault.obsidian.problems == ()
    assert [path for path in vault.scan().notes if vault.is_excluded(path)] == [
        "private/Anniversaire de Callum.md"
    ]
    assert [path for path in sorted(vault.scan().notes) if vault.is_left_out(path)] == [
        "inbox/mémo vocal 2025-08-23.md",
        "overview.md",
        "profile.md",
        "tree.md",
    ]


def test_no_note_and_no_file_has_a_problem(vault: VaultClient, notes: dict[str, ParsedNote]) -> None:
    assert vault.scan().problems == ()
    assert {path: note.problems for path, note in notes.items() if note.problems} == {}
    assert {note.frontmatter for note in notes.values()} == {"ok"}


def test_every_link_resolves_but_the_three_that_wait_for_their_note(
    graph: LinkGraph, notes: dict[str, ParsedNote]
) -> None:
    assert {name for path in notes for name in graph.unresolved(path)} == UNRESOLVED_ON_PURPOSE


def test_every_linked_heading_and_block_exists(graph: LinkGraph, notes: dict[str, ParsedNote]) -> None:
    edges = [edge for path in notes for edge in graph.outgoing(path) if edge.link.subpath and edge.target]
    missing = [
        edge.link for edge in edges if edge.target and not subpath_exists(edge.link, notes[edge.target])
    ]
    assert missing == []
    assert len(edges) >= 10
