"""Several vaults in one search: pages neither repeat nor lose a hit, however equal the scores."""

import os

import pytest

from app.search.answer import search_several
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.tests.conftest import MakeVault
from app.tests.web.conftest import LEXICAL


@pytest.mark.parametrize("query", [{"operation": "fast", "query": "larch"}, {"operation": "by_date"}])
def test_pages_show_each_hit_once(tiny_vault: MakeVault, query: dict[str, str]) -> None:
    vaults = {}
    for name in ("home", "work"):
        notes = {f"{at}.md": "The larch of the boat.\n" for at in range(8)}
        vaults[name] = vault = tiny_vault(notes, name=name, index=LEXICAL)
        for at in range(8):
            # Neither by path nor the other way round, and between those of the other vault.
            moment = 1_700_000_000 + 86_400 * (5 * at % 8) + (3_600 if name == "home" else 0)
            os.utime(vault.root / f"{at}.md", (moment, moment))
        searcher_for(vault).update()
    given = {"start_date": "2000", "end_date": "2100", **query} if query["operation"] == "by_date" else query
    whole = search_several(vaults, parse_request({**given, "limit": 100}))
    paged = [
        result.path
        for offset in range(0, 16, 3)
        for result in search_several(vaults, parse_request({**given, "limit": 3, "offset": offset})).results
    ]
    assert paged == [result.path for result in whole.results]
    assert len(set(paged)) == 16
