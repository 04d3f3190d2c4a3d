"""Run one request and put the outcome, good or bad, into words; logged with its trace id."""

import time
from collections.abc import Mapping

from app.dependencies import VaultClient, logger
from app.errors import VaultError, format_error
from app.search.format import format_results
from app.search.request import parse_request
from app.search.searcher import searcher_for
from app.showing import in_line


def answer(vault: VaultClient, parameters: Mapping[str, object], trace_id: str = "") -> str:
    """Answer one search as text; an error is one line that starts with ``Error:``.

    Args:
        vault: The vault to search.
        parameters: ``operation`` and the parameters of `vault_search`.
        trace_id: Identifies the caller's turn in the log.
    """
    asked = {name: value for name, value in parameters.items() if value is not None}
    about = {"trace_id": trace_id, "operation": parameters.get("operation"), "parameters": asked}
    logger.info("vault_search_called", extra=about)
    begun = time.monotonic()
    try:
        request = parse_request(parameters)
        index = parameters.get("index")
        results = searcher_for(vault, str(index) if index else None).search(request)
        text = format_results(
            results, max_chars=request.max_chars, offset=request.offset, links=request.links
        )
    except VaultError as error:
        logger.info("vault_search_failed", extra={**about, "error": str(error)})
        return format_error(error)
    except Exception as error:  # noqa: BLE001 - the last resort of this front door
        logger.error("vault_search_failed", extra={**about, "error": str(error)}, exc_info=True)
        said = " ".join(str(error).split())
        return in_line(f"Error: performing {parameters.get('operation')} search: {said}")
    logger.info(
        "vault_search_answered",
        extra={**about, "count": results.total, "seconds": round(time.monotonic() - begun, 4)},
    )
    return text
