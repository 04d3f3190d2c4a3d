"""What can be set about `deep`: how models are run, and what each step of the ranking weighs."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Device = Literal["auto", "cpu", "cuda", "mps"]
Precision = Literal["auto", "fp32", "bf16"]


class EmbeddingSettings(BaseModel):
    """How embedding models are run; none of it changes what their vectors mean."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    device: Device = "auto"
    """Where the model runs: `cpu`, `cuda`, `mps`, or `auto` for the fastest there is."""
    precision: Precision = "auto"
    """Numbers it computes with when it embeds notes: `fp32`, `bf16`, or `auto`: bf16 where the CPU has it."""
    batch: int = Field(default=16, ge=1, le=1024)
    """Texts in one pass through the model."""
    threads: int | None = Field(default=None, ge=1, le=256)
    """Threads of the model; null takes all cores."""


class DeepSettings(BaseModel):
    """The recipe of `deep`; a weight of 0 switches its step off."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidates: int = Field(default=1000, ge=10, le=10_000)
    """Passages that each list gives: words, vectors, expansion."""
    pool: int = Field(default=50, ge=1, le=1000)
    """Passages that are ranked again by all scores together."""
    fusion_k: float = Field(default=10.0, gt=0)
    """Constant of Reciprocal Rank Fusion: larger values trust the tops of the lists less."""
    words_weight: float = Field(default=0.55, ge=0, le=1)
    """Share of BM25 in the final score; the rest is meaning."""
    tokens_weight: float = Field(default=0.25, ge=0, le=1)
    """Share of token interaction in the meaning; the rest is the cosine of the best window."""
    note_weight: float = Field(default=1.0, ge=0, le=2)
    """What the mean of a note's windows adds to the cosine of a passage."""
    second_weight: float = Field(default=0.1, ge=0, le=1)
    """What the second-best passage of a note adds to its best."""
    expansion: bool = True
    """Whether words of the first passages widen the pool."""
    rewrites: int = Field(default=2, ge=0, le=5)
    """Rewritings of a question that are asked of the language model, where there is one."""
    reranker: str | None = None
    """Cross-encoder that ranks the pool too: a folder, or a name that is on this machine."""
    reranker_weight: float = Field(default=0.4, ge=0, le=1)
    """Share of the cross-encoder in the final score."""
    reranker_seconds: float = Field(default=2.0, gt=0, le=60)
    """Longest time it may take, in seconds; as many passages as fit, best first."""
