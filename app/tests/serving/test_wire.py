"""What goes over the socket comes out as it went in."""

import json

from app.notices import Notice, NoticeKind, WhyKind
from app.search.models import SearchResult, SearchResults
from app.serving.wire import read_results, results_data


def test_results_come_back_with_what_people_are_not_shown() -> None:
    result = SearchResult(
        path="a.md",
        title="A",
        lines="3, 7",
        excerpt="3 | larch",
        numbers=(3, 7),
        excerpt_lines=((3, "larch"),),
        date_field="modified",
    )
    results = SearchResults(results=[result], total=1, query="larch", operation="fulltext")
    assert read_results(json.loads(json.dumps(results_data(results)))) == results


def test_notices_come_back_with_their_facts() -> None:
    filters = (Notice(NoticeKind.FOLDER), Notice(NoticeKind.DATES))
    notices = [
        Notice(NoticeKind.SEARCHED, notes=2),
        Notice(NoticeKind.NEAR_TAGS, tags=("#a", "#b")),
        Notice(NoticeKind.WITHOUT_FILTERS, filters=filters, total=3),
        Notice(WhyKind.FILTERED, path="a.md", filters=filters),
    ]
    found = read_results(json.loads(json.dumps(results_data(SearchResults(notices=notices))))).notices
    assert found == notices
    assert [(each.kind, each.facts) for each in found] == [(each.kind, each.facts) for each in notices]
    assert found[2].said("fr") == "sans le dossier et les dates il y en aurait 3"
