"""A person's word, asked in the terminal, on a text that looks like a key and would leave this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.cli import output
from app.sentences import Sentence
from app.showing import showing

if TYPE_CHECKING:
    from app.llm.masks import Choice, Question

SEND = frozenset({"s", "send", "e", "envoyer"})
STOP = frozenset({"q", "quit", "stop", "arrêter", "arreter"})
QUESTION = (
    "A text that looks like {kind} would be sent to {model}, at {where}:\n"
    "  {beginning}…{place}\n"
    "[s] send it, [Enter] leave it out this time, [q] send nothing:"
)


@contextmanager
def person_asked(said: str = "") -> Iterator[None]:
    """Ask whoever sits at the terminal, if somebody does, in the language of what they said."""
    if not output.is_interactive():
        yield
        return
    from app.llm.masks import asking

    with asking(lambda question: _ask_person(question, said)):
        yield


def _ask_person(question: "Question", said: str) -> "Choice":
    """Ask, and read one line; what is no clear answer leaves the text out."""
    from app.chat.offline.phrases import language_for

    text = Sentence(
        QUESTION,
        kind=Sentence(question.kind),
        model=question.model,
        where=question.where,
        beginning=question.beginning,
        place=Sentence(", near '{place}'", place=question.place) if question.place else "",
    )
    language = language_for([said], output.screen().language)
    word = (output.asked("\n" + showing(text.said(language))) or "").casefold()
    return "send" if word in SEND else "stop" if word in STOP else "mask"
