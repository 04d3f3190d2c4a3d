"""Talks as they are kept in the state folder: to be found, read and gone on with after the server restarts.

A talk is one file of JSON, for its owner alone, written anew after each turn. What a deleted one held stays
beside the others under another name until the next one is deleted, so that it can be brought back.
"""

import json
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from app.config.folders import replace_file
from app.dependencies import logger
from app.errors import BadRequestError, WriteError
from app.journal.lines import journal_folder
from app.limits import check_text
from app.vault.client import VaultClient
from app.web.talk.sessions import PageTurn, Session

TITLE_CHARS = 120
MOST_TALKS = 500
"""Talks of one vault that are kept; the one that was left longest ago goes first."""
MOST_BYTES = 20_000_000
"""A larger file is none of these."""
_NAME = re.compile(r"[0-9a-f]{16}")
_GONE = ".gone"


@dataclass(frozen=True, slots=True)
class Kept:
    """A talk in the list: its name in addresses, what it is called, when it was left, and its questions."""

    name: str
    title: str
    left: datetime
    questions: tuple[str, ...]


def keep(vault: VaultClient, session: Session) -> None:
    """Write down the turns of a session; what cannot be written is said in the log, and stops no answer."""
    if not vault.settings.keep_talks or not session.turns:
        return
    if not session.talk:
        session.talk = secrets.token_hex(8)
    file = _file(vault, session.talk)
    before = _read(file) or {}
    if before and before.get("left") != session.left:
        # Another browser went on with it as well: neither takes anything from the other.
        session.talk = secrets.token_hex(8)
        file = _file(vault, session.talk)
    title = before.get("title") or " ".join(session.turns[0].question.split())[:TITLE_CHARS]
    conversation, left = session.conversation, datetime.now().isoformat()
    data = {
        "title": title,
        "left": left,
        "turns": [_turn_data(turn) for turn in session.turns],
        "messages": session.messages,
        "rules": before.get("rules", "") if conversation is None else conversation.rules,
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

    A talk that names a note which is excluded now is listed by its title alone, and found by that alone.
    """
    wanted = words.casefold().split()
    return [talk for talk, text in _listed(vault) if all(word in text for word in wanted)]


def _listed(vault: VaultClient) -> Iterator[tuple[Kept, str]]:
    for file in _by_time(_folder(vault)):
        data = _read(file)
        if data is None:
            continue
        turns = [turn for each in data["turns"] if not (turn := _turn(vault, each)).is_hidden]
        questions = tuple(turn.question for turn in turns)
        text = "\n".join([data["title"], *questions, *(turn.text for turn in turns)]).casefold()
        yield Kept(file.stem, data["title"], datetime.fromisoformat(data["left"]), questions), text


def read_turns(vault: VaultClient, name: str) -> list[PageTurn]:
    """Return the turns of a talk, without their answers as HTML.

    A turn that ran when the server ended is one that was cut short, and a write that waited then was not
    made.

    Raises:
        BadRequestError: there is no such talk.
    """
    return [_turn(vault, each) for each in _known(vault, name)["turns"]]


def resume(vault: VaultClient, session: Session, name: str, turns: Sequence[PageTurn]) -> None:
    """Put a talk into a session, to be gone on with.

    What a model was told is told again only where the vault excludes the same notes as then.

    Raises:
        BadRequestError: there is no such talk, or another question is being answered.
    """
    data = _known(vault, name)
    if session.running is not None:
        raise BadRequestError("another question is being answered", "wait for it or stop it first")
    session.forget()
    session.talk, session.left = name, data["left"]
    for turn in turns:
        session.count += 1
        turn.number = session.count
        session.turns.append(turn)
    if data.get("rules") == vault.obsidian.rules:
        session.messages = data.get("messages", [])


def rename(vault: VaultClient, name: str, title: str) -> None:
    """Call a talk something else; raises BadRequestError where there is none, or the title is empty."""
    check_text(title, "title", TITLE_CHARS)
    said = " ".join(title.split())
    data = _known(vault, name)
    if not said:
        raise BadRequestError("the title is empty", "write what the talk is to be called")
    _replace(_file(vault, name), data | {"title": said})


def delete(vault: VaultClient, name: str) -> None:
    """Take a talk out of the list; `restore` brings the last one back."""
    _known(vault, name)
    file = _file(vault, name)
    for older in file.parent.glob(f"*{_GONE}"):
        older.unlink(missing_ok=True)
    file.replace(file.with_suffix(_GONE))


def restore(vault: VaultClient, name: str) -> None:
    """Bring the talk back that was deleted last; raises BadRequestError where it is another one."""
    file = _file(vault, name)
    try:
        file.with_suffix(_GONE).replace(file)
    except FileNotFoundError as error:
        raise _none() from error


def _known(vault: VaultClient, name: str) -> dict[str, Any]:
    if (data := _read(_file(vault, name))) is None:
        raise _none()
    return data


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


def _read(file: Path) -> dict[str, Any] | None:
    """Read a talk; None where it is not there or no talk."""
    try:
        with file.open("rb") as opened:
            text = opened.read(MOST_BYTES + 1)
        data = json.loads(text) if len(text) <= MOST_BYTES else None
    except (OSError, ValueError, RecursionError):
        return None
    is_whole = (
        isinstance(data, dict) and isinstance(data.get("turns"), list) and {"title", "left"} <= set(data)
    )
    return data if is_whole else None


def _replace(file: Path, data: dict[str, Any]) -> None:
    try:
        replace_file(file, json.dumps(data).encode())
    except OSError as error:
        raise WriteError(f"the talk cannot be kept in '{file.parent}': {error}", "see 'state_dir'") from error


_KEPT = (
    "mode", "question", "trace_id", "state", "steps", "text", "overview", "remarks", "error", "hint", "paths",
)  # fmt: skip


def _turn_data(turn: PageTurn) -> dict[str, Any]:
    data = {name: getattr(turn, name) for name in _KEPT}
    return data | {"when": turn.when.isoformat(), "blocks": [asdict(block) for block in turn.blocks]}


def _turn(vault: VaultClient, data: dict[str, Any]) -> PageTurn:
    """Make a turn again; of one that names a note which is excluded now, only the question."""
    from app.chat.ask.concat import Block

    kept = {name: data[name] for name in _KEPT if name in data} | {"number": 0}
    kept["remarks"], kept["paths"] = tuple(kept.get("remarks", ())), tuple(kept.get("paths", ()))
    if kept["state"] == "running":
        kept["state"] = "cut"
    if any(map(vault.is_excluded, kept["paths"])):
        hidden = {name: kept[name] for name in ("number", "mode", "question", "trace_id", "state")}
        return PageTurn(**hidden, is_hidden=True, when=datetime.fromisoformat(data["when"]))
    blocks = tuple(
        Block(each["path"], tuple(each["lines"]) if each["lines"] else None, each["text"])
        for each in data["blocks"]
    )
    return PageTurn(**kept, blocks=blocks, when=datetime.fromisoformat(data["when"]))
