"""Two processes of ours, an editor of each habit, a sync program and `kill -9`, in any order that hypothesis finds.

A process of ours is stopped before any of its system calls, others act meanwhile, and then it goes on or dies.
Every save adds a line that nobody else writes. At the end, and whenever nothing is under way, each line that was
saved must be somewhere: in a note, a conflict copy, the trash or the journal.

No rule has a precondition, and none draws but in its head: how far a process got, and so what is on the disk, differs
from run to run, and hypothesis takes a choice that depends on it for a mistake. A rule that finds nothing to do does
nothing, and is not counted as a step.
"""

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from app.tests.notes.matrix.watched import Outcome, Watched
from app.tests.notes.matrix.world import HIDDEN, World

NOTES = ("A.md", "B.md", "Sub/C.md")
OURS = st.sampled_from(("first", "second"))
NOTE = st.sampled_from(NOTES)
CALLS = st.integers(0, 130)
LINE = re.compile(r"line \d+ ends\.")


class Together(RuleBasedStateMachine):
    """The programs, and the lines they have saved."""

    base: ClassVar[Path]
    steps: ClassVar[int] = 0
    kinds: ClassVar[dict[str, int]] = {}
    world: ClassVar[World]

    def __init__(self) -> None:
        super().__init__()
        self.under_way: dict[str, tuple[Watched, str | None]] = {}
        """Processes of ours that are stopped, each with the line that it saves."""
        self.saved: set[str] = set()
        self.halves: set[str] = set()
        self.saving: dict[str, tuple[int, bytes, str]] = {}
        """Notes that an editor has open: descriptor, the rest that it will write, and the line it saves."""
        self.number = 0

    @initialize()
    def vault(self) -> None:
        self.world.restore("start")

    def count(self, kind: str) -> None:
        Together.steps += 1
        Together.kinds[kind] = Together.kinds.get(kind, 0) + 1

    def line(self) -> str:
        self.number += 1
        return f"line {self.number} ends."

    # Processes of ours.

    @rule(who=OURS, note=NOTE, what=st.sampled_from(("append", "update", "section", "create")), calls=CALLS)
    def write(self, who: str, note: str, what: str, calls: int) -> None:
        line = self.line()
        arguments = {
            "append": ("append", note, "--content", line),
            "update": ("update", note, "--content", f"# Head\n\n{line}\n"),
            "section": ("update", note, "--heading", "Head", "--content", f"# Head\n\n{line}\n"),
            "create": ("create", note, "--content", f"# Head\n\n{line}\n", "--overwrite"),
        }[what]
        self.start(who, what, arguments, calls, line)

    @rule(who=OURS, note=NOTE, other=st.sampled_from((*NOTES, "D.md", "New/E.md")), calls=CALLS)
    def move(self, who: str, note: str, other: str, calls: int) -> None:
        self.start(who, "move", ("move", note, "--new-path", other), calls * 4)

    @rule(who=OURS, note=NOTE, permanent=st.booleans(), calls=CALLS)
    def delete(self, who: str, note: str, permanent: bool, calls: int) -> None:
        self.start(who, "delete", ("delete", note, *(["--permanent"] * permanent)), calls * 2)

    @rule(who=OURS, calls=CALLS)
    def undo(self, who: str, calls: int) -> None:
        self.start(who, "undo", ("undo",), calls * 2)

    def start(
        self, who: str, kind: str, arguments: tuple[str, ...], calls: int, line: str | None = None
    ) -> None:
        if who in self.under_way:
            self.finish(who)
        self.count(kind)
        self.under_way[who] = (self.world.watched("note", *arguments), line)
        self.advance(who, calls)

    @rule(who=OURS, calls=CALLS)
    def go_on(self, who: str, calls: int) -> None:
        if who in self.under_way:
            self.count("go on")
            self.advance(who, calls)

    @rule(who=OURS)
    def finish(self, who: str) -> None:
        if who in self.under_way:
            self.count("go on to the end")
            self.end(who, self.under_way[who][0].finish())

    @rule(who=OURS)
    def kill(self, who: str) -> None:
        if who in self.under_way:
            self.count("kill -9")
            self.end(who, self.under_way[who][0].kill())

    def advance(self, who: str, calls: int) -> None:
        watched, _ = self.under_way[who]
        for _ in range(calls):
            if watched.next_call() is None:
                self.end(who, watched.finish())
                return
            watched.through()

    def end(self, who: str, outcome: Outcome) -> None:
        _, line = self.under_way.pop(who)
        assert "unexpected failure" not in outcome.err, outcome.err
        if outcome.code == 0 and line is not None:
            self.saved.add(line)

    @rule(arguments=st.sampled_from((("status",), ("note", "read", "A"), ("find", "fast", "ends"))))
    def ordinary(self, arguments: tuple[str, ...]) -> None:
        self.count("status, read or find")
        outcome = self.world.run(*arguments)
        assert "unexpected failure" not in outcome.err, outcome.err
        if not self.under_way and not self.saving:
            self.look()

    # Others.

    @rule(note=NOTE)
    def editor_in_place(self, note: str) -> None:
        if (text := self.read(note)) is not None:
            self.count("editor in place")
            self.path(note).write_bytes(text + self.new())

    @rule(note=NOTE)
    def editor_by_replacing(self, note: str) -> None:
        if (text := self.read(note)) is not None:
            self.count("editor by replacing")
            self.put(note, text + self.new())

    @rule(note=NOTE)
    def editor_by_appending(self, note: str) -> None:
        if self.read(note) is not None:
            self.count("editor by appending")
            with self.path(note).open("ab") as file:
                file.write(b"\n" + self.new())

    @rule(note=NOTE)
    def editor_begins_to_append(self, note: str) -> None:
        if self.read(note) is not None:
            self.count("editor holds open")
            line = self.line()
            descriptor = os.open(self.path(note), os.O_WRONLY | os.O_APPEND)
            # The text may end amid a line, where another editor was stopped half through it.
            self.saving[note] = (descriptor, f"\n{line}\n".encode(), line)

    @rule(note=NOTE)
    def editor_begins_in_place(self, note: str) -> None:
        if (text := self.read(note)) is not None:
            self.count("editor is half through")
            line = self.line()
            descriptor = os.open(self.path(note), os.O_WRONLY | os.O_TRUNC)
            data = text + f"{line}\n".encode()
            half = len(data) - len(line) // 2
            os.write(descriptor, data[:half])
            self.halves.add(data[:half].decode().splitlines()[-1])
            self.saving[note] = (descriptor, data[half:], line)

    @rule()
    def editor_ends(self) -> None:
        if self.saving:
            self.count("editor ends")
            note = min(self.saving)
            descriptor, rest, line = self.saving.pop(note)
            os.write(descriptor, rest)
            os.close(descriptor)
            self.saved.add(line)

    @rule(note=NOTE)
    def sync_replaces(self, note: str) -> None:
        if (text := self.read(note)) is not None:
            self.count("sync replaces")
            self.put(note, text + self.new())
            os.utime(self.path(note), (1_700_000_000, 1_700_000_000 + self.number))

    @rule(note=NOTE)
    def sync_makes_a_conflict_copy(self, note: str) -> None:
        if (text := self.read(note)) is not None:
            self.count("sync conflict copy")
            stem = note.removesuffix(".md")
            self.put(f"{stem}.sync-conflict-20250101-{self.number:06}-AB.md", text + self.new())

    def path(self, note: str) -> Path:
        return self.world.vault / note

    def read(self, note: str) -> bytes | None:
        """Read a note as another program does that is about to save it; None where it is not there or busy.

        Busy is a file that an editor has open, under this name or the one that the note had before it was moved:
        two others that overwrite each other's text are no concern of ours.
        """
        try:
            text, here = self.path(note).read_bytes(), self.path(note).stat()
        except FileNotFoundError:
            return None
        opened = [os.fstat(descriptor) for descriptor, _, _ in self.saving.values()]
        if note in self.saving or any(os.path.samestat(here, status) for status in opened):
            return None
        return text if text.endswith(b"\n") or not text else text + b"\n"

    def new(self) -> bytes:
        line = self.line()
        self.saved.add(line)
        return f"{line}\n".encode()

    def put(self, note: str, data: bytes) -> None:
        temporary = self.path(note).with_name(f".{self.number}.tmp")
        temporary.write_bytes(data)
        temporary.replace(self.path(note))

    # What must hold.

    def look(self) -> None:
        """Hold everything on the disk against what was saved; nothing is under way."""
        texts = [path.read_text() for path in self.world.here.rglob("*") if _holds_text(path)]
        found = {line for text in texts for line in LINE.findall(text)}
        assert found >= self.saved, f"lost: {sorted(self.saved - found)}"
        for path in self.world.vault.rglob("*.md"):
            for line in path.read_text().splitlines():
                whole = LINE.fullmatch(line) or not line or line.startswith(("# Head", "See "))
                assert whole or line in self.halves, f"{path.name} is torn: {line!r}"
        litter = [str(path) for path in self.world.here.rglob(f"{HIDDEN}*")]
        assert not litter, f"litter: {litter}"
        left = [path.name for path in self.world.state.glob("journal/*/open/*")]
        assert not left, f"the journal has writes open: {left}"

    def teardown(self) -> None:
        for who in list(self.under_way):
            self.end(who, self.under_way[who][0].kill())
        while self.saving:
            self.editor_ends()
        if self.world.here.exists():
            assert self.world.run("status").code == 0
            self.look()


def prepare(base: Path) -> None:
    """Make the vault that every run starts with, and import what a command imports."""
    world = World(base)
    world.warm_up()
    shutil.rmtree(world.here)
    (world.vault / "Sub").mkdir(parents=True)
    (world.vault / ".obsidian").mkdir()
    (world.vault / ".obsidian/app.json").write_text('{"trashOption": "local"}')
    for note in NOTES:
        (world.vault / note).write_text("# Head\n\nSee [[A]], [[B]] and [[C]].\n")
    world.run("find", "fast", "head")
    world.keep("start")
    Together.base, Together.world = base, world


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Make a folder, in memory where there is one for that."""
    memory = Path("/dev/shm")
    base = Path(tempfile.mkdtemp(prefix="together-", dir=memory if memory.is_dir() else None))
    try:
        yield base
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _holds_text(path: Path) -> bool:
    parts = path.parts
    return path.is_file() and "cache" not in parts and path.name != "writes.jsonl" and path.name != "lock"
