"""The page that says what the index holds, what is left out and why, what is wrong, and what was sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from app.errors import VaultError
from app.llm.log import Sent, read_sent
from app.search.searcher import searcher_for
from app.search.upkeep import IndexStatus
from app.sentences import reason_of
from app.vault.client import VaultClient
from app.vault.paths import is_note_name
from app.web.pages import context_of, note_url, page

MOST_LISTED = 500
MOST_SENT = 30
SENT_CHARS = 20_000
"""Of a text that was sent so much is shown; the log has the rest."""


@dataclass(frozen=True, slots=True)
class _Problem:
    """What is wrong with one file; without an address where there is nothing to look at."""

    path: str
    url: str
    reasons: tuple[str, ...]


def status_page(request: Request) -> Response:
    """Show it all."""
    context = context_of(request)
    vault, searcher = context.vault, searcher_for(context.vault)
    found = searcher.status()
    problems, hidden_problems = _problems(vault, found)
    sent, state = read_log(vault), str(vault.settings.state_folder)
    return page(
        request,
        "status/page.html",
        root=str(vault.root),
        found=found,
        size=_size(found.bytes),
        left=_left_out(vault, found),
        filters=", ".join(vault.obsidian.ignore_filters),
        problems=problems,
        hidden_problems=hidden_problems,
        model=vault.settings.model,
        writes=vault.settings.writes,
        sent=sent[:MOST_SENT],
        sent_count=len(sent),
        sent_chars=SENT_CHARS,
        state=state,
        keeper=context.keeper,
        at="",
    )


def progress_part(request: Request) -> Response:
    """Show how far the index and its vectors are; when all is done, have the page on them loaded again.

    The search sees by the missing part that it is time to search again, and keeps what is being typed.
    """
    keeper = context_of(request).keeper
    at = "search" if request.query_params.get("at") == "search" else ""
    answer = page(request, "status/progress.html", keeper=keeper, at=at)
    if not at and keeper.pace is None and keeper.passages_pace is None:
        answer.headers["HX-Refresh"] = "true"
    return answer


def read_log(vault: VaultClient, trace_id: str = "") -> list[Sent]:
    """List what was sent to language models, or what was for one turn, newest first.

    Raises:
        VaultError: the log cannot be read.
    """
    try:
        return read_sent(vault.settings.state_folder, trace_id)
    except OSError as error:
        raise VaultError("the log of sent texts cannot be read: {reason}", reason=reason_of(error)) from error


def _problems(vault: VaultClient, found: IndexStatus) -> tuple[list[_Problem], int]:
    """Return the problems by file, and how many files with problems the vault excludes."""
    reasons: dict[str, list[str]] = {}
    for path, reason in found.problems:
        reasons.setdefault(path, []).append(reason)
    hidden = {path for path in reasons if path != ".obsidian" and vault.is_excluded(path)}
    shown = [
        _Problem(path, note_url(path) if is_note_name(path) else "", tuple(told))
        for path, told in reasons.items()
        if path not in hidden
    ]
    return shown[:MOST_LISTED], len(hidden)


def _left_out(vault: VaultClient, found: IndexStatus) -> Sequence[dict[str, Any]]:
    """List what no search shows, a group for each reason; excluded notes are counted, not named."""
    groups = [
        ("excluded", found.excluded, False),
        ("left_out", found.left_out, True),
        ("unindexed", found.unindexed, True),
    ]
    return [
        {
            "name": name,
            "count": len(paths),
            "paths": [path for path in paths if not vault.is_excluded(path)][:MOST_LISTED] if named else [],
        }
        for name, paths, named in groups
        if paths
    ]


def _size(count: int) -> tuple[str, str]:
    """Return a number of bytes as a short number with its unit."""
    size = float(count)
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f}", unit
        size /= 1000
    return f"{size:.1f}", "GB"
