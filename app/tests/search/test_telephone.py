"""A telephone number is found however the notes write it, where a query ranks."""

import pytest

from app.notices import NoticeKind
from app.tests.conftest import MakeVault
from app.tests.engines import on_every_engine
from app.tests.search.conftest import Find, paths
from app.vault.client import VaultClient

pytestmark = on_every_engine

NOTES = {
    "blanks.md": "# Blanks\n\nCall 06 41 19 02 88 in the evening.\n",
    "dots.md": "# Dots\n\nHer number: 06.41.19.02.88, or 01 44 55 66 77.\n",
    "abroad.md": '---\ntel: "+33 6 41 19 02 88"\n---\n# Abroad\n',
    "zero.md": "# Zero\n\n+33 (0)6 41-19-02-88\n",
    "plain.md": "# Plain\n\ntel:0641190288\n",
    "parts.md": "# Parts\n\nThe 06 of 41, then 19, 02 and 88; 88 02 19 41 06 is another.\n",
    "longer.md": "# Longer\n\nOrder 1641190288, and 06 41 19 02 08 88.\n",
    "belgian.md": "# Belgian\n\n+32 641 19 02 88\n",
    "office.md": "# Office\n\nThe office has (555) 123-4567, the shop 555 123 45.\n",
    "years.md": "# Years\n\nFrom 1984-2001 nothing.\n",
    "other.md": "# Other\n\nFrom 2001 on, not in 1984.\n",
}
FRENCH = ["abroad.md", "blanks.md", "dots.md", "plain.md", "zero.md"]


def said(find: Find, vault: VaultClient, query: str, operation: str = "fast") -> tuple[list[str], str]:
    """The notes found, and what is said of other writings."""
    results = find(vault, operation, query=query)
    notices = [str(one) for one in results.notices if one.kind is NoticeKind.SPELT]
    return sorted(set(paths(results))), " ".join(notices)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("0641190288", [*FRENCH, "belgian.md"]),
        ("06 41 19 02 88", [*FRENCH, "belgian.md"]),
        ("06-41-19-02-88", [*FRENCH, "belgian.md"]),
        ("06.41.19.02.88", [*FRENCH, "belgian.md"]),
        ("+33 6 41 19 02 88", FRENCH),
        ("+33641190288", FRENCH),
        ("0033 641190288", FRENCH),
        ("0144556677", ["dots.md"]),
        ("+33 (0)1 44556677", ["dots.md"]),
        ("5551234567", ["office.md"]),
        ("+1 555 123 4567", ["office.md"]),
    ],
)
def test_a_number_is_found_however_it_is_written(
    tiny_vault: MakeVault, find: Find, query: str, found: list[str]
) -> None:
    notes, notice = said(find, tiny_vault(NOTES), query)
    assert notes == sorted(found)
    assert notice.startswith(f"{query}: searched as ")
    assert notice.endswith(" too")


def test_the_notice_names_the_writings_of_the_notes(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"a.md": "06 41 19 02 88\n", "b.md": "0641190288\n", "c.md": "0641190288 again\n"})
    assert said(find, vault, "0641190288")[1] == "0641190288: searched as 06 41 19 02 88 too"
    assert said(find, vault, "06 41 19 02 88")[1] == "06 41 19 02 88: searched as 0641190288 too"


def test_of_a_list_of_numbers_the_passage_with_the_number_is_found(tiny_vault: MakeVault, find: Find) -> None:
    others = "Le 06 mai, 41 personnes ; 19 le 02, 88 francs. " * 30
    text = f"# Liste\n\n## A\n{others}\n\n## B\n{others}\n\n## C\nZoé : 06 41 19 02 88\n{'Un mot. ' * 200}\n"
    results = find(tiny_vault({"list.md": text, "plain.md": "0641190288\n"}), "fast", query="0641190288")
    assert [(one.path, one.heading) for one in results.results] == [
        ("plain.md", ""),
        ("list.md", "Liste > C"),
    ]


def test_where_no_note_that_is_allowed_has_the_number_it_is_searched_as_typed(
    tiny_vault: MakeVault, find: Find
) -> None:
    vault = tiny_vault({**NOTES, "a/x.md": "The 33 of May.\n", "a/y.md": "06 May\n"})
    assert paths(find(vault, "fast", query="0641190288", folder="a")) == []
    assert paths(find(vault, "fast", query="06 41 19 02 88", folder="a")) == ["a/y.md"]


def test_a_number_in_the_name_of_a_note_is_found(tiny_vault: MakeVault, find: Find) -> None:
    vault = tiny_vault({"0641190288.md": "Zoé.\n", "b.md": "06 41 19 02 88\n"})
    assert said(find, vault, "0641190288")[0] == ["0641190288.md", "b.md"]


@pytest.mark.parametrize(
    "query",
    [
        '"0641190288"',  # in quotation marks
        "call 0641190288",  # not a number alone
        "1984 2001",  # two years
        "14.07.2024",  # a day
        "123 456",  # too short
        "123456789012345",  # too long
        "88 02 19 41 06",  # written so alone
        "1.2.3.4.5.6.7",  # another number's end
    ],
)
def test_what_is_no_number_of_its_own_is_left_as_typed(tiny_vault: MakeVault, find: Find, query: str) -> None:
    days = {"day.md": "14 07 2024\n", "short.md": "123456\n", "long.md": "12345 6789012345\n"}
    assert said(find, tiny_vault({**NOTES, **days}), query)[1] == ""


def test_two_years_find_what_has_either(tiny_vault: MakeVault, find: Find) -> None:
    assert said(find, tiny_vault(NOTES), "1984 2001")[0] == ["other.md", "years.md"]


@pytest.mark.parametrize("operation", ["fulltext", "combined"])
def test_where_words_filter_a_number_is_what_was_typed(
    tiny_vault: MakeVault, find: Find, operation: str
) -> None:
    assert said(find, tiny_vault(NOTES), "0641190288", operation) == (["plain.md"], "")


def test_the_numbers_of_hidden_notes_are_not_told(tiny_vault: MakeVault, find: Find) -> None:
    hidden = '{"userIgnoreFilters": ["private/"]}'
    files = {"private/s.md": "06 41 19 02 88\n", "a.md": "0641190288\n", ".obsidian/app.json": hidden}
    assert said(find, tiny_vault(files), "0641190288") == (["a.md"], "")
