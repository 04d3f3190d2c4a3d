"""Formulas of a note as MathML, which browsers draw by themselves."""

import re
from functools import lru_cache
from html import escape, unescape
from xml.etree import ElementTree

import nh3

MOST_CHARS = 4000
"""A longer formula is shown as it is written."""
_ELEMENTS = {
    *("math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup"),
    *("msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom"),
    *("menclose", "mmultiscripts", "mprescripts", "none"),
}  # fmt: skip
_ATTRIBUTES = {
    "*": {
        "mathvariant",
        "mathcolor",
        "displaystyle",
        "scriptlevel",
        "width",
        "height",
        "depth",
        "columnalign",
    },
    "math": {"display"},
    "mo": {
        "stretchy",
        "fence",
        "form",
        "separator",
        "largeop",
        "movablelimits",
        "lspace",
        "rspace",
        "minsize",
    },
    "mfrac": {"linethickness"},
    "mtable": {"rowspacing", "columnspacing", "columnlines", "rowlines", "frame"},
    "munderover": {"accent", "accentunder"},
    "mover": {"accent"},
    "munder": {"accentunder"},
    "menclose": {"notation"},
}
_LINE = "―"
_LINES = {"mover": "over", "munder": "under"}
"""The classes of what a line is drawn over or under."""
_WITH_LIMITS = frozenset(
    ("lim", "lim sup", "lim inf", "max", "min", "sup", "inf", "argmax", "argmin", "arg max", "arg min", "gcd")
)
_BELOW = {"msub": "munder", "msup": "mover", "msubsup": "munderover"}
_WRITTEN = re.compile(r'<code class="formula( shown-apart)?">(.*?)</code>', re.DOTALL)


def draw_formulas(html: str) -> str:
    """Return cleaned HTML with its formulas drawn; one that is not understood stays as it is written."""
    return _WRITTEN.sub(_drawn, html)


def _drawn(found: re.Match[str]) -> str:
    drawn = _mathml(unescape(found[2]), bool(found[1]))
    if drawn is None:
        return found[0]
    return f'<span class="formula{found[1] or ""}" title="{escape(unescape(found[2]))}">{drawn}</span>'


@lru_cache(maxsize=1000)
def _mathml(formula: str, is_apart: bool) -> str | None:
    from latex2mathml.converter import convert

    if len(formula) > MOST_CHARS:
        return None
    try:
        written = convert(formula.strip(), display="block" if is_apart else "inline")
    except Exception:  # noqa: BLE001 - what the library raises has no class in common
        return None
    # The formula is the note's: it may set links and styles.
    cleaned = nh3.clean(written, tags=_ELEMENTS, attributes=_ATTRIBUTES, link_rel=None)
    # XML has no name for a no-break space, by which nh3 writes it.
    return _set_out(cleaned.replace("&nbsp;", "\N{NO-BREAK SPACE}"), is_apart=is_apart) or None


def _set_out(mathml: str, *, is_apart: bool) -> str:
    """Put limits below their words in a formula that stands apart, and draw lines over and under things.

    The library sets such limits beside the word, and a line as one sign, which does not grow without a font
    made for formulas.
    """
    if not any(sign in mathml for sign in (_LINE, *_WITH_LIMITS)):
        return mathml
    try:
        whole = ElementTree.fromstring(mathml)
    except ElementTree.ParseError:
        return mathml
    for part in whole.iter():
        if is_apart and part.tag in _BELOW and (part[0].text or "") in _WITH_LIMITS:
            part.tag = _BELOW[part.tag]
        if part.tag in _LINES and len(part) == 2 and part[1].text == _LINE:
            part.set("class", _LINES[part.tag])
            part.tag = "mrow"
            part.remove(part[1])
    return ElementTree.tostring(whole, encoding="unicode")
