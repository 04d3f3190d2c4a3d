"""Count what one warm search runs through: ``python -m bench.followed [VAULT] [QUESTION] [--files]``.

Printed for `fast` and `deep`: the program's files of which code is executed, and how often execution changes
from one of them to another. --files names them, with the calls into each.
"""

import argparse
import sys
import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import FrameType

from app.config.settings import Settings
from app.dependencies import VaultClient
from app.search.request import parse_request
from app.search.searcher import Searcher, searcher_for

WARMING = "salt and letters"
APP = Path(__file__).parents[1] / "app"


def followed(searcher: Searcher, mode: str, question: str) -> tuple[Counter[str], int]:
    """Return the calls into each of the program's files by a search, and the changes between files."""
    calls: Counter[str] = Counter()
    order: list[str] = []

    def called(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(str(APP)):
            calls[str(Path(file).relative_to(APP))] += 1
            order.append(file)

    # What is opened once for all searches is opened by then.
    searcher.search(parse_request({"operation": mode, "query": WARMING}))
    request = parse_request({"operation": mode, "query": question})
    sys.setprofile(called)
    try:
        searcher.search(request)
    finally:
        sys.setprofile(None)
    return calls, sum(one != other for one, other in pairwise(order))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("vault", type=Path, nargs="?", default=APP.parent / "examples" / "vault")
    parser.add_argument("question", nargs="?", default="who repairs the boat")
    parser.add_argument("--work", type=Path, help="where the index is made, and used again")
    parser.add_argument("--files", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        searcher = searcher_for(VaultClient(options.vault, Settings(cache_dir=options.work or Path(scratch))))
        searcher.update()
        searcher.embed()
        for mode in ("fast", "deep"):
            calls, changes = followed(searcher, mode, options.question)
            print(f"{mode}: {len(calls)} files, {changes} changes between them, {calls.total()} calls")
            for file, count in calls.most_common() if options.files else ():
                print(f"{count:8} {file}")
        searcher.close()


if __name__ == "__main__":
    main()
