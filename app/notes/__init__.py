"""Notes: read, written, moved, thrown away, and taken back."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.notes.answer import operate
    from app.notes.tools import note_operations

__all__ = ["note_operations", "operate"]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    # The agent library takes a second to import, and only the tool needs it.
    if name == "note_operations":
        from app.notes.tools import note_operations

        return note_operations
    if name == "operate":
        from app.notes.answer import operate

        return operate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
