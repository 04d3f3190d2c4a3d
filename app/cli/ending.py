"""How a command ends: whatever goes wrong becomes one line on stderr, and an exit code."""

import errno
import logging
import sys
from collections.abc import Callable

from app.bootstrap import LOGGER_NAME
from app.cli import output
from app.errors import VaultError
from app.sentences import Sentence, typed

COMMAND_WORDS = {
    "give tags such as ['project/garden']": Sentence("name some, as in 'find by_tag project/garden'"),
    "give the path or name of a note": Sentence("name one, as in 'find by_link Home'"),
    "give scopes such as ['projects/*/state.md'], or use fast": Sentence(
        "give --scope 'projects/*/state.md', or use fast"
    ),
    "give regular expressions, the most important first, such as ['larch', 'kiln.*broke']": Sentence(
        "give --search-term larch --search-term 'kiln.*broke', the most important first"
    ),
    "give query, tags, start_date, end_date, folder, scopes or note_path": Sentence(
        "give words, --tag, --since, --until, --in, --scope or --note-path"
    ),
    "give another 'new_path'": Sentence("give another name"),
    "give 'lines', or the headings above it as 'Upper#Lower'": Sentence(
        "name the headings above it too, as in 'Note#Upper#Lower'"
    ),
    "for example {name}=['...']": Sentence("repeat the option for each value"),
}
"""What agents are told to do, in the words of the command line."""


def ended(work: Callable[[], int]) -> int:
    """Do the work of a command, and return its exit code, or that of what went wrong."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a character gets a question mark, not a failure.
            stream.reconfigure(errors="replace")
    try:
        code = _done(work)
        if code == output.INTERRUPTED:
            # Python takes a KeyboardInterrupt that came through code given as text, such as the methods of a
            # dataclass, for one that nobody handled, and `python -m` would end by the signal. Running more
            # such code resets that.
            exec("")
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
        output.tell_error(_in_command_words(error.message), _in_command_words(error.hint))
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


def _in_command_words(text: str) -> str:
    """Return what is said of a mistake with options in the place of the parameters that agents give."""
    if not isinstance(text, Sentence):
        return text
    return COMMAND_WORDS.get(text.template) or typed(text)
