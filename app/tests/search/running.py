"""Run commands in one process and say which classes any pickle named: ``python -m ... COMMANDS_AS_JSON``.

Each command is a cache folder and its arguments.
"""

import json
import os
import sys

named: list[str] = []


def watch(event: str, arguments: tuple[object, ...]) -> None:
    if event == "pickle.find_class":
        named.append(f"{arguments[0]}.{arguments[1]}")


if __name__ == "__main__":
    sys.addaudithook(watch)
    from app.cli.main import main

    codes = []
    for cache, arguments in json.loads(sys.argv[1]):
        os.environ["VAULT_ASSISTANT_CACHE_DIR"] = cache
        codes.append(main(arguments))
    print(json.dumps({"codes": codes, "named": named}))
