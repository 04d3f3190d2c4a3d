"""Measure how costs grow with a vault, in CPU seconds and memory.

    python -m bench.scale [SOURCE] --work DIR [--notes 6600 20000] [--code FOLDER ...] [--rows WORD ...]
    python -m bench.scale --work DIR --chunks 1000000

Vaults of so many notes are grown from SOURCE (see `bench.grown`), and kept in DIR with their indexes. Cold
rows are commands, each a process of its own: user and system time of the process and what it started, and the
most memory it held; the median of several, the first index of one. Warm rows ask one process many searches,
each once, all of them different: p50, p95, most and mean CPU milliseconds. With several FOLDERs, each the
root of a copy of this project, all are asked in turn, so that they meet the same machine; each has indexes
of its own, a figure is followed by how many times that of the first it is, and searches that are answered
differently are counted. Ripgrep, tantivy and SQLite's FTS5 answer beside where they are there.
"""

import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from app.search.lexical.index import ChunkDoc, LexicalIndex, NoteDoc
from app.search.lexical.language import stop_words
from bench.grown import DAYS, FIRST_DAY, grow
from bench.worker import peak_mb

ROOT = Path(__file__).parents[1]
WARM_UP = 5
RUNS = 3
_TOKEN = re.compile(r"[^\W\d_]{2,}")
_CONSONANTS, _VOWELS = "bcdfglmnprstv", "aeiou"
TYPED = ("filter by due date", "recurring task", "done today", "sort by priority", '"custom status"', "dates")

Parameters = dict[str, Any]
Table = dict[str, dict[str, list[float]]]
"""Figures by row and by who was measured."""


def asked_of(vault: Path, seed: int = 5) -> dict[str, list[Parameters]]:
    """Draw searches from the notes of a vault, the same ones each time, by the row they belong to."""
    rng = random.Random(seed)
    files = sorted(vault.rglob("*.md"))
    texts = [file.read_text("utf-8", "replace") for file in rng.sample(files, min(len(files), 1500))]
    having = Counter(word for text in texts for word in {w.lower() for w in _TOKEN.findall(text)})
    folders = sorted(
        {file.relative_to(vault).parts[0] for file in files if len(file.relative_to(vault).parts) > 1}
    )

    def words(least: int, most: int) -> str:
        while True:
            own = sorted({w.lower() for w in _TOKEN.findall(rng.choice(texts))} - stop_words(0))
            own = [word for word in own if having[word] < len(texts) / 4]
            if len(own) >= most:
                return " ".join(rng.sample(own, rng.randint(least, most)))

    def in_a_row(count: int) -> str:
        while True:
            line = rng.choice(rng.choice(texts).splitlines() or [""])
            if '"' not in line and len(run := re.findall(r"\w+" + r" \w+" * (count - 1), line)):
                return str(rng.choice(run))

    def phrase() -> str:
        return f'"{in_a_row(rng.choice((2, 3)))}"'

    def cut() -> str:
        first, second = in_a_row(2).split(" ")
        return f"{first} {second[: rng.randint(1, 2)]}"

    def days() -> Parameters:
        start = FIRST_DAY + timedelta(rng.randrange(DAYS - 400))
        return {"start_date": str(start), "end_date": str(start + timedelta(rng.choice((7, 30, 90, 365))))}

    def found(operation: str, **parameters: object) -> Parameters:
        return {"operation": operation, **parameters}

    keys = [text[:end] for text in TYPED for end in range(1, len(text) + 1) if text[:end].strip(' "')]
    return {
        "`fast`, new words": [found("fast", query=words(2, 5)) for _ in range(200)],
        "`fast`, a text cut anywhere": [found("fast", query=cut()) for _ in range(60)],
        '`fast`, "Or r"': [found("fast", query="Or r")],
        "`fulltext`, words": [found("fulltext", query=words(1, 3)) for _ in range(80)],
        "`fulltext`, a phrase": [found("fulltext", query=phrase()) for _ in range(40)],
        "`by_date`": [found("by_date", **days()) for _ in range(60)],
        "`combined` by folder": [
            found("combined", query=words(1, 2), folder=rng.choice(folders)) for _ in range(60)
        ],
        "a key on the page": [{"key": key} for key in keys],
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Copy:
    """One copy of the project, with indexes of its own for a vault."""

    name: str
    root: Path
    vault: Path
    cache: Path

    def environment(self) -> dict[str, str]:
        """Return the environment of its processes: folders of its own, and a person's file of settings there.

        A variable of the program would have each command import what reads such variables.
        """
        config = self.cache / "config" / "vault-assistant" / "config.json"
        if not config.exists():
            config.parent.mkdir(parents=True)
            # Vectors are timed by `bench.encode` and `bench.deep`.
            words = {"indexes": {"notes": {"embedding_model": None}}}
            config.write_text(json.dumps({"resident": False, "index": words}))
        kept = {name: value for name, value in os.environ.items() if not name.startswith("VAULT_ASSISTANT_")}
        folders = {
            f"XDG_{name}_HOME": str(self.cache / name.lower()) for name in ("CONFIG", "CACHE", "STATE")
        }
        return {**kept, **folders, "PYTHONPATH": str(self.root)}

    def command(self, *arguments: str) -> tuple[float, float]:
        """Run one command; returns CPU seconds and the most memory in MB."""
        command = [sys.executable, "-m", "app.cli.entry", *arguments, "--vault", str(self.vault)]
        return spent(command, self.root, self.environment(), (0, 1))


def spent(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], fine: Sequence[int]
) -> tuple[float, float]:
    """Run one process; returns the CPU seconds and the most memory, in MB, of it and of what it waited for.

    Raises:
        SystemExit: it ends with a code that is not fine.
    """
    with (folder / os.devnull).open("w") as nowhere:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=nowhere, stderr=nowhere)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in fine:
        raise SystemExit(f"failed with code {process.returncode}: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Asked:
    """A process that answers searches for one copy; a context."""

    def __init__(self, copy: Copy) -> None:
        command = [sys.executable, str(ROOT / "bench" / "warm.py"), str(copy.vault)]
        self._process = subprocess.Popen(
            command,
            cwd=copy.root,
            env=copy.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._line() == "ready\n"

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def __call__(self, parameters: Parameters) -> dict[str, Any]:
        """Ask one thing."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(parameters) + "\n")
        self._process.stdin.flush()
        reply: dict[str, Any] = json.loads(self._line())
        return reply

    def __enter__(self) -> "Asked":
        """Take it."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def cold(
    copies: Sequence[Copy], wanted: Callable[[str], bool]
) -> Iterator[tuple[str, dict[str, list[float]]]]:
    """Yield the rows of commands: CPU seconds of each copy, and the memory of the first index."""
    vault = copies[0].vault
    phrases = asked_of(vault)["`fulltext`, a phrase"]
    phrase = str(phrases[0]["query"])
    # A name that many notes link to, as `bench.grown` makes it.
    note = min((path for path in vault.rglob("*.md")), key=lambda path: (len(path.name), path.name))
    edited = next(iter(sorted(vault.rglob("*.md"))))
    before, stat = edited.read_bytes(), edited.stat()
    first = "first index, s"
    if wanted(first):
        for copy in copies:
            shutil.rmtree(copy.cache, ignore_errors=True)
            copy.cache.mkdir(parents=True)
        runs = {copy.name: copy.command("index") for copy in copies}
        yield first, {name: [cpu] for name, (cpu, _) in runs.items()}
        yield "first index, MB", {name: [memory] for name, (_, memory) in runs.items()}
    rows: dict[str, tuple[str, ...]] = {
        "nothing changed, s": ("index",),
        "one note edited, s": ("index",),
        "cold `find fast`, s": ("find", "fast", "recurrence weekly tasks"),
        '`find fast "Or r"`, cold, s': ("find", "fast", "Or r"),
        "cold phrase in `fulltext`, s": ("find", "fulltext", phrase),
        "cold `by_link`, s": ("find", "by_link", "--note-path", note.relative_to(vault).as_posix()),
        "offline `ask`, cold, s": ("ask", "--model", "offline", "How is a recurring task made?"),
    }
    for row, arguments in rows.items():
        if not wanted(row):
            continue
        figures: dict[str, list[float]] = {copy.name: [] for copy in copies}
        for _ in range(RUNS):
            for copy in copies:
                if row.startswith("one note"):
                    with edited.open("a", encoding="utf-8") as text:
                        text.write("\nOne more line.\n")
                figures[copy.name].append(copy.command(*arguments)[0])
            if "phrase" in row and (
                rg := shutil.which("rg", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
            ):
                command = [rg, "--count", "--ignore-case", "--fixed-strings", phrase.strip('"'), str(vault)]
                figures.setdefault("rg", []).append(spent(command, vault, os.environ, (0, 1))[0])
        if row.startswith("one note"):
            edited.write_bytes(before)
            os.utime(edited, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        yield row, {name: [statistics.median(times)] for name, times in figures.items()}


def warm(
    copies: Sequence[Copy], wanted: Callable[[str], bool]
) -> Iterator[tuple[str, dict[str, list[float]], int]]:
    """Yield the rows of searches: p50, p95 and most CPU milliseconds, and how many have different answers."""
    asked = {row: searches for row, searches in asked_of(copies[0].vault).items() if wanted(row)}
    if not asked:
        return
    with ExitStack() as stack:
        answering = {copy.name: stack.enter_context(Asked(copy)) for copy in copies}
        memory = dict.fromkeys(answering, 0.0)
        for row, searches in asked.items():
            times: dict[str, list[float]] = {name: [] for name in answering}
            differ = 0
            for at, parameters in enumerate([searches[-1]] * WARM_UP * (len(searches) > 1) + searches):
                digests = set()
                for name, ask in answering.items():
                    reply = ask(parameters)
                    digests.add(reply["digest"])
                    memory[name] = reply["mb"]
                    if at >= WARM_UP or len(searches) == 1:
                        times[name].append(reply["ms"])
                if len(digests) > 1:
                    differ += 1
                    print(f"answered differently: {parameters}", file=sys.stderr)
            yield row, {name: shares(each) for name, each in times.items()}, differ
        yield "most memory after these, MB", {name: [each] for name, each in memory.items()}, 0


def shares(times: Sequence[float]) -> list[float]:
    """Return p50, p95, the most and the mean of some times; of one, itself."""
    if len(times) == 1:
        return list(times)
    ordered = sorted(times)
    return [
        statistics.median(ordered),
        ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))],
        ordered[-1],
        statistics.fmean(ordered),
    ]


def beside(vault: Path, work: Path, copy_name: str) -> dict[str, list[float]]:
    """Ask the same new words of other engines, in turn, each of an index of the same passages."""
    from bench.corpora import real
    from bench.others import ENGINES

    chosen = ["this engine", *(["tantivy"] if find_spec("tantivy") else []), "FTS5"]
    rows = list(real(vault))
    opened = {}
    for name in chosen:
        engine = ENGINES[name](work / f"{vault.name}.beside" / name.replace(" ", "-"))
        if not engine.folder.exists():
            engine.build(rows)
        engine.open()
        engine.search(["warm"])
        opened[name] = engine
    times: dict[str, list[float]] = {name: [] for name in chosen}
    for parameters in asked_of(vault)["`fast`, new words"]:
        for name, engine in opened.items():
            before = time.process_time()
            engine.search(parameters["query"].split())
            times[name].append((time.process_time() - before) * 1000)
    return {copy_name if name == "this engine" else name: shares(each) for name, each in times.items()}


VOCABULARY, FREQUENT, FALL = 1_000_000, 6_000, 1.6
"""Words that can be drawn; up to which rank a word's share falls as its rank rises, and the power by which it
falls from there on, as it does in large collections of texts."""
CHUNK_WORDS, NOTE_CHUNKS = 90, 4
QUESTIONS, SIX = 200, 6
RARE, COMMON = 0.0005, 0.02
"""In what share of the passages each word of a question stands."""


def made_notes(count: int, seed: int = 11) -> Iterator[tuple[NoteDoc, list[ChunkDoc]]]:
    """Make notes of so many passages together, of words drawn by Zipf's law."""
    rng = np.random.default_rng(seed)
    # The most frequent words are those of a language, by which it is known.
    words = [*sorted(stop_words(0)), *map(made_word, range(VOCABULARY))][:VOCABULARY]
    ranks = np.arange(VOCABULARY) + 2.7
    shares = np.cumsum(np.where(ranks < FREQUENT, 1 / ranks, (ranks / FREQUENT) ** -FALL / FREQUENT))
    for number, start in enumerate(range(0, count, NOTE_CHUNKS)):
        chunks = []
        for at in range(min(NOTE_CHUNKS, count - start)):
            size = int(rng.integers(CHUNK_WORDS // 3, CHUNK_WORDS * 5 // 3))
            drawn = shares.searchsorted(rng.random(size) * shares[-1])
            body = " ".join(map(words.__getitem__, drawn.tolist()))
            heading = " ".join(body.split(" ", 4)[:4])
            chunks.append(ChunkDoc(body, heading, heading, "", at, at, 0, b""))
        text = "\n".join(chunk.body for chunk in chunks)
        yield NoteDoc(f"folder{number % 500}/{number}.md", (), len(text), 0, 0, 0, b"", (), text), chunks


def made_word(number: int) -> str:
    """Return the word of a number, the shorter the lower it is; of two syllables at least."""
    word, number = "", number + len(_CONSONANTS) * len(_VOWELS)
    while number >= 0:
        number, which = divmod(number, len(_CONSONANTS) * len(_VOWELS))
        word += _CONSONANTS[which // len(_VOWELS)] + _VOWELS[which % len(_VOWELS)]
        number -= 1
    return word


def build_large(folder: Path, count: int) -> dict[str, float]:
    """Build the index of so many passages; CPU seconds without those that made them, most memory in MB."""
    before = time.process_time()
    for _ in made_notes(count):
        pass
    made, before = time.process_time() - before, time.process_time()
    size = 0
    with LexicalIndex(folder).writer() as writer:
        for at, (note, chunks) in enumerate(made_notes(count), 1):
            size += note.size
            writer.replace(note, chunks)
            if at % 5000 == 0:
                writer.commit(more=True)
        # The last commit of an update joins what has grown together; it would do nothing without a change.
        writer.set_vault(b"all")
        writer.commit()
    return {
        "built, s": time.process_time() - before - made,
        "most memory, MB": peak_mb(),
        "text, MB": size / 1e6,
        "times the text": sum(file.stat().st_size for file in folder.iterdir()) / size,
    }


def draw_questions(folder: Path) -> list[str]:
    """Draw questions from the passages, no word twice."""
    snapshot, rng = LexicalIndex(folder).snapshot(), random.Random(5)
    passages, seen, found = np.flatnonzero(snapshot.chunks), set[str](), list[str]()
    while len(found) < QUESTIONS:
        words = sorted(set(snapshot.text(int(rng.choice(passages))).split()) - seen)
        least, most = RARE * len(passages), COMMON * len(passages)
        words = [word for word in words if least <= snapshot.frequency(word) <= most]
        if len(words) >= SIX:
            found.append(" ".join(rng.sample(words, SIX)))
            seen.update(found[-1].split())
    return found


def ask_large(folder: Path, questions: Sequence[str]) -> dict[str, float]:
    """Open the index and ask; milliseconds of CPU, of the opening also as a clock tells them."""
    cpu, wall = time.process_time(), time.perf_counter()
    index = LexicalIndex(folder)
    snapshot = index.snapshot()
    figures = {
        "opened, ms of CPU": (time.process_time() - cpu) * 1000,
        "opened, ms": (time.perf_counter() - wall) * 1000,
    }
    times = []
    for question in questions:
        before = time.process_time()
        snapshot.rank(question, None, 10)
        times.append((time.process_time() - before) * 1000)
    # The first has the lengths of all passages to read as well.
    p50, p95, most, mean = shares(times[1:])
    figures |= {
        "first question, ms": times[0],
        "p50, ms": p50,
        "p95, ms": p95,
        "mean, ms": mean,
        "most, ms": most,
    }
    return {**figures, "most memory, MB": peak_mb()}


def large(work: Path, count: int) -> None:
    """Print what an index of so many passages costs; each step has a process of its own."""
    folder = work / f"chunks-{count}"
    print(f"\n## {count} passages\n", flush=True)
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as process:
        if not folder.exists():
            print(process.submit(build_large, folder, count).result(), flush=True)
        questions = process.submit(draw_questions, folder).result()
        for _ in range(RUNS):
            print(process.submit(ask_large, folder, questions).result(), flush=True)


def cells(figures: Mapping[str, list[float]], first: str) -> str:
    """Write one row's figures, each but the first with how many times the first it is."""

    def cell(name: str, values: list[float]) -> str:
        texts = " / ".join(f"{value:.3g}" if value < 100 else f"{value:.0f}" for value in values)
        if name == first or not figures.get(first):
            return f"{name} {texts}"
        times = " / ".join(
            f"{value / own:.2f}" for value, own in zip(values, figures[first], strict=False) if own
        )
        return f"{name} {texts} ({times}x)"

    return "; ".join(cell(name, values) for name, values in figures.items())


def main() -> None:
    """Print the figures of each size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path, nargs="?", default=ROOT / "examples" / "vault")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--notes", type=int, nargs="+", default=[6600])
    parser.add_argument("--code", type=Path, nargs="+", default=[ROOT])
    parser.add_argument("--chunks", type=int, help="passages of words drawn by Zipf's law, instead of notes")
    parser.add_argument("--rows", nargs="+", default=[""], help="only rows whose name has one of these texts")
    options = parser.parse_args()
    work = options.work.resolve()
    if options.chunks:
        large(work, options.chunks)
        return
    table: dict[int, Table] = {}

    def wanted(row: str) -> bool:
        return any(text in row for text in options.rows)

    for count in options.notes:
        vault = work / f"{options.source.resolve().parent.name}-{count}"
        size = grow(options.source, vault, count)
        print(f"\n## {count} notes, {size / 1e6:.1f} MB\n", flush=True)
        copies = [
            Copy(root.resolve().name, root.resolve(), vault, work / f"{vault.name}.{root.resolve().name}")
            for root in options.code
        ]
        table[count] = {}
        first = copies[0].name

        def say(row: str, figures: dict[str, list[float]], differ: int = 0) -> None:
            table[count][row] = figures  # noqa: B023 - called in this round alone
            more = f"; {differ} differ" if differ else ""
            print(f"- {row}: {cells(figures, first)}{more}", flush=True)  # noqa: B023 - as above

        for row, figures in cold(copies, wanted):
            say(row, figures)
        for row, figures, differ in warm(copies, wanted):
            say(row, figures, differ)
        if wanted("beside"):
            say("beside: new words in the index alone", beside(vault, work, first))
    if len(options.notes) > 1:
        least, most = min(table), max(table)
        print(f"\n## Growth from {least} to {most} notes, {most / least:.2f} times as many\n")
        for row in table[least].keys() & table[most].keys():
            grown = {
                name: [
                    large / small
                    for small, large in zip(table[least][row][name], values, strict=True)
                    if small
                ]
                for name, values in table[most][row].items()
            }
            print(
                f"- {row}: "
                + "; ".join(f"{name} " + " / ".join(f"{x:.2f}" for x in each) for name, each in grown.items())
            )


if __name__ == "__main__":
    main()
