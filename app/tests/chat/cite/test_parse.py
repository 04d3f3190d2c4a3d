"""Note text as a reader quotes it."""

import time

import pytest

from app.chat.cite.parse import find_quote, plain_line

NOTE = [
    "# The launch",
    "",
    "The larch came on 8 July, because [[Erwan Maout|Erwan]]'s **kiln**",
    "broke down. « Enfin », a dit Isla.",
    "",
    "- [x] Ring *at nine* sharp ^ring",
    "> [!quote] Isla",
    '> "She was thirsty."',
]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("## [décision] The launch", "[décision] The launch"),
        ("- [ ] call [Marie](people/Marie.md) ^call", "call Marie"),
        ("12. see ![[a.png]] and [[b#c|d]]", "see a.png and d"),
        ("snake_case _stays_ **bold** `code`", "snake_case stays bold code"),
        ("a %%hidden%% and <!-- gone --> b[^1]", "a and b"),
        ("an arrow <!-- that nothing closes", "an arrow <!-- that nothing closes"),
        (">> deep", "deep"),
        ("", ""),
    ],
)
def test_a_line_as_a_reader_sees_it(line: str, plain: str) -> None:
    assert plain_line(line) == plain


@pytest.mark.parametrize("sign", ["<!--", "%%", "[[", "[](", "](b(", "[^", " ^a", "*", "_", "`", "> "])
def test_a_long_line_of_signs_is_read_in_linear_time(sign: str) -> None:
    begun = time.thread_time()
    plain_line(sign * 20_000)
    assert time.thread_time() - begun < 1


@pytest.mark.parametrize(
    ("quote", "place"),
    [
        ("The larch came on 8 July", (3, 3)),
        ("because Erwan's kiln broke down", (3, 4)),
        ("because [[Erwan Maout|Erwan]]'s **kiln**", (3, 3)),
        ("the LARCH … broke down.", (3, 4)),
        ("came on [...] kiln", (3, 3)),
        ("“Enfin”, a dit Isla", (4, 4)),
        ("Ring at nine sharp", (6, 6)),
        ("Isla She was thirsty", None),
        ('Isla "She was thirsty."', (7, 8)),
        ("broke down … the larch", None),
        ("The larch came on 9 July", None),
        ("…", None),
    ],
)
def test_where_a_quotation_stands(quote: str, place: tuple[int, int] | None) -> None:
    assert find_quote(quote, NOTE) == place


def test_line_numbers_count_from_the_first_that_is_given() -> None:
    assert find_quote("Ring at nine", NOTE[4:], first=5) == (6, 6)
