"""Everything that can go wrong, in one tree below `VaultError`."""

from app.sentences import Language, Sentence, said, worded
from app.showing import Told, in_line

MOST_QUOTED = 80
"""Characters of a query that an error repeats."""


class VaultError(Exception):
    """Base of all expected failures; fit to be shown to a person.

    ``NoteNotFoundError("no note at '{path}'", "did you mean '{near}'?", path=path, near=near)`` says what was
    wrong in English, and can be said in French, for which the catalogue has an entry for each of its
    two sentences.

    Args:
        message: What happened, lower case, with the offending value.
        hint: What would be right; empty when there is nothing to advise.
        facts: What the two name in braces. Where there are any, no text from elsewhere may be one of the
            two, since its braces would be read; it is a fact. A `Sentence` has its own.
    """

    def __init__(self, message: str, hint: str = "", **facts: object) -> None:
        self.message = worded(message, facts)
        self.hint = worded(hint, facts)
        super().__init__(self.message)

    def __str__(self) -> str:
        whole = self.message
        if self.hint:
            whole = Sentence("{message}. {hint}", message=self.message, hint=self.hint)
        return whole

    def said(self, language: Language) -> str:
        """Return what happened and what would be right, in a language; ``str`` returns it in English."""
        return said(str(self), language)


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


class PatternError(ValueError):
    """An expression cannot be read: what was expected, with its facts, and the place in it, from 0."""

    def __init__(self, expected: str, at: int = 0, **facts: object) -> None:
        self.expected = worded(expected, facts)
        super().__init__(self.expected)
        self.at = at


class QueryError(BadRequestError):
    """A query cannot be read.

    Args:
        query: The query.
        at: The place in it, from 0.
        expected: What was expected there.
    """

    def __init__(self, query: str, at: int, expected: str) -> None:
        super().__init__(
            "query '{shown}' is not understood at position {at}: expected {expected}",
            "what is meant as text can stand in double quotes",
            shown=query if len(query) <= MOST_QUOTED else query[: MOST_QUOTED - 1] + "…",
            at=at + 1,
            expected=expected,
        )
        self.query, self.at, self.expected = query, at, expected


class LinesGoneError(BadRequestError):
    """The lines that are named lie behind the end of the note."""


class EngineMissingError(SearchError):
    """An optional dependency is not installed."""


def missing_extra(extra: str) -> Sentence:
    """Return the hint that says how an extra of this program is installed."""
    return Sentence(
        "install the extra '{extra}': pip install 'vault-assistant[{extra}]', or '.[{extra}]' in a clone",
        extra=extra,
    )


class IndexBusyError(SearchError):
    """Another process is writing the index."""


class IndexCorruptError(SearchError):
    """The index cannot be opened; it is rebuilt."""


def format_error(error: BaseException) -> Told:
    """Put an error into the one line that starts with ``Error:``."""
    return Told("Error: " + in_line(" ".join(str(error).split())), error)
