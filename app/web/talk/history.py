"""Talks as they are kept in the state folder: to be found, read and gone on with after the server restarts.

A talk is one file of JSON, for its owner alone, written anew every few seconds while a turn is answered, and
after it.
"""

import json
import os
import re
import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

from app.config.folders import replace_file
from app.config.settings import logger
from app.errors import BadRequestError, WriteError
from app.journal.lines import journal_folder
from app.limits import check_text
from app.notices import Language
from app.vault.client import VaultClient
from app.web.talk.sessions import MOST_TURNS as MOST_SHOWN
from app.web.talk.sessions import Mode, PageTurn, SentTo, Session, State, Step

TITLE_CHARS = 120
MOST_TALKS = 500
"""Talks of one vault that are kept; the one that was left longest ago goes first."""
MOST_TURNS = 1000
"""Turns of one talk that are kept; the oldest goes first."""
MOST_BYTES = 20_000_000
"""A larger file is none of these."""
_NAME = re.compile(r"[0-9a-f]{16}")
_writing = threading.Lock()
"""Held while a talk is written or deleted: a title and a turn may come at once."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A talk in the list: its name in addresses, what it is called, when it was left, and its questions."""

    name: str
    title: str
    left: datetime
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Talked:
    """A talk as it is kept; ``rules`` are what the vault excluded when its ``messages`` were said."""

    title: str
    left: str
    turns: list[PageTurn]
    messages: list[dict[str, object]]
    rules: str


def keep(vault: VaultClient, session: Session) -> None:
    """Write down the turns of a session; what cannot be written is said in the log, and stops no answer."""
    if not vault.settings.keep_talks:
        return
    if _folder(vault).is_relative_to(vault.root):
        logger.warning("talk_not_kept", extra={"error": "the state folder lies in the vault"})
        return
    with _writing:
        # The next turn may begin meanwhile.
        if turns := list(session.turns):
            _keep(vault, session, turns)


def _keep(vault: VaultClient, session: Session, shown: Sequence[PageTurn]) -> None:
    if not session.talk:
        session.talk = secrets.token_hex(8)
    file = _file(vault, session.talk)
    before = _read(file)
    turns = {turn.trace_id: _turn_data(turn) for turn in shown}
    # A session holds the last turns alone.
    older = [turn for turn in before.turns if turn.trace_id not in turns] if before is not None else []
    if before is not None and before.left != session.left:
        # Another browser went on with it as well: neither takes anything from the other.
        session.talk = secrets.token_hex(8)
        file, older = _file(vault, session.talk), []
    title = before.title if before else " ".join(shown[0].question.split())[:TITLE_CHARS]
    left = datetime.now().isoformat()
    data = {
        "title": title,
        "left": left,
        "turns": [*map(_turn_data, older), *turns.values()][-MOST_TURNS:],
        "messages": session.messages,
        "rules": session.rules,
    }
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(file, json.dumps(data).encode())
        session.left = left
        for old in _by_time(file.parent)[MOST_TALKS:]:
            old.unlink(missing_ok=True)
    except OSError as error:
        logger.warning("talk_not_kept", extra={"error": str(error)})


def talks(vault: VaultClient, words: str = "") -> list[Kept]:
    """List the talks of a vault, the last first; with words, those in which all of them stand.

    An answer given when the vault excluded other notes is not looked into.
    """
    wanted = words.casefold().split()
    return [talk for talk, text in _listed(vault) if all(word in text for word in wanted)]


def _listed(vault: VaultClient) -> Iterator[tuple[Kept, str]]:
    for file in _by_time(_folder(vault)):
        talk = _read(file)
        if talk is None:
            continue
        questions = tuple(turn.question for turn in talk.turns)
        said = (turn.text for turn in talk.turns if turn.rules == vault.obsidian.rules)
        text = "\n".join([talk.title, *questions, *said]).casefold()
        yield Kept(file.stem, talk.title, datetime.fromisoformat(talk.left), questions), text


def read(vault: VaultClient, name: str) -> Talked:
    """Return a talk, without its answers as HTML.

    A turn that ran when the server ended is one that was cut short, and a write that waited then was not
    made.

    Raises:
        BadRequestError: there is no such talk.
    """
    talk = _read(_file(vault, name))
    if talk is None:
        raise _none()
    for turn in talk.turns:
        turn.state = "cut" if turn.state == "running" else turn.state
    return talk


def resume(vault: VaultClient, session: Session, name: str, talk: Talked) -> None:
    """Put a talk as it was read into an empty session, to be gone on with.

    What a model was told is told again only where the vault excludes the same notes as then.
    """
    session.talk, session.left = name, talk.left
    for turn in talk.turns[-MOST_SHOWN:]:
        session.count += 1
        turn.number = session.count
        session.turns.append(turn)
    if talk.rules == vault.obsidian.rules:
        session.messages, session.rules = talk.messages, talk.rules


def rename(vault: VaultClient, name: str, title: str) -> None:
    """Call a talk something else; raises BadRequestError where there is none, or the title is empty."""
    check_text(title, "title", TITLE_CHARS)
    said = " ".join(title.split())
    read(vault, name)
    if not said:
        raise BadRequestError("the title is empty", "write what the talk is to be called")
    file = _file(vault, name)
    try:
        with _writing:
            found = file.stat()
            replace_file(file, json.dumps(json.loads(file.read_bytes()) | {"title": said}).encode())
            # It keeps its place in the list.
            os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))
    except OSError as error:
        raise WriteError(
            "the talk cannot be kept in '{parent}': {reason}",
            "see 'state_dir'",
            parent=file.parent,
            reason=error,
        ) from error


def delete(vault: VaultClient, name: str) -> None:
    """Delete a talk; raises BadRequestError where there is none."""
    read(vault, name)
    with _writing:
        _file(vault, name).unlink(missing_ok=True)


def _none() -> BadRequestError:
    return BadRequestError("there is no such talk", "load the list again")


def _folder(vault: VaultClient) -> Path:
    return journal_folder(vault.root, vault.settings.state_folder.resolve()) / "talks"


def _file(vault: VaultClient, name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise _none()
    return _folder(vault) / f"{name}.json"


def _by_time(folder: Path) -> list[Path]:
    """Return the files of talks, the last written first."""
    times = dict[Path, int]()
    for file in folder.glob("*.json"):
        with suppress(FileNotFoundError):
            times[file] = file.stat().st_mtime_ns
    return sorted(times, key=lambda file: -times[file])


def _read(file: Path) -> Talked | None:
    """Read a talk; None where it is not there or no talk."""
    try:
        with file.open("rb") as opened:
            text = opened.read(MOST_BYTES + 1)
        data: dict[str, Any] = json.loads(text) if len(text) <= MOST_BYTES else {}
        datetime.fromisoformat(data["left"])
        turns = [_turn(each) for each in data["turns"]]
        messages = list(data.get("messages", []))
        return Talked(str(data["title"]), data["left"], turns, messages, str(data.get("rules", "")))
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None


_KEPT = (
    "mode", "question", "trace_id", "state", "text", "overview", "remarks", "error", "hint", "rules",
)  # fmt: skip


def _turn_data(turn: PageTurn) -> dict[str, Any]:
    data = {name: getattr(turn, name) for name in _KEPT}
    data["writes"] = [
        *turn.writes,
        *((each.change.operation, each.change.path, each.outcome) for each in turn.proposals),
    ]
    data["answering"] = turn.answering
    data["steps"] = [step.words for step in turn.steps]
    data["sent"] = None if turn.sent is None else [astuple(each) for each in turn.sent]
    return data | {"when": turn.when.isoformat(), "blocks": [asdict(block) for block in turn.blocks]}


def _turn(data: dict[str, Any]) -> PageTurn:
    """Make a turn again; what a file holds that is none raises one of several errors."""
    from app.chat.ask.concat import Block

    kept = {name: data[name] for name in _KEPT}
    if kept["mode"] not in get_args(Mode) or kept["state"] not in get_args(State):
        raise ValueError(kept["state"])
    texts = ("question", "trace_id", "text", "overview", "error", "hint", "rules")
    if not all(isinstance(kept[name], str) for name in texts):
        raise TypeError(texts)
    kept["remarks"] = tuple(map(str, kept["remarks"]))
    blocks = tuple(
        Block(str(each["path"]), (int(lines[0]), int(lines[1])) if lines else None, str(each["text"]))
        for each in data["blocks"]
        for lines in [each["lines"]]
    )
    # A write that waited when the server ended was not made.
    writes = tuple(
        (str(operation), str(path), "gone" if outcome == "asked" else str(outcome))
        for operation, path, outcome in data["writes"]
    )
    sent = data["sent"]
    if sent is not None:
        sent = tuple(SentTo(str(model), int(count), bool(is_here)) for model, count, is_here in sent)
    when = datetime.fromisoformat(data["when"])
    answering = tuple(map(str, data["answering"]))
    steps = [
        Step({language: str(words[language]) for language in get_args(Language)}) for words in data["steps"]
    ]
    return PageTurn(
        number=0, **kept, steps=steps, answering=answering, blocks=blocks, writes=writes, sent=sent, when=when
    )
