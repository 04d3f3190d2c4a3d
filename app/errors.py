"""Everything that can go wrong, in one tree.

VaultError
├── ConfigError                 a setting or the configuration file is wrong
├── VaultNotFoundError          there is no vault folder
├── PathError                   a path is malformed or leads out of the vault
├── NoteNotFoundError           no note at that path
├── NoteExistsError             a note is there already
├── NoteUnreadableError         the file is there and cannot be read as a note
├── WriteError                  a write was refused or could not be done
│   └── ConflictError           the file changed since it was read
├── ModelError                  a language or embedding model is missing, broken, or did not answer
│   └── StoppedError            a person did not let a request to it go
└── SearchError
    ├── BadRequestError         the caller asked for something impossible
    │   └── LinesGoneError      the lines that are named lie behind the end of the note
    ├── EngineMissingError      an optional dependency is not installed
    ├── IndexBusyError          another process is writing the index
    └── IndexCorruptError       the index cannot be opened; it is rebuilt
"""

from app.showing import Told, in_line


class VaultError(Exception):
    """Base of all expected failures; fit to be shown to a person.

    Args:
        message: What happened, lower case, with the offending value.
        hint: What would be right; empty when there is nothing to advise.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}. {self.hint}" if self.hint else self.message


class ConfigError(VaultError):
    """A setting or the configuration file is wrong."""


class VaultNotFoundError(VaultError):
    """There is no vault folder."""


class PathError(VaultError):
    """A path is malformed or leads out of the vault."""


class NoteNotFoundError(VaultError):
    """No note at that path."""


class NoteExistsError(VaultError):
    """A note is there already."""


class NoteUnreadableError(VaultError):
    """The file is there and cannot be read as a note."""


class WriteError(VaultError):
    """A write was refused or could not be done."""


class ConflictError(WriteError):
    """The file changed since it was read."""


class ModelError(VaultError):
    """A language or embedding model is missing, broken, or did not answer."""


class StoppedError(ModelError):
    """A person did not let a request to a language model go."""


class SearchError(VaultError):
    """A search could not be carried out."""


class BadRequestError(SearchError):
    """The caller asked for something impossible."""


class LinesGoneError(BadRequestError):
    """The lines that are named lie behind the end of the note."""


class EngineMissingError(SearchError):
    """An optional dependency is not installed."""


class IndexBusyError(SearchError):
    """Another process is writing the index."""


class IndexCorruptError(SearchError):
    """The index cannot be opened; it is rebuilt."""


def format_error(error: BaseException) -> Told:
    """Put an error into the one line that starts with ``Error:``."""
    return Told("Error: " + in_line(" ".join(str(error).split())), error)
