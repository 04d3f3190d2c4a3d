"""An answer as HTML, with a number at each place it cites, which leads to those lines of the note."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from secrets import token_hex

from markupsafe import Markup

from app.chat.cite.names import NamedNotes
from app.chat.cite.parse import VERBATIM, Citation, Range, find_citations, in_block_quote, write_range
from app.errors import VaultError
from app.markdown.targets import Target
from app.search.view import View
from app.sentences import Language, said
from app.showing import cut, in_line, showing
from app.vault.paths import NOTE_SUFFIX, NotePath
from app.web.pages import note_url
from app.web.render.note import BOXES, Budget, NoteRenderer, fence_around, lines_of_code
from app.web.render.obsidian_rules import MOST_MARKED
from app.web.render.targets import Targets

_SIGNS = re.compile(r"([\\`*_{}\[\]()<>#+.!|~&$%^=-])")
_LABEL = re.compile(r"!?\[\[(?P<wiki>[^\[\]\n]+)\]\]|!?\[(?P<link>[^\[\]\n]*)\]")
_BEFORE = re.compile(r"[(\[;,.!?…»”\"–—][ \t\u00a0]*\Z")
_ITEM = re.compile(r"[ \t]*\d{1,9}[.)][ \t]+")
# What stands between two places that are named in a row, and the day before one that is shown by itself.
_ROW = re.compile(r"[ \t]*(?:[,;&]|and|et)?[ \t]*(?:(?:and|et)[ \t]*)?")
_DAY = re.compile(r"(?<![\w-])(\d{4}-\d\d-\d\d), \Z")
_INTRODUCES = re.compile(r"[*_ \t\u00a0]*:[*_ \t\u00a0]*(?:\n|\Z)")
_THEN_QUOTED = re.compile(r"[*_ \t\u00a0]*:?[*_ \t]*\n(?:[ \t]*\n)?(?=> ?(?P<line>[^\n]*))")
_BRACKET = re.compile(r"[(\[][ \t\u00a0]*\Z")
_CLOSED = re.compile(r"[ \t\u00a0]*[)\]]")
_MARK = f"source-{token_hex(6)}-"
"""What leads to a place of an answer begins with it; nobody who writes a note or an answer can know it."""
_PLACE = re.compile(rf"\[\]\(#{_MARK}\d+\)")
_NEXT = rf"[ \t]*[,;&]?[ \t]*(?:and|et)?[ \t]*{_PLACE.pattern}"
_GROUP = re.compile(rf"[ \t\u00a0]*[(\[][ \t]*{_PLACE.pattern}(?:{_NEXT})*[ \t]*[)\]](?!\()")
# Of a quotation on one line: “on a Monday. ^launch-date” (2025-07-14, `Launch.md` line 3).
_BLOCK_NAME_IN_MARKS = re.compile(r"\s\^[A-Za-z0-9-]+(\s?[”»\"] \((?:\d{4}-\d\d-\d\d, )?)\Z")
_ELSEWHERE = re.compile(rf'<a href="#(?!{_MARK}|fn)[^"]*"[^<>]*>(.*?)</a>', re.DOTALL)
"""A link to a place of the page, which has none of that name."""
_CITE = re.compile(rf'<a href="#{_MARK}(\d{{1,6}})"[^<>]*>(.*?)</a>', re.DOTALL)
_BOX = re.compile(r'(<span class="box" role="img" aria-label=")([^"]*)')
_STATED = re.compile(
    r"(?:[\s>]*(?:[-*+]|\d{1,9}[.)])\s+(?:\[.\]\s+)?)?(?P<text>(?!\|)\S(?:(?!==).)*?)"
    r"(?:\s\^[A-Za-z0-9-]+)?\s*",
    re.DOTALL,
)
"""A statement of a note, without the sign of its list and its block's name."""
_PAIRED = ("**", "__", "~~", "`", "$", "%%")
MOST_RANGES = 20
TITLE_CHARS = 120
QUOTED_CHARS = 600

MOST_CHARS = 60_000
"""A longer text is shown as it is written: signs without end would take time without end."""


@dataclass(frozen=True, slots=True)
class Source:
    """A place that an answer cites, by its number in it.

    ``lines`` is ``9-14``, and ``text`` what stands there; both are empty for a whole note.
    """

    number: int
    path: str
    title: str
    lines: str
    text: str = ""

    @property
    def url(self) -> str:
        """The address of these lines."""
        return note_url(self.path, self.lines)

    @property
    def folder(self) -> str:
        """The folder of the note."""
        return self.path.rpartition("/")[0]


class Cited:
    """An answer in which each place that it cites has a number.

    Args:
        text: The Markdown of the answer, which is not changed.
        notes: The notes that it may name; what is not among them stays as it is written.
    """

    def __init__(self, text: str, notes: NamedNotes) -> None:
        self._notes = notes
        self._sources: dict[tuple[str, str], Source] = {}
        self.markdown = _GROUP.sub(_ungrouped, "".join(self._parts(text)))
        """The text with a link to its number where its third place is cited."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """The places, by their numbers."""
        return tuple(self._sources.values())

    def _parts(self, text: str) -> Iterator[str]:
        done = 0
        for match in VERBATIM.finditer(text):
            yield from self._linked(text[done : match.start()])
            yield _fenced(match["numbered"]) if match["numbered"] else match[0]
            done = match.end()
        yield from self._linked(text[done:])

    def _linked(self, text: str) -> Iterator[str]:
        text = "".join(self._opened(text))
        code, done, named = lines_of_code(text), 0, ""
        for citation in find_citations(text, self._notes.written_before):
            is_quoted = in_block_quote(text, citation.start)
            if is_quoted and (not citation.ranges or text.count("\n", 0, citation.start) in code):
                # It is of the note that is quoted, and shown with it.
                continue
            try:
                path = self._notes.find(citation.name)
            except VaultError:
                # The answer was checked before: what is still not there was struck out, or has been deleted.
                continue
            before = _BLOCK_NAME_IN_MARKS.sub(r"\1", text[done : citation.start])
            # Of notes in a row, those after one that is named have their names as well.
            is_next = named not in ("", path) and _ROW.fullmatch(before) is not None
            name = self._name(text, citation, path) if is_next or not _is_aside(text, citation) else ""
            named = path if name else ""
            day = None if is_quoted else _DAY.search(before)
            if day is not None and name.startswith(day[1]):
                before = before[: day.start()]
            yield before
            yield self._marks(citation, path, name)
            done = citation.end
        yield text[done:]

    def _opened(self, text: str) -> Iterator[str]:
        """Put the line that begins a block of code before a quotation that begins within the block."""
        done = 0
        for citation in find_citations(text, self._notes.written_before):
            match = _THEN_QUOTED.match(text, citation.end) if citation.ranges else None
            if match is None:
                continue
            try:
                document = self._notes.open(self._notes.find(citation.name))
            except VaultError:
                continue
            first = citation.ranges[0][0]
            if first > document.line_count or document.line(first).rstrip() != match["line"].rstrip():
                continue
            if fence := fence_around(document, first):
                yield f"{text[done : match.end()]}> {fence}\n"
                done = match.end()
        yield text[done:]

    def _name(self, text: str, citation: Citation, path: NotePath) -> str:
        return _said(text[citation.start : citation.end], citation) or self._title(path)

    def _marks(self, citation: Citation, path: NotePath, shown: str) -> str:
        """Write a link for each place that a citation names, the first with a name if one is to be shown."""
        places = citation.ranges[:MOST_RANGES] or (None,)
        sources = [self._source(path, each) for each in places]
        return "\u202f".join(
            f"[{'' if number else _escaped(shown)}](#{_MARK}{source.number})"
            for number, source in enumerate(sources)
        )

    def _source(self, path: NotePath, cited: Range | None) -> Source:
        lines = "" if cited is None else write_range(cited)
        known = self._sources.get((path, lines))
        if known is None:
            text = "" if cited is None else self._text(path, cited)
            known = Source(len(self._sources) + 1, path, self._title(path), lines, text)
            self._sources[path, lines] = known
        return known

    def _text(self, path: NotePath, lines: Range) -> str:
        """Return the lines of a note as they are written, as many as `QUOTED_CHARS` allows."""
        try:
            document = self._notes.open(path)
        except VaultError:
            return ""
        left, shown = QUOTED_CHARS, list[str]()
        for number in range(lines[0], min(lines[1], document.line_count) + 1):
            shown.append(document.line(number)[: left + 1])
            left -= len(shown[-1]) + 1
            if left < 0:
                break
        return cut(showing("\n".join(shown)), QUOTED_CHARS)

    def _title(self, path: NotePath) -> str:
        try:
            return in_line(self._notes.open(path).parsed.display_title, TITLE_CHARS)
        except VaultError:
            # It went, or cannot be read: its name is what is left of it.
            return in_line(path.rpartition("/")[2].removesuffix(NOTE_SUFFIX), TITLE_CHARS)


def set_out(text: str, answering: Iterable[str]) -> str:
    """Highlight in the quotations of an answer what says it, as Obsidian writes a highlight.

    Args:
        text: The Markdown of an answer.
        answering: Parts of its block quotes, as they stand in the notes. Rows of tables, and what opens or
            closes other marks, stay as they are.
    """
    for part in answering:
        quoted = part.replace("\n", "\n> ")
        found = (match.start() for match in re.finditer(re.escape(quoted), text))
        at = next((at for at in found if in_block_quote(text, at)), None)
        said = _STATED.fullmatch(quoted)
        if at is None or said is None:
            continue
        begin, end = at + said.start("text"), at + said.end("text")
        inside = text[begin:end]
        if len(inside) < MOST_MARKED and not any(inside.count(sign) % 2 for sign in _PAIRED):
            text = f"{text[:begin]}=={inside}=={text[end:]}"
    return text


def _ungrouped(group: re.Match[str]) -> str:
    """Take the brackets off places that stand in brackets alone, and keep them with the word before."""
    return "\u00a0" * group[0][0].isspace() + "\u202f".join(_PLACE.findall(group[0]))


def _is_aside(text: str, citation: Citation) -> bool:
    """Return whether a place is no part of the sentence, which reads as well without the name."""
    if not citation.ranges:
        return bool(_BRACKET.search(text, 0, citation.start) and _CLOSED.match(text, citation.end))
    if _ITEM.fullmatch(text, text.rfind("\n", 0, citation.start) + 1, citation.start):
        # The stop behind the number of a list ends no sentence.
        return False
    return bool(_BEFORE.search(text, 0, citation.start)) and not _INTRODUCES.match(text, citation.end)


def _said(written: str, citation: Citation) -> str:
    """Return what a wikilink or a link says of its own; empty where a citation is the path of a note."""
    match = _LABEL.match(written) if citation.form in ("wiki", "link") else None
    if match is None:
        return ""
    if match["wiki"] is None:
        return match["link"]
    target, bar, shown = match["wiki"].replace("\\|", "|").partition("|")
    return shown if bar else target.rpartition("/")[2].replace("#", " > ")


def _fenced(lines: str) -> str:
    longest = max((len(run) for run in re.findall("`+", lines)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"\n{fence}\n{lines.rstrip()}\n{fence}\n"


def _escaped(text: str) -> str:
    return _SIGNS.sub(r"\\\1", text)


def show_numbers(
    html: str, sources: Sequence[Source], label: Callable[[Source], str], language: Language = "en"
) -> Markup:
    """Make the citations of an answer what a page shows: a number, which leads to the lines and quotes them.

    Args:
        html: An answer as `render_answer` gives it.
        sources: Its places.
        label: What somebody who does not see is told of the place of a number that stands alone.
        language: In which the boxes of tasks are read out.
    """

    def shown(match: re.Match[str]) -> str:
        number, text = int(match[1]), match[2]
        if not 0 < number <= len(sources):
            return text
        source = sources[number - 1]
        # With a name the link says by itself where it leads.
        name = Markup('<span class="cite-name">{}</span>\u00a0').format(Markup(text)) if text else ""
        told = "" if text else Markup(' aria-label="{}"').format(label(source))
        lines = Markup(' title="{}"').format(source.text) if source.text else ""
        return Markup('<a class="cite" href="{}"{}{}>{}<span class="cite-number">{}</span></a>').format(
            source.url, told, lines, name, number
        )

    words = {meaning: said(meaning, language) for meaning in BOXES.values()}
    boxed = _BOX.sub(lambda found: found[1] + words.get(found[2], found[2]), html)
    return Markup(_CITE.sub(shown, _ELSEWHERE.sub(r"\1", boxed)))


def render_answer(text: str, view: View, number: int = 0) -> str:
    """Render the Markdown of an answer by what renders notes; its links mean notes of a view.

    Args:
        text: The answer, with links to its numbers.
        view: The index, by which links in quotations are followed.
        number: One that no other answer of the page has.
    """
    if len(text) > MOST_CHARS:
        return f"<pre>{escape(text)}</pre>"
    return _AnswerRenderer(Targets(view), "", budget=Budget(embeds=0, frames=0)).render_answer(text, number)


class _AnswerRenderer(NoteRenderer):
    def url(self, target: Target) -> str | None:
        """Return the address of what a link means; one without a note leads to a number of the answer."""
        return super().url(target) if target.file else f"#{target.subpath}"
