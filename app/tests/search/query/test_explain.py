"""explain: how a query was read, with what each part leaves."""

from app.notices import Notice
from app.search.query.explain import written
from app.search.query.parse import parse_query
from app.search.request import parse_request
from app.search.searcher import Searcher
from app.tests.search.query.test_constructs import EVERY


def test_what_is_written_reads_the_same_again() -> None:
    for query in (query for rows in EVERY.values() for query, _ in rows):
        root = parse_query(query, lambda name: True).root
        assert parse_query(written(root), lambda name: True).root == root, query


def notices(searcher: Searcher, operation: str, query: str) -> list[Notice]:
    request = parse_request({"operation": operation, "query": query, "explain": True})
    return searcher.search(request).notices


def test_fulltext_counts_what_each_part_has_and_leaves(searcher: Searcher) -> None:
    assert notices(searcher, "fulltext", "tag:#work -devis budget") == [
        "'tag:#work -devis budget' asks for tag:#work (2 notes, 2 left); -devis (4 notes, 1 left); "
        "budget (2 notes, 1 left)"
    ]


def test_brackets_say_what_they_were_taken_for(searcher: Searcher) -> None:
    assert notices(searcher, "fulltext", "[status]") == ["'[status]' asks for [status] (3 notes, 3 left)"]
    told = notices(searcher, "fast", "[status]")
    assert "'[status]' is text here; fulltext can ask for a property of that name" in told
