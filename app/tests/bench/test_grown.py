"""Vaults that a benchmark grows: the same each time, no copies, and links that lead somewhere."""

from collections import Counter
from pathlib import Path
from urllib.parse import unquote

from app.config.settings import Settings
from app.search.searcher import graph_of_files
from app.vault.client import VaultClient
from bench.grown import grow

EXAMPLE = Path(__file__).parents[3] / "examples" / "vault"


def contents(vault: Path) -> dict[str, tuple[bytes, int]]:
    return {
        file.relative_to(vault).as_posix(): (file.read_bytes(), file.stat().st_mtime_ns)
        for file in vault.rglob("*.md")
    }


def test_a_vault_is_made_the_same_twice_and_otherwise_by_another_seed(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("two", 1), ("other", 2)):
        grow(EXAMPLE, tmp_path / name, 60, seed=seed)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert contents(tmp_path / "one") != contents(tmp_path / "other")


def test_no_two_notes_have_one_text_and_links_lead_to_notes(tmp_path: Path) -> None:
    grow(EXAMPLE, tmp_path / "vault", 200)
    made = contents(tmp_path / "vault")
    assert len(made) == 200
    assert [text for text, count in Counter(text for text, _ in made.values()).items() if count > 1] == []
    graph = graph_of_files(VaultClient(tmp_path / "vault", Settings()))
    linked = Counter(target for path in made for target in {edge.target for edge in graph.outgoing(path)})
    # Some are linked to by very many, and most by few.
    assert max(linked.values()) >= 5 * sorted(linked.values())[len(linked) // 2]
    # What leads nowhere leads nowhere in the source.
    source = unquote("\n".join(file.read_text("utf-8") for file in EXAMPLE.rglob("*.md")))
    lost = [name.rpartition("/")[2] for path in made for name in graph.unresolved(path)]
    assert [name for name in lost if name not in source] == []
