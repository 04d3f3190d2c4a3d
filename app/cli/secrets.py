"""A person's word, asked in the terminal, on a text that looks like a key and would leave this machine."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from app.cli import output
from app.config.settings import OFFLINE, Settings
from app.llm.masks import Choice, Question, asking, is_elsewhere
from app.showing import showing

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
    with asking(lambda question: _ask_person(question, said)):
        yield


def is_asked_here(settings: Settings, model: str | None) -> bool:
    """Return whether a person may have to be asked, so that no other process can answer for this one."""
    names = [name for name in (model or settings.model, *settings.keyword_models) if name]
    return settings.secrets == "ask" and not all(map(_is_here, names)) and output.is_interactive()


def _is_here(model: str) -> bool:
    """Tell by a model's name whether it surely runs here: nothing of the libraries is loaded for it."""
    return model == OFFLINE or (model.startswith("ollama:") and not is_elsewhere("http://localhost", model))


def _ask_person(question: Question, said: str) -> Choice:
    """Ask, and read one line; what is no clear answer leaves the text out."""
    from app.chat.offline.phrases import language_of

    is_french = language_of(said) == "fr"
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
