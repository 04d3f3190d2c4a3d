"""Headings, tasks, block names, and where blocks start."""

import pytest

from app.markdown.models import Heading, NamedBlock
from app.markdown.parse import extract_title, parse_note


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("####### A\n#b", []),
        ("#\n## ##", [(1, "", 1), (2, "", 2)]),
        ("A\n===\n\nB [[c]]\n---", [(1, "A", 1), (2, "B [[c]]", 4)]),
        ("un\ndeux\n===", [(1, "un deux", 1)]),
        ("> # A\n\n- # B", [(1, "A", 1), (1, "B", 3)]),
        ("%%\n# a\n%%\n# B", [(1, "B", 4)]),
    ],
)
def test_headings_keep_their_text_as_written(text: str, headings: list[tuple[int, str, int]]) -> None:
    assert parse_note(text).headings == tuple(Heading(*heading) for heading in headings)


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("- [ ] a\n* [x] b\n+ [/] c\n1. [-] d\n2) [?] e", [" a", "xb", "/c", "-d", "?e"]),
        ("- [ ] a\n    - [X] b\n      suite", [" a", "Xb"]),
        ("- [ ] première\n  deuxième", [" première"]),
        ("- []\n- [xx] a\n- [ ]a\n- [x](a.md)\n- [ ]\n[ ] b", []),
        ("```\n- [ ] a\n```\n\n%%\n- [ ] b\n%%", []),
        ("- > [ ] a", []),
    ],
)
def test_a_list_item_with_a_box_is_a_task(text: str, tasks: list[str]) -> None:
    assert [task.status + task.text for task in parse_note(text).tasks] == tasks


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("un\ndeux ^abc", [("abc", 2)]),
        ("- x ^a-1\n- y\n  - z ^B", [("a-1", 1), ("B", 3)]),
        ("> x\n\n^cite", [("cite", 3)]),
        ("> x ^dans", [("dans", 1)]),
        ("x ^a_b\n\nx^c\n\nx ^d y\n\n`x ^e`\n\n# T ^f\n\n```\nx ^g\n```", []),
    ],
)
def test_a_caret_at_the_end_names_a_block(text: str, blocks: list[tuple[str, int]]) -> None:
    assert parse_note(text).blocks == tuple(NamedBlock(*block) for block in blocks)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_blocks_and_top_level_items_start_where_a_chunk_may_be_cut(newline: str) -> None:
    lines = [
        *("---", "a: 1", "---"),
        *("# T", "texte", "suite", "- un", "  - dedans", "- deux", "", "  encore", "1. trois"),
        *("```", "# code", "", "```", "> citation", "> - x", "", "| a |", "|---|", "| b |", "", "***"),
        *("<div>", "</div>", "", "$$", "x", "$$", "%%", "# y", "%%", "Titre", "==="),
    ]
    note = parse_note(newline.join(lines))
    assert [lines[start - 1] for start in note.block_starts] == [
        *("# T", "texte", "- un", "- deux", "1. trois", "```", "> citation", "| a |", "***"),
        *("<div>", "$$", "%%", "Titre"),
    ]
    assert note.body_line == 4


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Titre\n\ntexte", "Titre"),
        ("texte", "note"),
        ("# A\n# B", "note"),
        ("# 2025-03-02\n## x", "note"),
        ("# 2025-13-02", "2025-13-02"),
        ("---\ntitle: T\n---\nx", "note"),
    ],
)
def test_the_title_is_the_h1_unless_there_are_several_or_a_day(text: str, title: str) -> None:
    assert extract_title(text, "dossier/note.md") == title
