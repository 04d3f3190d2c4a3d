"""The tools there are: what a client is told of each, and what runs."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp.types import CallToolResult, InputRequiredResult, Tool, ToolAnnotations

from app.errors import BadRequestError
from app.mcp import data, tools
from app.mcp.surface import Surface, ToolCall
from app.parameters import Parameter, schema_of

Run = Callable[[ToolCall], Awaitable[CallToolResult | InputRequiredResult]]

SEARCH = (
    "Find notes, and the places in them that answer.\n"
    'mode fast: passages by keywords: names, tags, "status: en-cours", dates. '
    "deep: by meaning too, for questions in other words than the notes'.\n"
    "operation, for lists of notes: fulltext: with all the words. by_tag, by_link, by_date: by these. "
    "combined: that meet all that is given. keyword: ripgrep over many specific search_terms, then a "
    "language model keeps what is relevant to queries: for a vague idea without exact words.\n"
    "folder, scopes, tags and dates narrow all but keyword (folder, scopes). "
    "query, start_date and end_date are taken too."
)
READ = (
    "read: lines of a note with their numbers, and its hash; all of it, or a part. "
    "info: tags, dates, headings, links from and to it. summarize. tree: folders and notes."
)
WRITE = (
    "Change notes; a person may be asked first.\n"
    "create: a new note. update: replace all (properties stay unless content has its own), or a section, "
    "block or lines. append: at the end, or of a section. move: links are rewritten. delete: into the trash. "
    "undo: the last write, or the last to path."
)
ASK = "A question answered from several notes, with the lines it rests on. Slower than pack."
PACK = "The lines of notes that answer a question best, within a budget of tokens. Begin here."
WKSM = "Search a named index, as data: by its model's meaning, or by words."


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """A tool: its words, its parameters, what it gives as data, and whether it can change a note."""

    title: str
    about: str
    parameters: tuple[Parameter, ...]
    run: Run
    gives: Callable[[], dict[str, Any]] | None = None
    writes: bool = False
    place: str = "path"
    """Which argument is a path, and so may name one of several vaults."""
    needs_one: bool = False
    """Whether it is about one vault; any other is about all of several, unless one is named."""
    rare: tuple[str, ...] = ()
    """Arguments that are taken from those who know them, and not worth their tokens in every conversation."""

    def describe(self, name: str, vaults: Sequence[str] = ()) -> Tool:
        """Put the tool into the protocol's form; where there are several vaults, with their names."""
        hints = ToolAnnotations(
            read_only_hint=not self.writes,
            # Appending twice appends twice. Of a tool that only reads, neither means anything.
            destructive_hint=True if self.writes else None,
            idempotent_hint=False if self.writes else None,
            open_world_hint=False,
        )
        return Tool(
            name=name,
            title=self.title,
            description=self.about,
            input_schema=schema_of(self.rows(vaults), self.rare),
            output_schema=self.gives() if self.gives else None,
            annotations=hints,
        )

    def rows(self, vaults: Sequence[str]) -> tuple[Parameter, ...]:
        """Return what it takes; where there are several vaults, one of their names too."""
        if not vaults:
            return self.parameters
        about = "The one that PATH names in NAME:PATH, or this one." if self.needs_one else "Only this one."
        return (*self.parameters, Parameter("vault", about, choices=tuple(vaults)))


ENTRIES: Mapping[str, ToolEntry] = {
    "pack": ToolEntry("Evidence for a question", PACK, tools.PACK, tools.run_pack, data.pack_schema),
    "search": ToolEntry(
        "Search the vault",
        SEARCH,
        tools.SEARCH,
        tools.run_search,
        data.hits_schema,
        place="note_path",
        rare=("query", "start_date", "end_date", "max_chars", "links", "index"),
    ),
    "read": ToolEntry(
        "Read notes",
        READ,
        tools.READ,
        tools.run_read,
        data.reading_schema,
        needs_one=True,
        rare=("expected_hash",),
    ),
    "write": ToolEntry(
        "Change notes",
        WRITE,
        tools.WRITE,
        tools.run_write,
        writes=True,
        needs_one=True,
        rare=("permanent", "max_chars"),
    ),
    "ask": ToolEntry("Ask the vault", ASK, tools.ASK, tools.run_ask, data.answer_schema),
    "wksm_search": ToolEntry(
        "Search an index",
        WKSM,
        tools.WKSM_SEARCH,
        tools.run_wksm_search,
        data.wksm_schema,
        place="query_image",
        needs_one=True,
    ),
}
"""In the order in which clients are shown them: where to begin comes first."""


def entries_of(surface: Surface) -> dict[str, ToolEntry]:
    """Return the tools that a server offers, by name.

    Raises:
        BadRequestError: one of the tools chosen does not exist, or there is none.
    """
    chosen = set(surface.tools)
    for name in surface.tools:
        if name not in ENTRIES:
            raise BadRequestError(
                "unknown tool '{name}'", "valid: all, {valid}", name=name, valid=", ".join(ENTRIES)
            )
    if not chosen:
        raise BadRequestError("no tool is chosen", "valid: all, {valid}", valid=", ".join(ENTRIES))
    offered = {name: entry for name, entry in ENTRIES.items() if name in chosen}
    if surface.read_only:
        offered.pop("write", None)
    if not offered:
        raise BadRequestError("nothing is left to offer with --read-only", "choose a tool that reads")
    return offered
