"""A vault for an app with an event loop: its work runs in threads, and comes back as data."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from app.config.settings import OFFLINE, Settings
from app.errors import BadRequestError
from app.stopping import awaited, go_on
from app.vault.client import VaultClient
from app.vault.text import NoteText

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from app.chat.ask.concat import Document
    from app.chat.ask.events import AskEvent
    from app.notes.proposal import Changes, Proposal
    from app.search.keyword.keyword import KeywordAnswer
    from app.search.models import Hit
    from app.showing import Told

P = ParamSpec("P")
T = TypeVar("T")

WORKERS = 2
"""Threads that search and write. Each that works delays the event loop by some milliseconds at a time, and
more of them answer no sooner: one process runs the Python of one thread at once."""
HITS = 10

_workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="vault")
# An answer without a model is all computing: two at a time would only be later, and delay the loop twice.
_answerer = ThreadPoolExecutor(1, thread_name_prefix="vault-answers")


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function in one of the `WORKERS` threads, so that the event loop stays free.

    It ends at its next step (`stopping.go_on`) once this is cancelled.
    """
    with awaited():
        called = partial(copy_context().run, function, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(_workers, called)


def _threaded(
    method: Callable[Concatenate["Vault", P], T],
) -> Callable[Concatenate["Vault", P], Coroutine[Any, Any, T]]:
    """Make an async method of one that is called in a thread, where it imports what it needs."""

    @wraps(method)
    async def call(self: "Vault", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await in_thread(partial(method, self, *args, **kwargs))

    return call


class Vault:
    """One vault: searched, asked and written to from async code.

    Nothing of it blocks the event loop. It can be shared by all tasks; what it opens is kept until `close`.
    ``async with Vault(path) as vault:`` opens the index first, and closes it at the end.

    Args:
        path: Folder of the vault, or a `VaultClient` that is open.
        settings: The program's settings; without them the defaults and the environment, no file read.
        name: What it is called among several vaults; by default its folder's name.

    Raises:
        VaultNotFoundError: the folder does not exist or is not a folder.
    """

    def __init__(
        self, path: str | Path | VaultClient, settings: Settings | None = None, *, name: str | None = None
    ) -> None:
        self.client = path if isinstance(path, VaultClient) else VaultClient(path, settings)
        self.name = name or self.client.name
        self.written = self.client
        """The vault that notes are changed in: it knows the others where only some folders are shown."""

    @_threaded
    def search(
        self,
        queries: Sequence[str] | str,
        mode: str = "fast",
        scopes: Sequence[str] | str | None = None,
        *,
        date_from: str | None = None,
        date_to: str | None = None,
        min_score: float | None = None,
        limit: int = HITS,
        notices: list[str] | None = None,
    ) -> "list[Hit]":
        """Rank passages of the notes, best first; arguments and errors as of `search` in `search.answer`."""
        from app.search.answer import search

        return search(
            self.client,
            queries,
            mode,
            scopes,
            date_from=date_from,
            date_to=date_to,
            min_score=min_score,
            limit=limit,
            notices=notices,
        )

    @_threaded
    def keyword_search(
        self, query: str, search_terms: Sequence[str] | str, *, scopes: Sequence[str] | str | None = None
    ) -> "KeywordAnswer":
        """Find notes by regular expressions, judged by a language model; see `keyword_search`."""
        from app.search.answer import keyword_search

        return keyword_search(query, search_terms, vault=self.client, scopes=scopes)

    async def ask(
        self, question: str, *, model: "Model | str | None" = None, trace_id: str = ""
    ) -> "Document":
        """Answer a question with an overview and the notes it rests on; cancelling it stops the answering.

        Args:
            question: What a person wants to know.
            model: The language model, or its name; "offline" for none. Without it the one of the settings.
            trace_id: Names the turn in the log.

        Raises:
            BadRequestError: the question is empty, or too long.
            ModelError: the model could not be used, or came to no answer and had found nothing.
        """
        return await self.answered(question, model, trace_id=trace_id)

    async def ask_stream(
        self, question: str, *, model: "Model | str | None" = None, trace_id: str = ""
    ) -> "AsyncGenerator[AskEvent, None]":
        """Answer a question as `ask` does, and yield what happens meanwhile; the last event is `Done`.

        Whoever stops listening stops the answering, at its next step; use `contextlib.aclosing` to do so at
        once.
        """
        from app.chat.ask.events import Done

        loop, events = asyncio.get_running_loop(), asyncio.Queue["AskEvent | None"]()

        def put(event: "AskEvent | None") -> None:
            # The loop may be over before the thread is that answers.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(events.put_nowait, event)

        answering = asyncio.ensure_future(self.answered(question, model, trace_id=trace_id, watch=put))
        answering.add_done_callback(lambda _: put(None))
        try:
            while (event := await events.get()) is not None:
                yield event
                if isinstance(event, Done):
                    return
            await answering
        finally:
            answering.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await answering

    @_threaded
    def read(self, path: str) -> NoteText:
        """Read one note by its path or name.

        Raises:
            NoteNotFoundError: there is none, or the vault's settings exclude it.
            PathError: the name is malformed, leads out of the vault, or several notes have it.
        """
        from app.notes.find import find_shown, shown_scan

        scan = shown_scan(self.client)
        go_on()
        return self.client.read(find_shown(self.client, path, scan))

    @_threaded
    def propose(self, changes: "Changes", *, seconds: float = 86_400.0, trace_id: str = "") -> "Proposal":
        """Work out a change to notes, or several as one, and keep it until a person decides.

        See `propose` in `notes.proposal` for ``changes`` and errors. It can be approved for ``seconds``, in
        another request and in another process.
        """
        from app.notes.proposal import propose
        from app.search.near import near_notes

        return propose(self.written, changes, seconds=seconds, trace_id=trace_id, near=near_notes)

    @_threaded
    def approve(self, token: str) -> "Told":
        """Make the change that a token stands for, once, and say what was done.

        Raises:
            ConflictError: a note changed since the change was proposed; nothing was written.
            NotWaitingError: no change waits under this token.
            WriteError: it cannot be written.
        """
        from app.notes.proposal import approve

        return approve(self.written, token)

    @_threaded
    def withdraw(self, token: str) -> bool:
        """Forget a change that waits; return whether there was one."""
        from app.notes.proposal import withdraw

        return withdraw(self.written, token)

    @_threaded
    def write(self, changes: "Changes", *, trace_id: str = "") -> "Told":
        """Make a change, or several as one, at once and without asking anybody; see `propose`."""
        from app.notes.gate import Gate
        from app.notes.proposal import Proposal, write

        done = write(self.written, changes, Gate(by_agent=False), trace_id=trace_id)
        assert not isinstance(done, Proposal), "nobody is asked about what the app itself writes"
        return done

    @_threaded
    def open(self, *, watch: bool = False) -> None:
        """Open the index and bring it up to date, so that the first question need not.

        Where most passages have vectors, the model is loaded too, which delays the loop once by some 100 ms.

        Args:
            watch: Watch the vault from now on: searches no longer look for changes themselves.

        Raises:
            EngineMissingError: `watch`, and the extra ``watch`` is not installed.
        """
        from app.chat.evidence.gather import best_mode
        from app.search.answer import search
        from app.search.searcher import searcher_for

        searcher = searcher_for(self.client)
        searcher.freshen()
        if watch:
            searcher.watch()
        if best_mode(self.client) == "deep":
            search(self.client, self.name, "deep", limit=1)

    @_threaded
    def close(self) -> None:
        """Stop watching and close the index; the next question opens it anew."""
        from app.search.searcher import searcher_for

        searcher_for(self.client).close()

    async def __aenter__(self) -> Self:
        """Open the index."""
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        await self.close()

    async def answered(
        self,
        question: str,
        model: "Model | str | None" = None,
        **more: Any,  # noqa: ANN401 - as of `ask_async`
    ) -> "Document":
        """Answer where it disturbs least: in a thread without a model, else on the loop of all models.

        ``more`` are further arguments of `ask_async`, such as who is told of each step; raises as `ask` does.
        """
        if not isinstance(question, str):
            raise BadRequestError("the question is {question}", "give a text", question=repr(question))

        def chosen() -> "Model | None":
            from app.chat.ask.answer import model_for

            return model_for(self.client, model)

        used = await in_thread(chosen)
        from app.chat.ask.answer import ask_async
        from app.llm.loop import run, submit

        asked = partial(ask_async, self.client, question, **more)
        # What runs in threads ends at its next step once this is cancelled.
        with awaited():
            if used is None:
                loop, context = asyncio.get_running_loop(), copy_context()
                offline = partial(context.run, lambda: run(asked(model=OFFLINE)))
                return await loop.run_in_executor(_answerer, offline)
            if model is None or isinstance(model, str):
                return await asyncio.wrap_future(submit(asked(model=used)))
            # A model that the app made may hold connections of the app's loop.
            return await asked(model=used)
