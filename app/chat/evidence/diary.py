"""Read what the notes of a time say, where a question asks for nothing else: "what happened last week?"."""

import re
from dataclasses import replace
from datetime import date

import numpy as np

from app.chat.evidence.evidence import Evidence
from app.chat.evidence.gather import Found
from app.chat.evidence.weigh import AnalyzedQuestion, Candidate, candidates_of
from app.chat.evidence.when import day_of
from app.search.excerpt import fold
from app.search.query.time_window import Window
from app.search.rank.dated import asked_besides, place


def asked_of_time(asked: AnalyzedQuestion, found: Found) -> list[tuple[Candidate, float]] | None:
    """Return what `of_time` does where a question asks what was in a time; None where it asks for more.

    Besides it may name a note or a folder, as "what happened in the garden in July?" does where these are
    called so.
    """
    window, text = asked.window, asked.query.positive
    if window is None:
        return None
    besides = set(asked_besides(text, window.without(text)))
    called = (piece for piece in found.evidence if besides <= _called(found, piece))
    inside = of_time(asked, replace(found, evidence=tuple(called)), window)
    return inside if inside or not besides else None


def _called(found: Found, piece: Evidence) -> set[str]:
    """Return the words of the names of a note and of its folders, folded."""
    doc = found.view.snapshot.doc(piece.path)
    title = found.view.snapshot.note(doc).title if doc is not None else ""
    return set(re.findall(r"\w+", fold(f"{piece.path} {title}")))


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
            # Of a journal with many days in one note, what stands under the first of that time.
            days = [one for one in quotable if _is_of_day_in(window, one)]
            begun += [(one, grade) for one in (days or quotable)[:1]]
    return sorted(begun, key=lambda each: (each[1], _day(each[0])), reverse=True)


def _is_of_day_in(window: Window, one: Candidate) -> bool:
    day = day_of(one.note, one.span)
    return bool(day) and window.period.first <= date.fromisoformat(day) <= window.period.last


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
