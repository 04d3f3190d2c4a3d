"""The example vault holds what the demo, the documentation and other tests count on."""

import json
import re
import struct
from datetime import date
from pathlib import Path

import pytest

from app.markdown.links import LinkGraph
from app.markdown.models import Link, ParsedNote
from app.markdown.parse import parse_note
from app.search.index.chunk import chunk_note, split_lines
from app.vault.client import VaultClient
from app.vault.dates import dated_heading

VAULT = Path(__file__).parents[2] / "examples" / "vault"
PROJECTS = ("la-glaciere", "livre-de-sel", "low-tide-letters", "petrel")
UNRESOLVED_ON_PURPOSE = {"Carnet de bord", "Dougal Reid", "Iris Hallam"}
FRENCH = re.compile(r"\b(?:le|la|les|des|une|est|qui|dans|pour|pas)\b", re.IGNORECASE)
ENGLISH = re.compile(r"\b(?:the|and|of|is|that|was|with|for|not)\b", re.IGNORECASE)


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


def test_it_is_a_project_vault_of_at_least_thirty_notes_with_the_seed_layout(
    vault: VaultClient, texts: dict[str, str]
) -> None:
    assert vault.is_project_vault
    assert 30 <= len(texts) <= 50
    assert 60_000 <= sum(len(text.encode()) for text in texts.values()) <= 90_000
    for project in PROJECTS:
        for name in ("description", "state", "tasks", "changelog"):
            assert f"projects/{project}/{name}.md" in texts
        assert any(path.startswith(f"projects/{project}/bucket/") for path in texts)
    assert {"overview.md", "tree.md", "profile.md", "changelog.md", "tasks.md"} <= texts.keys()


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


def test_names_that_occur_several_times_resolve_as_in_obsidian(
    graph: LinkGraph, notes: dict[str, ParsedNote]
) -> None:
    targets = {edge.link.target: edge.target for edge in graph.outgoing("bucket/How this vault works.md")}
    assert targets["tasks"] == "tasks.md"
    assert targets["state"] == "projects/petrel/state.md"
    assert targets["Tâches.base"] == "bucket/Tâches.base"
    near = {edge.link.target: edge.target for edge in graph.outgoing("projects/petrel/state.md")}
    assert near["./tasks"] == "projects/petrel/tasks.md"
    beside = {edge.link.target: edge.target for edge in graph.outgoing("projects/low-tide-letters/state.md")}
    assert beside["description"] == "projects/low-tide-letters/description.md"
    assert beside["changelog"] == "changelog.md"


def test_every_kind_of_link_occurs(graph: LinkGraph, notes: dict[str, ParsedNote]) -> None:
    edges = [edge for path in notes for edge in graph.outgoing(path)]
    assert {edge.link.kind for edge in edges} == {"wikilink", "markdown", "property"}
    assert any(edge.link.embed and edge.link.subpath.startswith("^") for edge in edges)
    attachments = {edge.target for edge in edges if edge.target and not edge.target.endswith(".md")}
    assert attachments == {
        "attachments/petrel-lines.png",
        "bucket/Tâches.base",
        "projects/petrel/bucket/rigging.canvas",
    }


def test_backlinks_of_a_person_come_from_text_and_from_properties(graph: LinkGraph) -> None:
    assert {edge.source for edge in graph.incoming("people/Hélène Vasseur.md")} == {
        "journal/2025-07-14.md",
        "projects/livre-de-sel/bucket/Courriel du 2 juillet.md",
        "projects/livre-de-sel/changelog.md",
        "projects/livre-de-sel/description.md",
        "projects/livre-de-sel/state.md",
        "tasks.md",
    }
    assert {edge.source for edge in graph.mentions("dougal reid")} == {
        "people/Callum Reid.md",
        "projects/petrel/tasks.md",
    }


def test_tags_are_nested_and_stand_in_properties_text_and_comments(notes: dict[str, ParsedNote]) -> None:
    tags = {tag for note in notes.values() for tag in note.tags}
    assert {"projet/association", "quartier/gens", "écriture/voix", "people/family", "journal"} <= tags
    assert "à-garder" in notes["projects/livre-de-sel/bucket/Ce que dit la voix de Morwenna.md"].tags
    assert not tags & {"not-a-tag", "pas-une-étiquette"}


def test_tasks_have_many_statuses_and_signs(notes: dict[str, ParsedNote]) -> None:
    tasks = [task for note in notes.values() for task in note.tasks]
    assert {task.status for task in tasks} == set(" x/->?!")
    for sign in "⏫📅✅🔼🔁":
        assert any(sign in task.text for task in tasks), sign


def test_properties_have_every_type(notes: dict[str, ParsedNote]) -> None:
    values = [value for note in notes.values() for value in note.properties.values()]
    assert {type(value) for value in values} >= {bool, int, str, list, type(None)}
    assert any(note.aliases for note in notes.values())


def test_all_syntax_features_occur(texts: dict[str, str], notes: dict[str, ParsedNote]) -> None:
    everything = "\n".join(texts.values())
    for feature in (
        "> [!",
        "> > [!",
        "%%",
        "<!--",
        "$$",
        "[^1]:",
        "```python",
        "~~~",
        "\n===",
        "| ---",
        "\\|",
    ):
        assert feature in everything, feature
    assert "«\u00a0" in everything
    assert "\u202f;" in everything
    assert any(
        heading.text == "Glossaire" and heading.level == 1
        for note in notes.values()
        for heading in note.headings
    )


def test_both_languages_have_their_share(texts: dict[str, str]) -> None:
    french = {path for path, text in texts.items() if len(FRENCH.findall(text)) > len(ENGLISH.findall(text))}
    assert 0.4 <= len(french) / len(texts) <= 0.65
    assert "projects/la-glaciere/changelog.md" in french
    assert "projects/petrel/changelog.md" not in french


@pytest.mark.parametrize("literal", ["status: en-cours", "prio: haute", "[décision]", "2025-07-14"])
def test_a_literal_that_others_search_for_occurs_in_at_least_four_notes(
    literal: str, texts: dict[str, str]
) -> None:
    assert sum(literal in text for text in texts.values()) >= 4


def test_the_fourteenth_of_july_is_a_day_a_property_and_prose(
    texts: dict[str, str], notes: dict[str, ParsedNote]
) -> None:
    day = date(2025, 7, 14)
    logs = {path for path, note in notes.items() if any(dated_heading(h.text) == day for h in note.headings)}
    assert {f"projects/{project}/changelog.md" for project in PROJECTS} <= logs
    assert sum("2025-07-14" in map(str, note.properties.values()) for note in notes.values()) >= 4
    assert "devant la commerciale le 2025-07-14" in texts["people/Hélène Vasseur.md"]


def test_a_dense_day_is_cut_between_entries_and_a_long_entry_at_its_sub_headings(
    texts: dict[str, str], notes: dict[str, ParsedNote]
) -> None:
    path = "projects/la-glaciere/changelog.md"
    lines = split_lines(texts[path])
    chunks = [chunk for chunk in chunk_note(notes[path], lines) if chunk.day == date(2025, 7, 14)]
    starts = [lines[chunk.start - 1] for chunk in chunks]
    assert starts[0] == "# 2025-07-14"
    assert any(start.startswith("## [") for start in starts[1:])
    assert any(start.startswith("### ") for start in starts[1:])
    assert all(start.startswith(("## [", "### ")) for start in starts[1:])


def test_the_guide_is_long_and_many_notes_are_short(
    texts: dict[str, str], notes: dict[str, ParsedNote]
) -> None:
    guide = "guides/A visitor's guide to Port-Avel.md"
    assert len(texts[guide]) > 6000
    assert len(notes[guide].headings) >= 12
    assert sum(len(text) < 1000 for text in texts.values()) >= 10


@pytest.mark.parametrize(
    ("path", "words_of_the_question"),
    [
        ("projects/petrel/bucket/Evening on the slip.md", ("outboard", "motor", "engine")),
        (
            "projects/la-glaciere/bucket/La radio de Mme Le Bihan.md",
            ("payant", "gratuit", "prix libre", "tarif"),
        ),
    ],
)
def test_a_decision_is_told_in_other_words_than_it_is_asked_for(
    path: str, words_of_the_question: tuple[str, ...], texts: dict[str, str]
) -> None:
    assert [word for word in words_of_the_question if word in texts[path].casefold()] == []


def test_attachments_are_real_files() -> None:
    image = (VAULT / "attachments" / "petrel-lines.png").read_bytes()
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", image[16:24]) == (240, 160)
    canvas = json.loads((VAULT / "projects/petrel/bucket/rigging.canvas").read_text(encoding="utf-8"))
    assert all((VAULT / node["file"]).is_file() for node in canvas["nodes"] if node["type"] == "file")
