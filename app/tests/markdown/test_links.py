"""Which file a link means, and the graph of all links."""

import unicodedata

import pytest

from app.markdown.links import LinkGraph, LinkResolver
from app.markdown.parse import parse_note

FILES = [
    *("tasks.md", "a/tasks.md", "a/x.md", "a/b/N.md", "zzzz/N.md", "zzzz/deep/x.md"),
    *("cuisine/Recette.md", "Version 2.0.md", "Plan.md", "Plan.png", "médias/photo.png", "notes/Été.md"),
    *("c/b/N.md", "export.markdown", "lisez.txt", "note.md.md", "aa/T.md", "bb/T.md"),
]
RESOLVER = LinkResolver(FILES)


@pytest.mark.parametrize(
    ("target", "source", "found"),
    [
        ("NOTES/ÉTÉ", "a/x.md", "notes/Été.md"),
        ("ete", "a/x.md", None),
        # A file at the root beats the neighbour, the neighbour beats the shortest path.
        ("tasks", "a/x.md", "tasks.md"),
        ("./tasks", "a/x.md", "a/tasks.md"),
        ("x", "zzzz/deep/y.md", "zzzz/deep/x.md"),
        # Length counts in characters, and a folder further up has no privilege.
        ("N", "tasks.md", "a/b/N.md"),
        ("N", "zzzz/deep/x.md", "a/b/N.md"),
        ("N", "zzzz/x.md", "zzzz/N.md"),
        ("N", "a/b/N.md", "a/b/N.md"),
        # The end of a path counts at a folder's border only.
        ("b/N", "tasks.md", "a/b/N.md"),
        ("b/N", "c/b/x.md", "c/b/N.md"),
        ("absent/Recette", "tasks.md", None),
        ("/tasks", "a/x.md", "tasks.md"),
        ("../tasks", "a/x.md", "tasks.md"),
        ("../../tasks", "a/x.md", None),
        ("./N", "a/x.md", None),
        ("Photo.PNG", "a/x.md", "médias/photo.png"),
        ("Plan.png", "a/x.md", "Plan.png"),
        ("note.md", "a/x.md", "note.md.md"),
        ("note", "a/x.md", None),
        ("export", "a/x.md", None),
    ],
)
def test_a_target_means_the_file_that_obsidian_opens(target: str, source: str, found: str | None) -> None:
    assert RESOLVER.resolve(target, source) == found


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_the_unicode_form_of_names_does_not_matter(form: str) -> None:
    resolver = LinkResolver([unicodedata.normalize("NFD", "Île/Café.md")])
    for target in ("Café", "île/CAFÉ.md", "./Café"):
        written = unicodedata.normalize(form, target)  # type: ignore[arg-type]
        assert resolver.resolve(written, "Île/x.md") == unicodedata.normalize("NFC", "Île/Café.md")


NOTES = {
    "A.md": "[[B]] et [[B#h|deux]] [[Absent]] ![[p.png]] [[A]] [[#ici]]",
    "B.md": '---\nup: "[[A]]"\n---\n[[absent.md#x]] [[d/Autre]] [t](Absent)',
    "c/D.md": "rien",
}


@pytest.fixture
def graph() -> LinkGraph:
    return LinkGraph.build({path: parse_note(text).links for path, text in NOTES.items()}, [*NOTES, "p.png"])


def test_the_graph_goes_both_ways(graph: LinkGraph) -> None:
    assert [edge.target for edge in graph.outgoing("A.md")] == ["B.md", "B.md", None, "p.png", "A.md", "A.md"]
    assert [(edge.source, edge.link.line) for edge in graph.incoming("A.md")] == [
        ("A.md", 1),
        ("A.md", 1),
        ("B.md", 2),
    ]
    assert [edge.link.subpath for edge in graph.incoming("B.md")] == ["", "h"]
    assert [edge.link.embed for edge in graph.incoming("p.png")] == [True]
    assert graph.outgoing("c/D.md") == graph.incoming("c/D.md") == graph.outgoing("nulle-part.md") == ()


def test_what_has_no_file_is_kept_by_its_written_name(graph: LinkGraph) -> None:
    assert graph.unresolved("A.md") == ("Absent",)
    assert graph.unresolved("B.md") == ("absent.md", "d/Autre", "Absent")
    assert [(edge.source, edge.link.target) for edge in graph.mentions("ABSENT")] == [
        ("A.md", "Absent"),
        ("B.md", "absent.md"),
        ("B.md", "Absent"),
    ]
    assert graph.mentions("B") == ()
