"""Prompts that a person picks in a client, and completion of the names of notes and tags."""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mcp import types
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError

from app.errors import BadRequestError
from app.mcp.permission import Permission
from app.mcp.resources import TEMPLATE
from app.search.excerpt import fold
from app.showing import in_line
from app.vault.client import VaultClient
from app.vault.dates import parse_bound
from app.vault.named import ALONE, each_of, named

VAULT = "vault"
"""The argument that each prompt has where there are several vaults."""
MOST_COMPLETED = 100
"""Most values that a completion has, by the protocol."""
_END = re.compile("[/:]")
"""Stands before the name of a note, after its folders or its vault."""
Context = ServerRequestContext[Any]


@dataclass(frozen=True, slots=True)
class _Ready:
    """A prompt: what a person is shown of it, its arguments with what each means, and the text."""

    title: str
    about: str
    arguments: Mapping[str, str]
    needed: tuple[str, ...]
    write: Callable[[Mapping[str, str]], str]


def _daily_review(given: Mapping[str, str]) -> str:
    day = given.get("day") or "today"
    try:
        parse_bound(day)
    except BadRequestError as error:
        raise MCPError(types.INVALID_PARAMS, f"'day': {error}") from error
    return (
        f"Review {day} with me, from my notes. Find what was written or changed then: search with "
        f"operation=by_date, date_from and date_to {day}, and once more with date_field=modified. Read the"
        " daily note of that day if there is one. Then tell me in a short list what was done, what was "
        "decided, which tasks are open (search with operation=fulltext, query=task-todo:/./), and what to "
        "look at next. Name the note and lines of each. Change nothing."
    )


def _find_and_cite(given: Mapping[str, str]) -> str:
    inside = "".join(
        f" Stay with {name} {given[key]}."
        for key, name in (("tag", "notes of the tag"), ("note", "the note"))
        if given.get(key)
    )
    return (
        f"Answer from my notes alone: {given['question']}\n\n"
        f"Begin with pack, and search with other words where that is not enough.{inside} Quote the lines "
        "that an answer rests on, and put the note and its lines behind each sentence, such as "
        "Plan.md:9-14. Read them before you cite them. Where the notes do not say, say so."
    )


PROMPTS: Mapping[str, _Ready] = {
    "daily_review": _Ready(
        "Daily review",
        "What a day brought: done, decided, still open, next.",
        {"day": "Such as 2025-07-14 or yesterday; today unless told."},
        (),
        _daily_review,
    ),
    "find_and_cite": _Ready(
        "Find and cite",
        "An answer from the notes, each sentence with its note and lines.",
        {
            "question": "What you want to know.",
            "tag": "Only notes with this tag.",
            "note": "Only this note.",
        },
        ("question",),
        _find_and_cite,
    ),
}


class Prompts:
    """The prompts there are; where a client sees several vaults, each may stay with one of them."""

    def __init__(self, permission: Permission) -> None:
        self._permission = permission

    async def list(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        """Return the prompts there are."""
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=name,
                    title=ready.title,
                    description=ready.about,
                    arguments=[
                        types.PromptArgument(
                            name=argument, description=about, required=argument in ready.needed
                        )
                        for argument, about in self._arguments(ready, context).items()
                    ],
                )
                for name, ready in PROMPTS.items()
            ]
        )

    async def get(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """Return the text of a prompt.

        Raises:
            MCPError: there is no such prompt, or an argument is unknown or missing.
        """
        _check("prompt", params.name, PROMPTS)
        ready = PROMPTS[params.name]
        arguments = self._arguments(ready, context)
        given = {name: in_line(value.strip()) for name, value in (params.arguments or {}).items()}
        for name in given:
            _check("argument", name, arguments)
        for name in ready.needed:
            if not given.get(name):
                raise MCPError(types.INVALID_PARAMS, f"'{name}' is missing: {ready.arguments[name]}")
        text = ready.write(given)
        if vault := given.get(VAULT):
            _check(VAULT, vault, self._permission.visible(context))
            text += f" Stay with one vault: give vault={vault} in each call."
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=ready.about, messages=[message])

    async def complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Return what the value of an argument may become; nothing where it is no name."""
        name, begun = params.argument.name, params.argument.value
        vaults = {each: vault.client for each, vault in self._permission.visible(context).items()}
        found: list[str] = []
        if isinstance(params.ref, types.ResourceTemplateReference):
            if params.ref.uri == TEMPLATE and name == "path":
                found = await asyncio.to_thread(_notes, vaults, begun)
        elif params.ref.name in PROMPTS:
            if name == VAULT and ALONE not in vaults:
                found = _matching(vaults, begun)
            elif name in ("note", "tag"):
                found = await asyncio.to_thread(_notes if name == "note" else _tags, vaults, begun)
        kept = found[:MOST_COMPLETED]
        return types.CompleteResult(
            completion=types.Completion(values=kept, total=len(found), has_more=len(found) > len(kept))
        )

    def _arguments(self, ready: _Ready, context: Context) -> Mapping[str, str]:
        is_alone = ALONE in self._permission.visible(context)
        return ready.arguments if is_alone else {**ready.arguments, VAULT: "Only this vault."}


def _check(kind: str, name: str, valid: Iterable[str]) -> None:
    if name not in valid:
        said = f"unknown {kind} '{in_line(name, 60)}'; valid: {', '.join(valid)}"
        raise MCPError(types.INVALID_PARAMS, said)


def _notes(vaults: Mapping[str, VaultClient], begun: str) -> list[str]:
    def paths(vault: VaultClient) -> list[str]:
        return [path for path in vault.scan().notes if not vault.is_excluded(path)]

    found, _ = each_of(vaults, paths)
    return _matching([named(name, path) for name, shown in found.items() for path in shown], begun)


def _tags(vaults: Mapping[str, VaultClient], begun: str) -> list[str]:
    from app.search.searcher import searcher_for

    found, _ = each_of(vaults, lambda vault: searcher_for(vault).ask(lambda view: list(view.snapshot.tags())))
    return _matching(dict.fromkeys(tag for each in found.values() for tag in each), begun.removeprefix("#"))


def _matching(names: Iterable[str], begun: str) -> list[str]:
    """Return the names that hold a text, in any case and with any accents: those that begin with it first.

    One with signs that could do something where it is shown is left out.
    """
    wanted = fold(begun)
    found = []
    for name in names:
        folded = fold(name)
        if wanted in folded and in_line(name) == name:
            begins = folded.startswith(wanted) or _END.split(folded)[-1].startswith(wanted)
            found.append((not begins, name))
    return [name for _, name in sorted(found)]
