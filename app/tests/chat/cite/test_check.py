"""Citations that hold: what an answer says about where something stands is so, or is struck out."""

import pytest

from app.chat.cite.check import check_citations
from app.chat.cite.names import NamedNotes
from app.chat.evidence.evidence import Evidence
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
        f"Arrivé tard (`{LOG_PATH}`, lignes 5 à 6 ; {LOG_PATH}, ligne 10).",
        f"“The larch came on 8 July … late” (`{LOG_PATH}` lines 5-6)",
        f"`{LOG_PATH}` lines 5-6:\n> The larch came on 8 July,\n> four weeks late.",
        f"`{LOG_PATH}` says “four weeks late”, and “Tan” is short for it.",
        "[[Evening on the slip]], [[changelog#Sails|the sails]] and [[changelog#^late]].",
        "See [the log](projects/petrel/changelog.md#Sails) and ![[picture.png]].",
        "“Never open private/Gift.md or [[Nowhere]] before noon.” (`tips.md` line 3)",
        "Hello! Here is what I found:",
        f"“Le toit attend” (`projects/serre/state.md` line 3); “four weeks late” ({LOG_PATH}:6).",
    ],
)
def test_what_holds_stays_as_it_is(notes: NamedNotes, text: str) -> None:
    assert check_citations(text, notes).text == text


@pytest.mark.parametrize(
    ("text", "struck", "remark"),
    [
        (
            "`projects/apollo/state.md` line 3",
            "~~`projects/apollo/state.md` line 3~~",
            "'projects/apollo/state.md' was cited, and there is no such note",
        ),
        ("![[ture.png]]", "~~![[ture.png]]~~", "'ture.png' was cited, and there is no such note"),
        ("[[../outside]]", "~~[[../outside]]~~", "the path '../outside' leads out of the vault"),
        (
            f"`{LOG_PATH}:8-11` (see) and {LOG_PATH}, line 0",
            f"~~`{LOG_PATH}:8-11`~~ (see) and ~~{LOG_PATH}, line 0~~",
            f"'{LOG_PATH}' has 10 lines, and no lines 8-11",
        ),
        (
            f"“five weeks late” (`{LOG_PATH}` lines 5-6)",
            f"~~“five weeks late” (`{LOG_PATH}` lines 5-6)~~",
            "struck out: “five weeks late” is quoted, and does not stand in the lines cited; "
            f"'{LOG_PATH}' has “four weeks late. ^late”",
        ),
        (
            "“A sextant from the market” (`private/Gift.md` line 3), [[Gift]]",
            "“A sextant from the market” (~~`private/Gift.md` line 3~~), ~~[[Gift]]~~ (uncited)",
            "'private/Gift.md' was cited, and there is no such note",
        ),
    ],
)
def test_what_does_not_hold_is_struck_out_visibly(
    notes: NamedNotes, text: str, struck: str, remark: str
) -> None:
    checked = check_citations(text, notes)
    assert (checked.text, checked.remarks[:1]) == (struck, (remark,))


def test_a_sentence_is_struck_out_whole_and_alone(notes: NamedNotes) -> None:
    text = f"“four weeks late” (`{LOG_PATH}` line 6) and “five weeks late” (`{LOG_PATH}` line 6)."
    assert check_citations(text, notes).text == f"~~{text}~~"
    text = text.replace(") and", "). And")
    assert check_citations(text, notes).text == text.replace(" And ", " ~~And ") + "~~"


def test_a_citation_cannot_make_it_slow(notes: NamedNotes) -> None:
    numbers = ", ".join(map(str, range(3000)))
    text = f"`a.md` lines {numbers} “{'word ' * 3000}” {'[[' * 3000}{'x/' * 3000}"
    assert check_citations(text, notes).text.startswith("~~`a.md` lines 0, 1, 2, ")


@pytest.mark.parametrize(
    ("text", "shown", "remark"),
    [
        (
            f"- It came three weeks late ({LOG_PATH}:5-6).\n- Tan sails (`{LOG_PATH}` line 10).",
            f"- ~~It came three weeks late ({LOG_PATH}:5-6).~~\n- Tan sails (`{LOG_PATH}` line 10).",
            "struck out: “three weeks” does not stand in the lines cited, or is the number of something else there; "
            f"'{LOG_PATH}' has “four weeks late. ^late”",
        ),
        (
            f"Le mélèze est arrivé le 9 juillet (`{LOG_PATH}`, ligne 5).",
            f"~~Le mélèze est arrivé le 9 juillet (`{LOG_PATH}`, ligne 5).~~",
            "struck out: the lines cited do not name the time “9 juillet”; "
            f"'{LOG_PATH}' has “The larch came on 8 July,”",
        ),
    ],
)
def test_a_sentence_that_its_lines_do_not_bear_out_is_struck_out_with_the_reason(
    notes: NamedNotes, text: str, shown: str, remark: str
) -> None:
    checked = check_citations(text, notes)
    assert (checked.text, checked.remarks) == (shown, (remark,))


def test_numbers_of_evidence_become_places(notes: NamedNotes) -> None:
    evidence = (
        Evidence(1, LOG_PATH, 5, 6, "The larch came on 8 July,\nfour weeks late. ^late"),
        Evidence(2, "projects/petrel/state.md", 3, 3, "Afloat since August."),
    )
    text = "The larch came on 8 July, four weeks late [1]. She has been afloat since August [2, 7]. She sank in 1912 [1]."
    checked = check_citations(text, notes, evidence)
    log, state = f"(`{LOG_PATH}` lines 5-6)", "(`projects/petrel/state.md` line 3)"
    assert checked.text == (
        f"The larch came on 8 July, four weeks late {log}. She has been afloat since August {state} ~~[7]~~. "
        f"~~She sank in 1912 {log}.~~"
    )
    assert checked.remarks[0] == "'[7]' was cited, and there is no such note"
    assert [(claim.verdict, claim.path, claim.lines) for claim in checked.claims] == [
        ("supported", LOG_PATH, "5-6"),
        ("supported", "projects/petrel/state.md", "3"),
        ("unsupported", LOG_PATH, "5-6"),
    ]
    assert [claim.quotation for claim in checked.claims] == [evidence[0].text, evidence[1].text, ""]
    assert checked.claims[2].reason.startswith("struck out: the lines cited do not name the time “1912”")


def test_each_sentence_without_a_citation_is_marked(notes: NamedNotes) -> None:
    text = f"The boat sank in 1912. The crew\nwas saved. Shall I go on?\nIt rained in 1912. The larch came late ({LOG_PATH}:6)."
    checked = check_citations(text, notes)
    assert checked.text == text.replace("was saved.", "was saved (uncited).").replace(
        "in 1912.", "in 1912 (uncited)."
    )
    assert check_citations(checked.text, notes).text == checked.text
    french = "Bonjour ! Le bateau a coulé en 1912."
    assert check_citations(french, notes, language="fr").text == french.replace(".", " (sans source).")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("“As shown in [2] the valve leaks” [1]", "“As shown in [2] the valve leaks” {1}"),
        (
            "In [1] stands:\n> As shown in [2] the valve leaks",
            "In {1} stands:\n> As shown in [2] the valve leaks",
        ),
        ("“As shown in [2] the valve leaks” [3]", "~~“As shown in [2] the valve leaks” {3}~~"),
        ("“It was mended in May [2].”", "“It was mended in May {2}.”"),
        ("> It was mended in May [2]", "> It was mended in May {2}"),
    ],
)
def test_a_number_among_quoted_words_of_a_note_stays(tiny_vault: MakeVault, text: str, shown: str) -> None:
    pieces = (
        "As shown in [2] the valve leaks.",
        "It was mended in May, the valve.",
        "Nothing was said of the boiler.",
    )
    notes = NamedNotes(tiny_vault({f"n{at}.md": piece for at, piece in enumerate(pieces, 1)}))
    evidence = [Evidence(at, f"n{at}.md", 1, 1, piece) for at, piece in enumerate(pieces, 1)]
    for number in "123":
        shown = shown.replace(f"{{{number}}}", f"(`n{number}.md` line 1)")
    assert check_citations(text, notes, evidence).text == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            f"| what | when |\n| --- | --- |\n| larch | 9 July (`{LOG_PATH}` line 5) |",
            f"| what | when |\n| --- | --- |\n| ~~larch~~ | ~~9 July (`{LOG_PATH}` line 5)~~ |",
        ),
        (
            f"The larch came on 8 July. (`{LOG_PATH}` line 5) Dr. Reid came on 9 July. [[changelog]]",
            f"The larch came on 8 July. (`{LOG_PATH}` line 5) ~~Dr. Reid came on 9 July. [[changelog]]~~",
        ),
        (
            f"```\nlarch = 9 # July 1912\n```\nThe larch came on 9 July,\nall of it (`{LOG_PATH}` line 5).",
            f"```\nlarch = 9 # July 1912\n```\n~~The larch came on 9 July,~~\n~~all of it (`{LOG_PATH}` line 5).~~",
        ),
    ],
)
def test_marks_leave_tables_lists_and_code_whole(notes: NamedNotes, text: str, shown: str) -> None:
    assert check_citations(text, notes).text == shown


def test_a_sentence_without_a_citation_is_held_against_the_evidence(notes: NamedNotes) -> None:
    evidence = (
        Evidence(1, LOG_PATH, 5, 6, "The larch came on 8 July,\nfour weeks late. ^late"),
        Evidence(2, "projects/petrel/state.md", 3, 3, "Afloat since August."),
    )
    asked = "When did the larch come?"
    text = "The larch came on 8 July. Call the yard at 0123 456 789. It was sold in 1912. The wood was fine."
    checked = check_citations(text, notes, evidence, question=asked)
    assert checked.text == (
        f"The larch came on 8 July (`{LOG_PATH}` lines 5-6). ~~Call the yard at 0123 456 789.~~ "
        "~~It was sold in 1912.~~ The wood was fine (uncited)."
    )
    assert checked.remarks[1] == "struck out: “1912” stands in none of the passages that were found"
    assert not checked.is_struck
    assert check_citations("It was sold in 1912.", notes, evidence, question=asked).is_struck
