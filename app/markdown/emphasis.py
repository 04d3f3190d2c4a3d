"""Which marks of emphasis pair up, so that a tag may stand against them."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

_RUN = re.compile(r"\*+|_+|~~+|==+")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@dataclass(slots=True)
class _Opener:
    order: int
    start: int
    end: int


def paired_marks(text: str, is_literal: Callable[[int], bool]) -> frozenset[int]:
    """Find the positions of all emphasis marks that have a partner.

    Args:
        text: The text of one paragraph.
        is_literal: Tells whether a position is escaped or belongs to another construct.
    """
    paired: set[int] = set()
    openers: dict[str, list[_Opener]] = {"*": [], "_": [], "~": [], "=": []}
    for order, run in enumerate(_RUN.finditer(text)):
        if is_literal(run.start()):
            continue
        sign, start = run[0][0], run.start()
        opens, closes = _flanks(text, run.start(), run.end(), intraword=sign != "_")
        smallest = 1 if sign in "*_" else 2
        stack = openers[sign]
        while closes and stack and run.end() - start >= smallest:
            opener = stack[-1]
            width = 2 if min(opener.end - opener.start, run.end() - start) >= 2 else 1
            opener.end -= width
            paired.update(range(opener.end, opener.end + width))
            paired.update(range(start, start + width))
            start += width
            # Marks that opened since then have lost their chance: emphasis nests, it does not overlap.
            for others in openers.values():
                while others and others[-1].order > opener.order:
                    others.pop()
            if opener.end - opener.start < smallest:
                stack.pop()
        if opens and run.end() - start >= smallest:
            stack.append(_Opener(order, start, run.end()))
    return frozenset(paired)


def _flanks(text: str, start: int, end: int, *, intraword: bool) -> tuple[bool, bool]:
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    left = not after.isspace() and (not _is_sign(after) or before.isspace() or _is_sign(before))
    right = not before.isspace() and (not _is_sign(before) or after.isspace() or _is_sign(after))
    if intraword:
        return left, right
    return left and (not right or _is_sign(before)), right and (not left or _is_sign(after))


def _is_sign(sign: str) -> bool:
    return sign in _PUNCTUATION or (not sign.isascii() and unicodedata.category(sign)[0] in "PS")
