"""The engine that assembles notes into one document: mechanical, exact, never over its budget."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chat.ask.concat import LEAST_BUDGET, Block, Source, concat
from app.notices import Notice, NoticeKind

BUDGET = 100_000
STATE = "# State\n\nAfloat.\n"
LOG = "".join(f"line {number}\n" for number in range(1, 101))


def lines(first: int, last: int) -> str:
    return "".join(f"line {number}\n" for number in range(first, last + 1))


class TestFormat:
    def test_overview_blank_line_rule_then_each_file_under_its_path_with_raw_content(self) -> None:
        sources = [
            Source("projects/startup-x/state.md", STATE),
            Source("projects/startup-x/changelog.md", LOG, ((1, 3),)),
            Source("tasks.md", "- [ ] call Marie\n"),
        ]
        remarks = [Notice(NoticeKind.WENT_WRONG, reason=said) for said in ("one", "two", "one")]
        document = concat("Two lines.\nOf orientation.", sources, budget=BUDGET, remarks=remarks)
        assert document.text == (
            "Two lines.\nOf orientation.\n\nNote: one.\nNote: two.\n\n---\n\n"
            "## projects/startup-x/state.md\n\n# State\n\nAfloat.\n\n"
            "## projects/startup-x/changelog.md (lines 1-3)\n\nline 1\nline 2\nline 3\n\n"
            "## tasks.md\n\n- [ ] call Marie\n"
        )

    def test_a_name_cannot_break_its_line(self) -> None:
        assert Block("a\n## b\x1b.md", None, "").header == "## a\\n## b\\x1b.md"


class TestOrderAndRanges:
    @pytest.mark.parametrize(
        ("ranges", "shown"),
        [
            (((1, 10), (5, 20)), [(1, 20)]),
            (((30, 40), (1, 10)), [(30, 40), (1, 10)]),
            (((1, 100),), [None]),
            (((40, 50), (1, 2), (49, 60), (2, 3)), [(40, 60), (1, 3)]),
        ],
    )
    def test_overlapping_and_neighbouring_ranges_of_one_file_are_merged(
        self, ranges: tuple[tuple[int, int], ...], shown: list[tuple[int, int] | None]
    ) -> None:
        document = concat("", [Source("log.md", LOG, ranges)], budget=BUDGET)
        assert [block.lines for block in document.blocks] == shown
        assert [block.text for block in document.blocks] == [lines(*(each or (1, 100))) for each in shown]
        assert document.remarks == ()

    @pytest.mark.parametrize(
        ("written", "shown", "remark"),
        [
            ((90, 300), (90, 100), "'log.md' has 100 lines: lines 90-300 are shown as 90-100"),
            ((9, 4), (4, 9), "'log.md' has 100 lines: lines 9-4 are shown as 4-9"),
            ((500, 600), None, "'log.md' has 100 lines, and no lines 500-600; it is shown whole"),
        ],
    )
    def test_a_range_out_of_bounds_is_corrected_and_said(
        self, written: tuple[int, int], shown: tuple[int, int] | None, remark: str
    ) -> None:
        document = concat("", [Source("log.md", LOG, (written,))], budget=BUDGET)
        assert [block.lines for block in document.blocks] == [shown]
        assert document.remarks == (f"Note: {remark}.",)


class TestBudget:
    def test_a_long_file_is_cut_to_its_first_lines_and_those_behind_it_are_named(self) -> None:
        log = "a line of the log\n" * 5000
        sources = [Source("a.md", "A\n"), Source("log.md", log), Source("b.md", "B\n")]
        document = concat("Found.", sources, budget=10_000)
        assert len(document.text) <= 10_000
        whole, cut = document.blocks
        assert cut.lines is not None
        first, last = cut.lines
        assert (first, cut.text) == (1, "a line of the log\n" * last)
        assert (whole.header, whole.text) == ("## a.md", "A\n")
        said = f"'log.md' is cut after line {last} of 5000, for the document to fit 10000 characters"
        assert document.remarks[0] == f"Note: {said}."
        assert "'b.md'" in document.remarks[1]
        assert len(document.text) > 9_000

    def test_what_cannot_be_seen_is_written_out_and_the_ends_of_lines_stay(self) -> None:
        text = "\x1b[31mred\x9b\r\nLS\u2028\u202eabc\n\rend\r"
        document = concat("Found \x1b]0;x\x07.", [Source("a.md", text)], budget=LEAST_BUDGET)
        assert document.overview == "Found \\x1b]0;x\\x07."
        assert document.blocks[0].text == "\\x1b[31mred\\x9b\r\nLS\\u2028\\u202eabc\n\\rend\\r"

    @given(
        texts=st.lists(st.text(alphabet="ab\n\r ", max_size=60), max_size=6),
        repeats=st.lists(st.integers(1, 4000), min_size=6, max_size=6),
        ranges=st.lists(st.tuples(st.integers(-5, 400), st.integers(-5, 400)), max_size=4),
        overview=st.text(max_size=50),
    )
    def test_whatever_comes_it_fits_and_every_block_is_what_the_file_holds(
        self, texts: list[str], repeats: list[int], ranges: list[tuple[int, int]], overview: str
    ) -> None:
        sources = [
            Source(f"{at}.md", text * repeats[at], tuple(ranges[at % 2 :])) for at, text in enumerate(texts)
        ]
        document = concat(overview, sources, budget=LEAST_BUDGET)
        assert len(document.text) <= LEAST_BUDGET
        for block in document.blocks:
            # A carriage return that ends no line is written out.
            text = re.sub(r"\r(?!\n)", r"\\r", sources[int(block.path[:-3])].text)
            first, last = block.lines or (1, text.count("\n") + 1)
            held = "".join(re.findall(r"[^\n]*\n|[^\n]+\Z", text)[first - 1 : last])
            assert held.startswith(block.text)
            assert block.text == held or "inside" in " ".join(document.remarks) or len(document.remarks) == 6
