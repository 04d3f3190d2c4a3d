"""The process that reads files for their text: started when it is needed, ended where it takes too long."""

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress

from app.sentences import Sentence, value_of
from app.vault.attachments.kinds import READ_SECONDS, Extracted
from app.vault.attachments.plain import UnreadableError

_PASSED_ON = ("HOME", "LANG", "PATH", "PYTHONPATH", "TMPDIR")
"""Variables that the process is given; none of the others, which may hold keys."""


class Apart:
    """Reads files in a process of its own, one after the other; to be closed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, kind: str, data: bytes, seconds: float) -> Extracted:
        """Read the bytes of one file.

        Raises:
            UnreadableError: it has no text that could be read; the reason says why.
            TimeoutError: it took longer than ``seconds``, which are fewer than a file may take.
        """
        process, ends = self._started(), time.monotonic() + seconds
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        try:
            process.stdin.write(json.dumps({"kind": kind, "size": len(data)}).encode() + b"\n" + data)
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = b""
        finally:
            timer.cancel()
        if not line.endswith(b"\n"):
            self.close()
            if time.monotonic() < ends:
                raise UnreadableError(Sentence("it breaks its reader"))
            if seconds < READ_SECONDS:
                raise TimeoutError
            late = Sentence("it takes longer than {seconds} seconds", seconds=int(READ_SECONDS))
            raise UnreadableError(late)
        answer = json.loads(line)
        if "text" in answer:
            return Extracted(answer["text"], value_of(answer["problems"]))
        if answer["is_large"]:
            # What it has taken is not given back.
            self.close()
        raise UnreadableError(Sentence(answer["reason"]))

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
        if process:
            # What was still to be written has nobody left to read it.
            with suppress(OSError), process:
                process.kill()
