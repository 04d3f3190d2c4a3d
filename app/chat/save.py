"""Write a conversation into a note of its own."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count

from app.chat.cite.names import NamedNotes
from app.chat.cite.parse import VERBATIM, Citation, find_citations, find_quotes, in_block_quote
from app.chat.offline.phrases import language_for
from app.errors import BadRequestError, NoteExistsError, VaultError
from app.markdown.links import LinkResolver
from app.markdown.parse import parse_note, written_tags
from app.notes.answer import NoteCall
from app.notes.gate import Gate
from app.notices import Language
from app.search.index.documents import CHAT, MARK
from app.sentences import said
from app.showing import in_line
from app.vault.client import VaultClient
from app.vault.paths import NotePath

FOLDER = "Chats"
"""Where a conversation goes, in its language."""
TOPIC_CHARS = 60
HEADING_CHARS = 100

# What Obsidian or a file system does not take in a name, and what would begin a hidden one.
_UNFIT = re.compile(r"[\x00-\x1f\x7f*\"\\/<>:|?#^\[\]%]+|^[.\s]+")

_BOX = re.compile(r"^([\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)+)\[")
_UNLINKABLE = re.compile(r"[\[\]|#^]")
_BRACKETS = re.compile(r"[\[\]|]")


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer."""

    question: str
    answer: str
    when: datetime


def save_conversation(
    vault: VaultClient,
    exchanges: Sequence[Exchange],
    model: str,
    path: str | None = None,
    *,
    trace_id: str = "",
    language: Language = "en",
) -> NotePath:
    """Make a note of a conversation; one that exists is never replaced, and the write can be undone.

    Args:
        vault: Where the note is made.
        exchanges: The conversation, oldest first.
        model: The name of the model that answered.
        path: The note, or with a slash at its end the folder; by default a name made of the day and the
            first question, in the folder ``Chats``, or ``Conversations`` where French was spoken.
        trace_id: Names the turn for undo.
        language: Which one was spoken, where no question tells.

    Returns:
        Where the note is.

    Raises:
        BadRequestError: nothing was said yet.
        NoteExistsError: ``path`` names a note that exists.
        WriteError: the setting ``writes`` is ``refuse``, the note would be a template, or it cannot be
            written.
        PathError: ``path`` is malformed, or leads out of the vault.
    """
    if not exchanges:
        raise BadRequestError("there is nothing to save yet", "ask something first")
    linked = _Linked(vault)
    exchanges = [replace(each, answer=linked(each.answer)) for each in exchanges]
    text = _inert(_format_conversation(exchanges, model))
    if path is not None and not path.endswith("/"):
        try:
            return _create(vault, path, text, trace_id)
        except NoteExistsError as error:
            raise NoteExistsError(error.message, "choose another name") from error
    folder = path or said(FOLDER, language_for([each.question for each in exchanges], language))
    stem = f"{folder.rstrip('/')}/{exchanges[0].when:%Y-%m-%d} {_topic(exchanges[0].question)}"
    for number in count(1):
        try:
            return _create(vault, stem if number == 1 else f"{stem} {number}", text, trace_id)
        except NoteExistsError:
            continue
    raise AssertionError("counting does not end")


def _inert(text: str) -> str:
    """Escape the tags and boxes of tasks in a conversation: what it quotes is no tag or task of its own."""
    running, _ = written_tags(text)
    for start, _ in sorted(running, reverse=True):
        text = f"{text[:start]}\\{text[start:]}"
    lines = text.split("\n")
    for task in parse_note(text, "").tasks:
        lines[task.line - 1] = _BOX.sub(r"\1\\[", lines[task.line - 1])
    return "\n".join(lines)


def _format_conversation(exchanges: Sequence[Exchange], model: str) -> str:
    """Write a conversation as a note: date and model as properties, a heading for each question.

    Of a single one the title is the question, which the name of the note says already.
    """
    first = exchanges[0]
    lines = [
        "---",
        f"date: {first.when:%Y-%m-%dT%H:%M:%S}",
        f"model: {json.dumps(model, ensure_ascii=False)}",
        f"{MARK}: {CHAT}",
        "---",
        f"# {_heading(first.question)}",
    ]
    for exchange in exchanges:
        heading = _heading(exchange.question)
        lines += ["", f"## {heading}", ""] if len(exchanges) > 1 else [""]
        if heading != exchange.question.strip():
            lines += [*(f"> {line}".rstrip() for line in exchange.question.strip().splitlines()), ""]
        lines.append(exchange.answer.strip())
    return "\n".join(lines) + "\n"


class _Linked:
    """Writes the notes that an answer names by their paths as links, as a vault has them.

    Quotations and code stay as they are, and so does a name that no link can hold.
    """

    def __init__(self, vault: VaultClient) -> None:
        scan = vault.scan()
        self._notes = NamedNotes(vault)
        self._resolver = LinkResolver([*scan.notes, *scan.others], all_types=vault.obsidian.all_file_types)

    def __call__(self, text: str) -> str:
        """Return an answer with ``[[plan]] lines 3-4`` for `` `Work/plan.md` lines 3-4``."""
        kept = [match.span() for match in VERBATIM.finditer(text)]
        kept += [(quote.start, quote.end) for quote in find_quotes(text)]
        parts, done = list[str](), 0
        for citation in find_citations(text, self._notes.written_before):
            if in_block_quote(text, citation.start) or any(
                start <= citation.start < end for start, end in kept
            ):
                continue
            if link := self._link(citation):
                # Where lines are named inside the code span, they follow the link.
                place = citation.place[0] if citation.place else citation.end
                parts += [text[done : citation.start], link, text[place : citation.end].rstrip("`")]
                done = citation.end
        return "".join([*parts, text[done:]])

    def _link(self, citation: Citation) -> str:
        if citation.form not in ("code", "bare"):
            return ""
        try:
            target = self._resolver.name_of(self._notes.find(citation.name))
        except VaultError:
            return ""
        fits = not _UNLINKABLE.search(target) and not _BRACKETS.search(citation.subpath)
        return f"[[{target}{citation.subpath}]]" if fits else ""


def _create(vault: VaultClient, path: str, text: str, trace_id: str) -> NotePath:
    # Whoever asks for this has approved of a note; not of a template, for a model wrote the answers.
    gate = Gate("refuse" if vault.settings.writes == "refuse" else "allow")
    call = NoteCall(vault, {"operation": "create", "path": path, "content": text}, gate, trace_id=trace_id)
    call.begin()
    assert call.plan is not None, "a new note is always written"
    return NotePath(call.plan.path)


def _topic(question: str) -> str:
    """Make a file name of a question."""
    name = " ".join(_UNFIT.sub(" ", question).split())
    if len(name) > TOPIC_CHARS:
        name = name[:TOPIC_CHARS].rsplit(" ", 1)[0]
    return name.strip(" .,;!-…") or "Conversation"


def _heading(question: str) -> str:
    return in_line(" ".join(question.split()), HEADING_CHARS)
