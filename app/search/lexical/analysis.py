"""Turn text into the words that are indexed: folded, whole and by part.

A text is cut by one regular expression into *runs* (``l'eau``, ``en-cours``, ``C++``, a row of emoji);
each distinct run is then analysed once into *atoms*. So the cost of a long text is that of one
regular expression, and every rule below is paid per distinct run.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from app.vault.paths import normalized

# Marks and letter-like signs that `\w` leaves out, and the invisible characters that stand inside words.
_MARKS = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u0dff\u0e30-\u0e3a\u0e40-\u0e4e"
    "\u0eb0-\u0ebc\u0ec0-\u0ece\u0f18-\u0f1f\u0f71-\u0f84\u102b-\u103e\u17b4-\u17d3\u1ab0-\u1aff"
    "\u1dc0-\u1dff\u200b-\u200d\u2060\u20d0-\u20ff\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f\ufeff"
)
_WORD = rf"[\w{_MARKS}]"
_SYMBOL = (
    "[\u00a2-\u00a9\u00ac\u00ae-\u00b1\u00d7\u00f7\u20a0-\u20cf\u2100-\u2bff\u3200-\u33ff"
    "\ue000-\uf8ff\ufffc\ufffd\U0001f000-\U0001faff]"
)
_IGNORED = "[\u00ad\u200b-\u200d\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufeff]"

# What cuts text of plain letters as `_any_run` does, a third quicker.
_PLAIN_RUN = re.compile(r"\w+(?:[-./'@&]\w+)*(?:\+\+|\#(?!\w))?", re.ASCII)
_JOINED = re.compile(r"[-./'’@&\u2010\u2011_+#]")
_APOSTROPHE = re.compile("['’]")
_SKIN = re.compile("[\U0001f3fb-\U0001f3ff]")
_INVISIBLE = re.compile(_IGNORED)
_CJK = (
    "\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
)
_CJK += "\U00020000-\U0003ffff"

# No sign that opens a quotation stands inside one: a row of them would be looked through again from each.
# An apostrophe inside a word closes nothing.
_QUOTED = re.compile(
    r"\"([^\"]*)\"|“([^“”]*)”|«([^«»]*)»|„([^„“”]*)[“”]"
    r"|\u2018((?:[^\u2018\u2019]|\u2019(?=\w))*)\u2019(?!\w)"
)

MAX_WHOLE_PARTS = 8
"""A joined word of more parts (an address, a long path) is indexed by its parts alone."""
MAX_WHOLE_CHARS = 80

# Short forms that stand for a word before an apostrophe in French and Italian, after one in English.
ELIDED = frozenset(
    ("l", "d", "j", "m", "n", "s", "t", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu", "un", "all", "dell")
)
CLITIC = frozenset(("s", "t", "m", "d", "ll", "re", "ve"))

_LETTERS = str.maketrans(
    {"’": "'", "\u2010": "-", "\u2011": "-", "œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ı": "i"}
)
# Viramas, nuktas and the marks of kana make another letter; other marks are accents.
_KEPT_CLASSES = (0, 7, 8, 9)


class Atom(NamedTuple):
    """One indexed word: ``term`` is folded, ``raw`` keeps the accents a stemmer needs.

    ``step`` is 0 for a joined word as a whole, which stands where its first part stands, else 1.
    ``weak`` marks an elided form, such as the ``l`` of ``l'eau``.
    """

    term: str
    raw: str
    step: int = 1
    weak: bool = False


@cache
def _any_run() -> re.Pattern[str]:
    """Return what finds the runs of any text; it takes long to compile, so it is made when one needs it."""
    return re.compile(
        rf"{_WORD}+(?:[-./'’@&\u2010\u2011]{_WORD}+)*(?:\+\+|\#(?!{_WORD}))?"
        rf"|{_SYMBOL}(?:{_SYMBOL}|{_IGNORED})*"
    )


@cache
def _cjk() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds Chinese, Japanese or Korean signs, and what cuts a text into these and others."""
    return re.compile(f"[{_CJK}]+"), re.compile(f"[{_CJK}]+|[^{_CJK}]+")


def has_unspaced(text: str) -> bool:
    """Return whether a text has Chinese, Japanese or Korean signs, which the index keeps two at a time."""
    return not text.isascii() and bool(_cjk()[0].search(text))


def fold(text: str) -> str:
    """Take case, accents and compatibility forms from a word in any Unicode form: ``Œuvré`` to ``oeuvre``."""
    if text.isascii():
        return text.lower()
    plain = normalized("NFKD", _INVISIBLE.sub("", text).casefold().translate(_LETTERS))
    kept = "".join(c for c in plain if unicodedata.combining(c) in _KEPT_CLASSES)
    return normalized("NFC", kept).casefold().translate(_LETTERS)


def in_order(name: str) -> tuple[list[str], str]:
    """Return what orders names as a dictionary does, accents and case aside, nested ones below their own."""
    return [fold(part) for part in name.split("/")], name


def run_pattern(text: str) -> re.Pattern[str]:
    """Return what finds the runs of a text."""
    return _PLAIN_RUN if text.isascii() else _any_run()


def runs(text: str) -> list[str]:
    """Cut text into its runs, lower-cased, in order."""
    return run_pattern(text).findall(text.lower())


@lru_cache(maxsize=1 << 16)
def atoms(run: str) -> tuple[Atom, ...]:
    """Return what one run is indexed as: the whole where it is joined, then its parts."""
    if run.isascii() and run.isalnum():
        return (Atom(run, run),)
    first = run[0]
    if not (first.isalnum() or first == "_") and re.match(_SYMBOL, first):
        return _symbol_atoms(run)
    sign = sign_of(run)
    pieces = [piece for piece in _JOINED.split(run) if piece]
    parts = [atom for piece in pieces for atom in _part_atoms(piece)]
    if sign and parts:
        signed = parts[-1].term + sign
        parts.insert(-1, Atom(signed, signed, 0))
    if _APOSTROPHE.search(run):
        return tuple(_mark_elisions(run, parts))
    whole = _whole(run, len(pieces))
    return (Atom(whole, whole, 0), *parts) if whole and parts else tuple(parts)


def sign_of(run: str) -> str:
    """Return the sign that is part of a run's last word, as in ``C++`` and ``F#``."""
    return "++" if run.endswith("++") else "#" if run.endswith("#") else ""


def _whole(run: str, count: int) -> str:
    """Return the folded form of a joined run, or nothing where only its parts are worth a term."""
    if not 1 < count <= MAX_WHOLE_PARTS or len(run) > MAX_WHOLE_CHARS:
        return ""
    return fold(run).strip("_")


def _part_atoms(piece: str) -> Iterator[Atom]:
    term = fold(piece)
    if not term:
        return
    if term.isascii() or not _cjk()[0].search(term):
        yield Atom(term, normalized("NFC", _INVISIBLE.sub("", piece)))
        return
    stretches, scripts = _cjk()
    for stretch in scripts.findall(term):
        if len(stretch) == 1 or not stretches.match(stretch):
            yield Atom(stretch, stretch)
        else:
            yield from (Atom(pair, pair) for pair in map("".join, pairwise(stretch)))


def _symbol_atoms(run: str) -> tuple[Atom, ...]:
    signs = _SKIN.sub("", _INVISIBLE.sub("", run))
    single = tuple(Atom(sign, sign) for sign in signs)
    return single if len(single) < 2 else (Atom(signs, signs, 0), *single)


def _mark_elisions(run: str, parts: list[Atom]) -> Iterator[Atom]:
    """Mark the shortened words beside an apostrophe, which say nothing by themselves."""
    before, *after = _APOSTROPHE.split(run)
    head, tail = fold(before), fold(after[-1])
    for at, atom in enumerate(parts):
        weak = (at == 0 and head in ELIDED and atom.term == head) or (
            at == len(parts) - 1 and tail in CLITIC and atom.term == tail
        )
        yield Atom(atom.term, atom.raw, atom.step, weak)


class Piece(NamedTuple):
    """A part of a text, without the marks around it; ``start`` and ``end`` count them in."""

    text: str
    start: int
    end: int
    quoted: bool


def pieces(text: str) -> Iterator[Piece]:
    """Yield what stands in quotation marks and what stands between, in order."""
    at = 0
    for found in _QUOTED.finditer(text):
        if at < found.start():
            yield Piece(text[at : found.start()], at, found.start(), quoted=False)
        inside = next(group for group in found.groups() if group is not None)
        yield Piece(inside, found.start(), found.end(), quoted=True)
        at = found.end()
    if at < len(text):
        yield Piece(text[at:], at, len(text), quoted=False)
