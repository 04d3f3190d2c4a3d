"""The words and the vectors of an index, written and read, disturbed at every system call that touches them.

    python -m app.tests.search.index.matrix [--only TEXT] [--sample N] [--jobs N]

A command is killed before a call, or the call fails, once or from there on. The command then ends with an answer
or one sentence. The index is the old commit, the new one, or begun anew; the next search finds what the vault holds,
and the next update leaves no file that no list names. It forks, which a process with threads must not.
"""

import argparse
import contextlib
import errno
import gc
import hashlib
import io
import json
import multiprocessing
import os
import random
import secrets
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from app.config.settings import ENV_PREFIX
from app.search.embedding.embedder import Encoded, Spans
from app.search.searcher import _searchers, searcher_for
from app.search.vectors import build, store, vectors
from app.search.vectors.store import read_list, read_shards
from app.tests.notes.matrix.calls import Call
from app.tests.notes.matrix.watched import Outcome, Watched, why_not
from app.vault.client import VaultClient

NOT_RUN = 77
KILLED = "killed"
LASTING = {"ENOSPC from there on": errno.ENOSPC, "EIO from there on": errno.EIO}
ASKED = ("boat", "zephyr")
MADE = "---\ncreated: 2020-01-01\n---\n"
NOTES = {
    f"{word}.md": f"{MADE}# {word}\n\nA {word} and [[boat]].\n\n# More\n\nThe {word} again.\n"
    for word in ("boat", "bread", "lamp")
}
Files = Mapping[str, str | None]
Answers = dict[str, list[str]]


class Letters:
    """A model whose vectors count letters: no library, no thread."""

    fingerprint, dimension, max_pieces = "letters", 16, 100
    words_weight, has_small_tokens, is_fastest = 0.55, True, True

    def spans(self, texts: Sequence[str]) -> list[Spans]:
        return [[(at, at + 1) for at in range(len(text))] for text in texts]

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        return [self.encode_query(text) for text in texts]

    def encode_query(self, text: str) -> Encoded:
        counts = np.bincount([ord(letter) % 16 for letter in text] or [0], minlength=16)
        vector = (counts / np.linalg.norm(counts)).astype(np.float32)
        return Encoded(vector, np.stack([vector] * 3))


class Operation(NamedTuple):
    """A command, and what became of the vault since the index was last brought up to date."""

    arguments: tuple[str, ...]
    changes: Files
    is_built: bool = True


EDITED: Files = {
    "boat.md": f"{MADE}# boat\n\nA zephyr.\n",
    "bread.md": None,
    "new/zephyr.md": f"{MADE}Another zephyr.\n",
}
PRIVATE: Files = {".obsidian/app.json": '{"userIgnoreFilters": ["lamp.md"]}'}
OPERATIONS = {
    "the first index": Operation(("index",), {}, is_built=False),
    "an edit, a deletion, a new note": Operation(("index",), EDITED),
    "a note becomes private": Operation(("index",), PRIVATE),
    "a rebuild": Operation(("index", "--rebuild"), EDITED),
    "a search that catches up": Operation(("find", "deep", "boat"), EDITED),
    "a search where nothing changed": Operation(("find", "deep", "boat"), {}),
}


class World:
    """A vault and its index in one folder, put up again for each case."""

    def __init__(self, base: Path) -> None:
        self.base, self.here = base, base / "here"
        self.vault, self.cache = self.here / "vault", self.here / "cache"
        index = {"indexes": {"notes": {"embedding_model": "letters"}}}
        os.environ |= {
            "HOME": str(base / "home"),
            ENV_PREFIX + "CACHE_DIR": str(self.cache),
            ENV_PREFIX + "STATE_DIR": str(base / "state"),
            ENV_PREFIX + "INDEX": json.dumps(index),
        }
        vars(vectors).update(
            embedder_of=lambda *_, **__: Letters(),
            export_apart=lambda *_: None,
            languages_of=lambda _: frozenset(),
        )
        # Of few passages there are several shards, and some of them are merged.
        build.BATCH_CHUNKS, store.MOST_SHARDS, store.LEAST_DEAD = 2, 2, 0

    def put(self, files: Files) -> None:
        """Write or delete files of the vault, of a time that is past."""
        for path, text in files.items():
            file = self.vault / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                file.unlink()
                continue
            file.write_text(text)
            os.utime(file, (1_700_000_000 + len(text), 1_700_000_000))

    def prepare(self, operation: Operation) -> tuple["Seen", "Seen"]:
        """Put up what stands before an operation; return what is seen before it and after it."""
        shutil.rmtree(self.here, ignore_errors=True)
        self.put(NOTES)
        if operation.is_built:
            assert self.run("index").code == 0
        self.put(operation.changes)
        shutil.copytree(self.here, self.base / "kept", dirs_exist_ok=True)
        before = self.seen()
        assert self.run(*operation.arguments).code == 0
        return before, self.seen()

    def restore(self) -> None:
        shutil.rmtree(self.here)
        shutil.copytree(self.base / "kept", self.here)

    def run(self, *arguments: str) -> Outcome:
        """Run a command in a process of its own."""
        return self.begun(arguments).finish()

    def seen(self) -> "Seen":
        outcome = Watched((), (self.cache,), partial(look, self.vault)).finish()
        assert outcome.code == 0, outcome.err
        return Seen(*json.loads(outcome.out))

    def state(self) -> bytes:
        """Name the files of the index, with all they hold."""
        digest = hashlib.sha256()
        for file in sorted(self.cache.rglob("*")):
            digest.update(str(file).encode() + b"\0" + (file.read_bytes() if file.is_file() else b""))
        return digest.digest()

    def begun(self, arguments: Sequence[str]) -> Watched:
        """Begin a command, which stops at each call that touches the index."""
        files = sum(1 for _ in self.here.rglob("*"))
        return Watched(arguments, (self.cache,), partial(command, self.vault, files))


class Seen(NamedTuple):
    """The last commit, what it says besides, and the answers of a search that catches up."""

    notes: list[list[str]]
    notices: list[str]
    answers: Answers
    files: list[str]


def command(vault: Path, files: int, arguments: list[str]) -> int:
    from app.cli.main import main

    _searchers.clear()
    # Of the same state comes the same, byte by byte; what was begun before has other names.
    numbers = (hashlib.sha256(b"%d %d" % (files, number)).hexdigest() for number in count())
    vars(secrets)["token_hex"] = lambda size=8: next(numbers)[: 2 * size]
    try:
        return main([*arguments, "--vault", str(vault)])
    except BaseException:  # noqa: BLE001 - a person would see it
        traceback.print_exc()
        return -1


def look(vault: Path, _: list[str]) -> int:
    """Print what is seen of the index: the last commit first, and then what a search and an update make of it."""
    _searchers.clear()
    searcher: Any = searcher_for(VaultClient(vault))
    snapshot = searcher.view().snapshot
    notes = sorted([path, snapshot.note(doc).hash] for path, doc in snapshot.lexical.paths().items())
    said = [str(notice) for notice in searcher.engine.store.notices]
    answers: Answers = {}
    from app.search.request import parse_request

    for word in ASKED:
        for mode in ("fast", "deep"):
            results = searcher.search(parse_request({"operation": mode, "query": word}))
            answers[f"{mode} {word}"] = [f"{hit.path} {hit.score:.3f}" for hit in results.results]
            said += map(str, results.notices)
    # The next that writes leaves nothing of those before.
    (vault / "last.md").write_text("A last note.\n")
    searcher.update()
    searcher.embed(compact=True)
    (vault / "last.md").unlink()
    folder = searcher.folder
    [vectors_folder] = [one for one in (folder / "vectors").iterdir() if one.is_dir()]
    model = read_list(vectors_folder)
    assert model is not None
    assert read_shards(vectors_folder, model.model)[1].keys() == model.shards.keys()
    listed = {f"{name}{end}" for name in model.shards for end in (".npy", ".tokens.npy")}
    listed |= {f"_MAIN_{searcher.view().lexical.generation}.toc", "MAIN_WRITELOCK"}
    segments = sum(file.suffix == ".seg" for file in (folder / "lexical").iterdir())
    assert segments == len(searcher.view().lexical._parts)
    others = {"shards.json", "write.lock", "update.lock", "model.json"}
    files = [one.name for one in folder.rglob("*") if one.is_file() and one.suffix != ".seg"]
    print(json.dumps([notes, said, answers, sorted(set(files) - listed - others)]))
    return 0


def cases_of(calls: Sequence[Call]) -> list[tuple[int, str]]:
    """Make up what may befall each call of an undisturbed run."""
    found: list[tuple[int, str]] = []
    for at, call in enumerate(calls):
        found.append((at, "EIO"))
        if call.changes:
            found += [(at, KILLED), (at, "ENOSPC"), *((at, fault) for fault in LASTING)]
    return found


def disturb(watched: Watched, at: int, fault: str) -> tuple[Call, Outcome]:
    """Let a command go on up to a call, and have that one be the last, or fail."""
    for _ in range(at):
        assert watched.next_call() is not None
        watched.through()
    call = first = watched.next_call()
    assert first is not None
    if fault == KILLED:
        return first, watched.kill()
    watched.through(LASTING.get(fault) or getattr(errno, fault), closing=first.name == "close")
    while fault in LASTING and (call := watched.next_call()) is not None:
        fails = call.allocates() if "ENOSPC" in fault else call.changes
        watched.through(LASTING[fault] if fails else None, closing=call.name == "close")
    return first, watched.finish()


def judged(outcome: Outcome, before: Seen, seen: Seen, after: Seen) -> str:
    """Name what a disturbed command left; raise where it is none of what may be."""
    said = outcome.out + outcome.err
    assert "Traceback" not in said, said
    assert outcome.code in (None, 0, 1, 2), outcome
    assert "unexpected failure" not in said, said
    assert seen.answers == after.answers, (seen.answers, after.answers)
    assert seen.files == [], seen.files
    if any("was rebuilt" in notice for notice in seen.notices):
        return "rebuilt, and said"
    if seen.notes == after.notes:
        return "the new commit"
    if seen.notes == before.notes:
        return "the old commit"
    assert seen.notes == [], seen.notes
    return "begun anew"


def one(name: str, sample: int | None, base: Path) -> tuple[str, int, Counter[str], Counter[str], list[str]]:
    """Run the cases of one operation; return how many calls there are, the outcomes, and what was wrong."""
    operation, world = OPERATIONS[name], World(Path(tempfile.mkdtemp(dir=base)))
    with (
        contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        # What a command imports is imported here, for all of its processes.
        world.vault = world.base / "warm"
        world.put(NOTES)
        for arguments in (["index"], ["find", "deep", "boat"]):
            command(world.vault, 0, arguments)
        look(world.vault, [])
        world.vault = world.here / "vault"
    gc.collect()
    gc.freeze()
    before, after = world.prepare(operation)
    assert (before.answers, before.files) == (after.answers, [])
    world.restore()
    watched = world.begun(operation.arguments)
    calls: list[Call] = []
    while (call := watched.next_call()) is not None:
        calls.append(call)
        watched.through()
    assert watched.finish().code == 0
    cases = cases_of(calls)
    if sample is not None:
        cases = random.Random(name).sample(cases, min(sample, len(cases)))
    faults, outcomes, wrong = Counter[str](), Counter[str](), list[str]()
    known: dict[bytes, Seen] = {}
    for at, fault in cases:
        world.restore()
        faults[fault] += 1
        begun = world.begun(operation.arguments)
        place: object = at
        try:
            place, outcome = disturb(begun, at, fault)
            state = world.state()
            if state not in known:
                known[state] = world.seen()
            outcomes[judged(outcome, before, known[state], after)] += 1
            outcomes["said in one sentence"] += outcome.code == 2
        except AssertionError as error:
            wrong.append(f"{name}, {fault} at call {at}, {place}: {str(error)[:2000]}")
            print(wrong[-1], file=sys.stderr, flush=True)
    outcomes["different states"] = len(known)
    return name, len(calls), faults, outcomes, wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m app.tests.search.index.matrix")
    parser.add_argument("--only", default="", help="operations whose name holds this text")
    parser.add_argument("--sample", type=int, help="so many cases of each operation")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    if reason := why_not():
        print(reason)
        return NOT_RUN
    memory, begun = Path("/dev/shm"), time.monotonic()
    base = Path(tempfile.mkdtemp(prefix="index-matrix-", dir=memory if memory.is_dir() else None))
    names = [name for name in OPERATIONS if asked.only in name]
    reports = []
    try:
        with multiprocessing.get_context("fork").Pool(asked.jobs, maxtasksperchild=1) as pool:
            run = partial(one, sample=asked.sample, base=base)
            for report in pool.imap_unordered(run, names):
                reports.append(report)
                name, calls, faults, outcomes, wrong = report
                print(f"{name}: {calls} calls, {dict(faults)}, {dict(outcomes)}, {len(wrong)} wrong")
    finally:
        shutil.rmtree(base, ignore_errors=True)
    cases = sum(sum(faults.values()) for _, _, faults, _, _ in reports)
    wrong = [line for report in reports for line in report[-1]]
    print(f"{cases} cases in {time.monotonic() - begun:.0f} s, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
