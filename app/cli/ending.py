"""How a command ends: whatever goes wrong becomes one line on stderr, and an exit code."""

import errno
import logging
import sys
from collections.abc import Callable

from app.bootstrap import LOGGER_NAME
from app.cli import output
from app.errors import VaultError
from app.sentences import Sentence
from app.serving.mistakes import in_command_words


def ended(work: Callable[[], int]) -> int:
    """Do the work of a command, and return its exit code, or that of what went wrong."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a character gets a question mark, not a failure.
            stream.reconfigure(errors="replace")
    try:
        code = _done(work)
        sys.stdout.flush()
        return code
    except OSError as error:
        if error.errno != errno.EPIPE:
            return _unexpected(error)
        output.close_pipe()
        return output.FOUND


def _done(work: Callable[[], int]) -> int:
    try:
        return work()
    except VaultError as error:
        _log(error)
        output.tell_error(in_command_words(error.message), in_command_words(error.hint))
        return output.FAILED
    except KeyboardInterrupt:
        return output.INTERRUPTED
    except BrokenPipeError:
        raise
    except SystemExit:
        # How typer ends when its reader went away.
        output.close_pipe()
        return output.FOUND
    except Exception as error:  # noqa: BLE001 - the front door's last resort
        return _unexpected(error)


def _unexpected(error: Exception) -> int:
    _log(error)
    said = Sentence("unexpected failure: {kind}: {reason}", kind=type(error).__name__, reason=error)
    output.tell_error(said, "run again with --debug")
    return output.FAILED


def _log(error: Exception) -> None:
    """Record a failure with its traceback; only ``--debug`` shows it."""
    logging.getLogger(LOGGER_NAME).error("command_failed", exc_info=error)
