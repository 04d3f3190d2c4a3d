"""Count what a warm search or answer runs through: ``python -m bench.followed [VAULT] [QUESTION] [--files]``.

Printed for `fast`, `deep` and `ask` without a language model: the program's files of which code is executed,
and how often execution changes from one of them to another. --files names them, with the calls into each.
"""

import argparse
import sys
import tempfile
import threading
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import FrameType

from app.chat.ask.answer import ask
from app.config.settings import OFFLINE, Settings
from app.dependencies import VaultClient
from app.search.request import parse_request
from app.search.searcher import Searcher, searcher_for

WARMING = "salt and letters"
APP = Path(__file__).parents[1] / "app"


def followed(searcher: Searcher, mode: str, question: str) -> tuple[Counter[str], int]:
    """Return the calls into each of the program's files by one answer, and the changes between files."""
    calls, order, is_warm = Counter[str](), list[str](), False

    def called(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if is_warm and event == "call" and file.startswith(str(APP)):
            calls[str(Path(file).relative_to(APP))] += 1
            order.append(file)

    def answer(text: str) -> None:
        if mode == "ask":
            ask(searcher.vault, text, model=OFFLINE)
        else:
            searcher.search(parse_request({"operation": mode, "query": text}))

    # A thread that is begun to answer is followed as well, and answers later questions too.
    threading.setprofile(called)
    sys.setprofile(called)
    try:
        # What is opened once for all answers is opened by then.
        answer(WARMING)
        is_warm = True
        answer(question)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
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
        for mode in ("fast", "deep", "ask"):
            calls, changes = followed(searcher, mode, options.question)
            print(f"{mode}: {len(calls)} files, {changes} changes between them, {calls.total()} calls")
            for file, count in calls.most_common() if options.files else ():
                print(f"{count:8} {file}")
        searcher.close()


if __name__ == "__main__":
    main()
