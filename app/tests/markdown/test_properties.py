"""The property block: where it stands, what it says, and what is refused."""

import pytest

from app.markdown.parse import parse_note


def note_with(block: str) -> str:
    return f"---\n{block}\n---\ncorps [[lien]] #corps\n"


@pytest.mark.parametrize(
    "text",
    ["\n---\ntags: [a]\n---\n", "---\ntags: [a]\n", "--- \ntags: [a]\n---\n", "---\ntags: [a]\n----\n"],
)
def test_only_a_closed_block_on_the_first_line_is_properties(text: str) -> None:
    note = parse_note(text)
    assert (note.frontmatter, note.tags, note.body_line) == ("none", (), 1)


@pytest.mark.parametrize(
    ("text", "body_line"),
    [
        ("---\na: 1\n---\nx", 4),
        ("---\r\na: 1\r\n---\r\nx", 4),
        ('---\n{"a": 1}\n---\nx', 4),
    ],
)
def test_the_body_starts_after_the_block(text: str, body_line: int) -> None:
    note = parse_note(text)
    assert (note.frontmatter, note.properties, note.body_line) == ("ok", {"a": 1}, body_line)


@pytest.mark.parametrize("text", ["---\n---\nx", "---\n\n---\nx", "---\n# rien\n---\nx"])
def test_an_empty_block_is_properties_without_values(text: str) -> None:
    note = parse_note(text)
    assert (note.frontmatter, note.properties, note.problems) == ("ok", {}, ())


def test_values_are_those_of_yaml_1_2() -> None:
    block = "a: yes\nb: true\nc: 12:30\nd: 2025-02-30\ne: 007\nf: -5\ng: 3.14\nh: null\ni: 1_000\nj: 0x1F\nk: [no, on]"
    values = ["yes", True, "12:30", "2025-02-30", "007", -5, 3.14, None, "1_000", "0x1F", ["no", "on"]]
    assert list(parse_note(note_with(block)).properties.values()) == values


def test_names_are_text_and_anchors_work() -> None:
    block = "1: un\nnull: rien\ntrue: oui\n? [a, b]\n: 1\nx: &x [1]\ny: *x\nz: &z {t: 1}\n<<: *z"
    texts = {"1": "un", "null": "rien", "true": "oui", "['a', 'b']": 1}
    anchors = {"x": [1], "y": [1], "z": {"t": 1}, "<<": {"t": 1}}
    assert parse_note(note_with(block)).properties == texts | anchors


BOMB = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    + [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
)


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ('tags: [a\nt: "b', "line 3"),
        ("tags: [a]\nx: 1\ntags: [b]", "line 4: the name 'tags' stands twice"),
        ("a: {b: 1, b: 2}", "the name 'b' stands twice"),
        ("x: !!python/object/apply:os.getcwd []", "is not read"),
        ("a: 1\n...\nb: 2", "line 4"),
        ("a: &a\n  - *a\ntags: *a", "within itself"),
        ("x: " + "[" * 1500 + "]" * 1500, "deep"),
        ("x: " + "[" * 30_000, "deep"),
        ("a: " + "b" * 300_000, "longer than"),
    ],
)
def test_what_cannot_be_read_is_reported_and_the_body_is_read(block: str, reason: str) -> None:
    note = parse_note(note_with(block))
    assert (note.frontmatter, note.properties, note.tags) == ("invalid", {}, ("corps",))
    assert [link.target for link in note.links] == ["lien"]
    (problem,) = note.problems
    assert problem.startswith("properties not read: ")
    assert reason in problem


@pytest.mark.parametrize(
    ("block", "tags"),
    [
        ("tags: [a, b/c]", ["a", "b/c"]),
        ('tags:\n  - "#a"\n  - deux mots\n  - 2024\n  - no\n  - r&d\n  - [x]', ["a", "no"]),
        ("tags: a", ["a"]),
        ("tags: a, b c", ["a", "b", "c"]),
        ('note: "#a"', []),
    ],
)
def test_tags_among_the_properties(block: str, tags: list[str]) -> None:
    assert list(parse_note(f"---\n{block}\n---\n").tags) == tags


@pytest.mark.parametrize(
    ("block", "aliases"),
    [
        ("aliases: [Dog, on, 2025-01-01, 12, Dog]", ("Dog", "on", "2025-01-01", "12")),
        ("aliases: Nom unique", ("Nom unique",)),
        ("aliases: Un, Deux\nalias: Trois", ("Un", "Deux", "Trois")),
        ("aliases: [{a: 1}, null, ' ']", ()),
    ],
)
def test_aliases_are_other_names(block: str, aliases: tuple[str, ...]) -> None:
    assert parse_note(f"---\n{block}\n---\n").aliases == aliases


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_property_that_is_wholly_a_link_in_quotes_links(newline: str) -> None:
    block = [
        *('# "[[non]]" 🚀', 'up: "[[A é#h|x]]"', "list:", "  - '[[B]]'", '  - "voir [[non]]"'),
        *('deep: {e: ["[[C]]"]}', "bare: [[non]]", "md: '[t](D%20d.md#h)'", 'two: "[[non]] [[non]]"'),
        *('embed: "![[non]]"', "folded: >-", "  [[E]]", 'anchored: &k "[t](<F.md>)"', "again: *k"),
    ]
    text = newline.join(["---", *block, "---", ""])
    links = parse_note(text).links
    assert [(link.target, link.subpath, link.display, link.line, link.quote) for link in links] == [
        ("A é", "h", "x", 3, '"'),
        ("B", "", "", 5, "'"),
        ("C", "", "", 7, '"'),
        ("D d.md", "h", "t", 9, "'"),
        ("E", "", "", 12, ">"),
        ("F.md", "", "t", 14, '"'),
    ]
    assert [text[link.start : link.end] for link in links] == ["A é", "B", "C", "D%20d.md", "E", "F.md"]


@pytest.mark.parametrize(
    ("written", "target", "place"),
    [
        (r'"[[\u0041]]"', "A", r"\u0041"),
        (r'"\x5b[A\U000000e9\"\\\/]]"', 'Aé"\\/', r"A\U000000e9\"\\\/"),
        ('"[[A\n   b]]"', "A b", "A\n   b"),
        (r'"[t](<\x41 b.md>)"', "A b.md", r"\x41 b.md"),
    ],
)
def test_a_link_behind_escapes_has_its_place(written: str, target: str, place: str) -> None:
    text = f"---\nup: {written}\n---\n"
    (link,) = parse_note(text).links
    assert (link.target, text[link.start : link.end]) == (target, place)
