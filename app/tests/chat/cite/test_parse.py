"""Note text as a reader quotes it."""

import pytest

from app.chat.cite.parse import find_quote

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
