"""The sentences of an answer: where they are, which of them state anything, and how they are marked."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from app.chat.cite.dates import find_moments
from app.chat.cite.named import find_names
from app.chat.cite.numbers import find_quantities
from app.chat.cite.parse import find_quotes
from app.chat.cite.passage import content_words
from app.markdown.plain import plain_line
from app.markdown.sentences import is_short_form

Span = tuple[int, int]

FEWEST_WORDS = 2
"""Words of meaning without which a sentence that names no number, time or name states nothing."""

_END = re.compile(r"(?<=[.!?…])[*_\"”»’)\]]*(?=\s)|\n")
_GOES_ON = re.compile(r"\s*(?:[a-zà-ÿ(\[~]|[-–—]\s)")
_BETWEEN = re.compile(r"[ \t]*[;,&]?[ \t]*[(\[—–]?[ \t]*")
_CLOSING = re.compile(r"[)\]]*\.?(?=\s*(?:\Z|\n|[A-ZÀ-ÖØ-Þ“«\"*\d-]))")
_NEW = re.compile(r"[ \t]*(?:[-*+]\s|\d{1,9}[.)]\s|>|\||#{1,6}\s|`{3}|~{3}|\n|\Z)")
_OPENING = re.compile(r"\s*(?:>\s*)*(?:#{1,6}\s+|(?:[-*+]|\d{1,9}[.)])\s+(?:\[.\]\s+)?)?")
_QUOTED_LINE = re.compile(r"[ \t]*>")
_FENCE = re.compile(
    r"^[ \t]*(?:`{3,}|~{3,}).*?(?:^[ \t]*(?:`{3,}|~{3,})[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_FORMALITY = re.compile(
    r"\W*(?:hello|hi|hey|dear|thanks?|thank\syou|you(?:'|’)?re\swelcome|glad|happy\sto|sure|certainly"
    r"|of\scourse|ok(?:ay)?\b"
    r"|great|sorry|i(?:'|’)?m\s(?:sorry|glad|happy|afraid)|i\s(?:hope|found|looked|searched|checked|look"
    r"|will|can|could|did)\b"
    r"|let\sme|let(?:'|’)s|here(?:'|’)?s|here\s(?:is|are)|below|in\s(?:short|summary|brief)|to\ssum"
    r"|as\s(?:i\ssaid|follows)"
    r"|see\b|feel\sfree|would\syou|do\syou|if\syou|hope\sthis|the\snotes\s(?:do|say|give|answer|seem"
    r"|contain|mention)"
    r"|(?:my|your|these|this)\snotes?\b|nothing\s(?:found|else)|no\snotes?\b|deleted|moved|created|made"
    r"|renamed|added|wrote"
    r"|bonjour|bonsoir|salut|merci|de\srien|bien\ssûr|certainement|d(?:'|’)accord|désolée?|volontiers"
    r"|avec\splaisir"
    r"|j(?:'|’)(?:ai\s(?:trouvé|cherché|regardé|vérifié)|espère)|je\s(?:vais|peux|regarde|cherche|suis)"
    r"|voici|voilà|ci-dessous"
    r"|en\s(?:résumé|bref|somme)|comme\s(?:suit|dit)|voir\b|n(?:'|’)hésitez|souhaitez|voulez|si\svous"
    r"|les\snotes\s(?:ne|disent|donnent|semblent|parlent|contiennent)|(?:vos|mes|ces)\snotes\b"
    r"|aucune\snote|rien\s(?:trouvé|d)"
    r"|supprimée?|déplacée?|créée?|renommée?|ajoutée?)(?!\w)",
    re.IGNORECASE,
)


def find_sentences(text: str, cited: Sequence[Span]) -> list[Span]:
    """Find the sentences of a block of an answer, code left out.

    What follows the end of a sentence and holds nothing but a citation belongs to it.

    Args:
        text: A block: lines without an empty one among them.
        cited: Where the citations stand, which may hold the sign of an end themselves.
    """
    closed = [*cited, *((quote.start, quote.end) for quote in find_quotes(text) if quote.text[-1:] != "\n")]
    is_inside = bytearray(len(text) + 1)
    for start, stop in closed:
        is_inside[start + 1 : stop] = b"\1" * (stop - start - 1)
    fences = [match.span() for match in _FENCE.finditer(text)]
    stops = dict(cited)
    starts = sorted(stops)
    ends = [
        behind or match.end()
        for match in _END.finditer(text)
        if not is_inside[match.start() + 1]
        and ((behind := _behind_citations(text, match.end(), stops)) or _is_end(text, match))
    ]
    found: list[Span] = []
    begin = 0
    for end in sorted({*ends, *(place for fence in fences for place in fence), len(text)}):
        if end <= begin:
            continue
        if text[begin:end].strip() and not any(start <= begin < stop for start, stop in fences):
            inside = [
                (start, stops[start])
                for start in starts[bisect_left(starts, begin) : bisect_left(starts, end)]
                if stops[start] <= end
            ]
            if found and found[-1][1] == begin and _is_only_cited(text, begin, end, inside):
                found[-1] = found[-1][0], end
            else:
                found.append((begin, end))
        begin = end
    return found


def _behind_citations(text: str, place: int, stops: Mapping[int, int]) -> int:
    """Return where the citations end that follow a full stop and belong before it; 0 where none do."""
    end = 0
    while between := _BETWEEN.match(text, end or place):
        if between.end() not in stops:
            break
        end = stops[between.end()]
    if not end:
        return 0
    closing = _CLOSING.match(text, end)
    return closing.end() if closing else 0


def _is_end(text: str, match: re.Match[str]) -> bool:
    # The text is not copied for each end: that would take the square of its length.
    start, end = match.span()
    if match[0] == "\n":
        line = text[text.rfind("\n", 0, start) + 1 : start].rstrip()
        is_quoted_next = _QUOTED_LINE.match(text, end) is not None
        if line.endswith(":") and is_quoted_next:
            # A block quote belongs to what introduces it.
            return False
        quoted = line.lstrip().startswith(">") and is_quoted_next
        return not quoted and (line[-1:] in tuple(".!?…:;)") or _NEW.match(text, end) is not None)
    return not is_short_form(text, start) and not _GOES_ON.match(text, end)


def _is_only_cited(text: str, begin: int, end: int, inside: Sequence[Span]) -> bool:
    if not inside:
        return False
    rest = "".join(
        sign for at, sign in enumerate(text[begin:end], begin) if not any(a <= at < b for a, b in inside)
    )
    return not re.sub(
        r"\b(?:see|source|sources|from|in|and|et|voir|dans|cf|lines?|lignes?)\b|[\W_]", "", rest, flags=re.I
    )


def lines_of(text: str, sentences: Sequence[Span]) -> list[list[Span]]:
    """Return sentences of a text in lists, those together that stand on one line."""
    lines: list[list[Span]] = []
    for start, end in sentences:
        if lines:
            before, last = lines[-1][-1]
            written = len(text[before:last].rstrip())
            opening = end - len(text[start:end].lstrip())
            if "\n" not in text[before + written : opening]:
                lines[-1].append((start, end))
                continue
        lines.append([(start, end)])
    return lines


def is_checkable(sentence: str, *, is_cited: bool = False) -> bool:
    """Return whether a sentence states something that notes could bear out.

    Greetings, questions, what only introduces something, and what a model says of its own doing do not. Of a
    sentence that cites lines, a single word and the row of a table are something.
    """
    text = plain_line(sentence.replace("\n", " "))
    if find_quotes(sentence):
        return True
    left_out = "#" if is_cited else ("#", "|")
    if text.endswith((":", "?")) or sentence.lstrip().startswith(left_out) or _FORMALITY.match(text):
        return False
    words = [word for word in content_words(text) if word.lower() not in ("one", "un", "une")]
    if len(words) >= (1 if is_cited else FEWEST_WORDS) or find_moments(text):
        return True
    quantities = (each for each in find_quantities(text) if not each.is_plain_one)
    return any(True for _ in quantities) or bool(words and find_names(sentence))


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
