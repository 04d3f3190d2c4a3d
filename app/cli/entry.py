"""Start the command as a process of its own."""

import gc
import os
import sys


def main() -> int:
    """Run the command and return its exit code."""
    # A search ends before Python looks for what refers to itself, which would take an eighth of its time.
    gc.set_threshold(100_000, 20, 100)
    # The products of matrices here are small: starting threads for them costs more than they would save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Looking through every installed package for what extends pydantic takes longer than checking settings.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from app.cli.main import main as run

    try:
        return run()
    finally:
        # Python looks through everything once more as it ends, a sixth of a search; not what is frozen.
        gc.freeze()


if __name__ == "__main__":
    sys.exit(main())
