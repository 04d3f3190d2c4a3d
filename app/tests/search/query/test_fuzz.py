"""Whatever is typed: an answer or a clear error, soon."""

import random
import time
from contextlib import suppress

import pytest

from app.errors import BadRequestError, PathError
from app.search.answer import answer
from app.search.query.parse import OPERATORS
from app.search.searcher import Searcher
from app.tests.search.query.conftest import kept

PIECES = [
    *(f"{operator}:" for operator in OPERATORS), *'()[]"/-:*\\#<>=|{}^$.?+!,;\'\n\t ', "OR", " OR ", " ", " ", " ", '"', "(", ")", "[", "]",
    "/", "null", "a", "serre", "décision", "budget", "Draft", "status", "due", "price", "2025-07", "5", "é", "議", "⏫", "\u0301", "\x00",
    "\ud800", "\u202e", "\ufeff", "[[Home]]", "tag:#work", "line:(", "[status:", "created:>", "..", "(?", "(?<", "(?=", "[^", "\\1", "\\b",
    "\\u{1", "{2,", "--", "-(", "-\"", "''", "&&", "%20", "İ", "ß", "ﬁ",
]  # fmt: skip


def typed(rng: random.Random) -> str:
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(1, rng.choice([4, 12, 40]))))


def test_five_thousand_random_strings_give_notes_or_a_clear_error(searcher: Searcher) -> None:
    rng = random.Random(20250714)
    longest = 0.0
    for _ in range(5_000):
        query = typed(rng)
        begun = time.thread_time()
        # A name such as "../x" is no path of the vault.
        with suppress(BadRequestError, PathError):
            kept(searcher, query)
        longest = max(longest, time.thread_time() - begun)
    assert longest < 2


@pytest.mark.parametrize(
    "query",
    ["(" * 3000, "(a" * 1500 + ")" * 1500, '"' * 3999, "[" * 3999, "/[" * 1999, "-" * 3999, "a OR " * 700 + "a", "[a:" * 900 + "]" * 900,
     "line:(" + "a " * 1900 + ")", "mot " * 30_000, "x" * 200_000, "/" + "(a|b)*" * 150 + "/", "/" + "(" * 39 + "a" + ")*" * 39 + "/"],
    ids=lambda query: query[:8],
)  # fmt: skip
def test_long_and_deep_queries_are_quick(query: str, searcher: Searcher) -> None:
    begun = time.thread_time()
    told = answer(searcher.vault, {"operation": "fulltext", "query": query})
    assert time.thread_time() - begun < 2
    assert not told.startswith("Error: performing")
