"""The process that reads files for their text: started when it is needed, ended where it takes too long."""

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any

from app.sentences import Sentence
from app.vault.attachments.kinds import Extracted
from app.vault.attachments.plain import UnreadableError

_PASSED_ON = ("HOME", "LANG", "PATH", "PYTHONPATH", "TMPDIR")
"""Variables that the process is given; none of the others, which may hold keys."""
_REASONS = {
    "pictures": Sentence("its pages are pictures, without text"),
    "large": Sentence("it needs more memory than its reader may have"),
    "encrypted": Sentence("it is encrypted"),
}


class Apart:
    """Reads files in a process of its own, one after the other; to be closed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, kind: str, data: bytes, seconds: float) -> Extracted:
        """Read the bytes of one file.

        Raises:
            UnreadableError: it has no text that could be read; the reason says why.
            TimeoutError: it took longer.
        """
        answer = self._asked(kind, data, seconds)
        if "text" in answer:
            return Extracted(answer["text"], tuple(answer["problems"]))
        if answer["reason"] == "large":
            # What it has taken is not given back.
            self.close()
        raise UnreadableError(_REASONS.get(answer["reason"]) or _broken(answer.get("why", "")))

    def _asked(self, kind: str, data: bytes, seconds: float) -> dict[str, Any]:
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        is_late = threading.Event()

        def stop() -> None:
            is_late.set()
            process.kill()

        timer = threading.Timer(seconds, stop)
        timer.start()
        try:
            process.stdin.write(json.dumps({"kind": kind, "size": len(data)}).encode() + b"\n" + data)
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = b""
        finally:
            timer.cancel()
        if line.endswith(b"\n"):
            found: dict[str, Any] = json.loads(line)
            return found
        self.close()
        if is_late.is_set():
            raise TimeoutError
        return {"reason": "broken", "why": ""}

    def _started(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", f"{__package__}.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
                start_new_session=True,
            )
        return self._process

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in filter(None, (process.stdin, process.stdout)):
            # What was still to be written has nobody left to read it.
            with suppress(OSError):
                stream.close()


def _broken(why: str) -> str:
    said = " ".join(why.split())[:100]
    return said or Sentence("it breaks its reader")
