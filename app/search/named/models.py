"""What a search of a named index answers; `docs/search-output.schema.json` holds its JSON Schema."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from app.errors import VaultError
from app.sentences import Language
from app.showing import in_line

SearchMode = Literal["lexical", "semantic"]
DEFAULT_K = 5
SCORE_DIGITS = 6


class SearchHit(BaseModel):
    """A chunk of a note."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_serialization_defaults_required=True)

    uri: str = Field(min_length=1, description="Canonical address of the chunk; opens in Obsidian")
    path: str = Field(min_length=1, description="Path of the note in the vault")
    title: str = Field(description="Title of the note")
    lines: str = Field(pattern=r"^[1-9]\d*-[1-9]\d*$", description="Lines of the chunk, such as 9-14")
    score: float = Field(
        ge=0, le=1, description="Cosine similarity, or the score of 'fast': how likely the passage answers"
    )
    excerpt: str = Field(description="Numbered lines that answer")
    also_in: tuple[str, ...] = Field(description="Paths of others with the same content")


class SearchOutput(BaseModel):
    """The answer of `wksc search` and `wksm_search`; with errors it holds no hits."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_serialization_defaults_required=True)

    errors: tuple[str, ...] = Field(default=(), description="Why there is no answer; empty when there is one")
    warnings: tuple[str, ...] = Field(default=(), description="What the reader must know")
    query: str | None = Field(description="The words that were asked, as given")
    index_name: str = Field(description="The index that was asked")
    search_mode: SearchMode | None = Field(description="How the index is searched; null for an unknown one")
    embedding_model: str | None = Field(description="Model of a semantic index")
    hits: tuple[SearchHit, ...] = Field(default=(), description="Best first")
    total_chunks: int = Field(default=0, ge=0, description="Chunks in the index; 0 with errors")

    # The same as errors that can be said in French; the document has their English.
    _failures: tuple[VaultError, ...] = PrivateAttr(default=())

    def failing(self, failures: Sequence[VaultError]) -> "SearchOutput":
        """Remember what went wrong, and return this."""
        self._failures = tuple(failures)
        return self

    def wrong(self, language: Language) -> str:
        """Return what went wrong, in a language."""
        said = (in_line(error.said(language)) for error in self._failures)
        return "; ".join(said)

    def data(self) -> dict[str, Any]:
        """Return the document as plain JSON values, the same wherever it is printed.

        Raises:
            ValidationError: the document does not hold to its schema.
        """
        document: dict[str, Any] = self.model_dump(mode="json")
        type(self).model_validate(document)
        return document
