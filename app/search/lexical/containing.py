"""Find the chunks with a word that holds some letters, wherever in it they stand."""

import re

import numpy as np
from numpy.typing import NDArray

from app.search.lexical.segment import SegmentFile


def containing(segment: SegmentFile, piece: str) -> NDArray[np.int64]:
    """Give the documents whose body has a word with ``piece`` in it, ascending; ``piece`` is folded."""
    table = segment.table("body")
    needle = re.compile(re.escape(piece.encode("utf-8", "surrogatepass")))
    places = np.fromiter((found.start() for found in needle.finditer(table.text)), np.int64)
    there = np.zeros(len(table), np.bool_)
    there[np.searchsorted(np.asarray(table.ends), places, "right") - 1] = True
    having = np.zeros(segment.count, np.bool_)
    having[table.ids[np.repeat(there, np.diff(table.starts))]] = True
    return np.flatnonzero(having)
