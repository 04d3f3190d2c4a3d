"""The operations of the matrix: what was done before, and the one command that is disturbed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.tests.notes.matrix.world import World

Arguments = tuple[str, ...]


def _note(operation: str, path: str, *more: str) -> Arguments:
    return ("note", operation, path, *more)


WRITES: Mapping[str, Arguments] = {
    "create": _note("create", "Work/New", "--content", "New."),
    "create in new folders": _note("create", "Far/Away/New", "--content", "New."),
    "create overwrite": _note("create", "Garden", "--content", "Bare.", "--overwrite"),
    "update": _note("update", "Garden", "--content", "Bare."),
    "update a section": _note("update", "Garden", "--heading", "Beds", "--content", "Peas."),
    "append": _note("append", "Garden", "--content", "And peas."),
    "move": _note("move", "Garden", "--new-path", "Far/Away/Park"),
    "rename": _note("move", "Garden", "--new-path", "Park"),
    "delete to .trash": _note("delete", "Garden"),
    "delete for good": _note("delete", "Work/Plan", "--permanent"),
    "delete to the system's trash": _note("delete", "Garden"),
}
TURN: tuple[Mapping[str, object], ...] = (
    {"operation": "create", "path": "Far/New", "content": "New."},
    {"operation": "append", "path": "Garden", "content": "And peas."},
    {"operation": "move", "path": "Garden", "new_path": "Far/Park"},
    {"operation": "delete", "path": "Other"},
)
UNDO: Arguments = ("note", "undo")
UNDO_TURN: Arguments = ("note", "undo", "--turn")
# A write killed before the given call of that name on a path that holds the given text.
CUT_SHORT = {
    "recover a move": ("move", "renameat2", "/vault/", 1),
    "recover a rename": ("rename", "renameat2", "/vault/", 2),
    "recover an update": ("update", "unlinkat", "/vault/", 0),
    "recover a delete": ("delete to .trash", "mkdirat", "/vault/.trash", 0),
}


@dataclass(frozen=True, slots=True)
class Disturbed:
    """One operation of the matrix."""

    name: str
    arguments: Arguments
    before: tuple[Arguments, ...] = ()
    """Commands that were run to their end before."""
    turn: tuple[Mapping[str, object], ...] = ()
    """Writes of one turn that were done before."""
    cut_short: tuple[Arguments, str, str, int] | None = None
    """A write before that was killed: its arguments, and where."""
    undo: Arguments = field(default=UNDO)
    """How the write is taken back, or where it is an undo itself, tried again."""

    @property
    def takes_back(self) -> bool:
        """Whether the operation is an undo."""
        return self.arguments[1:2] == ("undo",)

    def prepare(self, world: World) -> None:
        """Put up the vault as it is before the operation, its index up to date."""
        world.make("system" if "system" in self.name else "local")
        for arguments in self.before:
            assert world.run(*arguments).code == 0, arguments
        if self.turn:
            _turn(world, self.turn)
        world.run("find", "fast", "constant")
        if self.cut_short is not None:
            _cut_short(world, *self.cut_short)


def _turn(world: World, steps: tuple[Mapping[str, object], ...]) -> None:
    from app.bootstrap import open_vault
    from app.notes.answer import operate

    vault = open_vault(str(world.vault))
    for step in steps:
        answer = operate(vault, step, trace_id="one-turn")
        assert answer.startswith("Done: "), answer


def _cut_short(world: World, arguments: Arguments, name: str, part: str, passed: int) -> None:
    watched = world.watched(*arguments)
    while (call := watched.next_call()) is not None:
        if call.name == name and part in call.path:
            if passed == 0:
                assert watched.kill().code is None
                return
            passed -= 1
        watched.through()
    raise AssertionError(f"{arguments} has no such call: {name} {part}")


OPERATIONS: Mapping[str, Disturbed] = {
    operation.name: operation
    for operation in (
        *(Disturbed(name, arguments) for name, arguments in WRITES.items()),
        *(Disturbed(f"undo: {name}", UNDO, before=(arguments,)) for name, arguments in WRITES.items()),
        Disturbed("undo: a turn", UNDO_TURN, turn=TURN, undo=UNDO_TURN),
        *(
            Disturbed(name, ("status",), cut_short=(WRITES[write], call, part, passed))
            for name, (write, call, part, passed) in CUT_SHORT.items()
        ),
    )
}
