"""Two processes that write to the same notes as fast as they can, and a count of what became of each write."""

import json
import os
import random
import re
import time
from pathlib import Path

from app.tests.notes.matrix.world import HIDDEN, World
from app.tests.notes.together.machine import folder

NOTES = ("A", "B", "Sub/C")
MARK = re.compile(r"mark-\d-\d+-")
COUNTER = re.compile(r"count: (\d+)")


def run_writers(seconds: float) -> int:
    """Let two processes write, then look for each write that was answered with "Done".

    Three kinds of write: an append of a mark; a count in a note of its own, read and written back on the
    condition that nobody wrote meanwhile; a move to another name and back. Afterwards every mark stands
    exactly once, each count was taken exactly once, and the links lead to where the notes are.
    """
    with folder() as base:
        world = World(base)
        world.warm_up()
        world.make("local")
        for note in NOTES:
            file = world.vault / f"{note}.md"
            file.parent.mkdir(exist_ok=True)
            file.write_text("See [[A]], [[B]] and [[C]].\n")
        (world.vault / "Count.md").write_text("count: 0\n")
        until = time.monotonic() + seconds
        started = [_start(world, number, until) for number in range(2)]
        tallies = [_collect(*process) for process in started]
        return _judge(world, tallies, seconds)


def _start(world: World, number: int, until: float) -> tuple[int, int]:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(reading)
            with os.fdopen(writing, "w") as file:
                json.dump(_write(world, number, until), file)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    return pid, reading


def _collect(pid: int, reading: int) -> dict[str, list[str]]:
    with os.fdopen(reading) as file:
        data = file.read()
    _, status = os.waitpid(pid, 0)
    assert status == 0, "a writer failed; its traceback is above"
    tally: dict[str, list[str]] = json.loads(data)
    return tally


def _write(world: World, number: int, until: float) -> dict[str, list[str]]:
    from app.bootstrap import open_vault
    from app.notes.answer import operate

    vault = open_vault(str(world.vault))
    chance = random.Random(number)
    tally: dict[str, list[str]] = {"append": [], "count": [], "move": [], "refused": []}
    turn = 0
    while time.monotonic() < until:
        turn += 1
        kind = chance.choice(("append", "append", "count", "count", "move"))
        note = chance.choice(NOTES)
        if kind == "append":
            said = f"mark-{number}-{turn}-"
            answer = operate(vault, {"operation": "append", "path": note, "content": said})
        elif kind == "count":
            read = vault.read("Count.md")
            said = str(int(COUNTER.findall(read.text)[0]) + 1)
            content = {"operation": "update", "path": "Count", "content": f"count: {said}\n"}
            answer = operate(vault, {**content, "expected_hash": read.hash})
        else:
            moved = f"{note} moved"
            there = vault.exists(f"{moved}.md")
            said = f"{note} {there}"
            old, new = (moved, note) if there else (note, moved)
            answer = operate(vault, {"operation": "move", "path": old, "new_path": new})
        assert answer.startswith(("Done: ", "Error: ")), answer
        tally[kind if answer.startswith("Done: ") else "refused"].append(said if answer[0] == "D" else answer)
    return tally


def _judge(world: World, tallies: list[dict[str, list[str]]], seconds: float) -> int:
    assert world.run("status").code == 0
    notes = {path.relative_to(world.vault).as_posix(): path.read_text() for path in world.vault.rglob("*.md")}
    wrong: list[str] = []
    standing = sorted(mark for text in notes.values() for mark in MARK.findall(text))
    promised = sorted(mark for tally in tallies for mark in tally["append"])
    if standing != promised:
        wrong.append(f"lost {set(promised) - set(standing)}, beyond {set(standing) - set(promised)}")
    counts = sorted(int(count) for tally in tallies for count in tally["count"])
    last = int(COUNTER.findall(notes["Count.md"])[0])
    if counts != list(range(1, last + 1)):
        wrong.append(f"counts were lost or taken twice: {len(counts)} answered, {last} in the note")
    names = {Path(path).stem for path in notes}
    for path, text in notes.items():
        for target in re.findall(r"\[\[([^]|]+)", text):
            if target.rpartition("/")[2] not in names and path in _ours():
                wrong.append(f"{path} links to '{target}', which is not there")
    wrong += [f"litter: {path}" for path in world.here.rglob(f"{HIDDEN}*")]
    errors = sorted({re.sub(r"[0-9a-f]{32}|'[^']*'", "…", error) for t in tallies for error in t["refused"]})
    for kind in ("append", "count", "move", "refused"):
        print(f"| {kind} | {sum(len(tally[kind]) for tally in tallies)} |")
    for error in errors:
        print(f"refused: {error}")
    print(f"two writers for {seconds:.0f} s, {len(wrong)} violations")
    for line in wrong:
        print(f"- {line}")
    return 1 if wrong else 0


def _ours() -> set[str]:
    return {f"{note}{end}.md" for note in NOTES for end in ("", " moved")}
