"""What a resident does for a request: the same as a process that works alone, with what it has open."""

import threading
from collections.abc import Callable
from concurrent.futures import wait

from app.dependencies import VaultClient
from app.errors import EngineMissingError, VaultError
from app.resident.address import surroundings
from app.resident.frames import UNABLE, Frame
from app.resident.shapes import document_data, error_data, results_data

GONE_SECONDS = 0.2
"""How soon a question is dropped whose asker is gone."""


def answered(vault: VaultClient, request: Frame, tell: Callable[[str], None], gone: threading.Event) -> Frame:
    """Answer one request; what perhaps only this process lacks is left to whoever asks.

    Args:
        vault: The vault.
        request: What is asked, as the client sends it.
        tell: Is given each call of a tool, as one short line.
        gone: Is set when nobody waits for the answer any more.
    """
    settings = vault.settings
    has_model = request.get("model") or settings.model or settings.keyword_models
    if has_model and request.get("surroundings") != surroundings():
        return UNABLE
    try:
        if request.get("call") == "find":
            return _find(vault, request)
        return _ask(vault, request, tell, gone)
    except EngineMissingError:
        # Perhaps it is found where the other process looks, such as `rg` on another PATH.
        return UNABLE
    except VaultError as error:
        return {"kind": "error", **error_data(error)}


def _find(vault: VaultClient, request: Frame) -> Frame:
    from app.search.request import parse_request
    from app.search.searcher import searcher_for

    parameters = request["parameters"]
    parsed = parse_request(parameters)
    searcher = searcher_for(vault, parameters.get("index"))
    if not searcher.view().lexical.notes.any():
        # Whoever builds an index shows how far it is.
        return UNABLE
    return {"kind": "answer", "results": results_data(searcher.search(parsed, look=True))}


def _ask(vault: VaultClient, request: Frame, tell: Callable[[str], None], gone: threading.Event) -> Frame:
    import pydantic_ai

    from app.bootstrap import new_trace_id
    from app.chat.ask.answer import ask_async, model_for
    from app.llm.loop import submit
    from app.search.searcher import searcher_for

    pydantic_ai.BANNER_ENABLED = False
    model = model_for(vault, request["model"])
    searcher = searcher_for(vault)
    if not searcher.view().lexical.notes.any():
        return UNABLE
    searcher.freshen(force=True)
    work = submit(ask_async(vault, request["question"], model=model, trace_id=new_trace_id(), tell=tell))
    while not work.done():
        wait([work], timeout=GONE_SECONDS)
        if gone.is_set():
            work.cancel()
            return UNABLE
    return {"kind": "answer", "document": document_data(work.result()), "model": model.model_name}
