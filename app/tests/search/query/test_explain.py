"""explain: how a query was read, in plain words, with what each part leaves."""

import pytest

from app.notices import Notice
from app.search.query.explain import describe
from app.search.query.parse import parse_query
from app.search.request import parse_request
from app.search.searcher import Searcher

SAID = [
    ("budget", 'the word "budget"'),
    ("match-case:HappyCat", 'the text "HappyCat" in just this case'),
    ('a OR "b c"', '(the word "a" or the phrase "b c")'),
    ("path:x", 'the text in its path "x"'),
    ("tag:#work", "the tag #work or one below it"),
    ("line:(mix -flour)", 'a line with ("mix" and no "flour")'),
    ("section:(line:(a b) c)", 'a section with (a line with ("a" and "b") and "c")'),
    ("[status:Draft OR Published]", 'the property \'status\' that (holds "Draft" or holds "Published")'),
    ("[p:null]", "the property 'p' that has no value"),
    ("[due:>2025-03-01]", "the property 'due' that is after 2025-03-01"),
    ("links-to:Home", "a link to 'Home'"),
    ("created:2025-02", "a date created from 2025-02-01 up to 2025-02-28"),
]


@pytest.mark.parametrize(("query", "said"), SAID, ids=[row[0] for row in SAID])
def test_every_part_has_plain_words(query: str, said: str) -> None:
    root = parse_query(query).root
    assert root is not None
    assert describe(root) == said


def notices(searcher: Searcher, operation: str, query: str) -> list[Notice]:
    request = parse_request({"operation": operation, "query": query, "explain": True})
    return searcher.search(request).notices


def test_fulltext_counts_what_each_part_has_and_leaves(searcher: Searcher) -> None:
    assert notices(searcher, "fulltext", "tag:#work -devis budget") == [
        "'tag:#work -devis budget' asks for (1) the tag #work or one below it: 2 notes, 2 left; "
        '(2) not the word "devis": 4 notes, 1 left; (3) the word "budget": 2 notes, 1 left'
    ]


def test_a_search_of_passages_says_what_ranks(searcher: Searcher) -> None:
    assert notices(searcher, "fast", "tag:#work budget (devis OR serre)") == [
        "'tag:#work budget (devis OR serre)' asks for (1) the tag #work or one below it: 2 notes, 2 left; "
        'what ranks and leaves nothing out: the word "budget"; (the word "devis" or the word "serre")'
    ]
    assert notices(searcher, "fast", "*") == ["'*' asks for everything"]


def test_brackets_say_what_they_were_taken_for(searcher: Searcher) -> None:
    assert (
        "'[status]' asks for the property 'status'; the text itself would stand in double quotes"
        in notices(searcher, "fulltext", "[status]")
    )
    assert "'[décision]' is text: no note has a property 'décision'" in notices(
        searcher, "fulltext", "[décision]"
    )
    assert "'[status]' is text here; fulltext can ask for a property of that name" in notices(
        searcher, "fast", "[status]"
    )


def test_an_operator_before_a_blank_is_pointed_out(searcher: Searcher) -> None:
    assert "'tag:' before a blank is text; as an operator it stands right against its value" in notices(
        searcher, "fast", "tag: #work"
    )
