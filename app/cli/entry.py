"""Start the command as a process of its own."""

import gc
import sys


def main() -> int:
    """Run the command and return its exit code.

    A command that ends in a second leaves its garbage to the system: looking for what refers to itself is an
    eighth of its processor time. What lasts longer switches that on again; see `app.cli.main`.
    """
    gc.disable()
    from app.cli.main import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
