"""Results as people read them: by note, with the words marked, broken between words to any width."""

import re
from datetime import datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from app.notices import Notice, NoticeKind
from app.search.models import SearchResult, SearchResults
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.search.show.listing import columns, listed, remarks, wrapped
from app.showing import Screen
from app.tests.conftest import MakeVault

PLAIN = Screen(is_terminal=True, columns=60)
STYLED = Screen(is_terminal=True, has_styles=True, columns=60)
FRENCH = Screen(is_terminal=True, columns=60, language="fr")
PIPE = Screen(folder="/v")
_STYLE = re.compile(r"\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\")


def result(path: str, *rows: tuple[int, str], **fields: object) -> SearchResult:
    given = {"path": path, "title": path.rpartition("/")[2][:-3], "excerpt": "", "score": 1.0}
    return SearchResult.model_validate(given | {"excerpt_lines": rows} | fields)


def results(*found: SearchResult, total: int | None = None, query: str = "larch") -> SearchResults:
    return SearchResults(
        results=list(found), total=len(found) if total is None else total, query=query, operation="fast"
    )


GARDEN = result(
    "a/Garden.md",
    (3, "# Trees"),
    (4, "A larch that sheds its needles in November, and is green again in April."),
    heading="Garden > Trees",
    tags=["tree/larch"],
    uri="obsidian://open?file=a",
)
LATER = result("a/Garden.md", (20, "The\tlarch."), heading="Garden > 2025-07-14", date="2025-07-14")
OTHER = result("B.md", (0, "larch"), date="2025-01-02", created=datetime(2025, 1, 2))


def test_passages_of_a_note_stand_together_below_its_title() -> None:
    assert listed(results(GARDEN, OTHER, LATER), PLAIN, Path("/v"), 0) == (
        "Garden\n"
        "a/Garden.md:3  #tree/larch\n"
        "     3  # Trees\n"
        "     4  A larch that sheds its needles in November, and is\n"
        "        green again in April.\n"
        "  2025-07-14\n"
        "    20  The    larch.\n"
        "\n"
        "B\n"
        "B.md\n"
        "  2025-01-02\n"
        "        larch\n"
        "\n"
        "3 results\n"
    )


def test_words_are_marked_and_places_open_where_styles_are_shown(tiny_vault: MakeVault) -> None:
    vault = tiny_vault({"a/Garden.md": "Larches and a larch.\n"})
    searcher = searcher_for(vault)
    searcher.update()
    [found] = searcher.search(parse_request({"operation": "fast", "query": "larch"})).results
    garden = GARDEN.model_copy(update={"marks": found.marks})
    shown = listed(results(garden), STYLED, Path("/v w"), 0)
    assert "A \x1b[1;33mlarch\x1b[0m that" in shown
    assert shown.startswith("\x1b[1m\x1b]8;;obsidian://open?file=a\x1b\\Garden\x1b]8;;\x1b\\\x1b[0m\n")
    assert "\x1b]8;;file:///v%20w/a/Garden.md\x1b\\" in shown
    assert _STYLE.sub("", shown) == listed(results(GARDEN), PLAIN, None, 0)


def test_a_pipe_gets_each_line_after_its_place_and_nothing_else() -> None:
    found = results(GARDEN, OTHER, result("C.md"))
    found.notices.append(Notice(NoticeKind.INDEX_BUSY))
    assert listed(found, PIPE, Path("/v"), 0) == (
        "a/Garden.md:3: # Trees\n"
        "a/Garden.md:4: A larch that sheds its needles in November, and is green again in April.\n"
        "B.md: larch\n"
        "C.md\n"
    )
    assert listed(results(), PIPE, None, 0) == ""
    [said] = remarks(found, PIPE)
    assert said.startswith("Note: another process is updating the index")


def test_what_stands_below_is_said_in_the_language_of_the_terminal() -> None:
    def last(found: SearchResults, screen: Screen, offset: int = 0) -> str:
        return listed(found, screen, None, offset).rstrip("\n").rpartition("\n")[2]

    assert last(results(GARDEN, total=12), PLAIN) == "1 to 1 of 12 results; the next: --offset 1"
    assert last(results(GARDEN, total=12), FRENCH, 4) == "5 à 5 sur 12 résultats ; la suite : --offset 5"
    assert last(results(), FRENCH) == "Rien trouvé pour « larch »."


def test_text_of_notes_is_shown_and_not_obeyed() -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\u202eevil"
    found = result("x.md", (1, evil), title=evil, heading=evil, tags=[evil])
    for screen in (PLAIN, PIPE):
        shown = listed(results(found, query=evil), screen, None, 0)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", shown)
    assert "\x1b]0;" not in listed(results(found, query=evil), STYLED, None, 0)


@given(st.lists(st.tuples(st.text(alphabet="ab é漢字\u0301", min_size=1), st.booleans())), st.integers(4, 30))
def test_a_line_is_never_wider_and_nothing_is_lost(parts: list[tuple[str, bool]], width: int) -> None:
    lines = list(wrapped(parts, width))
    assert [sign for line in lines for sign in line_signs(line)] == line_signs(parts)
    for line in lines:
        assert columns("".join(part for part, _ in line).rstrip(" ")) <= width


def line_signs(parts: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    return [(sign, found) for text, found in parts for sign in text]
