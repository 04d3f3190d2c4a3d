"""From a note's text to what Obsidian reads in it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter

from app.markdown.inline import holds_anything, scan
from app.markdown.models import Heading, Link, NamedBlock, ParsedNote, Task
from app.markdown.outline import LineIndex, Outline, TextRun
from app.markdown.properties import (
    PropertyBlock,
    property_aliases,
    property_tags,
    read_properties,
    tag_places,
)
from app.markdown.structure import read_structure
from app.markdown.tags import unique_tags
from app.sentences import Sentence
from app.vault.attachments.kinds import APART, CANVAS, PLACE, ending_of, is_attachment_name

_BOX = re.compile(r"\[([^\[\]\n]\ufe0f?)\][ \t]+(\S.*)")
_WIKILINK = re.compile(r"\[\[([^\]|]++)(?:\|[^\]]++)?\]\]")
_START = attrgetter("start")
_TANGLED = Sentence("blocks nested beyond reason: read as plain text, without headings and tasks")


def parse_note(text: str, path: str = "") -> ParsedNote:
    """Read a note, or the text of a file that is none; whatever it holds, nothing is raised.

    Args:
        text: The note as decoded, with its own line ends; they do not matter to the answer.
        path: Its path, whose last part is the title.
    """
    if is_attachment_name(path):
        return parse_extracted(text, path)
    lines = ended_by_lf(text)
    index = LineIndex.of(text)
    head = read_properties(text, lines)
    body_line = index.line(head.body_start)
    outline, given_up = read_structure(lines, lines.count("\n", 0, head.body_start))
    links = list(_property_links(head, index))
    tags = list(property_tags(head.values))
    blocks = []
    runs = sorted(outline.found.runs, key=_START)
    for run in runs:
        if not holds_anything(run.text):
            continue
        found = scan(run.text, defines=run.kind == "paragraph")
        tags += (tag.name for tag in found.tags)
        if found.block_id and run.kind == "paragraph":
            name, place = found.block_id
            blocks.append(NamedBlock(name, index.line(run.start + place)))
        for link in sorted(found.links, key=lambda link: link.start):
            line, start, end = index.line(run.start + link.start), run.start + link.at, run.start + link.stop
            links.append(Link(*link.target, line, link.kind, link.embed, start, end))
    headings = tuple(
        Heading(level, text, _line(outline, index, line)) for level, text, line in outline.found.headings
    )
    return ParsedNote(
        title=_title(path),
        h1=next((heading.text for heading in headings if heading.level == 1 and heading.text), None),
        aliases=property_aliases(head.values),
        frontmatter=head.state,
        properties=head.values,
        tags=unique_tags(tags),
        headings=headings,
        tasks=tuple(_tasks(outline, index)),
        blocks=tuple(blocks),
        links=tuple(links),
        block_starts=tuple(sorted({_line(outline, index, line) for line in outline.found.starts})),
        body_line=body_line,
        problems=tuple(filter(None, (head.problem, _TANGLED if given_up else ""))),
    )


def parse_extracted(text: str, path: str) -> ParsedNote:
    """Read the text of a file that is no note: its places are headings, and the cards of a canvas Markdown.

    A file is shown by its name, since a page is no title of it.
    """
    ending = ending_of(path)
    named = _title(path)
    if ending == CANVAS:
        read = parse_note(text)
        return replace(read, title=named.removesuffix(f".{ending}"), h1=None, shown=named)
    lines = text.split("\n")
    marks = (len(line) - len(line.lstrip(PLACE)) for line in lines) if ending in APART else ()
    headings = tuple(
        Heading(min(level, 6), lines[at][level:].strip(), at + 1) for at, level in enumerate(marks) if level
    )
    return replace(
        parse_note(""),
        title=named[: -len(ending) - 1],
        headings=headings,
        block_starts=tuple(at for at, line in enumerate(lines, start=1) if line.strip()),
        shown=named,
    )


def running_text(text: str) -> list[TextRun]:
    """Return the paragraphs, headings and cells below a note's properties, in order.

    Their places are places in ``text``. Code, formulas and blocks of markup are none of them.
    """
    lines = ended_by_lf(text)
    outline, _ = read_structure(lines, lines.count("\n", 0, read_properties(text, lines).body_start))
    return sorted(outline.found.runs, key=_START)


def ended_by_lf(text: str) -> str:
    """Return a text whose lines all end by LF, as long as it was, so that places are the same in both."""
    lines = text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
    return " " + lines[1:] if lines.startswith("\ufeff") else lines


def written_tags(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return where tags stand in a note: those of running text with their ``#``, and values of properties."""
    running = [
        (run.start + tag.start, run.start + tag.end)
        for run in running_text(text)
        if holds_anything(run.text)
        for tag in scan(run.text, defines=run.kind == "paragraph").tags
    ]
    return running, tag_places(text, ended_by_lf(text))


def extract_wikilinks(content: str) -> list[str]:
    """List the targets of a text's wikilinks as they are written, without aliases.

    Each time one is written it is listed, in code too; the links that Obsidian follows are `parse_note`'s.
    """
    return _WIKILINK.findall(content)


def extract_title(content: str, path: str) -> str:
    """Return a note's title: its H1, or its file name where it has none, several, or a dated one."""
    return parse_note(content, path).display_title


def _title(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[:-3] if name[-3:].lower() == ".md" else name


def _line(outline: Outline, index: LineIndex, line: int) -> int:
    return index.line(outline.line_starts[line])


def _property_links(head: PropertyBlock, index: LineIndex) -> Iterator[Link]:
    """Yield the properties that are a link as a whole; one that is told no place has none."""
    for value in head.links:
        for link in scan(value.text).links:
            if (link.start, link.end) == (0, len(value.text)):
                places = value.places or [value.start] * (len(value.text) + 1)
                start, end, line = places[link.at], places[link.stop], index.line(value.start)
                yield Link(*link.target, line, link.kind, link.embed, start, end, value.quote)


def _tasks(outline: Outline, index: LineIndex) -> Iterator[Task]:
    for text, line in outline.found.items:
        if box := _BOX.match(text):
            yield Task(box[1], box[2].rstrip(), _line(outline, index, line))
