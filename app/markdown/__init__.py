"""Read what Obsidian reads in a note: properties, links, tags, headings, tasks and blocks."""

from app.markdown.models import Heading, Link, NamedBlock, ParsedNote, Task
from app.markdown.parse import extract_title, extract_wikilinks, parse_note

__all__ = [
    "Heading",
    "Link",
    "NamedBlock",
    "ParsedNote",
    "Task",
    "extract_title",
    "extract_wikilinks",
    "parse_note",
]
