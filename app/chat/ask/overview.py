"""The overview above the notes: two to five lines, whatever a model wrote."""

import re

LEAST_LINES, MOST_LINES = 2, 5
MOST_CHARS = 2000
"""Most characters of an overview."""

_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}\Z")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?…])(?=\s)")


def lines_of(overview: str) -> list[str]:
    """Give the lines of an overview.

    Headings lose their signs and rules are left out: nothing in it may look like the end of the overview
    or the beginning of a file. One long line is taken as its sentences.
    """
    lines = [_HEADING.sub("", line).rstrip() for line in overview.splitlines()]
    lines = [line for line in lines if line.strip() and not _RULE.match(line)]
    if len(lines) != 1:
        return lines
    sentences = [part.strip() for part in _SENTENCE_END.split(lines[0]) if part.strip()]
    each = -(-len(sentences) // MOST_LINES)
    return [" ".join(sentences[at : at + each]) for at in range(0, len(sentences), each)]


def tidy(overview: str) -> tuple[str, bool]:
    """Bring an overview into at most five lines; and say whether something was cut."""
    lines = lines_of(overview)
    text = "\n".join(lines[:MOST_LINES])
    is_cut = len(lines) > MOST_LINES or len(text) > MOST_CHARS
    return (text if len(text) <= MOST_CHARS else text[: MOST_CHARS - 1] + "…"), is_cut
