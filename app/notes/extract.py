"""The sentences that carry a note, chosen without a language model.

The words that a note uses most say what it is about, and once a sentence is chosen its words count for less,
so that the next one says something else: this is SumBasic (Nenkova and Vanderwende, "The Impact of Frequency
on Summarization", 2005). That words of headings weigh more, and sentences with which a note or a section
begins, is from Edmundson, "New Methods in Automatic Extracting" (1969).
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.markdown.outline import TextRun
from app.markdown.parse import running_text
from app.markdown.sentences import sentence_starts
from app.vault.paths import nfc

SENTENCES = 5
"""Most that are chosen."""

LEAST_WORDS = 3
"""Words outside links that a sentence has; what has fewer is a label rather than a statement."""
LEAST_SHARE = 0.5
"""Of the words, those outside links; below it a line is an entry of a menu."""
AGAIN = 0.7
"""What the words of a chosen sentence are worth from then on, chosen by reading twenty notes. Squared, as in
SumBasic, they would be worth next to nothing, and what a note is about would come up once."""
SAME = 0.6
"""Two sentences say the same when they share this part of their words."""

FIRST_OF_NOTE, FIRST_OF_SECTION, ITEM = 2.0, 1.3, 0.7
"""What a sentence's weight is multiplied by for where it stands."""
INTRODUCING, REFERRING, POINTING, UNFINISHED = 0.2, 0.6, 0.7, 0.7
"""The same where it only announces what stands below, refers to what stands before, ends with a link that it
may only lead to, or has no full stop."""

STEM = 6
"""Beginnings of words of this length are compared, so that a plural meets its singular."""
LEAST_LETTERS = 4
_ENGLISH = """
about above after again also although another because been before being below between both cannot could does
doing done down during each either else even ever every from further have having here hers into itself just
less like made make many more most much must need neither never none often once only onto other ours over
same shall should since some still such than that their them then there these they this those though through
thus together under until upon very want well were what when where whether which while whom whose will with
within without would your yours
"""
_FRENCH = """
ainsi alors après assez aucun aucune aussi autre autres avait avant avec avoir beaucoup bien cela celle
celles celui cependant ceux chaque chez comme comment dans depuis dernier deux devant dire doit donc dont
elle elles encore entre était étaient être faire fait faut furent jamais jusque laquelle lequel lesquels
leur leurs lors lorsque mais malgré même mêmes moins notre nous parce parmi pendant peut peuvent plus
plusieurs pour pourquoi pourtant près presque puis quand quel quelle quelles quelque quels quoi rien sans
sauf selon sera serait seront seulement sinon soit sont sous souvent suivant sur tandis tant tels tous tout
toute toutes toujours très trop vers voici voilà votre vous
"""
_SMALL = frozenset(word[:STEM] for text in (_ENGLISH, _FRENCH) for word in text.split())
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff"
_IS_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
# No part of a link reaches past the next bracket, so that signs that nothing closes cost little.
_LINK = re.compile(
    r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]"
    r"|!?\[([^\[\]]*)\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\[\]]*\])"
    r"|<?https?://\S+|(?<!\w)#\S+"
)
_LINK_SIGN = "[]"
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_CODE = re.compile(r"`[^`\n]*`")
_PICTURE = re.compile(r"(?:\s*!\[\[[^\[\]]*\]\]|\s*\[?!\[[^\[\]]*\]\([^()\n]*\)(?:\]\([^()\n]*\))?)+\s*\Z")
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
_SIGNS_OF_RULE = frozenset(" \t\r>|:-")
"""Of the line between a table's header and its rows."""
_CALLOUT = re.compile(r"\[![\w-]+\][+-]?")
_BOX = re.compile(r"\[[^\[\]\n]\]\s+")
_NO_TEXT = re.compile(r"<[!/A-Za-z]|\[\^|\^")
_FINISHED = re.compile(r"[.!…。！][»\"”’)\]*_ ]*\Z")
_REFERRING = re.compile(
    r"\W*(?:it|this|that|these|those|they|he|she|and|but|or|so|then|also|however|therefore|otherwise"
    r"|il|ils|elle|elles|ce|cela|ceci|ça|c['’]est|celui-ci|celle-ci|et|mais|ou|donc|puis|ensuite|alors|sinon)\b",
    re.IGNORECASE,
)
_LIST = re.compile(r"[\s>]*(?:[-*+]|\d{1,9}[.)])\s")


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence as it stands, on one line, with what its place is worth and the beginnings of its words."""

    text: str
    words: frozenset[str]
    worth: float


def carrying(text: str, start: int, end: int) -> list[str]:
    """Choose up to `SENTENCES` sentences of a note, in its order, each as it stands but on one line.

    Headings, properties, code, comments, pictures and entries of menus are none. Where a part has no
    sentence, the rows of its tables are taken, and without these what is too short to state anything.

    Args:
        text: The whole note.
        start: Where the part begins that is to be shown in short.
        end: Where it ends.
    """
    runs = running_text(text)
    inside = list(_inside(runs, start, end))
    sentences = (
        list(_sentences(text, inside, LEAST_WORDS))
        or list(_rows(text, inside))
        or list(_sentences(text, inside, 1))
    )
    frequency = Counter(word for sentence in sentences for word in sentence.words)
    frequency.update(word for run in runs if run.kind == "heading" for word in _words(run.text))
    return [sentences[at].text for at in sorted(_chosen(sentences, frequency))]


def _inside(runs: Sequence[TextRun], start: int, end: int) -> Iterator[TextRun]:
    """Return what of some runs lies between two places."""
    for run in runs:
        first, last = max(start, run.start), min(end, run.start + len(run.text))
        if first < last:
            yield TextRun(run.kind, first, run.text[first - run.start : last - run.start])


def _chosen(sentences: Sequence[_Sentence], frequency: Counter[str]) -> list[int]:
    """Choose sentence after sentence by what its words are worth once those before it are known."""
    total = sum(frequency.values())
    shares = {word: count / total for word, count in frequency.items()}
    left, chosen = set(range(len(sentences))), list[int]()
    while left and len(chosen) < SENTENCES:
        best = max(left, key=lambda at: (_weight(sentences[at], shares), -at))
        chosen.append(best)
        shares.update((word, shares[word] * AGAIN) for word in sentences[best].words)
        left = {at for at in left if not _is_same(sentences[at], sentences[best])}
    return chosen


def _weight(sentence: _Sentence, shares: dict[str, float]) -> float:
    """Weigh a sentence; the root of its length lets a long one win, but not by length alone."""
    if not sentence.words:
        return 0.0
    return sentence.worth * sum(shares[word] for word in sentence.words) / math.sqrt(len(sentence.words))


def _is_same(one: _Sentence, other: _Sentence) -> bool:
    if one is other or one.text.casefold() == other.text.casefold():
        return True
    return len(one.words & other.words) > SAME * len(one.words | other.words)


def _sentences(text: str, runs: Sequence[TextRun], least: int) -> Iterator[_Sentence]:
    """Cut the paragraphs into sentences of some words at least."""
    place, hidden_until = FIRST_OF_NOTE, 0
    for run in runs:
        if run.kind == "heading":
            place = max(place, FIRST_OF_SECTION)
        if run.kind != "paragraph" or run.start < hidden_until:
            continue
        shown, hidden_until = _without_comments(text, run)
        is_item = _LIST.match(text, text.rfind("\n", 0, run.start) + 1, run.start + 1) is not None
        for piece in _pieces(shown):
            if _states(piece, least):
                worth = _worth(piece)
                yield _Sentence(piece, _words(piece), worth * place * (ITEM if is_item else 1.0))
                if worth != INTRODUCING:
                    place = 1.0


def _worth(piece: str) -> float:
    """Return what a sentence's weight is multiplied by for its form."""
    if piece.rstrip("*_ ").endswith(":"):
        return INTRODUCING
    worth = REFERRING if _REFERRING.match(piece) else 1.0
    worth *= POINTING if _LINK.sub(_LINK_SIGN, piece).rstrip(".) ").endswith(_LINK_SIGN) else 1.0
    return worth * (1.0 if _FINISHED.search(piece) else UNFINISHED)


def _without_comments(text: str, run: TextRun) -> tuple[str, int]:
    """Return a paragraph without comments (``%%``), and where one ends that goes on below it."""
    shown = _COMMENT.sub(" ", run.text)
    opening = shown.find("%%")
    closing = text.find("%%", run.start + len(run.text)) if opening >= 0 else -1
    return (shown, 0) if closing < 0 else (shown[:opening], closing + 2)


def _pieces(text: str) -> Iterator[str]:
    """Cut a paragraph into sentences, without its pictures and the title of a callout."""
    lines = text.split("\n")
    lines = lines[1:] if _CALLOUT.match(lines[0]) else lines
    kept = "\n".join("" if _PICTURE.match(line) else line for line in lines)
    # No sentence ends inside a link or a code.
    masked = _CODE.sub(_masked, _LINK.sub(_masked, kept))
    borders = [0, *sentence_starts(masked), len(kept)]
    for first, last in pairwise(borders):
        piece = " ".join(kept[first:last].split())
        yield piece[box.end() :] if (box := _BOX.match(piece)) else piece


def _masked(match: re.Match[str]) -> str:
    return "X" * len(match[0])


def _states(piece: str, least: int) -> bool:
    """Return whether a piece of text has some words of its own, rather than leading elsewhere."""
    if _NO_TEXT.match(piece):
        return False
    bare = _TAG.sub("", piece)
    # Twice, for a picture that is a link.
    own = len(_WORD.findall(_LINK.sub("", _LINK.sub("", bare))))
    return own >= least and own >= LEAST_SHARE * len(_WORD.findall(_as_read(bare)))


def _as_read(text: str) -> str:
    """Return a text with what its links show in place of the links."""
    return _LINK.sub(lambda link: link[1] or link[2] or "", text)


def _rows(text: str, runs: Sequence[TextRun]) -> Iterator[_Sentence]:
    """Take the rows of tables, without their headers, as they stand."""
    end = -1
    for run in runs:
        if run.kind != "cell" or run.start < end:
            continue
        start, end = text.rfind("\n", 0, run.start) + 1, _line_end(text, run.start)
        row = text[start:end].strip()
        below = text[end + 1 : _line_end(text, end + 1)]
        if "-" not in below or set(below) - _SIGNS_OF_RULE:
            yield _Sentence(row, _words(row), 1.0)


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _words(text: str) -> frozenset[str]:
    """Return the beginnings of a text's words that carry meaning."""
    words = _WORD.findall(nfc(_as_read(text)).casefold())
    kept = (word for word in words if len(word) >= LEAST_LETTERS or _IS_UNSPACED.match(word))
    return frozenset(word[:STEM] for word in kept if not word.isdigit()) - _SMALL
