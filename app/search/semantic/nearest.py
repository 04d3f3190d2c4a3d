"""Find the sentence of some lines whose meaning is nearest to a question."""

import re
from collections.abc import Sequence

import numpy as np

from app.search.semantic.kept import KeptVectors

MOST_SENTENCES = 40
_ENDS = re.compile(r"(?<=[.!?…。！？])\s+")
_MARKUP = re.compile(r"^[\s>#*+\-|]*(?:\[.\]\s)?")


def nearest_sentence(kept: KeptVectors, query: str, lines: Sequence[str]) -> str:
    """Give the sentence or line nearest to a query; empty where the lines hold no word.

    Args:
        kept: Has the model.
        query: The question.
        lines: Lines of a note.
    """
    pieces = (_MARKUP.sub("", piece) for line in lines for piece in _ENDS.split(line))
    sentences = [piece for piece in dict.fromkeys(pieces) if re.search(r"\w", piece)][:MOST_SENTENCES]
    if not sentences:
        return ""
    vectors = np.stack([text.vector for text in kept.embedder.encode(sentences)])
    return sentences[int(np.argmax(vectors @ kept.encode_query(query).vector))]
