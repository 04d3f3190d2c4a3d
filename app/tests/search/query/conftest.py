"""One small vault with something for every operator, and the notes a query keeps of it."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from app.config.settings import Settings
from app.search.query.evaluate import matching_notes
from app.search.query.read import read_query
from app.search.request import parse_request
from app.search.searcher import Searcher, searcher_for
from app.vault.client import VaultClient

NOTES = {
    "Projects/Serre.md": (
        "---\nstatus: Draft\ndue: 2025-03-10\nprice: 4.5\ntags: [garden/serre, Work]\naliases: [Glasshouse, La verrière]\n"
        'up: "[[Home|accueil]]"\ncreated: 2025-01-05\n---\n# Serre\n\nLa serre coûte cher.\n\n'
        "## Budget\n\nLe budget de la serre est voté.\nLe devis attend.\n\n- [ ] appeler Bob\n  demain matin\n"
        "- [x] payer l'acompte\n- [/] trier les pots\n\nSee [[Home]] and [[Missing]].\n"
    ),
    "Projects/Bateau.md": (
        "---\nstatus: Published\ndue: 2025-02-01\nprice: 12\ntags: [boat]\nnote: ''\nempty:\nlist: []\n"
        "created: 2025-02-10\n---\n# Le bateau\n\nmix the flour\nand the water\n\nmix water and salt\n\n"
        "The Happy Cat said \"hello\" to the dog.\n\n- [x] call the yard\n"
    ),
    "Journal/2025-07-14.md": (
        "---\nstatus: done\nprice: '7'\n---\nDecision prise: on part. C++ et en-cours. ⏫\n\n"
        "# Soir\n\nbudget voté, serre fermée #work/late\n\n```\n#code not a tag\n- [ ] not a task\n```\n[[Projects/Serre]]\n"
    ),
    "Home.md": "# Home\n\n[[Projects/Serre]] and [[Bateau]]\n\ndécision finale, HappyCat, IKEA 会議の記録\n#myjob/work\n",
    "work notes.md": "meeting work\n\ndog\n\ncat\n",
}  # fmt: skip

Keep = Callable[[str], set[str]]
Opened = Callable[[str], Searcher]


def write(root: Path, notes: Mapping[str, str]) -> Path:
    for path, text in notes.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


@pytest.fixture(scope="package")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """Open the vault once on each engine: on the one that the settings name when it is first asked for."""

    @cache
    def open_(engine: str) -> Searcher:
        folder = tmp_path_factory.mktemp(engine)
        client = VaultClient(write(folder / "vault", NOTES), Settings(cache_dir=folder / "cache"))
        found = searcher_for(client)
        found.update()
        return found

    return open_


@pytest.fixture
def searcher(opened: Opened, request: pytest.FixtureRequest) -> Searcher:
    """The vault, on the engine that the test runs on."""
    named = "every_engine" in request.fixturenames
    return opened(request.getfixturevalue("every_engine") if named else "local")


def kept(searcher: Searcher, query: str) -> set[str]:
    """Give the names of the notes that satisfy a whole query, its bare words too.

    On an engine elsewhere it is asked for what may answer, in parts until that is whole.
    """
    *_, view = searcher.engine.views(parse_request({"operation": "combined", "query": query}))
    parts = read_query(view.snapshot, query).parts
    mask = matching_notes(view, parts, view.snapshot.visible)
    return {
        view.lexical.path(doc).rpartition("/")[2].removesuffix(".md") for doc in np.flatnonzero(mask).tolist()
    }


@pytest.fixture
def keep(searcher: Searcher) -> Keep:
    return lambda query: kept(searcher, query)
