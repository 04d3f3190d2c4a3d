"""Read what Obsidian reads in a note: properties, links, tags, headings, tasks and blocks."""

from app.markdown.models import Block, Heading, Link, ParsedNote, Task
from app.markdown.parse import extract_title, extract_wikilinks, parse_note

__all__ = [
    "Block",
    "Heading",
    "Link",
    "ParsedNote",
    "Task",
    "extract_title",
    "extract_wikilinks",
    "parse_note",
]
