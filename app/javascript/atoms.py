"""The parts of a regular expression in a row, and what can be told from the row as a whole."""

from dataclasses import dataclass, field


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
        """Give the atom as text, with its repeats."""
        if self.least == self.most == 1:
            return self.text
        most = "" if self.most is None else self.most
        return f"{self.text}{{{self.least},{most}}}{self.lazy}"


@dataclass(slots=True)
class Row:
    """What stands side by side within one pair of parentheses."""

    opening: str
    at: int
    items: list[Item] = field(default_factory=list)
    branches: bool = False

    def written(self) -> str:
        """Give the row as text."""
        return "".join(item.written() for item in self.items)


def literals(items: list[Item]) -> list[str]:
    """Give the runs of plain signs that nothing makes optional."""
    runs = [""]
    for item in items:
        if item.char and item.least:
            runs[-1] += item.char
        if not item.char or (item.least, item.most) != (1, 1):
            runs.append(item.char if item.char and item.least else "")
    return [run for run in runs if run]


def trim(items: list[Item], end: int) -> None:
    """Shorten the repeats at one end: whether an expression meets a text, not where, needs the least.

    So letters before "ing" cost no more than one, where every run of them would be tried from each sign.
    """
    while items and items[end].repeats and not items[end].text.startswith("("):
        item = items[end]
        item.most, item.lazy = item.least, ""
        if item.least:
            return
        del items[end]
