"""Notes are cut where their headings allow, and nowhere else."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.markdown.parse import parse_note
from app.search.index.chunk import HARD_CAP, chunk_note, split_lines
from app.search.models import Chunk


def chunks(text: str, limit: int = 200) -> list[Chunk]:
    return chunk_note(parse_note(text, "note.md"), split_lines(text), limit)


def ranges(text: str, limit: int = 200) -> list[tuple[int, int]]:
    return [(chunk.start, chunk.end) for chunk in chunks(text, limit)]


PARAGRAPH = "Des mots ordinaires qui font une longueur de phrase assez commune."  # 66 signs


def test_a_short_note_is_one_chunk_with_its_properties_and_preamble() -> None:
    text = "---\ntags: [a]\n---\npreamble\n\n# Title\n\ntext\n## Sub\n\nmore\n"
    assert chunks(text) == [Chunk(1, 11, (("Title",), ("Title", "Sub")), None)]


PART = f"{PARAGRAPH}\n{PARAGRAPH}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One\n\na\n\n# Two\n\nb\n", [(1, 4), (5, 7)]),
        ("---\nstatus: open\n---\n\n# One\n\na\n\n# Two\n\nb\n", [(1, 8), (9, 11)]),
        # An entry that is too long is cut at its own headings only.
        (f"# Day\n## Long\n### One\n{PART}### Two\n{PART}## Short\n{PARAGRAPH}\n", [(1, 5), (6, 8), (9, 10)]),
        # An entry is not cut where its neighbours fit beside part of it.
        (
            f"# Day\n## A\n### One\n{PARAGRAPH}\n## B\n### Two\n{PARAGRAPH}\n### Three\n{PARAGRAPH}\n",
            [(1, 4), (5, 9)],
        ),
        # Headings that only open a section are no chunk of their own.
        (f"# Guide\n\n## Part\n\n### Step\n\n{PART}\n{PARAGRAPH}\n", [(1, 9), (10, 10)]),
    ],
)
def test_a_note_is_cut_at_its_headings(text: str, expected: list[tuple[int, int]]) -> None:
    assert ranges(text) == expected


def test_a_changelog_gives_a_chunk_a_day_and_cuts_a_dense_day_between_entries() -> None:
    entry = f"{PARAGRAPH}\n"
    text = (
        "# 2025-07-14\n"
        f"## [décision] A\n{entry}"  # lines 2-3
        f"## [note] B\n{entry}"  # lines 4-5
        f"## [fait] C\n{entry}{entry}"  # lines 6-8
        f"# 2025-07-13\n## [note] D\n{entry}"  # lines 9-11
    )
    found = chunks(text, 200)
    assert [(c.start, c.end) for c in found] == [(1, 5), (6, 8), (9, 11)]
    assert [c.day for c in found] == [date(2025, 7, 14), date(2025, 7, 14), date(2025, 7, 13)]
    assert found[1].headings == (("2025-07-14", "[fait] C"),)


def test_paragraphs_lists_fences_and_tables_stay_whole() -> None:
    fence = "```\n# no heading\n\n" + f"{PARAGRAPH}\n" * 4 + "```\n"
    table = "| a | b |\n| - | - |\n" + "| mot | mot |\n" * 13
    text = f"{PARAGRAPH}\n\n{fence}\n{table}\nEnd.\n"
    borders = {start for start, _ in ranges(text, 200)}
    fence_start = 3
    table_start = fence_start + fence.count("\n") + 1
    assert borders == {1, fence_start, table_start, table_start + 16}


def test_a_block_beyond_the_hard_cap_is_cut_at_a_line() -> None:
    text = f"{PARAGRAPH}\n" * 40
    pieces = ranges(text, 200)
    assert pieces[0] == (1, 200 * HARD_CAP // 67)
    assert pieces[-1][1] == 40


BLOCKS = st.sampled_from(
    [
        "# H1\n",
        "## H2\n",
        "### H3\n",
        "text\n\n",
        f"{PARAGRAPH}\n\n",
        "- item\n",
        "```\ncode\n```\n",
        "> # q\n\n",
    ]
)


@given(st.lists(BLOCKS, max_size=60), st.sampled_from(["", "---\na: 1\n---\n"]), st.integers(30, 400))
def test_chunks_cover_every_line_once_and_each_h1_starts_one(
    blocks: list[str], head: str, limit: int
) -> None:
    text = head + "".join(blocks)
    lines = split_lines(text)
    found = ranges(text, limit)
    covered = [n for start, end in found for n in range(start, end + 1)]
    assert covered == (list(range(1, len(lines) + 1)) or [1])
    tops = [n for n, line in enumerate(lines, start=1) if line == "# H1"]
    assert set(tops[1:]) <= {start for start, _ in found}


@pytest.mark.parametrize("level", ["## ", "text "])
def test_a_note_of_very_many_blocks_is_cut_in_linear_time(level: str) -> None:
    text = "".join(f"{level}t{n}\n\n" for n in range(20_000))
    assert chunks(text, 1500)[-1].end == 40_000
