"""Translate regular expressions as JavaScript writes them to what the library `regex` reads."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from app.errors import PatternError

if TYPE_CHECKING:
    import regex

MAX_SOURCE = 1000
MAX_REPEATS = 100_000
"""Most that the counts of an expression, such as ``{4}``, come to when multiplied: each makes it larger."""
_CODE = r"\\(?:u\{(?P<braced>[0-9A-Fa-f]{1,6})\}|(?:u(?P<four>[0-9A-Fa-f]{4})|x(?P<two>[0-9A-Fa-f]{2})))"
_ESCAPE = rf"{_CODE}|\\c(?P<control>[A-Za-z])|(?P<kind>\\[pP]\{{[\w=]+\}})|\\(?P<escaped>.)"
_TOKEN = re.compile(
    rf"\\k<(?P<name>\w+)>|{_ESCAPE}"
    r"|(?P<brackets>\[\^?(?:\\.|[^\]\\])*\])"
    r"|(?P<group>\(\?(?:[:=!]|<[=!]|<[A-Za-z_]\w*>|[ims]+(?:-[ims]+)?:|-[ims]+:)|\((?!\?))"
    r"|(?P<repeat>(?:[*+?]|\{[0-9]{1,6}(?:,[0-9]{0,6})?\})\??)"
    r"|(?P<foreign>\(\?(?:P?[<>]?|\w|.)?|[\[\\])"
    r"|(?P<sign>.)",
    re.DOTALL,
)
_BRACKETED = re.compile(rf"{_ESCAPE}|(?P<range>-)|(?P<sign>.)", re.DOTALL)
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f", "0": "\0"}
_CLASSES = {"d": "[0-9]", "D": "[^0-9]", **{name: f"\\{name}" for name in "wWsSbB"}}
_IN_BRACKETS = {**_CLASSES, "d": "0-9", "D": r"\D", "b": r"\x08"}


@dataclass(frozen=True, slots=True)
class Translation:
    """The expression for `regex`, and texts that stand in whatever it meets."""

    text: str
    literals: tuple[str, ...] = ()


def translate(source: str) -> Translation:
    r"""Translate an expression.

    Raises:
        PatternError: it is not JavaScript, or uses a form that is not supported.
    """
    if len(source) > MAX_SOURCE:
        raise PatternError("a regular expression of at most {most} characters", most=MAX_SOURCE)
    parts, runs = list[str](), [""]
    depth, repeats, repeated, branches = 0, 1, False, False
    for token in _TOKEN.finditer(source):
        text, char = _translated(token)
        if (is_repeat := token["repeat"] is not None) and repeated:
            # The library would take what none of JavaScript's repeats is.
            raise PatternError("something that can be repeated before this", token.start())
        repeated = is_repeat
        if is_repeat and (repeats := repeats * max(1, 1, *map(int, re.findall(r"\d+", text)))) > MAX_REPEATS:
            raise PatternError("at most {most} repeats", token.start(), most=MAX_REPEATS)
        parts.append(text)
        depth += (token["group"] is not None) - (text == ")")
        branches = branches or (text == "|" and not depth)
        if char and not depth:
            runs[-1] += char
        else:
            if is_repeat and text[0] in "*?{":
                runs[-1] = runs[-1][:-1]
            runs.append("")
    return Translation("".join(parts), () if branches else tuple(filter(None, runs)))


@lru_cache(maxsize=128)
def compiled(translated: str, *, case: bool = False, lines: bool = False) -> "regex.Pattern[str]":
    """Return a translated expression, ready to be compared.

    Args:
        translated: The text of a `Translation`.
        case: Whether case makes a difference.
        lines: Whether ``^`` and ``$`` stand for the ends of each line.

    Raises:
        PatternError: it is no expression.
    """
    import regex

    flags = (0 if case else regex.IGNORECASE) | (regex.MULTILINE if lines else 0)
    try:
        return regex.compile(translated, regex.VERSION0 | flags)
    except regex.error as error:
        raise PatternError("a valid regular expression ({reason})", reason=error.msg) from error
    except (RecursionError, OverflowError, MemoryError) as error:
        raise PatternError("a simpler regular expression") from error


def _translated(token: re.Match[str]) -> tuple[str, str]:
    """Return how a part of an expression is written, and the character that it stands for, if it is one."""
    if token["foreign"]:
        if token["foreign"] == "[":
            raise PatternError("']' that closes this '['", token.start())
        if token["foreign"] == "\\":
            raise PatternError("a sign after '\\'", token.start())
        raise PatternError(
            "a group of JavaScript's, which '{opening}' does not open",
            token.start(),
            opening=token["foreign"],
        )
    if token["name"]:
        return f"(?P={token['name']})", ""
    if token["brackets"]:
        return _bracketed(token["brackets"], token.start()), ""
    if token["escaped"] in _CLASSES:
        return _CLASSES[token["escaped"]], ""
    if token["escaped"] and token["escaped"] in "123456789":
        return f"(?:\\{token['escaped']})", ""
    if (text := token["group"] or token["repeat"] or token["kind"]) or token["sign"] in tuple("^$.|)"):
        return text or token["sign"], ""
    char = _char(token)
    return _plain(char), char


def _bracketed(brackets: str, start: int) -> str:
    negated = brackets.startswith("[^")
    parts = []
    for token in _BRACKETED.finditer(brackets[2 if negated else 1 : -1]):
        if token["range"] or token["kind"]:
            parts.append(token[0])
        elif token["escaped"] in _IN_BRACKETS:
            parts.append(_IN_BRACKETS[token["escaped"]])
        else:
            parts.append(_plain(_char(token, start)))
    if not parts:
        return r"[\s\S]" if negated else "(?!)"
    return f"[{'^' if negated else ''}{''.join(parts)}]"


def _char(token: re.Match[str], start: int = 0) -> str:
    """Return the character that a part of an expression stands for."""
    if code := token["braced"] or token["four"] or token["two"]:
        if int(code, 16) > 0x10FFFF:
            raise PatternError("the number of a character", start + token.start())
        return chr(int(code, 16))
    if token["control"]:
        return chr(ord(token["control"]) % 32)
    char: str = token["escaped"] or token["sign"]
    if token["escaped"] and char not in _CONTROLS and char.isalnum() and char.isascii():
        raise PatternError(
            "an escape of JavaScript's, which '\\{sign}' is not", start + token.start(), sign=char
        )
    return _CONTROLS.get(char, char) if token["escaped"] else char


def _plain(char: str) -> str:
    return char if char.isalnum() or ord(char) > 127 else f"\\x{ord(char):02x}"
