"""Change the program in one place at a time, and see whether the tests of that room notice.

    python -m bench.mutations draw [--lines FILE] [--count 80] [--seed 7]
    python -m bench.mutations run [--rows 1-80] [--seconds 600]

`draw` writes `bench/mutations.tsv`: file, line, column, kind, before, after. It draws as many of each kind (a
comparison turned round, a constant changed, a call dropped, two arguments exchanged) from the bodies of
functions, or of the lines in FILE alone, one a line as ``app/x.py:12``, such as those that coverage saw
executed. `run` applies each row to a copy of the checkout, runs the tests of its room, and prints the row
with "caught", "escaped", "timed out" or, where the line reads otherwise by now, "gone".
"""

import argparse
import ast
import csv
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TABLE = Path(__file__).with_suffix(".tsv")
LEFT_OUT = ("app/tests/", "app/wordings/")
KINDS = ("comparison", "constant", "call", "arguments")
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


class Mutation(NamedTuple):
    """One change of one place: its line begins at 1, its column counts bytes."""

    file: str
    line: int
    column: int
    kind: str
    before: str
    after: str


def changed(node: ast.AST) -> tuple[str, ast.AST] | None:
    """Return the kind of change that a node takes, and the node that takes its place."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return "comparison", ast.Compare(left, [TURNED[type(op)]()], [right])
        case ast.Constant(value=bool(value)):
            return "constant", ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            return "constant", ast.Constant(value + 1)
        case ast.Expr(value=ast.Call()):
            return "call", ast.Constant(None)
        case ast.Call(func=function, args=[ast.expr() as one, ast.expr() as two, *rest], keywords=keywords):
            starred = any(isinstance(each, ast.Starred) for each in (one, two))
            if not starred and ast.dump(one) != ast.dump(two) and ast.unparse(function) not in ("min", "max"):
                return "arguments", ast.Call(function, [two, one, *rest], keywords)
    return None


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands in a node, but for texts with fields, whose parts have no places in Python 3.11."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.JoinedStr):
            yield child
            yield from inside(child)


def mutations(file: str) -> Iterator[Mutation]:
    """Yield every change that can be made in the functions of a file, on one line each."""
    source = (ROOT / file).read_bytes()
    lines = source.split(b"\n")
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in (each for statement in function.body for each in (statement, *inside(statement))):
                made = changed(node)
                if made and isinstance(node, ast.expr | ast.stmt) and node.lineno == node.end_lineno:
                    before = lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()
                    yield Mutation(file, node.lineno, node.col_offset, made[0], before, ast.unparse(made[1]))


def draw(count: int, seed: int, lines: frozenset[str]) -> None:
    """Write the table anew."""
    listed = subprocess.run(["git", "ls-files", "app"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [name for name in listed.stdout.split() if name.endswith(".py") and not name.startswith(LEFT_OUT)]
    every = {each for file in files for each in mutations(file)}
    every = {each for each in every if not lines or f"{each.file}:{each.line}" in lines}
    rng, drawn = random.Random(seed), list[Mutation]()
    for kind in KINDS:
        drawn += rng.sample(sorted(each for each in every if each.kind == kind), count // len(KINDS))
    with TABLE.open("w", encoding="utf-8", newline="") as file_:
        csv.writer(file_, "excel-tab", lineterminator="\n").writerows([Mutation._fields, *sorted(drawn)])


def tests_of(file: str) -> list[str]:
    """Return where the tests of a room stand: the nearest folder of its name, or the files in none."""
    folder = ROOT.joinpath("app", "tests", *Path(file).parts[1:-1])
    while not folder.is_dir():
        folder = folder.parent
    found = [folder] if folder.name != "tests" else sorted(folder.glob("test_*.py"))
    return [str(path.relative_to(ROOT)) for path in found]


def run(table: list[Mutation], seconds: int) -> None:
    """Print each row with what became of it."""
    with tempfile.TemporaryDirectory(prefix="mutations-") as scratch:
        copy = Path(scratch, "checkout")
        subprocess.run(["git", "clone", "-q", str(ROOT), str(copy)], check=True)
        for row in table:
            file = copy / row.file
            whole = file.read_bytes() if file.exists() else b""
            rows = whole.split(b"\n")
            line = rows[row.line - 1] if row.line <= len(rows) else b""
            said = "gone"
            if line[row.column :].startswith(row.before.encode()):
                rest = line[row.column + len(row.before.encode()) :]
                rows[row.line - 1] = line[: row.column] + row.after.encode() + rest
                file.write_bytes(b"\n".join(rows))
                said = outcome(copy, tests_of(row.file), seconds)
                file.write_bytes(whole)
            print(*row, said, sep="\t", flush=True)


def outcome(checkout: Path, tests: list[str], seconds: int) -> str:
    """Run some tests of a checkout; return what they say of it."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow"]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    try:
        done = subprocess.run(
            command + tests, cwd=checkout, env=environment, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return "timed out"
    return "escaped" if done.returncode == 0 else "caught"


def main() -> None:
    """Draw, or run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["draw", "run"])
    parser.add_argument("--lines", type=Path, help="the lines to draw from")
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rows", default="1-80", help="which rows of the table to run, such as 1-20")
    parser.add_argument("--seconds", type=int, default=600, help="the longest that a run may take")
    given = parser.parse_args()
    if given.what == "draw":
        draw(given.count, given.seed, frozenset(given.lines.read_text().split() if given.lines else ()))
        return
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, "excel-tab"))[1:]
    table = [Mutation(path, int(line), int(column), *rest) for path, line, column, *rest in rows]
    first, _, last = given.rows.partition("-")
    run(table[int(first) - 1 : int(last or first)], given.seconds)


if __name__ == "__main__":
    main()
