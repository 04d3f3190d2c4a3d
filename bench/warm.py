"""Answer searches that arrive as lines of JSON, and say what each cost; started by `bench.scale`.

    python bench/warm.py VAULT

It is run as a file, so that PYTHONPATH says whose code answers. A line is the parameters of a search, or
``{"key": TEXT}`` for what the page asks once a key was pressed: results, then facets. The reply has the CPU
milliseconds of this process, the number of results, a digest of the answer, and the most memory held so far,
in MB.
"""

import gc
import hashlib
import json
import re
import resource
import sys
import time
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from starlette.testclient import TestClient

from app.cli.main import COLLECTED
from app.config.settings import IndexDefinition, IndexSettings, Settings
from app.dependencies import VaultClient
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.web.app import build_app

BEGUN_SECONDS = 3.0
"""By when a watcher has begun, on a busy machine too."""
TOKEN = "a-token-for-the-benchmark"
_VARYING = re.compile(r'name="csrf-token"[^>]*|csrf=[\w-]+')


class Answering:
    """One vault, its searcher and its page."""

    def __init__(self, vault: Path) -> None:
        words = IndexSettings(indexes={"notes": IndexDefinition(embedding_model=None)})
        self.client = VaultClient(vault, Settings(resident=False, index=words))
        self.searcher = searcher_for(self.client)
        self.searcher.update()
        # As a server does: it watches the vault, so that a search need not look for changes.
        self.searcher.watch()
        # Until the system reports changes every search looks for itself.
        time.sleep(BEGUN_SECONDS)

    @cached_property
    def page(self) -> TestClient:
        """A browser that has come in; its own work is part of what a key costs."""
        page = TestClient(build_app(self.client, token=TOKEN), base_url="http://127.0.0.1:8766")
        assert page.post("/enter", data={"token": TOKEN}).status_code == 200
        # Inside its own context it keeps one thread for all requests.
        return page.__enter__()

    def find(self, parameters: Mapping[str, object]) -> tuple[int, str]:
        """Answer one search; returns its total and the answer."""
        found = self.searcher.search(parse_request(parameters))
        return found.total, found.model_dump_json()

    def key(self, text: str) -> tuple[int, str]:
        """Answer as the page does to a key; returns 0 and what it is sent."""
        parts = [
            self.page.get(address, params={"q": text}, headers={"HX-Request": "true"})
            for address in ("/", "/facets")
        ]
        assert all(part.status_code == 200 for part in parts), parts
        return 0, _VARYING.sub("", "".join(part.text for part in parts))


def main() -> None:
    """Reply to every line."""
    # As a server does.
    gc.set_threshold(*COLLECTED)
    answering = Answering(Path(sys.argv[1]))
    print("ready", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        before = time.process_time()
        total, answer = answering.key(asked["key"]) if "key" in asked else answering.find(asked)
        spent = (time.process_time() - before) * 1000
        digest = hashlib.blake2b(answer.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"ms": spent, "total": total, "digest": digest, "mb": memory}), flush=True)


if __name__ == "__main__":
    main()
