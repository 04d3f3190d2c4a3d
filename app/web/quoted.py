"""A line of a note that is shown beside others, as a reader sees it."""

from app.markdown.plain import read_line
from app.search.excerpt import clip

LINE_CHARS = 240


def quoted_line(line: str, at: int) -> str:
    """Return what a line says, cut to `LINE_CHARS` around what stands at ``at`` of it as written."""
    return clip(read_line(line).text, len(read_line(line[:at]).text), LINE_CHARS)
