"""Operations on notes as a command of the tests: ``note OPERATION PATH --content TEXT --vault FOLDER``."""

import argparse
from collections.abc import Sequence
from typing import Any

from app.bootstrap import new_trace_id, open_vault
from app.cli.main import ended
from app.cli.main import main as run
from app.notes.answer import NoteCall
from app.notes.gate import Gate
from app.showing import Told


def main(arguments: Sequence[str]) -> int:
    """Run one of these operations, or else a command of the program, and return its exit code."""
    return ended(lambda: _note(arguments[1:])) if arguments[0] == "note" else run(arguments)


def _note(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("operation")
    parser.add_argument("path", nargs="?")
    for name in ("--content", "--heading", "--new-path", "--vault"):
        parser.add_argument(name)
    for name in ("--overwrite", "--permanent", "--turn"):
        parser.add_argument(name, action="store_true")
    given: dict[str, Any] = vars(parser.parse_args(arguments))
    vault = open_vault(given.pop("vault"))
    if given.pop("turn"):
        given["content"] = "turn"
    gate = Gate("allow", by_agent=False, can_ask=True)
    parameters = {name: value for name, value in given.items() if value not in (None, False)}
    step = NoteCall(vault, parameters, gate, trace_id=new_trace_id()).begin()
    assert isinstance(step, Told)
    print(step)
    return 0
