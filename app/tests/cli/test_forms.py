"""The results that a form keeps, and their order."""

from datetime import datetime

import pytest

from app.cli.forms import Form, ordered
from app.search.models import SearchResult

RANKED = [
    SearchResult(path=path, title=path, score=score, modified=datetime(2025, 1, day))
    for path, score, day in [
        ("b.md", 0.9, 1),
        ("a.md", 0.8, 3),
        ("b.md", 0.7, 1),
        ("c.md", 0.6, 4),
        ("a.md", 0.5, 3),
    ]
]


@pytest.mark.parametrize(
    ("form", "limit", "kept"),
    [
        (Form(paths=True), None, [("b.md", 0.9), ("a.md", 0.8), ("c.md", 0.6)]),
        (Form(notes=True), 2, [("b.md", 0.9), ("a.md", 0.8)]),
        # The newest of the best, and not the newest of all that was looked at.
        (Form(notes=True, sort="modified"), 2, [("a.md", 0.8), ("b.md", 0.9)]),
        (
            Form(jsonl=True, sort="path"),
            2,
            [("a.md", 0.8), ("a.md", 0.5), ("b.md", 0.9), ("b.md", 0.7), ("c.md", 0.6)],
        ),
    ],
)
def test_each_note_is_kept_by_its_best_result_and_stays_in_its_place(
    form: Form, limit: int | None, kept: list[tuple[str, float]]
) -> None:
    assert [(result.path, result.score) for result in ordered(RANKED, form, limit)] == kept
