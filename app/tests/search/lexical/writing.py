"""A process that writes without end, to be killed: python -m app.tests.search.lexical.writing FOLDER SEED."""

import random
import sys
from pathlib import Path

from app.search.lexical import writer
from app.search.lexical.index import LexicalIndex
from app.tests.search.lexical.conftest import note


def main() -> None:
    writer.SMALL = 1
    rng = random.Random(int(sys.argv[2]))
    index = LexicalIndex(Path(sys.argv[1]))
    print("ready", flush=True)
    while True:
        with index.writer() as w:
            for _ in range(rng.randint(1, 3)):
                version = rng.randint(0, 10**9)
                w.replace(
                    *note(f"n{rng.randint(0, 30)}.md", *[f"same version{version} fuel"] * rng.randint(1, 3))
                )
            w.set_vault(str(rng.random()).encode())
            w.commit()


if __name__ == "__main__":
    main()
