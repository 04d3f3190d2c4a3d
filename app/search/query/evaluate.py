"""Turn a query into the notes it keeps: narrowed by the index, verified on the text; exact."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from app.search.index.texts import LONG_TEXT, TextForms
from app.search.lexical.analysis import fold, has_unspaced
from app.search.lexical.index import Mask
from app.search.query.filters import dated, tagged
from app.search.query.match import key_of, pieces, question, wanted, with_hyphen
from app.search.query.pattern import Clock
from app.search.query.properties import (
    Properties,
    aliases_matching,
    any_of,
    named,
    tags_matching,
)
from app.search.query.tree import (
    And,
    Dated,
    Linked,
    Match,
    Node,
    Not,
    Or,
    Property,
    Query,
    Tag,
    Text,
    Within,
)
from app.search.view import View
from app.vault.paths import nfc


def query_filter(view: View, query: Query) -> Mask:
    """Return the notes that pass what filters a ranked search; its bare words rank and filter nothing."""
    visible = view.snapshot.visible
    return matching_notes(view, query.filters, visible) if query.filters else visible


def matching_notes(view: View, parts: Iterable[Node], within: Mask) -> Mask:
    """Return the notes of a mask of which all parts hold.

    Raises:
        BadRequestError: a regular expression takes too long, or a name means several notes.
    """
    return _Evaluation(view).notes(And(tuple(parts)), within & view.snapshot.visible)


def word_notes(view: View, word: str) -> Mask:
    """Return the notes whose text or path has a bare word, as part of a longer one too, accents aside."""
    return matching_notes(view, [Text(word, folds=True)], view.snapshot.visible)


def chunk_text(view: View, doc: int, lines: tuple[int, int] | None = None) -> str:
    """Return the lines of a chunk, or those given."""
    start, end = lines or view.snapshot.chunk_lines(doc)
    return "\n".join(view.snapshot.lines(int(view.lexical.note_of[doc]))[start - 1 : end])


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """The evaluation of one query on one snapshot."""

    view: View
    clock: Clock = field(default_factory=Clock)

    def notes(self, node: Node, within: Mask) -> Mask:
        """Return the notes of a mask of which a node holds."""
        if isinstance(node, And):
            for part in sorted(node.parts, key=_cost):
                if not within.any():
                    break
                within = self.notes(part, within)
            return within
        if isinstance(node, Or):
            found = np.zeros_like(within)
            for part in sorted(node.parts, key=_cost):
                found |= self.notes(part, within & ~found)
            return found
        if isinstance(node, Not):
            return within & ~self.notes(node.part, within)
        if not _cost(node):
            return within & self.view.snapshot.cached_mask(("query", node), lambda: self._indexed(node))
        if isinstance(node, Text | Match) and node.target == "note":
            called = within & self.view.snapshot.cached_mask(
                ("names", node), lambda: named(self.view.snapshot, node, self.clock)
            )
            return called | self._verified(node, within & ~called)
        return self._verified(node, within)

    def _indexed(self, node: Node) -> Mask:
        """Return all notes of which a node holds that the index alone decides."""
        if isinstance(node, Text | Match):
            return named(self.view.snapshot, node, self.clock)
        if isinstance(node, Tag):
            if node.pattern is not None:
                return tags_matching(self.view.snapshot, node.pattern, self.clock)
            return tagged(self.view.snapshot, [node.name], match_all=False)
        if isinstance(node, Dated):
            return dated(self.view.snapshot, node.field, node.start, node.end)
        if isinstance(node, Linked):
            from app.search.query.link_walk import linked_by

            return linked_by(self.view.snapshot, node)
        if isinstance(node, Property):
            return Properties(self.view.snapshot, self.clock).notes(node)
        assert isinstance(node, Within)
        return aliases_matching(self.view.snapshot, node.part, self.clock)

    def _verified(self, node: Node, within: Mask) -> Mask:
        """Keep the notes whose text is as a node asks; the index says which ones to read."""
        if isinstance(node, Text) and _is_word(node):
            found = within & self._with_word(fold(node.text))
            if hyphened := with_hyphen(node.text):
                found |= self._verified(replace(node, text=hyphened), within & ~found)
            return found
        return self._kept(node, self._candidates(node, within))

    def _kept(self, node: Node, candidates: Mask) -> Mask:
        """Keep the candidates whose text, once read, is as a node asks."""

        def read() -> Mask:
            asks, kept = self._question(node), np.zeros_like(candidates)
            for doc in np.flatnonzero(candidates).tolist():
                kept[doc] = asks(doc)
            return kept

        return self.view.snapshot.cached_mask(("text", node, np.packbits(candidates).tobytes()), read)

    def _question(self, node: Node) -> Callable[[int], bool]:
        """Turn a node into a function of a note."""
        texts, outlines = self.view.snapshot.texts, self.view.snapshot.outline
        if (
            isinstance(node, Text)
            and not (node.folds or node.case)
            and len(text := wanted(node)) <= LONG_TEXT
        ):
            words = tuple(text.split())
            return lambda doc: texts.holds(doc, words)
        if not isinstance(node, Within) or node.unit == "line":
            asks = question(node, self.clock)
            return lambda doc: asks(texts[doc])
        unit, asks, key = node.unit, question(node.part, self.clock), key_of(node.part)
        if unit == "heading":
            return lambda doc: any(asks(TextForms(nfc(one.text))) for one in outlines(doc).sections)

        def has_piece(doc: int) -> bool:
            text = texts[doc]
            if key and key not in text.plain:
                return False
            outline = outlines(doc)
            return any(asks(TextForms(piece)) for piece in pieces(unit, outline, text.raw.split("\n")))

        return has_piece

    def _candidates(self, node: Node, within: Mask) -> Mask:
        """Return the notes of a mask whose text may be as a node asks: none that is is missing."""
        if isinstance(node, Within):
            if node.unit.startswith("task"):
                within = within & self.view.snapshot.notes_with([f"tasks:{node.unit}"])
            return self._candidates(node.part, within)
        if isinstance(node, And):
            for part in node.parts:
                within = self._candidates(part, within)
            return within
        if isinstance(node, Or):
            return any_of([self._candidates(part, within) for part in node.parts])
        if isinstance(node, Text):
            return within & self._holding(node.text)
        if isinstance(node, Match):
            for text in node.pattern.literals:
                within = within & self._holding(text)
        return within

    def _with_word(self, word: str) -> Mask:
        """Return the notes that have a word with these letters in it."""
        chunks = self.view.lexical.containing
        return self.view.snapshot.cached_mask(
            ("word", word), lambda: self.view.snapshot.notes_of(chunks(word))
        )

    def _holding(self, text: str) -> Mask:
        """Return the notes in which ``text`` may stand, its ends cut or not."""

        def make() -> Mask:
            mask, lexical = self.view.lexical.notes.copy(), self.view.lexical
            words = text.split()
            # What stands between blanks lies on one line, so within one chunk.
            for word in dict.fromkeys(words):
                mask &= self.view.snapshot.notes_of(lexical.phrase(word))
            if len(words) > 1 and mask.any():
                # Its words stand in a row: all in one chunk, or the last of them where a chunk begins.
                ends = np.concatenate((lexical.phrase(text), lexical.going_on(text)))
                mask &= self.view.snapshot.notes_of(ends)
            return mask

        return self.view.snapshot.cached_mask(("holding", text), make)


def _is_word(node: Text) -> bool:
    """Return whether a text is a bare word of which the index knows all there is to know."""
    word = fold(node.text)
    return node.folds and node.text.isalnum() and word.isalnum() and not has_unspaced(word)


def _cost(node: Node) -> int:
    """Rate what a node costs: nothing but the index, texts to read, pieces to cut, expressions to run."""
    if isinstance(node, And | Or):
        return max(map(_cost, node.parts), default=0)
    if isinstance(node, Not):
        return _cost(node.part)
    if isinstance(node, Within):
        return 0 if node.unit == "alias" else 2 + _cost(node.part)
    if isinstance(node, Text | Match) and node.target in ("note", "content"):
        return 1 if isinstance(node, Text) else 3
    return 0
