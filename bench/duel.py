"""Compare this program with other searches of Markdown folders, on one machine and the same notes.

    python -m bench.duel SET [SET ...] --work DIR [--qmd COMMAND] [--peers NAME ...]

Each SET is a folder of judged questions with a corpus, as `bench.judged` reads them. The peers are this
program (`fast`, `deep`), ripgrep, SQLite's FTS5, tantivy (``pip install tantivy``) and QMD (``npm install
@tobilu/qmd``; by its words, since its models come from a hub). Every step is a process of its own: the first
index, the index after one edit, one search, and all questions. Given are CPU seconds of it and of what it
started, its most memory in MB, the disk that the index takes in MB, and the mean nDCG@10; a warm search is
what a question took inside the process that asked them all, in milliseconds, p50.
"""

import argparse
import json
import math
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from bench.judged import JudgedSet, measures, notes_of, read_set

WORD = re.compile(r"\w+")
SHOWN = 50
Search = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Peer:
    """One search: how it brings its index up to date, and how a question is asked of it."""

    index: Callable[[Path, Path], None]
    """Takes the vault, and a folder of its own for the index."""
    open: Callable[[Path, Path], Search]
    """Takes the same; the search gives paths of notes, best first."""


def run(*command: str, env: Mapping[str, str] | None = None) -> str:
    """Run a command and return what it prints; 1 means that nothing was found."""
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"failed with code {done.returncode}: {' '.join(command)}\n{done.stderr}")
    return done.stdout


def texts(vault: Path) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each note."""
    for path in sorted(vault.rglob("*.md")):
        yield path.relative_to(vault).as_posix(), path.read_text(encoding="utf-8", errors="replace")


def own(mode: str) -> Peer:
    """Return this program in one of its modes."""

    def searcher(vault: Path, store: Path) -> Any:  # noqa: ANN401 - no import before it is timed
        from app.config.settings import BUNDLED_MODEL, IndexDefinition, IndexSettings, Settings
        from app.dependencies import VaultClient
        from app.search.searcher import searcher_for

        model = BUNDLED_MODEL if mode == "deep" else None
        indexes = IndexSettings(indexes={"notes": IndexDefinition(embedding_model=model)})
        return searcher_for(VaultClient(vault, Settings(cache_dir=store, state_dir=store, index=indexes)))

    def index(vault: Path, store: Path) -> None:
        found = searcher(vault, store)
        found.update()
        if mode == "deep":
            found.embed()

    def opened(vault: Path, store: Path) -> Search:
        from app.search import search

        found = searcher(vault, store)
        # As a server does: it watches the vault, so that a search need not look for changes.
        found.watch()
        client = found.vault
        return lambda question: [hit.path for hit in search(client, [question], mode, limit=SHOWN)]

    return Peer(index, opened)


def ripgrep() -> Peer:
    """Return ripgrep: any word of the question; the rarest words weigh most, as its lines are counted."""

    def opened(vault: Path, _: Path) -> Search:
        notes = sum(1 for _ in vault.rglob("*.md"))

        def search(question: str) -> list[str]:
            scores: defaultdict[str, float] = defaultdict(float)
            for word in set(WORD.findall(question.lower())):
                counted = run("rg", "-iwc", "--glob", "*.md", "-F", "--", word, str(vault)).splitlines()
                for line in counted:
                    path, _, count = line.rpartition(":")
                    weight = math.log(1 + notes / len(counted))
                    scores[Path(path).relative_to(vault).as_posix()] += weight * (1 + math.log(int(count)))
            return sorted(scores, key=scores.__getitem__, reverse=True)[:SHOWN]

        return search

    return Peer(lambda _vault, _store: None, opened)


def fts5() -> Peer:
    """Return SQLite's FTS5 with its stemmer of English; any word of the question."""

    def index(vault: Path, store: Path) -> None:
        with sqlite3.connect(store / "fts.db") as base:
            base.execute("DROP TABLE IF EXISTS notes")
            base.execute("CREATE VIRTUAL TABLE notes USING fts5(path UNINDEXED, text, tokenize='porter')")
            base.executemany("INSERT INTO notes VALUES (?, ?)", texts(vault))

    def opened(_: Path, store: Path) -> Search:
        base = sqlite3.connect(store / "fts.db")
        select = "SELECT path FROM notes WHERE notes MATCH ? ORDER BY rank LIMIT ?"

        def search(question: str) -> list[str]:
            asked = " OR ".join(f'"{word}"' for word in WORD.findall(question))
            return [path for (path,) in base.execute(select, (asked, SHOWN))]

        return search

    return Peer(index, opened)


def tantivy() -> Peer:
    """Return tantivy with its stemmer of English; any word of the question."""

    def index(vault: Path, store: Path) -> None:
        import tantivy as library

        shutil.rmtree(store / "tantivy", ignore_errors=True)
        (store / "tantivy").mkdir()
        builder = library.SchemaBuilder()
        builder.add_text_field("path", stored=True, tokenizer_name="raw")
        builder.add_text_field("text", tokenizer_name="en_stem")
        writer = library.Index(builder.build(), str(store / "tantivy")).writer(heap_size=100_000_000)
        for path, text in texts(vault):
            writer.add_document(library.Document(path=path, text=text))
        writer.commit()
        writer.wait_merging_threads()

    def opened(_: Path, store: Path) -> Search:
        import tantivy as library

        found = library.Index.open(str(store / "tantivy"))
        searcher = found.searcher()

        def search(question: str) -> list[str]:
            asked = found.parse_query(" ".join(WORD.findall(question.lower())), ["text"])
            hits = searcher.search(asked, SHOWN).hits
            return [searcher.doc(address)["path"][0] for _, address in hits]

        return search

    return Peer(index, opened)


def qmd(command: Sequence[str]) -> Peer:
    """Return QMD by its words, asked for a question's words; each search is a process of its own."""

    def called(store: Path, *arguments: str) -> str:
        folders = {f"XDG_{kind}_HOME": str(store / kind.lower()) for kind in ("CONFIG", "CACHE", "DATA")}
        return run(*command, *arguments, env={**os.environ, **folders})

    def index(vault: Path, store: Path) -> None:
        if any(store.rglob("*.sqlite")):
            called(store, "update")
        else:
            called(store, "collection", "add", str(vault), "--name", "duel")

    def opened(_: Path, store: Path) -> Search:
        def search(question: str) -> list[str]:
            asked = " ".join(WORD.findall(question))
            printed = called(store, "search", asked, "-c", "duel", "-n", str(SHOWN), "--json")
            hits = json.loads(printed) if printed.lstrip().startswith("[") else []
            return [hit["file"].removeprefix("qmd://duel/") for hit in hits]

        return search

    return Peer(index, opened)


def peers(command: str) -> dict[str, Peer]:
    """Return all peers by name."""
    others = {"ripgrep": ripgrep(), "FTS5": fts5(), "tantivy": tantivy(), "QMD": qmd(command.split())}
    return {"fast": own("fast"), "deep": own("deep"), **others}


class Step(NamedTuple):
    """What a process cost, and what it printed."""

    cpu: float
    memory: float
    printed: str


def step(*arguments: str) -> Step:
    """Do one step in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.duel", *arguments], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed with code {process.returncode}: {' '.join(arguments)}")
    return Step(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, printed)


def do(what: str, peer: Peer, vault: Path, store: Path) -> None:
    """Do a step: bring the index up to date, or answer the questions that lie beside it."""
    if what == "index":
        peer.index(vault, store)
        return
    search = peer.open(vault, store)
    for question in json.loads((store / "questions.json").read_text()):
        begun = time.perf_counter()
        found = search(question)
        print(json.dumps([found, 1000 * (time.perf_counter() - begun)]), flush=True)


def compare(judged: JudgedSet, work: Path, name: str, command: str) -> list[str]:
    """Return the cells of one peer over one set."""
    store = work / judged.name / name
    shutil.rmtree(store, ignore_errors=True)
    store.mkdir(parents=True)
    asked = [question for question in judged.questions if question.gains]

    def done(what: str) -> Step:
        return step("--qmd", command, "--do", what, name, str(judged.vault), str(store))

    first = done("index")
    size = sum(file.stat().st_size for file in store.rglob("*") if file.is_file()) / 1e6
    edited = min(judged.vault.rglob("*.md"))
    before = edited.read_bytes()
    edited.write_bytes(before + b"\nOne more line.\n")
    again = done("index")
    edited.write_bytes(before)
    done("index")
    (store / "questions.json").write_text(json.dumps([asked[0].text]))
    cold = statistics.median(done("answer").cpu for _ in range(3))
    (store / "questions.json").write_text(json.dumps([question.text for question in asked]))
    answers = [json.loads(line) for line in done("answer").printed.splitlines()]
    ndcg = statistics.fmean(
        measures(notes_of(found, question.skip), question.gains, judged.depth)[0]
        for question, (found, _) in zip(asked, answers, strict=True)
    )
    warm = statistics.median(spent for _, spent in answers)
    figures = (f"{ndcg:.3f}", f"{first.cpu:.1f}", f"{first.memory:.0f}", f"{size:.0f}")
    return [*figures, f"{again.cpu:.2f}", f"{cold:.2f}", f"{warm:.1f}"]


def main() -> None:
    """Print a table for each set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", type=Path, nargs="*", metavar="SET")
    parser.add_argument("--work", type=Path, default=Path(), help="where vaults and indexes are made")
    parser.add_argument("--qmd", default="qmd", help="the command that runs QMD")
    parser.add_argument("--peers", nargs="+", default=["fast", "deep", "ripgrep", "FTS5", "tantivy", "QMD"])
    parser.add_argument("--do", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.do:
        what, name, vault, store = options.do
        do(what, peers(options.qmd)[name], Path(vault), Path(store))
        return
    work = options.work.resolve()
    for folder in options.sets:
        judged = read_set(folder.resolve(), work, None)
        print(f"\n{folder.name}: {sum(1 for _ in judged.vault.rglob('*.md'))} notes\n")
        print(
            "| | nDCG@10 | first index, s | memory, MB | disk, MB | one edit, s | cold search, s | warm, ms |"
        )
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for name in options.peers:
            print(f"| {name} | {' | '.join(compare(judged, work, name, options.qmd))} |", flush=True)


if __name__ == "__main__":
    main()
