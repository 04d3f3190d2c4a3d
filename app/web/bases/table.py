"""One view of a base as a table: which files it shows, in which order, and what of each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from app.vault.paths import path_key
from app.web.bases.content import Base, Group, View, column_tree
from app.web.bases.evaluate import Evaluator, OutOfStepsError, Steps
from app.web.bases.expression import Tree
from app.web.bases.files import VaultFile
from app.web.bases.values import Value, is_true, order_of, text_of

MOST_ROWS = 500
STEPS_TO_SHOW = 20_000
"""What is kept for showing what was found before the steps were used up."""


@dataclass(slots=True)
class Row:
    """One file, with the values of the columns."""

    file: VaultFile
    values: tuple[Value, ...]
    group: Value = None
    keys: tuple[Value, ...] = ()


@dataclass(slots=True)
class Table:
    """The rows of a view in their groups, which are one without a name where there are none.

    ``count`` is how many files the view has, ``more`` how many of them are not shown, and ``is_cut`` says
    that there was more to work out than is allowed, so that files or values are missing.
    """

    columns: tuple[str, ...]
    groups: list[tuple[Value, list[Row]]] = field(default_factory=list)
    count: int = 0
    more: int = 0
    is_cut: bool = False


def make_table(
    base: Base,
    view: View,
    files: Iterable[VaultFile],
    this: VaultFile | None,
    steps: Steps,
    most_rows: int = MOST_ROWS,
) -> Table:
    """Ask which files a view has, and what it shows of them.

    Args:
        base: The base.
        view: One of its views.
        files: All files that may be shown.
        this: The file that holds the base.
        steps: What may be worked out.
        most_rows: Most rows that are shown.
    """
    table = Table(view.columns)
    columns = [column_tree(column) for column in view.columns]
    sorting = [column_tree(order.column) for order in view.sort]
    group = column_tree(view.group.column) if view.group else None
    rows: list[Row] = []
    try:
        for file in files:
            made = Evaluator(base.formulas, file, this, steps)
            if _holds(base.conditions, made) and _holds(view.conditions, made):
                keys = tuple(made.value(tree) for tree in sorting)
                rows.append(Row(file, (), made.value(group) if group else None, keys))
    except OutOfStepsError:
        table.is_cut = True
        # Those that were found are shown all the same.
        steps.left = STEPS_TO_SHOW
    rows = _sorted(view, rows)
    rows = rows[: view.limit] if view.limit else rows
    shown = rows[:most_rows]
    for row in shown:
        # What is not reached stays empty.
        row.values = (None,) * len(columns)
    try:
        for row in shown:
            made = Evaluator(base.formulas, row.file, this, steps)
            row.values = tuple(made.value(tree) for tree in columns)
    except OutOfStepsError:
        table.is_cut = True
    table.count, table.more = len(rows), len(rows) - len(shown)
    table.groups = list(_grouped(view, shown))
    return table


def _holds(conditions: Tree | Group | None, made: Evaluator) -> bool:
    if conditions is None:
        return True
    if not isinstance(conditions, Group):
        return is_true(made.value(conditions))
    holding = (_holds(part, made) for part in conditions.parts)
    if conditions.junction == "and":
        return all(holding)
    return any(holding) is (conditions.junction == "or")


def _sorted(view: View, rows: list[Row]) -> list[Row]:
    """Sort by name, then by what the view asks for; the group comes before all."""
    rows = sorted(rows, key=lambda row: (path_key(row.file.basename), path_key(row.file.path)))
    # Sorting keeps the order of those alike, so the last key comes first.
    for at, order in reversed(list(enumerate(view.sort))):
        rows = _by([(row.keys[at], row) for row in rows], order.is_descending)
    return _by([(row.group, row) for row in rows], view.group.is_descending) if view.group else rows


def _by(valued: list[tuple[Value, Row]], is_descending: bool) -> list[Row]:
    """Sort rows by the value beside each; those that have none come last either way."""
    keyed = [(order_of(value), row) for value, row in valued]
    empty = [row for key, row in keyed if key[0] == 3]
    full = sorted(
        (each for each in keyed if each[0][0] != 3), key=lambda each: each[0], reverse=is_descending
    )
    return [*(row for _, row in full), *empty]


def _grouped(view: View, rows: list[Row]) -> Iterator[tuple[Value, list[Row]]]:
    if view.group is None:
        yield None, rows
        return
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(text_of(row.group), []).append(row)
    for held in groups.values():
        yield held[0].group, held
