"""The vault, and what a tool is given to work with it."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import Protocol

from app.config.settings import Writes, logger
from app.errors import ConfigError, VaultNotFoundError
from app.notices import Notice
from app.sentences import Language, Sentence, Worded, said
from app.showing import in_line
from app.vault.client import VaultClient
from app.vault.obsidian import find_vault
from app.vault.scan import FileStat, Problem, VaultScan
from app.vault.text import NoteText

__all__ = [
    "ChatDependencies",
    "FileStat",
    "NoteText",
    "Problem",
    "ProposedWrite",
    "VaultClient",
    "VaultNotFoundError",
    "VaultScan",
    "find_vault",
    "logger",
]


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines of a note that follow each other, each with its sign: ``-`` goes, ``+`` comes, a blank stays.

    ``old`` and ``new`` are the number of the first, before and after.
    """

    old: int
    new: int
    lines: tuple[tuple[str, str], ...]

    def numbered(self) -> Iterator[tuple[str, int, str]]:
        """Yield the sign, the number and the text of each line: afterwards, or before for one that goes."""
        old, new = self.old, self.new
        for sign, line in self.lines:
            # Below a last line it may stand that nothing ends it.
            yield sign, old if sign == "-" else new, line.partition("\n")[0]
            old, new = old + (sign != "+"), new + (sign != "-")


@dataclass(frozen=True, slots=True)
class NoteDiff:
    """What becomes of one note: "" where there was, or will be, none.

    ``remark`` says what changes where no line does.
    """

    before: str
    after: str
    hunks: tuple[Hunk, ...] = ()
    remark: str = ""


@dataclass(frozen=True, slots=True)
class ProposedWrite:
    """A change to a note that a person is asked to approve."""

    operation: str
    path: str
    diff: str
    """What would be done, what to beware of, and the changed lines; fit to be shown."""
    mark: str = field(default="", compare=False)
    """Names the change: two that do the same to the same content have one mark."""
    about: tuple[Worded, ...] = field(default=(), compare=False, kw_only=True)
    """What stands above the changed lines, a sentence for each line."""
    notes: tuple[NoteDiff, ...] = field(default=(), compare=False, kw_only=True)
    """The changed lines, note by note; ``diff`` has the same as text."""

    def said(self, language: Language) -> str:
        """Return the diff, with what stands above the changed lines in a language."""
        lines = self.diff.split("\n")[len(self.about) :]
        about = (in_line(each.said(language)) for each in self.about)
        return "\n".join([*about, diff_said("\n".join(lines), language)])


RENAMED = (Sentence("rename from "), Sentence("rename to "))
"""What stands in a diff before the names of a note that is moved."""


def diff_said(diff: str, language: Language) -> str:
    """Return a diff with what stands in it besides notes in a language.

    That stands in brackets or behind a backslash, with which no line of a note begins here, or says that a
    note gets another name.
    """

    def told(line: str) -> str:
        renamed = next((sign for sign in RENAMED if line.startswith(sign)), "")
        if renamed:
            return said(renamed, language) + line.removeprefix(renamed)
        return said(line, language) if line.startswith(("(", "\\")) else line

    return "\n".join(map(told, diff.split("\n")))


Approve = Callable[[ProposedWrite], Awaitable[bool] | bool]
"""Asks a person about a change: an async function, or one that blocks, which is called in a thread."""


async def is_approved(approve: Approve | None, change: ProposedWrite) -> bool:
    """Ask whether a change may be made; without anybody to ask it may not."""
    if approve is None:
        return False
    # No command that only searches needs it.
    from asyncio import to_thread

    answer = await to_thread(approve, change)
    return bool(await answer) if isawaitable(answer) else answer


Near = Callable[[VaultClient, str, str], Sequence[Notice]]
"""Says what is near a note that is about to be made, of which it is given the path and the text."""


class HasVault(Protocol):
    """What a tool needs of an agent's dependencies; `writes`, `approve` and `near` are looked for as well."""

    @property
    def vault(self) -> VaultClient:
        """The vault that is worked on."""

    @property
    def trace_id(self) -> str:
        """Name of the turn, for the log and for undo."""


@dataclass
class ChatDependencies:
    """What a tool is given; any object with `vault` and `trace_id` will do as well."""

    vault: VaultClient
    trace_id: str = ""
    writes: Writes = "allow"
    approve: Approve | None = None
    language: Language = "en"
    """That of whoever reads the answers, where no question of the chat tells one."""
    near: "Near | None" = None


def vault_of(dependencies: object) -> VaultClient:
    """Return the vault of an agent's dependencies.

    Raises:
        ConfigError: they have none; it says what they are.
    """
    vault = getattr(dependencies, "vault", None)
    if isinstance(vault, VaultClient):
        return vault
    kind = type(dependencies).__name__
    found = f"have no attribute 'vault', being {'None' if dependencies is None else f'a {kind}'}"
    if vault is not None:
        found = f"have a {type(vault).__name__} as 'vault'"
    raise ConfigError(
        "the agent's dependencies {found}", "give it deps with a VaultClient as 'vault'", found=found
    )
