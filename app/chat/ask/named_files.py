"""What the search agent answers with: an overview, and the notes it names."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

MOST_FILES = 50
"""Notes of one answer that are looked at."""


def _as_text(value: Any) -> Any:  # noqa: ANN401 - what a model wrote, before it is checked
    """Take a range in any form models give it: 9, [9, 14], ["1-45", "60-80"], {"start": 9, "end": 14}."""
    match value:
        case int():
            return str(value)
        case [int() as first, int() as last]:
            return f"{first}-{last}"
        case [*parts]:
            return ", ".join(str(_as_text(part)) for part in parts)
        case {"start": first, "end": last}:
            return f"{first}-{last}"
    return value


class NamedFile(BaseModel):
    """A note to show, whole or some lines of it."""

    path: str = Field(description='The note as the tools name it, such as "projects/apollo/state.md".')
    lines: Annotated[str | None, BeforeValidator(_as_text)] = Field(
        default=None,
        description='The lines that matter, such as "1-45" or "1-45, 120-160"; null for a note to be shown '
        "whole, as suits a short one.",
    )


class SearchAnswer(BaseModel):
    """What was found: where it stands and why it matters, then the notes themselves."""

    overview: str = Field(
        description="Two to five lines: what was found, in which notes, and why it matters for the "
        "question. An orientation, not a synthesis."
    )
    files: list[NamedFile] = Field(
        default_factory=list, description="The notes to show below the overview, the most relevant first."
    )
