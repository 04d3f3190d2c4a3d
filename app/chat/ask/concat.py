"""Assemble notes, whole or by lines, into one Markdown document: mechanical, exact, within one budget."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.chat.evidence.evidence import Claim
from app.notices import Language, Notice, NoticeKind, some_of
from app.showing import cut, in_line, showing
from app.vault.attachments.kinds import is_attachment_name

LEAST_BUDGET = 8000
"""Fewest characters a document may be given."""
LEAST_BLOCK = 400
"""A block that would be cut shorter than this, in characters, is left out."""
MOST_REMARKS = 6
SHOWN_REMARK = 240
SHOWN_PATH = 120
_RULE = "---\n"

Range = tuple[int, int]
"""First and last line, 1-based and inclusive."""


@dataclass(frozen=True, slots=True)
class Source:
    """A note that is to be shown: its whole text, and the lines wanted; without ranges, all of it."""

    path: str
    text: str
    ranges: tuple[Range, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """What the document shows of a note: its text, and which lines these are; None for all.

    The text is the note's, byte for byte, but for characters that cannot be seen, which are written out.
    """

    path: str
    lines: Range | None
    text: str

    @property
    def range(self) -> str | None:
        """The lines as they are written, such as ``1-45``."""
        return f"{self.lines[0]}-{self.lines[1]}" if self.lines else None

    @property
    def header(self) -> str:
        """The line above the text, the same in every language."""
        place = f" (lines {self.range})" if self.lines else ""
        return f"## {in_line(self.path)}{place}"

    def __str__(self) -> str:
        if not self.text:
            return f"{self.header}\n"
        return f"{self.header}\n\n{self.text}" + ("" if self.text.endswith("\n") else "\n")


@dataclass(frozen=True, slots=True)
class Document:
    """An overview, what must be said about it, and the notes it rests on."""

    overview: str
    blocks: tuple[Block, ...] = ()
    remarks: tuple[str, ...] = ()
    """Whole sentences, such as what was corrected, left out or cut."""
    claims: tuple[Claim, ...] = ()
    """What the overview says, claim by claim, as data."""
    is_answered: bool = True
    """Whether the notes are likely to answer; where not, the overview says so and names the nearest."""

    def unanswered(self) -> "Document":
        """Return the document as one that says that the notes do not answer."""
        return replace(self, is_answered=False)

    @property
    def head(self) -> str:
        """The overview and the remarks."""
        return "\n\n".join(part.rstrip("\n") for part in (self.overview, "\n".join(self.remarks)) if part)

    @property
    def text(self) -> str:
        """The document, the same for every surface."""
        return (
            "\n".join([f"{self.head}\n", _RULE, *map(str, self.blocks)]) if self.blocks else f"{self.head}\n"
        )


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of lines of one note; ``lines`` are all of the note's, with their ends."""

    path: str
    lines: Sequence[str]
    first: int
    last: int

    def block(self) -> Block:
        is_whole = self.first <= 1 and self.last >= len(self.lines)
        text = "".join(self.lines[self.first - 1 : self.last])
        return Block(self.path, None if is_whole else (self.first, self.last), text)


def concat(
    overview: str,
    sources: Sequence[Source],
    *,
    budget: int,
    remarks: Sequence[Notice] = (),
    language: Language = "en",
) -> Document:
    """Assemble a document of at most ``budget`` characters.

    Blocks stand in the order of their sources; overlapping and neighbouring ranges of a note become one,
    where the first of them stood. Where all do not fit, one is cut at a line and those behind it left out.

    Args:
        overview: What stands first; it gets a quarter of the budget at most.
        sources: What to show; a range outside its note is corrected, with a remark.
        budget: Most characters of the whole document, `LEAST_BUDGET` or more.
        remarks: What must be said besides.
        language: In which that is said.
    """
    pieces, corrections = _pieces(sources)
    read = dict.fromkeys(in_line(source.path) for source in sources if is_attachment_name(source.path))
    extracted = [Notice(NoticeKind.EXTRACTED, paths=some_of(list(read), 3))] if read else []
    said = [*remarks, *corrections, *extracted]
    overview = cut(showing(overview), budget // 4)
    blocks = tuple(piece.block() for piece in pieces)
    whole = Document(overview, blocks, _sentences(said, language))
    if len(whole.text) <= budget:
        return whole
    # What is cut is said in two remarks at most, each on a line of its own.
    room = budget - len(replace(whole, blocks=()).text) - len(_RULE) - 2 * (SHOWN_REMARK + 1)
    kept, cuts = _fit(pieces, room, budget)
    return Document(overview, tuple(kept), _sentences([*said, *cuts], language))


def _pieces(sources: Sequence[Source]) -> tuple[list[_Piece], list[Notice]]:
    pieces: list[_Piece] = []
    remarks: list[Notice] = []
    for source in sources:
        lines = _lines(source.text)
        kept = [_within(written, len(lines)) for written in source.ranges]
        remarks += _corrections(source, kept, len(lines))
        for first, last in list(filter(None, kept)) or [(1, max(len(lines), 1))]:
            _add(pieces, _Piece(source.path, lines, first, last))
    return pieces, remarks


def _lines(text: str) -> list[str]:
    *ended, rest = text.split("\n")
    return [_shown(line) for line in ended] + ([showing(rest)] if rest else [])


def _shown(line: str) -> str:
    """Write out what cannot be seen in a line, and end it as it ended, by LF or CRLF."""
    return showing(line.removesuffix("\r")) + ("\r\n" if line.endswith("\r") else "\n")


def _within(written: Range, count: int) -> Range | None:
    """Return what of a range a note of ``count`` lines has; None for nothing."""
    # A note without text is its one empty line.
    first, last = max(min(written), 1), min(max(written), max(count, 1))
    return (first, last) if first <= last else None


def _corrections(source: Source, kept: Sequence[Range | None], count: int) -> Iterator[Notice]:
    """Say which ranges the note does not have."""
    path = in_line(source.path, SHOWN_PATH)
    missing = NoticeKind.NO_SUCH_LINES if any(kept) else NoticeKind.NO_SUCH_LINES_WHOLE
    for written, range_ in zip(source.ranges, kept, strict=True):
        lines = f"{min(written)}-{max(written)}"
        if range_ is None:
            yield Notice(missing, path=path, count=count, lines=lines)
        elif range_ != written:
            lines, shown = (f"{one}-{other}" for one, other in (written, range_))
            yield Notice(NoticeKind.OTHER_LINES, path=path, count=count, lines=lines, shown=shown)


def _add(pieces: list[_Piece], new: _Piece) -> None:
    """Put a piece at the end, or into the place of the first it touches, with all of those."""
    touching = [
        piece
        for piece in pieces
        if piece.path == new.path and piece.first <= new.last + 1 and new.first <= piece.last + 1
    ]
    if not touching:
        pieces.append(new)
        return
    first = min(piece.first for piece in (new, *touching))
    last = max(piece.last for piece in (new, *touching))
    joined, absorbed = replace(new, first=first, last=last), {id(piece) for piece in touching[1:]}
    pieces[:] = [joined if piece is touching[0] else piece for piece in pieces if id(piece) not in absorbed]


def _fit(pieces: Sequence[_Piece], room: int, budget: int) -> tuple[list[Block], list[Notice]]:
    """Keep the first blocks that fit into ``room`` characters, the last of them cut; and say what was cut."""
    blocks: list[Block] = []
    remarks: list[Notice] = []
    for piece in pieces:
        block, is_inside = piece.block(), False
        if is_last := len(str(block)) + 1 > room:
            if room < LEAST_BLOCK:
                break
            block, is_inside = _cut(piece, room)
            kind = NoticeKind.CUT_INSIDE if is_inside else NoticeKind.CUT_AFTER
            path, count = in_line(piece.path, SHOWN_PATH), len(piece.lines)
            last = block.lines[1] if block.lines else 0
            remarks.append(Notice(kind, path=path, line=last, count=count, budget=budget))
        blocks.append(block)
        room -= len(str(block)) + 1
        if is_last:
            break
    if dropped := pieces[len(blocks) :]:
        names = tuple(dict.fromkeys(f"'{in_line(piece.path, SHOWN_PATH)}'" for piece in dropped))
        remarks.append(Notice(NoticeKind.NOTES_LEFT_OUT, budget=budget, names=some_of(names, 3)))
    return blocks, remarks


def _cut(piece: _Piece, most: int) -> tuple[Block, bool]:
    """Keep the lines that fit into ``most`` characters, or a part of the first; and say which it was."""
    room = most - len(str(Block(piece.path, (piece.first, piece.last), ""))) - len("\n\n\n")
    last, used = piece.first - 1, 0
    while last < piece.last and used + len(piece.lines[last]) <= room:
        used += len(piece.lines[last])
        last += 1
    if last >= piece.first:
        return Block(piece.path, (piece.first, last), "".join(piece.lines[piece.first - 1 : last])), False
    first = piece.lines[piece.first - 1]
    return Block(piece.path, (piece.first, piece.first), first[: max(room, 0)]), True


def _sentences(remarks: Sequence[Notice], language: Language) -> tuple[str, ...]:
    shown = list(dict.fromkeys(remarks))
    if (more := len(shown) - MOST_REMARKS) > 0:
        shown[MOST_REMARKS - 1 :] = [Notice(NoticeKind.MORE_NOTICES, count=more + 1)]
    return tuple(remark(notice, language) for notice in shown)


def remark(notice: Notice, language: Language) -> str:
    """Return a notice as it stands among the remarks of a document."""
    return cut(in_line(notice.remark(language)), SHOWN_REMARK)
