"""The engine that assembles notes into one document: mechanical, exact, never over its budget."""

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chat.ask.concat import LEAST_BUDGET, Block, Document, Source, concat
from app.notices import Language, Notice, NoticeKind

BUDGET = 100_000
STATE = "# State\n\nAfloat.\n"
LOG = "".join(f"line {number}\n" for number in range(1, 101))


def lines(first: int, last: int) -> str:
    return "".join(f"line {number}\n" for number in range(first, last + 1))


def headers(document: Document) -> list[str]:
    return [block.header for block in document.blocks]


class TestFormat:
    def test_overview_blank_line_rule_then_each_file_under_its_path_with_raw_content(self) -> None:
        sources = [
            Source("projects/startup-x/state.md", STATE),
            Source("projects/startup-x/changelog.md", LOG, ((1, 3),)),
            Source("tasks.md", "- [ ] call Marie\n"),
        ]
        assert concat("Two lines.\nOf orientation.", sources, budget=BUDGET).text == (
            "Two lines.\nOf orientation.\n\n---\n\n"
            "## projects/startup-x/state.md\n\n# State\n\nAfloat.\n\n"
            "## projects/startup-x/changelog.md (lines 1-3)\n\nline 1\nline 2\nline 3\n\n"
            "## tasks.md\n\n- [ ] call Marie\n"
        )

    def test_lines_are_named_alike_in_every_language_one_line_as_a_range_too(self) -> None:
        sources = [Source("log.md", LOG, ((2, 2),)), Source("tasks.md", LOG, ((1, 3),))]
        for language in get_args(Language):
            document = concat("", sources, budget=BUDGET, language=language)
            assert headers(document) == ["## log.md (lines 2-2)", "## tasks.md (lines 1-3)"]

    def test_what_must_be_said_stands_between_overview_and_rule(self) -> None:
        remarks = [Notice(NoticeKind.WENT_WRONG, reason=said) for said in ("one", "two", "one")]
        document = concat("Found.", [Source("a.md", "A\n")], budget=BUDGET, remarks=remarks)
        assert document.text == "Found.\n\nNote: one.\nNote: two.\n\n---\n\n## a.md\n\nA\n"

    def test_without_files_there_is_no_rule(self) -> None:
        assert concat("Nothing.", [], budget=BUDGET).text == "Nothing.\n"

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("no line end", "## a.md\n\nno line end\n"),
            ("", "## a.md\n"),
            ("a\r\nb\r\n", "## a.md\n\na\r\nb\r\n"),
            ("---\nx: 1\n---\n\n\n", "## a.md\n\n---\nx: 1\n---\n\n\n"),
        ],
    )
    def test_content_is_raw(self, text: str, shown: str) -> None:
        assert str(concat("x", [Source("a.md", text)], budget=BUDGET).blocks[0]) == shown

    def test_a_name_cannot_break_its_line(self) -> None:
        assert Block("a\n## b\x1b.md", None, "").header == "## a\\n## b\\x1b.md"


class TestOrderAndRanges:
    def test_files_stand_in_the_order_of_the_agent(self) -> None:
        sources = [Source(path, "x\n") for path in ("z.md", "a.md", "m.md", "a.md")]
        assert headers(concat("", sources, budget=BUDGET)) == ["## z.md", "## a.md", "## m.md"]

    @pytest.mark.parametrize(
        ("ranges", "shown"),
        [
            (((1, 10), (5, 20)), [(1, 20)]),
            (((1, 10), (11, 20)), [(1, 20)]),
            (((30, 40), (1, 10)), [(30, 40), (1, 10)]),
            (((1, 3), (20, 30), (2, 22)), [(1, 30)]),
            (((5, 6), (1, 100)), [None]),
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

    def test_ranges_of_one_file_that_was_named_twice_are_merged_too(self) -> None:
        sources = [Source("log.md", LOG, ((1, 5),)), Source("a.md", "A\n"), Source("log.md", LOG, ((4, 9),))]
        assert headers(concat("", sources, budget=BUDGET)) == ["## log.md (lines 1-9)", "## a.md"]

    @pytest.mark.parametrize(
        ("written", "shown", "remark"),
        [
            ((90, 300), (90, 100), "'log.md' has 100 lines: lines 90-300 are shown as 90-100"),
            ((0, 4), (1, 4), "'log.md' has 100 lines: lines 0-4 are shown as 1-4"),
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

    def test_a_range_that_is_not_there_is_dropped_beside_one_that_is(self) -> None:
        document = concat("", [Source("log.md", LOG, ((1, 2), (500, 600)))], budget=BUDGET)
        assert headers(document) == ["## log.md (lines 1-2)"]
        assert document.remarks == ("Note: 'log.md' has 100 lines, and no lines 500-600.",)


class TestBudget:
    def test_a_long_file_is_cut_to_its_first_lines_and_short_ones_stay_whole(self) -> None:
        log = "a line of the log\n" * 5000
        document = concat("Found.", [Source("log.md", log), Source("a.md", "A\n")], budget=10_000)
        assert len(document.text) <= 10_000
        cut, whole = document.blocks
        assert cut.lines is not None
        first, last = cut.lines
        assert (first, cut.text) == (1, "a line of the log\n" * last)
        assert (whole.header, whole.text) == ("## a.md", "A\n")
        said = f"'log.md' is cut after line {last} of 5000, for the document to fit 10000 characters"
        assert document.remarks == (f"Note: {said}.",)
        # Another line would not have fitted.
        assert len(document.text) + len("a line of the log\n") + 10 > 10_000

    def test_several_long_files_are_cut_to_the_same_length(self) -> None:
        sources = [Source(f"{name}.md", "0123456789\n" * 5000) for name in "abc"]
        sizes = [len(str(block)) for block in concat("", sources, budget=30_000).blocks]
        assert max(sizes) - min(sizes) <= 11
        assert sum(sizes) > 28_000

    def test_a_line_longer_than_the_budget_is_cut_inside(self) -> None:
        document = concat("", [Source("wide.md", "x" * 1_000_000)], budget=LEAST_BUDGET)
        assert document.blocks[0].header == "## wide.md (lines 1-1)"
        assert set(document.blocks[0].text) == {"x"}
        assert 7000 < len(document.text) <= LEAST_BUDGET
        assert "is cut inside line 1 of 1" in document.remarks[0]

    def test_files_for_which_nothing_is_left_are_named(self) -> None:
        sources = [Source(f"n{number:02}.md", "word " * 2000) for number in range(50)]
        document = concat("", sources, budget=LEAST_BUDGET)
        shown = len(document.blocks)
        assert 5 < shown < 20
        assert [block.path for block in document.blocks] == [f"n{number:02}.md" for number in range(shown)]
        assert any(
            f"left out, for the document to fit 8000 characters: 'n{shown:02}.md'" in remark
            or "more remarks" in remark
            for remark in document.remarks
        )

    def test_remarks_and_overview_have_their_bounds_too(self) -> None:
        said = (f"{number} " + "y" * 5000 for number in range(400))
        remarks = [Notice(NoticeKind.WENT_WRONG, reason=each) for each in said]
        document = concat("z" * 50_000, [Source("a.md", LOG * 500)], budget=LEAST_BUDGET, remarks=remarks)
        assert len(document.text) <= LEAST_BUDGET
        assert len(document.overview) == LEAST_BUDGET // 4
        assert document.remarks[-1] == "Note: 396 more remarks."
        assert document.blocks[0].text.startswith("line 1\nline 2\n")

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
