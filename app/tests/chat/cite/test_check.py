"""Citations that hold: what an answer says about where something stands is so, or is struck out."""

import re
from dataclasses import replace

import pytest

from app.chat.cite.check import check_citations
from app.chat.cite.names import NamedNotes
from app.chat.cite.parse import place_of
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
        f"It came late: {LOG_PATH}:5-6 and `{LOG_PATH}:5`.",
        f"Arrivé tard (`{LOG_PATH}`, lignes 5 à 6 ; {LOG_PATH}, ligne 10).",
        f"“The larch came on 8 July … late” (`{LOG_PATH}` lines 5-6)",
        f"`{LOG_PATH}` lines 5-6:\n> The larch came on 8 July,\n> four weeks late.",
        f"`{LOG_PATH}` says “four weeks late”, and “Tan” is short for it.",
        "[[Evening on the slip]], [[changelog#Sails|the sails]] and [[changelog#^late]].",
        "See [the log](projects/petrel/changelog.md#Sails) and ![[picture.png]].",
        "bucket/Evening on the slip.md lines 1-3.",
        "“Never open private/Gift.md or [[Nowhere]] before noon.” (`tips.md` line 3)",
        "Hello! Here is what I found:",
        "Would you like to see more of it?",
        f"“Le toit attend” (`projects/serre/state.md` line 3); “four weeks late” ({LOG_PATH}:6).",
        "",
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
            f"~~`{LOG_PATH}` lines 500-600~~",
            f"'{LOG_PATH}' has 10 lines, and no lines 500-600",
        ),
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
            "“See [[Nowhere]] for more” (`tips.md` line 3)",
            "~~“See [[Nowhere]] for more” (`tips.md` line 3)~~",
            "'Nowhere' was cited, and there is no such note",
        ),
        (
            f"{LOG_PATH}:5-6:\n> The larch came on 9 July",
            f"~~{LOG_PATH}:5-6:~~\n> ~~The larch came on 9 July~~",
            "struck out: “The larch came on 9 July” is quoted, and does not stand in the lines cited; "
            f"'{LOG_PATH}' has “The larch came on 8 July,”",
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


def test_a_name_that_several_notes_have_says_which(notes: NamedNotes) -> None:
    checked = check_citations("`state.md` line 1", notes)
    assert checked.text == "~~`state.md` line 1~~"
    assert checked.remarks == (
        "'state.md' could be any of 2 notes: 'projects/serre/state.md', 'projects/petrel/state.md'",
    )


def test_a_sentence_is_struck_out_whole_and_alone(notes: NamedNotes) -> None:
    text = f"“four weeks late” (`{LOG_PATH}` line 6) and “five weeks late” (`{LOG_PATH}` line 6)."
    assert check_citations(text, notes).text == f"~~{text}~~"
    text = text.replace(") and", "). And")
    assert check_citations(text, notes).text == text.replace(" And ", " ~~And ") + "~~"


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


def test_what_cites_nothing_is_marked_as_the_models_own_and_what_states_nothing_is_not(
    notes: NamedNotes,
) -> None:
    text = f"Hello! Here is what I found:\nThe boat sank in 1912.\nIt came late (`{LOG_PATH}` line 6). All is well, at 10:30."
    assert check_citations(text, notes).text == text.replace("1912.", "1912 (uncited).").replace(
        "10:30.", "10:30 (uncited)."
    )
    french = "Bonjour ! Le bateau a coulé en 1912."
    marked = check_citations(french, notes, language="fr").text
    assert marked == "Bonjour ! Le bateau a coulé en 1912 (sans source)."
    assert (
        check_citations(french, notes, language="en").text == "Bonjour ! Le bateau a coulé en 1912 (uncited)."
    )


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
    assert check_citations(text, notes).text == re.sub(r"\.( |$)", r" (uncited).\1", text)


def test_each_sentence_without_a_citation_is_marked(notes: NamedNotes) -> None:
    text = f"The boat sank in 1912. The crew\nwas saved. Shall I go on?\nIt rained in 1912. The larch came late ({LOG_PATH}:6)."
    checked = check_citations(text, notes)
    assert checked.text == text.replace("was saved.", "was saved (uncited).").replace(
        "in 1912.", "in 1912 (uncited)."
    )
    assert [(claim.text, claim.verdict) for claim in checked.claims] == [
        ("The boat sank in 1912.", "uncited"),
        ("The crew\nwas saved.", "uncited"),
        ("It rained in 1912.", "uncited"),
        (f"The larch came late ({LOG_PATH}:6).", "supported"),
    ]
    assert check_citations(checked.text, notes).text == checked.text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("“As shown in [2] the valve is old and leaks” [1]", None),
        ("So it stands in [1], which says:\n> As shown in [2] the valve is old and leaks", None),
        ("“The valve is old and leaks badly [2]” [1]", None),
        ("“The valve is old and leaks badly [2]” [3]", "~~“The valve is old and leaks badly [2]” {3}~~"),
        ("“It was mended in May [2].”", "“It was mended in May {2}.”"),
        ("“mended in May [1] [2]”", "“mended in May {1} {2}”"),
        ("> It was mended in May [2]", "> It was mended in May {2}"),
        ("The valve “was mended” [2].", "The valve “was mended” {2}."),
    ],
)
def test_a_number_among_quoted_words_of_a_note_stays(
    tiny_vault: MakeVault, text: str, shown: str | None
) -> None:
    pieces = (
        "As shown in [2] the valve is old and leaks\nThe valve is old and leaks badly [2]",
        "It was mended in May, the valve.",
        "Nothing else was said of the boiler.",
    )
    notes = NamedNotes(tiny_vault({f"n{at}.md": piece for at, piece in enumerate(pieces, 1)}))
    evidence = [
        Evidence(at, f"n{at}.md", 1, piece.count("\n") + 1, piece) for at, piece in enumerate(pieces, 1)
    ]
    places = {"1": "(`n1.md` lines 1-2)", "2": "(`n2.md` line 1)", "3": "(`n3.md` line 1)"}
    if shown is None:
        before, _, behind = text.rpartition("[1]")
        shown = before + places["1"] + behind
    for number, place in places.items():
        shown = shown.replace(f"{{{number}}}", place)
    assert check_citations(text, notes, evidence).text == shown


def test_a_name_with_a_backquote_is_found_again(tiny_vault: MakeVault) -> None:
    notes = NamedNotes(tiny_vault({"b/a`b.md": "The valve leaks.\nBadly.\n", "c`d.md": "The pump hums.\n"}))
    evidence = [
        Evidence(1, "b/a`b.md", 1, 2, "The valve leaks.\nBadly."),
        Evidence(2, "c`d.md", 1, 1, "The pump hums."),
    ]
    checked = check_citations("The valve leaks [1]. The valve leaks, the pump hums [1, 2].", notes, evidence)
    first, second = "[[b/a`b]] lines 1-2", "[[c`d]] line 1"
    assert checked.text == f"The valve leaks ({first}). The valve leaks, the pump hums ({first}; {second})."
    assert [(claim.verdict, claim.path, claim.lines) for claim in checked.claims] == [
        ("supported", "b/a`b.md", "1-2"),
        ("supported", "b/a`b.md", "1-2"),
    ]
    assert place_of(replace(evidence[0], path="a\x1b\n`b.md"), "en") == "[[a\\x1b\\n`b]] lines 1-2"
    assert place_of(replace(evidence[0], path="a\u200bb.md"), "fr") == "`a\\u200bb.md` lignes 1-2"


def test_a_name_with_signs_without_width_is_found_again(tiny_vault: MakeVault) -> None:
    notes = NamedNotes(tiny_vault({"a\u200bb.md": "The valve leaks.\n"}))
    checked = check_citations(
        "The valve leaks [1].", notes, [Evidence(1, "a\u200bb.md", 1, 1, "The valve leaks.")]
    )
    assert [(claim.verdict, claim.path) for claim in checked.claims] == [("supported", "a\u200bb.md")]


def test_a_claim_is_one_sentence_with_what_became_of_it(notes: NamedNotes) -> None:
    text = f"Voici :\nArrivé le 9 juillet ({LOG_PATH}:5). Tout va bien à bord."
    claims = check_citations(text, notes, language="fr").claims
    assert [(claim.text, claim.verdict) for claim in claims] == [
        (f"Arrivé le 9 juillet ({LOG_PATH}:5).", "unsupported"),
        ("Tout va bien à bord.", "uncited"),
    ]
    assert claims[0].reason == (
        "barré : les lignes indiquées ne parlent pas de cette date : « 9 juillet » ; "
        f"« {LOG_PATH} » dit « The larch came on 8 July, »"
    )


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
        ("# The larch in 1912\n\nSee [[changelog]].", "# The larch in 1912\n\nSee [[changelog]]."),
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
    assert [claim.verdict for claim in checked.claims] == [
        "supported",
        "unsupported",
        "unsupported",
        "uncited",
    ]
    assert checked.remarks[1] == "struck out: “1912” stands in none of the passages that were found"
    assert not checked.is_struck
    assert check_citations("It was sold in 1912.", notes, evidence, question=asked).is_struck
