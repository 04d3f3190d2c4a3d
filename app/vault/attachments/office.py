"""Documents, slides and sheets of Office and LibreOffice: their text, without macros, links and pictures."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from app.vault.attachments.kinds import Passage
from app.vault.attachments.packed import Archive

_HEADING = re.compile(r"(?:heading ([1-6])|title)\Z", re.IGNORECASE)
_BESIDES = re.compile(r"word/(footnotes|endnotes|comments|header|footer)[0-9]*\.xml")
_DAY_FORMATS = frozenset({*range(14, 23), *range(45, 48)})
_IN_FORMAT = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_DAY_ZERO = datetime(1899, 12, 30)
CELL = " | "


class _Lines:
    """Passages in the making: words become lines, and lines the text below a place."""

    def __init__(self) -> None:
        self.passages = [Passage("", "")]
        self.words: list[str] = []
        self._lines: list[str] = []

    def line(self) -> str:
        """End a line, and return what it says."""
        said, self.words = "".join(self.words).strip(" |\t"), []
        self._lines.append(said)
        return said

    def place(self, name: str, level: int = 1) -> None:
        """Begin a new place."""
        self.passages[-1] = self.passages[-1]._replace(text="\n".join(self._lines))
        self.passages.append(Passage(name, "", level))
        self._lines = []

    def heading(self, level: int) -> None:
        """End a line that names a place."""
        if said := self.line():
            self._lines.pop()
            self.place(said, level)

    def done(self) -> list[Passage]:
        """Return all of them."""
        self.place("")
        return self.passages[:-1]


def read_docx(archive: Archive) -> Iterator[Passage]:
    """Read a document of Word, its headings as places, then its notes, comments, heads and feet."""
    styles = _heading_styles(archive)
    yield from _read_word(archive, "word/document.xml", styles)
    for name in sorted(archive.names):
        if found := _BESIDES.fullmatch(name):
            text = "\n".join(passage.text for passage in _read_word(archive, name, {}))
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


def _read_word(archive: Archive, name: str, styles: dict[str, int]) -> list[Passage]:
    made, level, cells, skipped, is_text = _Lines(), 0, 0, 0, False
    for kind, tag, given, text in archive.steps(name):
        if tag == "Fallback":
            # The same text once more, for programs that cannot draw what stands before it.
            skipped += 1 if kind == "start" else -1
        elif skipped:
            continue
        elif tag == "t":
            is_text = kind == "start"
        elif kind == "text":
            # What was deleted, and the code of fields, stands in other elements.
            made.words += [text] if is_text else []
        elif kind == "start":
            cells += tag == "tc"
            made.words += {"tab": ["\t"], "br": ["\n"], "cr": ["\n"]}.get(tag, [])
            if tag == "pStyle":
                level = styles.get(given.get("val", ""), 0)
        elif tag == "tc":
            cells -= 1
            made.words.append(CELL)
        elif tag == "tr":
            made.line()
        elif tag == "p":
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
        read = (passage for part in (slide, *notes) for passage in _read_word(archive, part, {}))
        yield Passage(f"slide {number}", "\n".join(passage.text for passage in read))


def read_xlsx(archive: Archive) -> Iterator[Passage]:
    """Read the sheets of a workbook, a line a row; what formulas came to when it was saved."""
    book = "xl/workbook.xml"
    strings, days, parts = _shared_strings(archive), _day_styles(archive), archive.related(book)
    for _, given in archive.elements(book, {"sheet"}):
        rows = _read_sheet(archive, parts.get(given.get("rel:id", ""), ""), strings, days)
        yield Passage(given.get("name", ""), "\n".join(rows))


def _shared_strings(archive: Archive) -> list[str]:
    found, words, is_text, is_sounded = list[str](), list[str](), False, False
    for kind, tag, _, text in archive.steps("xl/sharedStrings.xml"):
        if tag == "rPh":
            is_sounded = kind == "start"
        elif tag == "t":
            is_text = kind == "start" and not is_sounded
        elif kind == "text":
            words += [text] if is_text else []
        elif tag == "si" and kind == "end":
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
    cells, cell, words, is_value = list[str](), dict[str, str](), list[str](), False
    for kind, tag, given, text in archive.steps(name):
        if tag in ("v", "t"):
            is_value = kind == "start"
        elif kind == "text":
            words += [text] if is_value else []
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
        try:
            day = _DAY_ZERO + timedelta(days=round(float(value), 6))
        except (ValueError, OverflowError):
            return value
        return day.date().isoformat() if float(value).is_integer() else day.isoformat(" ", "minutes")
    return " ".join(value.split())


def read_opened(archive: Archive) -> list[Passage]:
    """Read a document, the sheets or the slides of LibreOffice; its headings, sheets and slides as places."""
    made, slides, is_sheet, tables, inside = _Lines(), 0, False, 0, 0
    for kind, tag, given, text in archive.steps("content.xml"):
        if kind == "text":
            made.words += [text.replace("\n", " ")] if inside else []
        elif kind == "start":
            made.words += {"tab": ["\t"], "line-break": ["\n"], "s": [" "]}.get(tag, [])
            is_sheet = is_sheet or tag == "spreadsheet"
            inside += tag in ("p", "h")
            if tag == "page":
                slides += 1
                made.place(f"slide {slides}")
            elif tag == "table":
                tables += 1
                if is_sheet:
                    made.place(given.get("name", ""))
            level = min(int(given.get("outline-level", "1")), 6) if tag == "h" else 1
        elif tag in ("p", "h"):
            inside -= 1
            if tables:
                made.words.append(" ")
            elif tag == "h":
                made.heading(level)
            else:
                made.line()
        elif tag == "table-cell" and made.words:
            made.words.append(CELL)
        elif tag == "table-row":
            made.line()
        tables -= tag == "table" and kind == "end"
    return made.done()
