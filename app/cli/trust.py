"""``setup trust``: what the configuration of a folder would change, and a person's yes to it."""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli import options, output
from app.config.paths import is_remote
from app.errors import ConfigError
from app.sentences import Language, Sentence, said
from app.showing import showing

if TYPE_CHECKING:
    from app.config.file import ConfigFile
    from app.config.settings import Configuration
    from app.config.trust import Trusted

LIMIT = "a limit on time, length or number"
RANKING = "how passages are found and ranked"
MEANS = {
    "vault": "commands that start there open the vault in this folder, unless another is named",
    "vaults": "a name for a further vault",
    "groups": "a name for several vaults: what asks them shows notes of all of them",
    "oauth": "who may come in at 'mcp --http' over the network, and which vaults they see",
    "token_file": "who may come in at 'mcp --http' over the network, and which vaults they see",
    "keyword_models": "these models read what 'keyword' finds: text of your notes is sent to them",
    "index": "which notes can be found, and how",
    "embedding": "on what the embedding model runs",
    "deep": RANKING,
    "cache_dir": "the index, which holds the words of your notes, is kept there",
    "keep_talks": "what is asked and answered on the page, and what is written in a chat, is kept",
    "state_dir": "the journal with earlier contents of notes, texts sent to models and talks are kept there",
    "picker_opens": "in what a note opens that you pick",
    "chunk_chars": RANKING,
    "max_note_bytes": "which notes are large enough to be left unread",
    "commit_notes": "how often the index is saved while it is built",
    "model_seconds": LIMIT,
    "model_retries": LIMIT,
    "history_chars": LIMIT,
    "ask_evidence_tokens": LIMIT,
    "ask_probability": LIMIT,
    "ask_requests": LIMIT,
    "ask_tool_calls": LIMIT,
    "ask_chars": LIMIT,
    "catch_up_seconds": LIMIT,
}
"""By the setting's name; what depends on more is in `consequence`."""
SECRETS = {
    "ask": "you are asked before a text that looks like a key is sent to a model elsewhere",
    "mask": "a text that looks like a key is left out of what a model elsewhere is sent",
    "send": "texts that look like keys are sent to a model elsewhere without asking you",
}
WRITES = {
    "allow": "the chat, and clients of mcp, change notes without asking you",
    "ask": "you are asked before a note is changed",
    "refuse": "no note is changed",
}

EXAMPLES = (
    "A config.json in the folder a command starts in is ignored until you trust it, and again when it "
    "changes. 'mcp' and 'setup install' never take it.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant setup trust\n"
    "  vault-assistant setup trust ~/code/garden --yes\n"
    "  vault-assistant setup trust --list\n"
    "  vault-assistant setup trust ~/code/garden --revoke"
)
LONGEST = 300
"""Most characters of a value that are shown."""


def consequence(keys: tuple[str, ...], value: object) -> str:
    """Return what a value lets happen; empty for a setting that is not known here.

    Args:
        keys: Where the value stands, such as ``("index", "indexes", "notes", "exclude")``.
        value: The value, as it stands in the file.
    """
    match keys:
        case ("model", *_):
            return _model(value)
        case ("writes", *_):
            return WRITES.get(str(value), "")
        case ("secrets", *_):
            return SECRETS.get(str(value), "")
        case ("vaults", name, "path"):
            return Sentence("--vault {name} opens the vault in this folder", name=name)
        case (*_, "embedding_model") | ("deep", "reranker") | ("ask_judge",):
            if value is None:
                return "no model of your machine reads the notes for this"
            if is_remote(str(value)):
                return "the text of all your notes is sent to this model, with your key where it needs one"
            return "this model, a folder or a name on your machine, reads the notes"
        case ("deep", "rewrites"):
            return "how many other wordings of a question the language model is asked for"
        case (*_, "engine" | "uri" | "token" | "database" | "remote_name" | "feeds") if "indexes" in keys:
            return "with engine 'milvus' the text of all your notes is kept in the database at 'uri'"
        case (*_, "include" | "exclude"):
            return "which notes can be found"
        case (name, *_):
            return MEANS.get(name, "")
        case _:
            return ""


def _model(value: object) -> str:
    if value is None:
        return "no language model: answers quote your notes, and nothing is sent"
    if str(value).startswith("ollama:"):
        return "this model reads text of your notes, on your machine or wherever OLLAMA_BASE_URL leads"
    return "text of your notes is sent to this model's provider, with your key, when you ask or chat"


def leaves(value: object, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each single value below nested objects, and where it stands."""
    if isinstance(value, dict) and (value or not keys):
        for name, inner in value.items():
            yield from leaves(inner, (*keys, name))
    else:
        yield keys, value


def at(value: Any, keys: tuple[str, ...]) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return what stands at the keys of nested objects; None where nothing does."""
    for name in keys:
        value = value.get(name) if isinstance(value, dict) else None
    return value


@dataclass(frozen=True, slots=True)
class _Change:
    """One setting as a file would have it, and as it is without that file."""

    setting: str
    value: Any
    now: Any
    means: str


def trust(
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="By default the one you are in.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Trust it without asking.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="List what is trusted.")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Trust the folder's file no more.")] = False,
    as_json: options.JsonOption = False,
    debug: options.DebugOption = False,
) -> int:
    """Show what a folder's config.json would change, and accept it."""
    if listing + revoke + yes > 1:
        raise typer.BadParameter("--list, --revoke and --yes exclude each other")
    if listing and folder is not None:
        raise typer.BadParameter("--list is about all folders; leave the folder out")
    if listing:
        return _show_list(as_json)
    chosen = _folder(folder)
    return _revoke(chosen) if revoke else _accept(chosen, yes, as_json)


def _folder(named: Path | None) -> Path:
    """Return the folder that is meant, absolute; its configuration file may be named as well."""
    from app.config.file import FILE_NAME

    try:
        path = (named or Path()).expanduser().absolute()
    except (OSError, RuntimeError) as error:
        raise ConfigError(
            "there is no folder '{named}'", "name an existing folder", named=named or "."
        ) from error
    return path.parent if path.name == FILE_NAME and not path.is_dir() else path


def _accept(folder: Path, yes: bool, as_json: bool) -> int:
    from app.config.file import FILE_NAME, read_config
    from app.config.folders import config_folder, is_same
    from app.config.settings import load_configuration
    from app.config.trust import standing_of
    from app.config.trust import trust as remember

    path = Path(os.path.realpath(folder)) / FILE_NAME
    if is_same(path, config_folder() / FILE_NAME):
        output.tell(
            Sentence("'{path}' is your own configuration, and needs no trust.", path=showing(str(path)))
        )
        return output.FOUND
    try:
        file = read_config(path, "folder")
    except FileNotFoundError as error:
        raise ConfigError(
            "there is no {file_name} in '{folder}'",
            "name a folder that has one",
            file_name=FILE_NAME,
            folder=folder,
        ) from error
    accepted = file.accepted
    without = load_configuration(of_folder=False)
    changes, lost = _changes(file, without)
    standing = standing_of(path.parent, accepted)
    if as_json:
        shown = {"file": str(path), "standing": standing, "changes": [asdict(each) for each in changes]}
        output.show_json({**shown, "lost": [asdict(each) for each in lost]})
    else:
        output.show(showing("\n".join(_lines(file, changes, lost))))
    if without.file is not None and without.file.origin == "variable":
        output.tell(
            Sentence(
                "While VAULT_ASSISTANT_CONFIG names '{file}', that file holds instead.",
                file=without.file.path,
            )
        )
    if standing == "trusted":
        output.tell(
            Sentence("It is trusted already; 'vault-assistant setup trust --revoke' takes that back.")
        )
        return output.FOUND
    if not (yes or _is_accepted(path)):
        output.tell(Sentence("Not trusted: nothing has changed."))
        return output.NOTHING
    # What was read and shown; what the file holds by now may be something else.
    remember(path.parent, accepted)
    output.tell(Sentence("Trusted until it changes; 'vault-assistant setup trust --revoke' takes that back."))
    return output.FOUND


def _is_accepted(path: Path) -> bool:
    """Ask the person; anything but a clear yes is a no.

    Raises:
        ConfigError: nobody is there to be asked.
    """
    from app.chat.approval import YES

    if not output.is_interactive():
        raise ConfigError(
            "'{path}' was not trusted: a yes counts only where a person types it, in a terminal",
            "answer there, or add --yes",
            path=path,
        )
    output.tell(Sentence("Trust it? [y/N] "), end="")
    return sys.stdin.readline().strip().casefold() in YES


def _changes(file: "ConfigFile", without: "Configuration") -> tuple[list[_Change], list[_Change]]:
    """Return the file's settings, and those of the person's own file that it would put away.

    Args:
        file: The folder's file.
        without: What holds without it.

    Raises:
        ConfigError: the file has no setting of this program, or a wrong value.
    """
    from app.config.paths import absolute_values
    from app.config.settings import Settings, settings_of

    if not any(name in Settings.model_fields for name in file.values):
        raise ConfigError(
            "'{path}' holds no setting of this program", "it is ignored as it is", path=file.path
        )
    after = settings_of(file).model_dump(mode="json")
    before = without.settings.model_dump(mode="json")
    values = absolute_values(file.values, file.path.parent)
    changes = []
    for keys, value in leaves(values):
        means = consequence(keys, value)
        if at(after, keys) == at(before, keys) != value:
            means = "a variable wins over it"
        changes.append(_Change(".".join(keys), value, at(before, keys), means))
    own = without.file.values if without.file is not None and without.file.origin == "own" else {}
    lost = [
        _Change(".".join(keys), at(after, keys), at(before, keys), consequence(keys, at(after, keys)))
        for keys, _ in leaves(own)
        if at(after, keys) != at(before, keys) and keys[0] not in values
    ]
    return changes, lost


def _lines(file: "ConfigFile", changes: list[_Change], lost: list[_Change]) -> Iterator[str]:
    language = output.screen().language
    path = _one_line(str(file.path))
    yield Sentence("'{file}' sets, for every command that starts in its folder:", file=path).said(language)
    yield from _described(changes, language)
    if lost:
        yield said("Your own configuration is not read there, which also changes:", language)
        yield from _described(lost, language)
    if file.path.is_symlink():
        target = _one_line(os.path.realpath(file.path))
        yield Sentence("The file is a link to '{target}'.", target=target).said(language)
    if file.owner != os.geteuid():
        yield said("The file belongs to another user.", language)


def _described(changes: list[_Change], language: Language) -> Iterator[str]:
    for change in changes:
        now = (
            Sentence("as it is now")
            if change.value == change.now
            else Sentence("now none")
            if change.now is None
            else Sentence("now {value}", value=_shown(change.now))
        )
        said_now = now.said(language)
        yield f"  {_one_line(change.setting)}: {_shown(change.value)} ({said_now})"
        if change.means:
            yield f"      {_one_line(said(change.means, language))}"


def _shown(value: object) -> str:
    text = _one_line("none" if value is None else json.dumps(value, ensure_ascii=False))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _show_list(as_json: bool) -> int:
    from app.config.trust import trusted_folders

    found = [(entry, _state(entry)) for entry in trusted_folders()]
    if as_json:
        output.show_json([{**asdict(entry), "state": state} for entry, state in found])
    elif found:
        language = output.screen().language
        lines = (f"{entry.folder} · {entry.when[:10]} · {said(state, language)}" for entry, state in found)
        output.show(showing("\n".join(_one_line(line) for line in lines)))
    else:
        output.show(Sentence("No folder's config.json is trusted."))
    return output.FOUND if found else output.NOTHING


def _state(entry: "Trusted") -> str:
    """Return whether the file that was accepted is still the one that is there."""
    from app.config.file import FILE_NAME, read_config
    from app.config.trust import standing_of

    folder = Path(entry.folder)
    try:
        return standing_of(folder, read_config(folder / FILE_NAME, "folder").accepted)
    except FileNotFoundError:
        return "gone"
    except ConfigError as error:
        return error.message


def _revoke(folder: Path) -> int:
    from app.config.trust import revoke

    if not revoke(folder):
        output.tell(Sentence("Nothing was trusted in '{folder}'.", folder=showing(str(folder))))
        return output.NOTHING
    output.tell(Sentence("The config.json in '{folder}' is trusted no more.", folder=showing(str(folder))))
    return output.FOUND


COMMANDS = {"trust": (trust, EXAMPLES)}
"""The commands by name, each with the examples of its help."""
