"""Measure how often a note's name, typed as a query, finds that note first.

    python -m bench.names VAULT [VAULT ...] [--work DIR] [--modes fast deep]

Every name of every note is asked: its file name, its title, its aliases and its path; and each file name once
more in other forms. A note of the same name may stand before it. Each miss is listed.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from app.config.settings import Settings
from app.dependencies import VaultClient
from app.search import search
from app.search.index.snapshot import VaultSnapshot
from app.search.lexical.analysis import fold
from app.search.searcher import searcher_for

NEAR = 3
"""A name in another form has its note among so many."""


def names(snapshot: VaultSnapshot) -> Iterator[tuple[str, str, str]]:
    """Yield the kind of each name, the name, and its note's path."""
    for path in snapshot.visible_paths:
        doc = snapshot.doc(path)
        assert doc is not None
        note, stem = snapshot.note(doc), path.rpartition("/")[2].removesuffix(".md")
        yield "file name", stem, path
        yield "path", path, path
        yield from (("title", title, path) for title in dict.fromkeys((note.title, note.h1)) if title)
        yield from (("alias", alias, path) for alias in note.aliases)
        for form in (stem.swapcase(), fold(stem), f"note {stem}", f"the {stem}", f"la {stem}", f"{stem}s"):
            yield "other form", form, path


def measure(folder: Path, work: Path, modes: list[str]) -> None:
    """Print how many names of a vault are first, and those that are not."""
    vault = VaultClient(folder, Settings(cache_dir=work / folder.parent.name))
    searcher = searcher_for(vault)
    searcher.update()
    if "deep" in modes:
        searcher.embed()
    asked = [(kind, name, path) for kind, name, path in names(searcher.view().snapshot) if name.strip()]
    owners: dict[str, set[str]] = {}
    for _, name, path in asked:
        owners.setdefault(fold(name), set()).add(path)
    for mode in modes:
        kinds: dict[str, list[bool]] = {}
        misses = []
        for kind, name, path in asked:
            most = NEAR if kind == "other form" else 1
            found = list(dict.fromkeys(hit.path for hit in search(vault, name, mode, limit=50)))
            is_first = path in found[:most] or not owners[fold(name)].isdisjoint(found[:1])
            kinds.setdefault(kind, []).append(is_first)
            if not is_first:
                at = found.index(path) + 1 if path in found else "none"
                misses.append(f"  {kind}: {name!r} of {path}, at {at}; first {found[:1]}")
        said = ", ".join(f"{kind} {sum(hits)} of {len(hits)}" for kind, hits in kinds.items())
        print(f"{folder}, {mode}: {said}", *misses, sep="\n", flush=True)
    searcher.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("vaults", type=Path, nargs="+", metavar="VAULT")
    parser.add_argument("--work", type=Path, help="where indexes are made, and used again")
    parser.add_argument("--modes", nargs="*", default=["fast", "deep"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for folder in options.vaults:
            measure(folder.resolve(), options.work or Path(scratch), options.modes)


if __name__ == "__main__":
    main()
