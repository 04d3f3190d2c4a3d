"""A process that reads an index until it is told to stop: ``python -m app.tests.search.lexical.reading FOLDER``.

Every snapshot must be whole; a fault ends it with a traceback and exit code 1.
"""

import sys
import threading
from pathlib import Path

from app.search.lexical.index import LexicalIndex
from app.tests.search.lexical.test_processes import assert_whole


def main(folder: Path) -> None:
    index = LexicalIndex(folder)
    stop = threading.Event()

    def wait_for_the_end() -> None:
        sys.stdin.read()
        stop.set()

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    print("ready", flush=True)
    while not stop.is_set():
        assert_whole(index.snapshot())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
