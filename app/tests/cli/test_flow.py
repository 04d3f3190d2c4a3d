"""Text that comes in pieces is broken between words, wherever the pieces end."""

import textwrap

import pytest

from app.cli.flow import Flow

TEXT = "The larch came late, since the kiln of Erwan broke down.\n\n- [ ] order  putty\nend\n"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_lines_end_between_words_in_whatever_pieces_the_text_comes(size: int) -> None:
    flow = Flow(20)
    shown = "".join(flow.broken(TEXT[at : at + size]) for at in range(0, len(TEXT), size)) + flow.rest()
    assert shown == (
        "The larch came late,\nsince the kiln of\nErwan broke down.\n\n- [ ] order  putty\nend\n"
    )
    assert shown.split("\n\n")[0] == textwrap.fill(TEXT.split("\n\n")[0], 20)


def test_a_word_is_shown_once_its_end_has_come_or_the_text_breaks_off() -> None:
    flow = Flow(80)
    assert [flow.broken("The la"), flow.broken("rch "), flow.broken("came"), flow.rest()] == [
        "The", " larch", "", " came",
    ]  # fmt: skip


def test_wide_signs_count_two_columns() -> None:
    flow = Flow(8)
    assert flow.broken("木材 木材 木材\n") == "木材\n木材\n木材\n"
