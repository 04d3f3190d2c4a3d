"""Translate regular expressions as JavaScript writes them to what the library `regex` reads."""

import re
from dataclasses import dataclass, field

from app.errors import PatternError

MAX_SOURCE = 1000
MAX_REPEAT = 1000
MAX_DEPTH = 40
_QUANTIFIER = re.compile(r"(?:([*+?])|\{([0-9]{1,6})(?:(,)([0-9]{0,6}))?\})(\??)")
_GROUP = re.compile(r"\(\?(?::|=|!|<=|<!|<([A-Za-z_]\w*)>|[ims]+(?:-[ims]+)?:|-[ims]+:)|\((?!\?)")
_FOREIGN = re.compile(r"\(\?(?:P?[<>]?|\w|.)?", re.DOTALL)
_CODE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|c([A-Za-z]))")
_KIND = re.compile(r"\\[pP]\{[\w=]+\}")
_NAMED = re.compile(r"\\k<(\w+)>")
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f", "0": "\0"}
_CLASSES = {"d": "[0-9]", "D": "[^0-9]", "w": r"\w", "W": r"\W", "s": r"\s", "S": r"\S"}
_IN_BRACKETS = {**_CLASSES, "d": "0-9", "D": r"\D"}


@dataclass(slots=True)
class Item:
    """An atom of an expression with the least and the most times it occurs; ``char`` of a plain sign."""

    text: str
    char: str = ""
    repeats: bool = True
    least: int = 1
    most: int | None = 1
    lazy: str = ""

    def written(self) -> str:
        """Return the atom as text, with its repeats."""
        if self.least == self.most == 1:
            return self.text
        most = "" if self.most is None else self.most
        return f"{self.text}{{{self.least},{most}}}{self.lazy}"


@dataclass(slots=True)
class _Row:
    """What stands side by side within one pair of parentheses."""

    opening: str
    at: int
    items: list[Item] = field(default_factory=list)
    branches: bool = False

    def written(self) -> str:
        """Return the row as text."""
        return "".join(item.written() for item in self.items)


def literals(items: list[Item]) -> list[str]:
    """Return the runs of plain signs that nothing makes optional."""
    runs = [""]
    for item in items:
        if item.char and item.least:
            runs[-1] += item.char
        if not item.char or (item.least, item.most) != (1, 1):
            runs.append(item.char if item.char and item.least else "")
    return [run for run in runs if run]


def _trim(items: list[Item], end: int) -> None:
    """Shorten the repeats at one end: whether an expression meets a text, not where, needs the least.

    So letters before "ing" cost no more than one, where every run of them would be tried from each sign.
    """
    while items and items[end].repeats and not items[end].text.startswith("("):
        item = items[end]
        item.most, item.lazy = item.least, ""
        if item.least:
            return
        del items[end]


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
    return _Reader(source).read()


class _Reader:
    """Reads one expression from left to right."""

    def __init__(self, source: str) -> None:
        self.source, self.at = source, 0
        self.rows = [_Row("", 0)]
        self.refers = False

    def read(self) -> Translation:
        while self.at < len(self.source):
            sign, row = self.source[self.at], self.rows[-1]
            if sign == "(":
                self._open()
            elif sign == ")":
                self._close()
            elif sign == "|":
                row.items.append(Item("|"))
                row.branches = True
                self.at += 1
            else:
                row.items.append(self._quantified(self._atom(sign)))
        if len(self.rows) > 1:
            raise PatternError("')' that closes this '('", self.rows[-1].at)
        [row] = self.rows
        standing = () if row.branches else tuple(literals(row.items))
        if not row.branches and not self.refers:
            _trim(row.items, 0)
            _trim(row.items, -1)
        return Translation(row.written(), standing)

    def _open(self) -> None:
        found = _GROUP.match(self.source, self.at)
        if found is None:
            foreign = _FOREIGN.match(self.source, self.at)
            raise PatternError(
                "a group of JavaScript's, which '{opening}' does not open",
                self.at,
                opening=foreign[0] if foreign else "(",
            )
        if len(self.rows) > MAX_DEPTH:
            raise PatternError("at most {most} groups within each other", self.at, most=MAX_DEPTH)
        opening = f"(?P<{found[1]}>" if found[1] else found[0]
        self.rows.append(_Row(opening, self.at))
        self.at = found.end()

    def _close(self) -> None:
        if len(self.rows) == 1:
            raise PatternError("'(' somewhere before this ')'", self.at)
        row = self.rows.pop()
        self.at += 1
        looks = row.opening in ("(?=", "(?!", "(?<=", "(?<!")
        group = Item(row.opening + row.written() + ")", repeats=not looks)
        self.rows[-1].items.append(self._quantified(group))

    def _quantified(self, item: Item) -> Item:
        found = _QUANTIFIER.match(self.source, self.at)
        if found is None:
            return item
        if not item.repeats:
            raise PatternError("something that can be repeated before this", self.at)
        if found[1]:
            item.least, item.most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[found[1]]
        else:
            item.least = int(found[2])
            item.most = (int(found[4]) if found[4] else None) if found[3] else item.least
        if item.least > MAX_REPEAT or (item.most or 0) > MAX_REPEAT:
            raise PatternError("at most {most} repeats", self.at, most=MAX_REPEAT)
        if item.most is not None and item.most < item.least:
            raise PatternError("numbers in order", self.at)
        item.lazy = found[5]
        self.at = found.end()
        return item

    def _atom(self, sign: str) -> Item:
        start = self.at
        if _QUANTIFIER.match(self.source, start):
            raise PatternError("something that can be repeated before this", start)
        if sign == "\\":
            return self._escape()
        if sign == "[":
            return self._brackets()
        self.at += 1
        if sign in "^$":
            return Item(sign, repeats=False)
        return Item(".") if sign == "." else _char(sign)

    def _escape(self) -> Item:
        if found := _NAMED.match(self.source, self.at):
            self.refers = True
            self.at = found.end()
            return Item(f"(?P={found[1]})")
        if found := _KIND.match(self.source, self.at):
            self.at = found.end()
            return Item(found[0])
        sign = self.source[self.at + 1 : self.at + 2]
        if sign in _CLASSES:
            self.at += 2
            return Item(_CLASSES[sign])
        if sign and sign in "bB":
            self.at += 2
            return Item("\\" + sign, repeats=False)
        if sign and sign in "123456789":
            self.refers = True
            self.at += 2
            return Item(f"(?:\\{sign})")
        return _char(self._escaped_char())

    def _escaped_char(self) -> str:
        if found := _CODE.match(self.source, self.at):
            self.at = found.end()
            if found[4]:
                return chr(ord(found[4]) % 32)
            code = int(found[1] or found[2] or found[3], 16)
            if code > 0x10FFFF:
                raise PatternError("the number of a character", self.at)
            return chr(code)
        sign = self.source[self.at + 1 : self.at + 2]
        if not sign:
            raise PatternError("a sign after '\\'", self.at)
        if sign not in _CONTROLS and sign.isalnum() and sign.isascii():
            raise PatternError("an escape of JavaScript's, which '\\{sign}' is not", self.at, sign=sign)
        self.at += 2
        return _CONTROLS.get(sign, sign)

    def _brackets(self) -> Item:
        start = self.at
        negated = self.source.startswith("^", start + 1)
        self.at += 2 if negated else 1
        parts: list[str] = []
        while True:
            if self.at >= len(self.source):
                raise PatternError("']' that closes this '['", start)
            if self.source[self.at] == "]":
                self.at += 1
                break
            at = self.at
            first, low = self._bracketed()
            ranged = self.source.startswith("-", self.at) and not self.source.startswith("-]", self.at)
            if low and ranged:
                self.at += 1
                if self.at >= len(self.source):
                    raise PatternError("']' that closes this '['", start)
                last, high = self._bracketed()
                if high and low > high:
                    raise PatternError("a range in order", at)
                parts.append(f"{first}-{last}" if high else f"{first}\\-{last}")
            else:
                parts.append(first)
        if not parts:
            return Item(r"[\s\S]" if negated else "(?!)")
        return Item(f"[{'^' if negated else ''}{''.join(parts)}]")

    def _bracketed(self) -> tuple[str, str]:
        """Read one sign or class within brackets; the second part is the sign, empty for a class."""
        sign = self.source[self.at]
        if sign == "\\":
            if found := _KIND.match(self.source, self.at):
                self.at = found.end()
                return found[0], ""
            name = self.source[self.at + 1 : self.at + 2]
            if name in _IN_BRACKETS:
                self.at += 2
                return _IN_BRACKETS[name], ""
            if name == "b":
                self.at += 2
                return r"\x08", "\b"
            sign = self._escaped_char()
        else:
            self.at += 1
        return _plain(sign), sign


def _char(sign: str) -> Item:
    return Item(_plain(sign), sign)


def _plain(sign: str) -> str:
    return sign if sign.isalnum() or ord(sign) > 127 else f"\\x{ord(sign):02x}"
