"""What the offline searcher asks for: the words of a question, and the time it names."""

import pytest

from app.chat.offline.searcher import with_time


@pytest.mark.parametrize(
    ("words", "question", "query"),
    [
        ("kiln", "what about the kiln in May?", "kiln in May"),
        (
            "four trois jours",
            "qu'a dit Paul du four il y a trois jours ?",
            "four trois jours four il y a trois jours",
        ),
        ("kiln April 2025", "the kiln in April 2025?", "kiln April 2025"),
        ("kiln", "may the kiln be fired?", "kiln"),
    ],
)
def test_the_time_of_a_question_is_asked_for_too(words: str, question: str, query: str) -> None:
    assert with_time(words, question) == query
