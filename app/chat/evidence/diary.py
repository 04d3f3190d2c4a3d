"""Read what the notes of a time say, where a question asks for nothing else: "what happened last week?"."""

import numpy as np

from app.chat.evidence.evidence import Evidence
from app.chat.evidence.gather import Found
from app.chat.evidence.weigh import AnalyzedQuestion, Candidate, candidates_of
from app.chat.evidence.when import day_of
from app.search.query.time_window import Window
from app.search.rank.dated import asks_besides, place


def time_alone(asked: AnalyzedQuestion) -> Window | None:
    """Return the time that a question asks about; None where it asks for anything besides."""
    window, text = asked.window, asked.query.positive
    return window if window and not asks_besides(text, window.without(text)) else None


def of_time(asked: AnalyzedQuestion, found: Found, window: Window) -> list[tuple[Candidate, float]]:
    """Return how each passage of the evidence that lies in a time begins, and how surely it does, 0 to 1.

    Those that surely do come first, the newest of them before others.
    """
    placed = place(found.view, window)
    docs = [_doc(found, piece) for piece in found.evidence]
    placed.look_closer(doc for doc in docs if doc is not None)
    begun: list[tuple[Candidate, float]] = []
    for piece, doc in zip(found.evidence, docs, strict=True):
        if doc is not None and (grade := float(placed.grades[doc])) > 0:
            quotable = [one for one in candidates_of(asked, [piece]) if not one.is_property]
            begun += [(one, grade) for one in quotable[:1]]
    return sorted(begun, key=lambda each: (each[1], _day(each[0])), reverse=True)


def _day(one: Candidate) -> str:
    return one.evidence.day or day_of(one.note, one.span)


def _doc(found: Found, piece: Evidence) -> int | None:
    """Return the passage of a snapshot that a piece of evidence is."""
    snapshot = found.view.snapshot
    note = snapshot.doc(piece.path)
    if note is None:
        return None
    passages = np.flatnonzero(snapshot.lexical.chunks & (snapshot.lexical.note_of == note)).tolist()
    return next((doc for doc in passages if snapshot.chunk_lines(doc)[0] == piece.first), None)
