"""Embedding models that are worth having: what they know, weigh and are published to find."""

from dataclasses import dataclass

from app.config.settings import BUNDLED_MODEL

MTEB = "MTEB Multilingual, retrieval over 18 tasks, nDCG@10"


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model of the table.

    ``parameters`` are millions, of which ``computing`` work on every word: the rest is a table of words,
    which takes memory but no time. ``retrieval`` is a published figure in percent and ``source`` says where;
    it is None where none was published for several languages.
    """

    name: str
    knows: str
    parameters: int
    computing: int
    dimension: int
    licence: str
    retrieval: float | None = None
    source: str = ""

    @property
    def megabytes(self) -> int:
        """Memory for its numbers while it runs, four bytes each, and what has to be downloaded at most."""
        return self.parameters * 4


CATALOGUE = (
    KnownModel(BUNDLED_MODEL, "English", 23, 11, 384, "Apache 2.0"),
    KnownModel(
        "ibm-granite/granite-embedding-97m-multilingual-r2",
        "52 languages well, 200 at all",
        97,
        28,
        384,
        "Apache 2.0",
        59.6,
        "its model card",
    ),
    KnownModel(
        "intfloat/multilingual-e5-small",
        "100 languages",
        118,
        21,
        384,
        "MIT",
        50.9,
        "the model card of granite-embedding-97m-multilingual-r2",
    ),
    KnownModel(
        "ibm-granite/granite-embedding-311m-multilingual-r2",
        "52 languages well, 200 at all",
        311,
        110,
        768,
        "Apache 2.0",
        64.0,
        "its model card",
    ),
)
"""The one that comes along, then those of many languages: a small one, another in long use, a large one."""

SMALL = CATALOGUE[1].name
"""What is advised where notes are in a language that the configured model does not know."""
