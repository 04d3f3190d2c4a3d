"""Citations that hold: what an answer says about where something stands is so, or is struck out."""

import pytest

from app.chat.cite.check import check_citations
from app.chat.cite.names import NamedNotes
from app.tests.conftest import MakeVault

LOG = "# 2025-07-14\n\n## The launch moves\n\nThe larch came on 8 July,\nfour weeks late. ^late\n\n## Sails\n\nTan.\n"
NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "projects/petrel/changelog.md": LOG,
    "projects/petrel/state.md": "# State\n\nAfloat since August.\n",
    "projects/serre/state.md": "# État\n\nLe toit attend.\n",
    "bucket/Evening on the slip.md": "# Evening\n\nNothing but the drip off the blades.\n",
    "journal/2025-08-16.md": "# The day she swam\n",
    "private/Gift.md": "# Gift\n\nA sextant from the market.\n",
    "tips.md": "# Tips\n\nNever open private/Gift.md or [[Nowhere]] before noon.\n",
    "picture.png": "",
}
LOG_PATH = "projects/petrel/changelog.md"


@pytest.fixture
def notes(tiny_vault: MakeVault) -> NamedNotes:
    return NamedNotes(tiny_vault(NOTES))


@pytest.mark.parametrize(
    "text",
    [
        f"It came late (`{LOG_PATH}` lines 5-6).",
        f"It came late: {LOG_PATH}:5-6 and `{LOG_PATH}:5`.",
        f"Arrivé tard (`{LOG_PATH}`, lignes 5 à 6 ; {LOG_PATH}, ligne 10).",
        f"“The larch came on 8 July … late” (`{LOG_PATH}` lines 5-6)",
        f"`{LOG_PATH}` lines 5-6:\n> The larch came on 8 July,\n> four weeks late.",
        f"`{LOG_PATH}` says “four weeks late”, and “Tan” is short for it.",
        "[[Evening on the slip]], [[changelog#Sails|the sails]] and [[changelog#^late]].",
        "See [the log](projects/petrel/changelog.md#Sails) and ![[picture.png]].",
        "bucket/Evening on the slip.md lines 1-3.",
        "https://example.org/notes/a.md is no note; nor is `make test` or `status: en-cours`, at 10:30.",
        "“Never open private/Gift.md or [[Nowhere]] before noon.” (`tips.md` line 3)",
        "Nothing is cited here, “nothing at all in this vault”.",
        f"“Le toit attend” (`projects/serre/state.md` line 3); “four weeks late” ({LOG_PATH}:6).",
        "",
    ],
)
def test_what_holds_stays_as_it_is(notes: NamedNotes, text: str) -> None:
    assert check_citations(text, notes).text == text


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("`petrel/changelog` lines 5-6", f"`{LOG_PATH}` lines 5-6"),
        ("`vault/projects/petrel/state.md`", "`projects/petrel/state.md`"),
        ("`projects/petrel/chngelog.md` line 5", f"`{LOG_PATH}` line 5"),
        ("projects/petrl/state.md:3", "projects/petrel/state.md:3"),
        ("[[Evening on teh slip|x]]", "[[bucket/Evening on the slip|x]]"),
        (f"`{LOG_PATH}` lines 8-99", f"`{LOG_PATH}` lines 8-10"),
        (f"`{LOG_PATH}` lines 6-5", f"`{LOG_PATH}` lines 5-6"),
        ("See Evening on the slip.md.", "See bucket/Evening on the slip.md."),
        ("[[changelog#Engines]]", "[[changelog]]"),
        (f"“four weeks late” (`{LOG_PATH}` line 1)", f"“four weeks late” (`{LOG_PATH}` line 6)"),
        (f"« The larch came … late » ({LOG_PATH}:1)", f"« The larch came … late » ({LOG_PATH}:5-6)"),
        (
            f"“The larch came … late” (`{LOG_PATH}`, line 1)",
            f"“The larch came … late” (`{LOG_PATH}`, lines 5-6)",
        ),
        (
            f"`projects/serre/state.md` line 3 says “four weeks late”. See also `{LOG_PATH}` line 1.",
            f"`{LOG_PATH}` line 6 says “four weeks late”. See also `{LOG_PATH}` line 1.",
        ),
    ],
)
def test_a_slip_is_repaired(notes: NamedNotes, text: str, repaired: str) -> None:
    assert check_citations(text, notes).text == repaired


@pytest.mark.parametrize(
    ("text", "struck", "remark"),
    [
        (
            "`projects/apollo/state.md` line 3",
            "~~`projects/apollo/state.md` line 3~~",
            "'projects/apollo/state.md' was cited, and there is no such note",
        ),
        (
            "journal/2025-08-17.md says so",
            "~~journal/2025-08-17.md~~ says so",
            "'journal/2025-08-17.md' was cited, and there is no such note",
        ),
        ("[[Nowhere]]", "~~[[Nowhere]]~~", "'Nowhere' was cited, and there is no such note"),
        ("![[ture.png]]", "~~![[ture.png]]~~", "'ture.png' was cited, and there is no such note"),
        (
            "[[../outside]]",
            "~~[[../outside]]~~",
            "the path '../outside' leads out of the vault",
        ),
        (
            f"`{LOG_PATH}` lines 500-600",
            f"`{LOG_PATH}` ~~lines 500-600~~",
            f"'{LOG_PATH}' has 10 lines, and no lines 500-600",
        ),
        (
            f"`{LOG_PATH}:500` (see) and {LOG_PATH} (lines 500-500)",
            f"`{LOG_PATH}` ~~500~~ (see) and {LOG_PATH} (~~lines 500-500~~)",
            f"'{LOG_PATH}' has 10 lines, and no lines 500-500",
        ),
        (
            f"“five weeks late” (`{LOG_PATH}` lines 5-6)",
            f"“five weeks late” (~~`{LOG_PATH}` lines 5-6~~)",
            f"'{LOG_PATH}' was cited for words that do not stand there",
        ),
        (
            "“See [[Nowhere]] for more” (`tips.md` line 3)",
            "“See ~~[[Nowhere]]~~ for more” (~~`tips.md` line 3~~)",
            "'tips.md' was cited for words that do not stand there",
        ),
        (
            f"{LOG_PATH}:5-6:\n> The larch came on 9 July",
            f"~~{LOG_PATH}:5-6~~:\n> The larch came on 9 July",
            f"'{LOG_PATH}' was cited for words that do not stand there",
        ),
        (
            "“A sextant from the market” (`private/Gift.md` line 3), [[Gift]]",
            "“A sextant from the market” (~~`private/Gift.md` line 3~~), ~~[[Gift]]~~",
            "'private/Gift.md' was cited, and there is no such note",
        ),
    ],
)
def test_what_does_not_hold_is_struck_out_visibly(
    notes: NamedNotes, text: str, struck: str, remark: str
) -> None:
    checked = check_citations(text, notes)
    assert (checked.text, checked.remarks[:1]) == (struck, (remark,))


def test_a_name_that_several_notes_have_says_which(notes: NamedNotes) -> None:
    checked = check_citations("`state.md` line 1", notes)
    assert checked.text == "~~`state.md` line 1~~"
    assert checked.remarks == (
        "'state.md' could be any of 2 notes: 'projects/serre/state.md', 'projects/petrel/state.md'",
    )


def test_each_citation_of_a_line_is_held_by_itself(notes: NamedNotes) -> None:
    text = f"“four weeks late” (`{LOG_PATH}` line 6) and “five weeks late” (`{LOG_PATH}` line 6)."
    assert check_citations(text, notes).text == text.replace(
        f"late” (`{LOG_PATH}` line 6).", f"late” (~~`{LOG_PATH}` line 6~~)."
    )


def test_a_citation_cannot_make_it_slow(notes: NamedNotes) -> None:
    text = (
        "`a.md` lines "
        + ", ".join(map(str, range(3000)))
        + " “"
        + "word " * 3000
        + "” "
        + "[[" * 3000
        + "x/" * 3000
    )
    assert check_citations(text, notes).text.startswith("~~`a.md` lines 0, 1, 2, ")
