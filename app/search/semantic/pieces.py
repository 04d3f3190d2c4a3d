"""Texts to word pieces: what a model reads, and where each piece stands."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from app.search.semantic.embedder import Spans

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Row:
    """One text as a model reads it: ``ids`` of all pieces, and which of them (``own``) are the text's own."""

    ids: NDArray[np.int64]
    own: NDArray[np.bool_]


class Pieces:
    """A model's tokenizer; ``length`` is the most pieces that the model reads, special ones included."""

    def __init__(self, tokenizer: "Tokenizer", length: int) -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        self.length = length
        # Some tokenizers add a special piece on one side only, and some none.
        self._specials = tokenizer.num_special_tokens_to_add(False)

    def room(self, prompts: Sequence[str]) -> int:
        """Say how many pieces of a text the model reads after the longest of these prompts; at least 1."""
        longest = max(len(self._plain(prompt)) for prompt in prompts)
        return max(1, self.length - self._specials - longest)

    def spans(self, texts: Sequence[str]) -> list[Spans]:
        """Cut texts into word pieces, uncut however long they are."""
        encodings = self._tokenizer.encode_batch([readable(text) for text in texts], add_special_tokens=False)
        return [encoding.offsets for encoding in encodings]

    def rows(self, texts: Sequence[str], prompt: str) -> list[Row]:
        """Put the prompt before each text, cut what the model would not read, and add the special pieces."""
        encodings = self._tokenizer.encode_batch(
            [prompt + readable(text) for text in texts], add_special_tokens=False
        )
        return [self._row(encoding, len(prompt)) for encoding in encodings]

    def _row(self, encoding: "Encoding", prompt: int) -> Row:
        # Cut before the special pieces are added, so that the last one is never lost.
        encoding.truncate(max(0, self.length - self._specials))
        whole = self._tokenizer.post_process(encoding)
        # The prompt's last piece may reach over the blank to the text; no piece of the text ends before it.
        ends = np.array([end for _, end in whole.offsets], dtype=np.int64)
        special = np.array(whole.special_tokens_mask, dtype=bool)
        return Row(np.array(whole.ids, dtype=np.int64), ~special & (ends > prompt) if prompt else ~special)

    def _plain(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids


def readable(text: str) -> str:
    """Replace what UTF-8 cannot hold (a file name's stray bytes), one for one, so that offsets stay right."""
    return LONE_SURROGATE.sub("\ufffd", text)
