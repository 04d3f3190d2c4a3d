"""Results as a person reads them: on a terminal by note, with the words marked; in a pipe a line each."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from app.limits import QUERY_CHARS
from app.notices import Notice, NoticeKind
from app.search.models import Part, SearchResult, SearchResults
from app.search.show.text import told_lines
from app.sentences import Sentence, Worded, typed
from app.showing import HEADING, PATH, TAG, TITLE, Screen, in_line, showing
from app.vault.here import path_from

INDENT, NUMBER = 2, 4
"""Columns before a line of a note, and those of its number."""
LEAST_WIDTH, MOST_WIDTH = 30, 100
"""Columns that text takes at the least, and at the most: longer lines are hard to read."""
SHOWN_TAGS = 5
REASON_CHARS = 600
_WORD = re.compile(r".+?(?:(?<!«) (?! |[:;?!»](?: |\Z))|\Z)", re.DOTALL)
"""A word and the blank after it, where a line may end: not before another blank, nor where French has one."""


def listed(
    results: SearchResults, screen: Screen, root: Path | None, offset: int, *, chooses: bool = False
) -> str:
    """Return results as text for a person.

    Args:
        results: What was found.
        screen: Where it is printed. In a pipe each line of a note stands on one, after its path from the
            working folder and number; what must be said besides is left to whoever prints, see `remarks`.
        root: The vault's folder, for what opens a note; None where several vaults were searched.
        offset: How many results come before the first of these.
        chooses: Print in a pipe only the lines with what was looked for, where any has it.
    """
    if not screen.is_terminal:
        return "".join(
            f"{line}\n"
            for result in results.results
            for line in _plain(result, screen, root, chooses=chooses)
        )
    said = [_broken(sentence, _width(screen, 0)) for sentence in remarks(results, screen)]
    if results.results:
        said.insert(0, _broken(counted(results, offset, screen), _width(screen, 0)))
    below = "\n".join(screen.dim(line) for lines in said for line in lines)
    parts = [*_notes(results.results, screen, root), below]
    if not results.results:
        parts = [_nothing(results, offset, screen), below, *_nearest(results, screen, root)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _width(screen: Screen, margin: int) -> int:
    """Return the columns that text takes beside a margin."""
    return min(max(screen.columns - margin, LEAST_WIDTH), MOST_WIDTH)


def _notes(results: Iterable[SearchResult], screen: Screen, root: Path | None) -> list[str]:
    """Show results, those of a note together, where its best one stands."""
    notes: dict[str, list[SearchResult]] = {}
    for result in results:
        notes.setdefault(result.path, []).append(result)
    return [note_listed(of_note, screen, root) for of_note in notes.values()]


def notes_listed(rows: Iterable[tuple[SearchResult, str]], screen: Screen, root: Path | None) -> str:
    """Return notes, each by its title and where it is, with what is to be said of it; a line each in a pipe.

    Args:
        rows: The notes, each with a short remark or none.
        screen: Where it is printed.
        root: The vault's folder, for what opens a note; None where several vaults were searched.
    """
    if not screen.is_terminal:
        return "".join(f"{_place(result, screen, root)}: {in_line(result.title)}\n" for result, _ in rows)
    return "".join(f"{_row(result, remark, screen, root)}\n" for result, remark in rows)


def _row(result: SearchResult, remark: str, screen: Screen, root: Path | None) -> str:
    """Show a note on one line where that has room for it, else its place and the remark below its title."""
    title, path = in_line(result.title, TITLE), in_line(result.path, PATH)
    head, place = screen.bold(screen.link(title, result.uri)), _opening(result.path, path, screen, root)
    width, inside = max(screen.columns, LEAST_WIDTH), " " * INDENT
    facts = f"  {in_line(remark)}" if remark else ""
    if columns(f"{title}  {path}{facts}") <= width:
        return f"{head}  {place}{screen.dim(facts)}"
    below = [inside + screen.dim(line) for line in _broken(facts.strip(), width - INDENT) if line]
    return "\n".join([head, inside + place, *below])


def _opening(path: str, shown: str, screen: Screen, root: Path | None) -> str:
    """Return a place that opens the file of a note."""
    return screen.link(screen.dim(shown), "" if root is None else (root / path).as_uri())


def remarks(results: SearchResults, screen: Screen) -> list[str]:
    """Return what must be said beside results, a sentence each."""
    return [in_line(typed(notice).remark(screen.language)) for notice in results.notices]


def counted(results: SearchResults, offset: int, screen: Screen) -> str:
    """Return how many results there are, and how the next are shown where there are more."""
    last = offset + len(results.results)
    if last >= results.total:
        kind = "{first} to {last}, the last results" if offset else "{count} {count:result|results}"
    elif results.operation in ("deep", "scoped") or (results.operation == "fast" and " " in results.query):
        # Nearly every passage has one of the words, or lies near in meaning: their number says nothing.
        kind = "{first} to {last}, likeliest first; the next: --offset {last}"
    else:
        kind = "{first} to {last} of {count} results; the next: --offset {last}"
    return Notice(kind, first=offset + 1, last=last, count=results.total).said(screen.language)


def _place(result: SearchResult, screen: Screen, root: Path | None) -> str:
    """Return where a note is as programs open it; of several vaults, as commands take it."""
    return in_line(result.path if root is None else path_from(root, screen.folder, result.path))


def _plain(result: SearchResult, screen: Screen, root: Path | None, *, chooses: bool) -> Iterator[str]:
    """Yield the lines of one result as programs read them, ``PATH:LINE: TEXT``; above them why, if asked."""
    path = _place(result, screen, root) + in_line(result.spot.removeprefix(result.path))
    is_note = result.spot == result.path
    if reason := _reason(result, screen):
        yield f"{path}: ({reason})"
    lines = told_lines(result)
    if chooses and result.marks is not None:
        # A heading alone may have the words, which stands above: then the lines are what there is.
        having = result.marks.holding([text for _, text in lines])
        lines = [lines[at] for at in having] or lines
    for number, text in lines:
        said = "".join(
            screen.mark(part) if found else part for part, found in _marked(in_line(text), result, screen)
        )
        yield f"{path}:{number}: {said}" if number and is_note else f"{path}: {said}"
    if not lines:
        yield path


def note_listed(results: Sequence[SearchResult], screen: Screen, root: Path | None) -> str:
    """Show one note: its title, where it is, and below them its passages."""
    best = results[0]
    title = screen.bold(screen.link(in_line(best.title, TITLE), best.uri))
    line = next((number for number, _ in told_lines(best) if number), 0)
    is_note = best.spot == best.path
    path = in_line(best.spot, PATH) + (f":{line}" if line and is_note else "")
    tags = "".join(f"  #{in_line(tag, TAG)}" for tag in best.tags[:SHOWN_TAGS])
    lines = [title, _opening(best.path, path, screen, root) + screen.dim(tags)]
    for at, result in enumerate(results):
        lines += _passage(result, screen, is_told=at == 0 and not is_note)
    return "\n".join(lines)


def _marked(text: str, result: SearchResult, screen: Screen) -> list[Part]:
    """Return a text in parts; nothing is marked where marks are not seen."""
    return result.marked(text) if screen.has_styles else [(text, False)]


def _passage(result: SearchResult, screen: Screen, *, is_told: bool) -> Iterator[str]:
    """Yield the heading of a passage and its day, why it was found where that is known, and its lines.

    The heading is left out where it ``is_told`` already.
    """
    heading = (
        "" if is_told else in_line(result.heading or "", HEADING).removeprefix(f"{in_line(result.title)} > ")
    )
    day = result.date if result.date and result.date not in result.path + heading else ""
    shown = told_lines(result)
    # A heading that is quoted below need not stand above.
    last = heading.rpartition(" > ")[2]
    is_quoted = any(text.startswith("#") and text.lstrip("# ").strip() == last for _, text in shown)
    facts = [fact for fact in ("" if is_quoted or heading == result.title else heading, day) if fact]
    width = _width(screen, INDENT + NUMBER + 2)
    if facts:
        first, *rest = _broken(" · ".join(facts), width + NUMBER + 1)
        yield screen.dim(" " * INDENT + first + ("…" if rest else ""))
    if reason := _reason(result, screen):
        yield from (screen.dim(" " * INDENT + line) for line in _broken(reason, width + NUMBER + 1))
    for number, text in shown:
        written = showing(text).replace("\t", "    ").rstrip()
        sign = screen.dim(f"{number or '':>{NUMBER}}")
        for line in wrapped(_marked(written, result, screen), width):
            words = "".join(screen.mark(part) if found else part for part, found in line)
            yield f"{' ' * INDENT}{sign}  {words}".rstrip()
            sign = " " * NUMBER


def _reason(result: SearchResult, screen: Screen) -> str:
    """Return why a result was found, in the language of the screen; a language model's words as they are."""
    given = result.relevance_reason
    if isinstance(given, Worded):
        given = (result.because.about if result.because else given).said(screen.language)
    return in_line(given or "", REASON_CHARS)


def wrapped(parts: Sequence[Part], width: int) -> Iterator[list[Part]]:
    """Break a text between words into lines of at most ``width`` columns; a longer word is broken itself."""
    text = "".join(part for part, _ in parts)
    starts, used = [0], 0
    for word in _WORD.finditer(text):
        # The blank that ends a word may hang over the end of a line.
        size = columns(word[0].rstrip(" "))
        if used and used + size > width:
            starts.append(word.start())
            used = 0
        for at, sign in enumerate(word[0], word.start()) if size > width else ():
            if used + columns(sign) > width and sign != " ":
                starts.append(at)
                used = 0
            used += columns(sign)
        used += 0 if size > width else columns(word[0])
    for start, end in pairwise([*starts, len(text)]):
        yield list(_between(parts, start, end))


def _between(parts: Sequence[Part], start: int, end: int) -> Iterator[Part]:
    """Yield what lies between two places of a text, in parts."""
    for text, found in parts:
        if piece := text[max(start, 0) : max(end, 0)]:
            yield piece, found
        start, end = start - len(text), end - len(text)


def _broken(text: str, width: int) -> list[str]:
    """Break a text in which nothing is marked; the lines end without blanks."""
    return ["".join(part for part, _ in line).rstrip() for line in wrapped([(text, False)], width)]


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def _nothing(results: SearchResults, offset: int, screen: Screen) -> str:
    if results.total:
        kind = Sentence(
            "There are no results after the first {offset}; in all there are {count}",
            offset=offset,
            count=results.total,
        )
    elif results.query:
        kind = Sentence("Nothing found for '{query}'", query=in_line(results.query, QUERY_CHARS))
    else:
        kind = Sentence("Nothing found")
    return kind.said(screen.language) + "."


def _nearest(results: SearchResults, screen: Screen, root: Path | None) -> Iterator[str]:
    """Yield what lies nearest in meaning where nothing was found, under a line that says so."""
    if results.nearest:
        head = Notice(NoticeKind.NEAREST).said(screen.language)
        yield screen.dim(head[:1].upper() + head[1:] + (" :" if screen.language == "fr" else ":"))
    yield from _notes(results.nearest, screen, root)
