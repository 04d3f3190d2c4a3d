"""Documents, slides and sheets of Office and LibreOffice: their text, without macros, links and pictures."""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta

from app.vault.attachments.packed import Archive
from app.vault.attachments.passages import CELL, Passage, Passages

_HEADING = re.compile(r"(?:heading ([1-6])|title)\Z", re.IGNORECASE)
_BESIDES = re.compile(r"word/(footnotes|endnotes|comments|header|footer)[0-9]*\.xml")
_DAY_FORMATS = frozenset({*range(14, 23), *range(45, 48)})
_IN_FORMAT = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_DAY_ZERO = datetime(1899, 12, 30)
_BLANKS = {"tab": " ", "s": " ", "br": "\n", "cr": "\n", "line-break": "\n"}
_PARAGRAPHS, _CELLS, _ROWS = {"p", "h"}, {"tc", "table-cell"}, {"tr", "table-row"}
_WORD = {"t"}


def read_docx(archive: Archive) -> Iterator[Passage]:
    """Read a document of Word, its headings as places, then its notes, comments, heads and feet."""
    styles = _heading_styles(archive)
    yield from _read_words(archive, "word/document.xml", _WORD, styles)
    for name in sorted(archive.names):
        if found := _BESIDES.fullmatch(name):
            text = "\n".join(passage.text for passage in _read_words(archive, name, _WORD))
            yield Passage(found[1], text)


def _heading_styles(archive: Archive) -> dict[str, int]:
    """Return the level of each style that is a heading, by its id."""
    levels: dict[str, int] = {}
    style = ""
    for tag, given in archive.elements("word/styles.xml", {"style", "name", "outlineLvl"}):
        value = given.get("val", "")
        if tag == "style":
            style = given.get("styleId", "")
        elif tag == "outlineLvl":
            levels.setdefault(style, min(int(value) + 1, 6))
        elif found := _HEADING.match(value):
            levels[style] = int(found[1] or 1)
    return levels


def _read_words(
    archive: Archive, name: str, holds: Collection[str], styles: Mapping[str, int] | None = None
) -> list[Passage]:
    """Read one part; elements of Word, of slides and of LibreOffice are named much alike.

    Text counts in elements that ``holds`` names: in others stand code of fields and what was deleted.
    """
    made, level, inside, cells, slides, is_sheet = Passages(), 0, 0, 0, 0, False
    for kind, tag, given, text in archive.steps(name):
        if kind == "text":
            made.words += [text.replace("\n", " ")] if inside else []
            continue
        is_start = kind == "start"
        step = 1 if is_start else -1
        inside += step * (tag in holds)
        cells += step * (tag in _CELLS)
        if is_start:
            made.words.append(_BLANKS.get(tag, ""))
            is_sheet = is_sheet or tag == "spreadsheet"
            if tag == "pStyle":
                level = (styles or {}).get(given.get("val", ""), 0)
            elif tag == "h":
                level = min(int(given.get("outline-level", "1")), 6)
            elif tag == "page":
                slides += 1
                made.place(f"slide {slides}")
            elif tag == "table" and is_sheet:
                made.place(given.get("name", ""))
        elif tag in _CELLS:
            made.words.append(CELL)
        elif tag in _ROWS:
            made.line()
        elif tag in _PARAGRAPHS:
            if cells:
                made.words.append(" ")
            elif level:
                made.heading(level)
            else:
                made.line()
            level = 0
    return made.done()


def read_pptx(archive: Archive) -> Iterator[Passage]:
    """Read slides in their order, with the notes of their speaker; elements are named as in Word."""
    show = "ppt/presentation.xml"
    parts = archive.related(show)
    slides = [parts.get(given.get("rel:id", ""), "") for _, given in archive.elements(show, {"sldId"})]
    for number, slide in enumerate(slides, start=1):
        notes = [part for part in archive.related(slide).values() if part.startswith("ppt/notesSlides/")]
        read = (passage for part in (slide, *notes) for passage in _read_words(archive, part, _WORD))
        yield Passage(f"slide {number}", "\n".join(passage.text for passage in read))


def read_xlsx(archive: Archive) -> Iterator[Passage]:
    """Read the sheets of a workbook, a line a row; what formulas came to when it was saved."""
    book = "xl/workbook.xml"
    strings, days, parts = _shared_strings(archive), _day_styles(archive), archive.related(book)
    for _, given in archive.elements(book, {"sheet"}):
        rows = _read_sheet(archive, parts.get(given.get("rel:id", ""), ""), strings, days)
        yield Passage(given.get("name", ""), "\n".join(rows))


def _shared_strings(archive: Archive) -> list[str]:
    found, words = list[str](), list[str]()
    for kind, tag, _, text in archive.steps("xl/sharedStrings.xml"):
        words += [text] if tag == "t" else []
        if tag == "si" and kind == "end":
            found.append("".join(words))
            words = []
    return found


def _day_styles(archive: Archive) -> list[bool]:
    """Return of each style of a cell whether it shows a number as a day."""
    days, styles, in_cells = set(_DAY_FORMATS), list[bool](), False
    for kind, tag, given, _ in archive.steps("xl/styles.xml"):
        if tag == "cellXfs":
            in_cells = kind == "start"
        elif kind == "start" and tag == "numFmt":
            code = _IN_FORMAT.sub("", given.get("formatCode", "")).lower()
            days |= {int(given["numFmtId"])} if "y" in code or "d" in code else set()
        elif kind == "start" and tag == "xf" and in_cells:
            styles.append(int(given.get("numFmtId", "0")) in days)
    return styles


def _read_sheet(archive: Archive, name: str, strings: list[str], days: list[bool]) -> Iterator[str]:
    cells, cell, words = list[str](), dict[str, str](), list[str]()
    for kind, tag, given, text in archive.steps(name):
        if tag in ("v", "t"):
            words.append(text)
        elif tag == "c" and kind == "start":
            cell, words = given, []
        elif tag == "c":
            if value := "".join(words):
                cells.append(_cell(value, cell, strings, days))
        elif tag == "row" and kind == "end":
            yield CELL.join(filter(None, cells))
            cells = []


def _cell(value: str, cell: dict[str, str], strings: list[str], days: list[bool]) -> str:
    kind, style = cell.get("t", "n"), int(cell.get("s", "0"))
    if kind == "s":
        return " ".join(strings[int(value)].split()) if int(value) < len(strings) else ""
    if kind == "b":
        return "TRUE" if value == "1" else "FALSE"
    if kind == "n" and style < len(days) and days[style]:
        with suppress(ValueError, OverflowError):
            day = _DAY_ZERO + timedelta(days=round(float(value), 6))
            return day.date().isoformat() if float(value).is_integer() else day.isoformat(" ", "minutes")
    return " ".join(value.split())


def read_opened(archive: Archive) -> list[Passage]:
    """Read a document, the sheets or the slides of LibreOffice; its headings, sheets and slides as places."""
    return _read_words(archive, "content.xml", _PARAGRAPHS)
