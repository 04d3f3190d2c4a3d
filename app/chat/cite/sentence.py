"""The sentences of an answer: where they are, and how they are marked."""

import re
from collections.abc import Sequence
from itertools import pairwise

from app.chat.cite.parse import find_quotes
from app.markdown.sentences import is_short_form

Span = tuple[int, int]

# A citation is written as NULs here, and what is quoted as other characters that no text holds.
_CITED = (
    r"[ \t]*[(\[—–]?[ \t]*\0+(?:[ \t]*[;,&]?[ \t]*[(\[]?\0+)*[)\]]*\.?(?=\s*(?:\Z|\n|[A-ZÀ-ÖØ-Þ“«\"*\d-]))"
)
_STOP = r"(?<=[.!?…])[*_\"”»’)\]]*+"
_END = re.compile(rf"(?:{_STOP}|\n)(?P<cited>{_CITED})|{_STOP}(?=\s)|\n")
_GOES_ON = re.compile(r"\s*(?:[a-zà-ÿ(\[~]|[-–—]\s)")
_NEW = re.compile(r"[ \t]*(?:[-*+]\s|\d{1,9}[.)]\s|>|\||#{1,6}\s|`{3}|~{3}|\n|\Z)")
_OPENING = re.compile(r"\s*(?:>\s*)*(?:#{1,6}\s+|(?:[-*+]|\d{1,9}[.)])\s+(?:\[.\]\s+)?)?")
_FENCE = re.compile(
    r"^[ \t]*(?:`{3,}|~{3,}).*?(?:^[ \t]*(?:`{3,}|~{3,})[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)


def find_sentences(text: str, cited: Sequence[Span]) -> list[Span]:
    """Find the sentences of a block of an answer, code left out.

    What follows the end of a sentence and holds nothing but a citation belongs to it.

    Args:
        text: A block: lines without an empty one among them.
        cited: Where the citations stand, which may hold the sign of an end themselves.
    """
    masked = list(text)
    for quote in find_quotes(text):
        if quote.text[-1:] != "\n":
            masked[quote.start + 1 : quote.end - 2] = "\1" * max(0, quote.end - quote.start - 3)
    for start, stop in cited:
        masked[start:stop] = "\0" * (stop - start)
    shown = "".join(masked)
    fences = [match.span() for match in _FENCE.finditer(text)]
    ends = {match.end() for match in _END.finditer(shown) if match["cited"] or _is_end(shown, match)}
    found: list[Span] = []
    for begin, end in pairwise(
        sorted({0, *ends, *(place for fence in fences for place in fence), len(text)})
    ):
        part = shown[begin:end]
        if not part.strip() or any(start <= begin < stop for start, stop in fences):
            continue
        if found and found[-1][1] == begin and "\0" in part and not re.search(r"\w", part):
            found[-1] = found[-1][0], end
        else:
            found.append((begin, end))
    return found


def _is_end(text: str, match: re.Match[str]) -> bool:
    # The text is not copied for each end: that would take the square of its length.
    start, end = match.span()
    if match[0] != "\n":
        return not is_short_form(text, start) and not _GOES_ON.match(text, end)
    line = text[text.rfind("\n", 0, start) + 1 : start].strip()
    following = _NEW.match(text, end)
    if following is not None and following[0].endswith(">") and line.endswith(":") | line.startswith(">"):
        # A block quote belongs to what introduces it.
        return False
    return line[-1:] in tuple(".!?…:;)") or following is not None


def struck_out(sentence: str) -> str:
    """Return a sentence struck out, line by line, signs of lists and quotes left as they are."""
    return "\n".join(map(_struck_line, sentence.replace("~~", "").split("\n")))


def _struck_line(line: str) -> str:
    if line.lstrip().startswith("|"):
        return re.sub(r"(?<=\|)(\s*)([^|\s](?:[^|]*[^|\s])?)(\s*)(?=\|)", r"\1~~\2~~\3", line)
    opening = _OPENING.match(line)
    start = opening.end() if opening else 0
    inside = line[start:].rstrip()
    return f"{line[:start]}~~{inside}~~{line[start + len(inside) :]}" if inside else line


def marked(sentence: str, mark: str) -> str:
    """Return a sentence with a mark at its end, before the full stop."""
    if mark in sentence:
        return sentence
    at = len(sentence.rstrip().rstrip('"”»’*_').rstrip(".!?…"))
    return f"{sentence[:at]} {mark}{sentence[at:]}"
