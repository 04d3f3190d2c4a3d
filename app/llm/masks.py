"""What is left out of a text before it is sent to a model elsewhere, and who decides."""

import ipaddress
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from app.config.settings import Secrets, logger
from app.errors import StoppedError
from app.llm.left_out import leave_out
from app.llm.secrets import Secret, find_secrets

MASK = "[key left out]"
MOST_QUESTIONS = 10
"""How often a person is asked while one command or chat lasts; a note full of keys must not wear them out."""

Choice = Literal["send", "mask", "stop"]


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked: whether a text that looks like a key may leave this machine."""

    kind: str
    beginning: str
    place: str
    """The note whose name stands nearest before it; empty where none does."""
    model: str
    where: str


Asker = Callable[[Question], Choice]


@dataclass
class _Person:
    """Somebody who can be asked, and what was decided so far."""

    ask: Asker
    decided: dict[tuple[str, str], Choice] = field(default_factory=dict)
    questions: int = 0


_person: ContextVar[_Person | None] = ContextVar("person", default=None)


@contextmanager
def asking(ask: Asker) -> Iterator[None]:
    """Have a person asked by ``ask``, on the thread that waits, while this lasts; each text once."""
    token = _person.set(_Person(ask))
    try:
        yield
    finally:
        _person.reset(token)


def is_elsewhere(address: str, model: str) -> bool:
    """Return whether a model does not run on this machine.

    Args:
        address: Of its server; empty where it is not known.
        model: Its name. What Ollama is sent for a model whose name ends in "cloud" goes on to its servers.
    """
    parts = urlsplit(address)
    host = (parts.hostname or "").rstrip(".")
    if model.endswith(("-cloud", ":cloud")):
        return True
    if parts.scheme.endswith("unix") or host == "localhost" or host.endswith(".localhost"):
        return False
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return True


class KeyGate:
    """Decides, for one model, which texts pass.

    Args:
        model: The model's name.
        where: Its server's address; what a person lets go to one server is asked about again for another.
        rule: The setting `secrets`.
    """

    def __init__(self, model: str, where: str, rule: Secrets) -> None:
        self._model, self._where, self._rule = model, where, rule
        self._is_open = rule == "send" or not is_elsewhere(where, model)

    async def cleaned(self, texts: Sequence[str]) -> tuple[dict[str, str], int]:
        """Look for secrets in texts that are to be sent, and decide about each.

        Returns:
            What is to stand in the place of texts that must not leave as they are, by these texts; and how
            many places were masked.

        Raises:
            StoppedError: the person wants nothing to be sent.
        """
        if self._is_open:
            return {}, 0
        # Imported here: whoever only reads notes sends none, and these take long to import.
        import asyncio

        found = await asyncio.to_thread(_secrets_in, texts)
        masked: dict[str, bool] = {}
        for text, secrets in found.items():
            for secret in secrets:
                if secret.value not in masked:
                    masked[secret.value] = await self._is_masked(secret, text)
        clean, count = {}, 0
        for text, secrets in found.items():
            if left := [secret for secret in secrets if masked[secret.value]]:
                clean[text] = _without(text, left)
                count += len(left)
        if count:
            about = {"model": self._model, "where": self._where, "count": count}
            logger.warning("keys_left_out", extra=about)
        return clean, count

    async def _is_masked(self, secret: Secret, text: str) -> bool:
        from app.llm.loop import ask_waiting, can_ask

        choice: Choice = "mask"
        person = _person.get()
        if self._rule == "ask" and person is not None and can_ask():
            place = note_before(text, secret.start)
            question = Question(secret.kind, secret.beginning, place, self._model, self._where)
            # On the thread that asks, so that a text that is met twice at once is asked about once.
            choice = await ask_waiting(lambda: _decided(person, (secret.value, self._where), question))
        if choice == "stop":
            raise StoppedError(
                "nothing was sent to {model}: you stopped at a text that looks like {kind}",
                "take it out of the note, or set 'secrets' to 'mask'",
                model=self._model,
                kind=secret.kind,
            )
        if choice == "mask":
            leave_out(secret.value, secret.kind, self._model)
        return choice == "mask"


def _decided(person: _Person, key: tuple[str, str], question: Question) -> Choice:
    if key in person.decided:
        return person.decided[key]
    if person.questions == MOST_QUESTIONS:
        return "mask"
    person.questions += 1
    choice = person.ask(question)
    if choice != "stop":
        person.decided[key] = choice
    return choice


def _secrets_in(texts: Sequence[str]) -> dict[str, list[Secret]]:
    return {text: secrets for text in dict.fromkeys(texts) if (secrets := find_secrets(text))}


def _without(text: str, secrets: Sequence[Secret]) -> str:
    pieces, at = [], 0
    for secret in secrets:
        pieces += [text[at : secret.start], MASK]
        at = secret.end
    return "".join([*pieces, text[at:]])


def note_before(text: str, at: int) -> str:
    """Return the name of a note that stands nearest before a place in a text; empty where none does."""
    end = text.rfind(".md", 0, at)
    if end < 0:
        return ""
    line = text[text.rfind("\n", 0, end) + 1 : end + 3][-200:]
    for sign in "\"'`<>|":
        line = line.rpartition(sign)[2]
    # A passage that a model is given begins with its number.
    line = re.sub(r"^\[\d+\] ", "", line)
    return line.lstrip("-*#0123456789. ") or line
