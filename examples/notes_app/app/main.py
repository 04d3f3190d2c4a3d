"""A notes app around a vault: hits as data, answers with their sources, writes that a person agrees to."""

import gc
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import FastAPI, Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, StreamingResponse
from pydantic import BaseModel
from vault_assistant import ConflictError, Document, NotWaitingError, Proposal, Vault, VaultError

from app.page import render

vault = Vault(os.environ.get("VAULT", "../vault"))


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    """Open the index before the first request, and close it after the last."""
    async with vault:
        # Python's search for reference cycles stops every thread: it need not look at what is loaded by now.
        gc.freeze()
        yield


app = FastAPI(title="Notes", lifespan=lifespan)


class Question(BaseModel):
    """What a person wants to know."""

    question: str


class Changes(BaseModel):
    """Changes that are made together, each as `note_operations` takes it."""

    changes: list[dict[str, Any]]


@app.exception_handler(VaultError)
async def say(_: Request, error: VaultError) -> JSONResponse:
    """Say what was wrong, and what would be right."""
    status = 410 if isinstance(error, NotWaitingError) else 409 if isinstance(error, ConflictError) else 400
    return JSONResponse({"error": error.message, "hint": error.hint}, status)


@app.get("/search")
async def search(q: str, mode: str = "fast", limit: int = 10) -> list[dict[str, Any]]:
    """Find passages, as data."""
    return [asdict(hit) for hit in await vault.search(q, mode, limit=limit)]


@app.post("/ask")
async def ask(asked: Question) -> dict[str, Any]:
    """Answer a question."""
    return as_data(await vault.ask(asked.question))


@app.get("/ask/stream")
async def stream(question: str) -> StreamingResponse:
    """Answer a question as it comes, by server-sent events."""

    async def events() -> AsyncIterator[str]:
        try:
            async for event in vault.ask_stream(question):
                data = as_data(event.document) if hasattr(event, "document") else asdict(event)
                yield f"event: {type(event).__name__}\ndata: {json.dumps(data)}\n\n"
        except VaultError as error:
            yield f"event: Error\ndata: {json.dumps(str(error))}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream")


@app.post("/changes")
async def propose(asked: Changes) -> dict[str, Any]:
    """Show what would change, and keep it until a person agrees."""
    return shown(await vault.propose(asked.changes))


@app.post("/changes/{token}")
async def approve(token: str) -> dict[str, str]:
    """Make the change."""
    return {"done": str(await vault.approve(token))}


@app.delete("/changes/{token}")
async def withdraw(token: str) -> dict[str, bool]:
    """Forget the change."""
    return {"withdrawn": await vault.withdraw(token)}


@app.get("/")
async def page(q: str = "") -> HTMLResponse:
    """Show the page, with the hits of a search."""
    hits = await vault.search(q) if q.strip() else []
    return HTMLResponse(render(query=q, hits=hits))


@app.post("/append")
async def append(path: Annotated[str, Form()], content: Annotated[str, Form()]) -> HTMLResponse:
    """Show what would be added to a note."""
    waiting = await vault.propose({"operation": "append", "path": path, "content": content})
    return HTMLResponse(render(waiting=waiting))


@app.post("/agree")
async def agree(token: Annotated[str, Form()]) -> RedirectResponse:
    """Make the change that the page showed, and go back to it."""
    await vault.approve(token)
    return RedirectResponse("/", status_code=303)


def as_data(document: Document) -> dict[str, Any]:
    """Return an answer as JSON has it."""
    return {
        "answered": document.is_answered,
        "overview": document.overview,
        "remarks": document.remarks,
        "claims": [asdict(claim) for claim in document.claims],
        "notes": [
            {"path": block.path, "lines": block.range, "text": block.text} for block in document.blocks
        ],
    }


def shown(waiting: Proposal) -> dict[str, Any]:
    """Return what a person has to see of a change."""
    return {"token": waiting.token, "diff": waiting.diff, "expires": waiting.expires}
