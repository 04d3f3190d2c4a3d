"""Answers and errors as JSON, and back; nothing of them is lost on the way."""

from dataclasses import asdict

from app import errors
from app.chat.ask.concat import Block, Document
from app.errors import VaultError
from app.resident.frames import Frame
from app.search.models import SearchResult, SearchResults


def results_data(results: SearchResults) -> Frame:
    """Give results as JSON; `date_field`, which people are not shown, is kept."""
    data = results.model_dump(mode="json")
    data["results"] = [
        result.model_dump(mode="json") | {"date_field": result.date_field} for result in results.results
    ]
    return data


def read_results(data: Frame) -> SearchResults:
    """Give back what `results_data` was given."""
    results = [SearchResult.model_validate(result) for result in data["results"]]
    return SearchResults.model_validate(data | {"results": results})


def document_data(document: Document) -> Frame:
    """Give a document as JSON."""
    return asdict(document)


def read_document(data: Frame) -> Document:
    """Give back what `document_data` was given."""
    blocks = [
        Block(
            block["path"], (block["lines"][0], block["lines"][1]) if block["lines"] else None, block["text"]
        )
        for block in data["blocks"]
    ]
    return Document(data["overview"], tuple(blocks), tuple(data["remarks"]))


def error_data(error: VaultError) -> Frame:
    """Give an error as JSON."""
    return {"type": type(error).__name__, "message": error.message, "hint": error.hint}


def read_error(data: Frame) -> VaultError:
    """Give back what `error_data` was given; of a class that `app.errors` does not name, the base."""
    kind = getattr(errors, data["type"], VaultError)
    error = kind(data["message"], data["hint"])
    assert isinstance(error, VaultError)
    return error
