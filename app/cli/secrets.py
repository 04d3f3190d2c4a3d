"""A person's word, asked in the terminal, on a text that looks like a key and would leave this machine."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.cli import output
from app.showing import showing

if TYPE_CHECKING:
    from app.llm.masks import Choice, Question

SEND = frozenset({"s", "send", "e", "envoyer"})
STOP = frozenset({"q", "quit", "stop", "arrêter", "arreter"})
ENGLISH = (
    "A text that looks like {kind} would be sent to {model}, at {where}:\n"
    "  {beginning}…{place}\n"
    "[s] send it, [Enter] leave it out this time, [q] send nothing: "
)
FRENCH = (
    "Un texte qui ressemble à {kind} serait envoyé à {model}, sur {where} :\n"
    "  {beginning}…{place}\n"
    "[e] l'envoyer, [Entrée] le laisser de côté cette fois, [q] ne rien envoyer : "
)
KINDS = {
    "a key": "une clé",
    "a password": "un mot de passe",
    "a bank account": "un compte bancaire",
    "a payment card": "une carte bancaire",
    "a recovery phrase": "une phrase de récupération",
}


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

    is_french = language_for([said], output.screen().language) == "fr"
    near = (
        (f", près de « {question.place} »" if is_french else f", near '{question.place}'")
        if question.place
        else ""
    )
    text = (FRENCH if is_french else ENGLISH).format(
        kind=KINDS[question.kind] if is_french else question.kind,
        model=question.model,
        where=question.where,
        beginning=question.beginning,
        place=near,
    )
    output.tell("\n" + showing(text), end="")
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        output.tell("")
    word = answer.strip().casefold()
    return "send" if word in SEND else "stop" if word in STOP else "mask"
