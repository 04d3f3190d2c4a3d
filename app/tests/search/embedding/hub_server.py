"""A hub made of local folders, over HTTP: what the hub's own library asks of one, and the troubles of one."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

REVISION = "3f1d2a4b5c6d7e8f9a0b1c2d3e4f5a6b7c8d9e0f"


@dataclass
class Hub:
    """Serves models by name; ``asked`` lists methods, paths and ranges."""

    models: dict[str, Path]
    url: str = ""
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    gated: set[str] = field(default_factory=set)
    cut_after: int | None = None
    """Bytes of each file after which the connection is cut."""
    longer: set[str] = field(default_factory=set)
    """Files of which far more is sent than is said."""
    spoiled: set[str] = field(default_factory=set)
    """Files that are served with other bytes than they are said to have."""

    def listing(self, name: str) -> dict[str, Any]:
        files = sorted(file for file in self.models[name].rglob("*") if file.is_file())
        return {
            "id": name,
            "sha": REVISION,
            "cardData": {"license": "mit"},
            "siblings": [
                self._sibling(file, file.relative_to(self.models[name]).as_posix()) for file in files
            ],
        }

    def tree(self, name: str) -> list[dict[str, Any]]:
        return [
            {**one, "type": "file", "path": one["rfilename"], "oid": one["blobId"]}
            | ({"lfs": {**one["lfs"], "oid": one["lfs"]["sha256"]}} if "lfs" in one else {})
            for one in self.listing(name)["siblings"]
        ]

    def _sibling(self, file: Path, name: str) -> dict[str, Any]:
        data = file.read_bytes()
        size = len(data)
        git = hashlib.sha1(f"blob {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()
        found: dict[str, Any] = {"rfilename": name, "size": size, "blobId": git}
        if file.suffix == ".safetensors":
            found["lfs"] = {"sha256": hashlib.sha256(data).hexdigest(), "size": size, "pointerSize": 130}
        return found


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """Serve a hub until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            hub.asked.append((self.command, path, self.headers.get("Range", "")))
            if path.startswith("/api/models/"):
                name, _, rest = path.removeprefix("/api/models/").partition("/tree/")
                name = name.partition("/revision/")[0]
                if name in hub.gated:
                    self._answer(403, b"{}", {"X-Error-Code": "GatedRepo"})
                elif name not in hub.models:
                    self._answer(401, b"{}", {"X-Error-Code": "RepoNotFound"})
                else:
                    found = hub.tree(name) if rest else hub.listing(name)
                    self._answer(200, json.dumps(found).encode(), {})
                return
            name, _, rest = path.strip("/").partition("/resolve/")
            file = rest.partition("/")[2]
            data = (hub.models[name] / file).read_bytes()
            if file in hub.longer:
                data += b"x" * 5_000_000
            if file in hub.spoiled:
                data = bytes([data[0] ^ 1]) + data[1:]
            start = 0
            if wanted := self.headers.get("Range", ""):
                start = int(wanted.removeprefix("bytes=").rstrip("-"))
            if self.command == "GET" and hub.cut_after is not None and len(data) - start > hub.cut_after:
                self.send_response(206 if start else 200)
                self.send_header("Content-Length", str(len(data) - start))
                self.end_headers()
                self.wfile.write(data[start : start + hub.cut_after])
                self.wfile.flush()
                self.close_connection = True
                return
            (own,) = (one for one in hub.listing(name)["siblings"] if one["rfilename"] == file)
            etag = own.get("lfs", {}).get("sha256", own["blobId"])
            self._answer(
                206 if start else 200, data[start:], {"ETag": f'"{etag}"', "X-Repo-Commit": REVISION}
            )

        def do_HEAD(self) -> None:
            self.do_GET()

        def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
