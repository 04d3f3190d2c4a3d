"""Note text as it is quoted: without marks, with the place each word stands on."""

import re
from collections.abc import Sequence

from app.vault.paths import nfc

_LINK = re.compile(r"!?\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:<[^<>]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]*\]:?")
# A comment that nothing closes is read to the end once, and not anew from each of its signs.
_COMMENT = re.compile(r"%%.*?%%|<!--.*?(?:-->|(?P<open>\Z))", re.DOTALL)
_BLOCK_NAME = re.compile(r"\s\^[\w-]+\s*\Z")
_OPENING = re.compile(
    r"\s*(?:>\s*)*(?:\[![\w-]+\][+-]?\s*)?(?:#{1,6}\s+|(?:[-*+]|\d{1,9}[.)])\s+(?:\[.\]\s+)?)?"
)
_MARKS = re.compile(r"\*+|==|~~|`+|(?<!\w)_+|_+(?!\w)|\\(?=[^\w\s])")
_BLANKS = re.compile(r"\s+")
_SIGNS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-"})
_GAP = re.compile(r"…|\.\.\.|\[(?:…|\.\.\.)\]")
_TIGHT = "\"';:!?"
_EDGE = " \"'.,;:!?()-"


def plain_line(line: str) -> str:
    """Give a line as a reader sees it: without list signs, emphasis, links' targets and comments."""
    text = _COMMENT.sub(lambda comment: "" if comment["open"] is None else comment[0], line)
    text = _BLOCK_NAME.sub("", text)
    text = text[_OPENING.match(text).end() :]  # type: ignore[union-attr]  # it matches nothing, too
    text = _FOOTNOTE.sub("", text)
    text = _LINK.sub(lambda link: link[2] or link[1], text)
    text = _MARKDOWN_LINK.sub(lambda link: link[1], text)
    return _BLANKS.sub(" ", _MARKS.sub("", text)).strip()


def compared(text: str) -> str:
    """Give the form in which a quotation and what it quotes are compared."""
    folded = nfc(text).casefold().translate(_SIGNS)
    # A blank beside a quotation mark or before a colon is a matter of language.
    return re.sub(rf"\s*([{_TIGHT}])\s*", r"\1", _BLANKS.sub(" ", folded)).strip()


def find_quote(quote: str, lines: Sequence[str], first: int = 1) -> tuple[int, int] | None:
    """Find where a quotation stands in some lines; a gap in it, written as an ellipsis, may hold anything.

    Args:
        quote: What is said to stand there.
        lines: Lines of a note.
        first: The number of the first of them.

    Returns:
        The numbers of the first and the last line it stands on; None where it does not stand there.
    """
    text, starts = "", []
    for line in lines:
        shown = compared(plain_line(line))
        is_tight = not (text and shown) or text[-1] in _TIGHT or shown[0] in _TIGHT
        text += shown if is_tight else " " + shown
        starts.append(len(text) - len(shown))
    at, begin = 0, -1
    for part in _GAP.split(quote):
        wanted = compared(" ".join(map(plain_line, part.split("\n")))).strip(_EDGE)
        if not wanted:
            continue
        found = text.find(wanted, at)
        if found < 0:
            return None
        begin, at = (found if begin < 0 else begin), found + len(wanted)
    if begin < 0:
        return None
    return first + _line_at(starts, begin), first + _line_at(starts, at - 1)


def _line_at(starts: Sequence[int], place: int) -> int:
    return max(at for at, start in enumerate(starts) if start <= place)
