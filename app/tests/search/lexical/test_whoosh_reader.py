import pytest
from whoosh.qparser import QueryParser
from whoosh.query import Phrase, Prefix, Query, Term
from whoosh.searching import Searcher

from app.search.lexical.index import LexicalIndex
from app.tests.search.lexical.conftest import note, write
from app.tests.search.lexical.whoosh_reader import open_reader


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Term("body", "decision"), {"a.md", "b.md"}),
        (Phrase("body", ["la", "decision"]), {"a.md"}),
        (Phrase("body", ["en", "cours"]), {"b.md"}),
        (Prefix("body", "deci"), {"a.md", "b.md"}),
        (Term("body_stem", "launch"), {"c.md"}),
        (Term("terms", "tag:x/y"), {"b.md"}),
        (Term("body", "gone"), set()),
    ],
)
def test_whooshs_own_searcher_reads_the_index(index: LexicalIndex, query: Query, expected: set[str]) -> None:
    write(
        index, note("a.md", "on prend la décision que les autres ont eue"), note("gone.md", "gone decision")
    )
    write(index, note("b.md", "decision en-cours", terms=["tag:x/y"]), delete=["gone.md"])
    write(index, note("c.md", "the launching of it"))
    with Searcher(open_reader(index._folder)) as searcher:
        assert {hit["path"] for hit in searcher.search(query, limit=None)} == expected
        assert searcher.doc_count() == 6


def test_whooshs_own_parser_uses_our_words(index: LexicalIndex) -> None:
    write(index, note("a.md", "la décision adoptée"), note("b.md", "adoptée"))
    with Searcher(open_reader(index._folder)) as searcher:
        query = QueryParser("body", searcher.schema).parse("DÉCISION adoptee")
        assert [hit["path"] for hit in searcher.search(query)] == ["a.md"]
