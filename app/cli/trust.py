"""``setup trust``: what the configuration of a folder would change, and a person's yes to it."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli import options, output
from app.config.paths import is_remote
from app.errors import ConfigError
from app.sentences import Language, Sentence, said
from app.showing import in_line
from app.system import own_user

if TYPE_CHECKING:
    from app.config.file import ConfigFile
    from app.config.settings import Configuration

MEANS = {
    "vault": "commands that start there open the vault in this folder, unless another is named",
    "vaults": "which folder --vault opens by this name, and how it is indexed",
    "groups": "a name for several vaults: what asks them shows notes of all of them",
    "token_file": "who may come in at 'mcp --http' over the network, and which vaults they see",
    "keyword_models": "these models read what 'keyword' finds: text of your notes is sent to them",
    "index": "which notes can be found, and how",
    "attachment_texts": "which other files of the vault are read as text, found and shown",
    "cache_dir": "the index, which holds the words of your notes, is kept there",
    "keep_talks": "what is asked and answered on the page is kept",
    "state_dir": "the journal with earlier contents of notes, texts sent to models and talks are kept there",
}
"""By the setting's name; what depends on more is in `consequence`. Limits and weights need no words."""
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
    "  vault-assistant setup trust ~/code/garden --revoke"
)
LONGEST = 300
"""Most characters of a value that are shown."""


def consequence(keys: tuple[str, ...], value: object) -> str:
    """Return what a value lets happen; empty for a setting that only limits or weighs something.

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
        case (*_, "embedding_model") | ("deep", "reranker") | ("ask_judge",):
            if value is not None and is_remote(str(value)):
                return "the text of all your notes is sent to this model, with your key where it needs one"
            return "this model, a folder or a name on your machine, reads the notes"
        case (*_, "engine" | "uri" | "token" | "database" | "remote_name" | "feeds") if "indexes" in keys:
            return "with engine 'milvus' the text of all your notes is kept in the database at 'uri'"
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


def trust(
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="By default the one you are in.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Trust it without asking.")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Trust the folder's file no more.")] = False,
    debug: options.DebugOption = False,
) -> int:
    """Show what a folder's config.json would change, and accept it."""
    from app.config import trust as record
    from app.config.file import FILE_NAME

    if revoke and yes:
        raise typer.BadParameter("--revoke and --yes exclude each other")
    named = (folder or Path()).expanduser().absolute()
    # The file itself may be named as well.
    chosen = named.parent if named.name == FILE_NAME and not named.is_dir() else named
    if not revoke:
        return _accept(Path(os.path.realpath(chosen)) / FILE_NAME, is_agreed=yes)
    known = record.revoke(chosen)
    told = (
        "The config.json in '{folder}' is trusted no more." if known else "Nothing was trusted in '{folder}'."
    )
    output.tell(Sentence(told, folder=in_line(str(chosen))))
    return output.FOUND if known else output.NOTHING


def _accept(path: Path, *, is_agreed: bool) -> int:
    """Show what a file would change, ask about it, and remember what was accepted."""
    from app.config import trust as record
    from app.config.file import read_config
    from app.config.folders import config_folder, is_same
    from app.config.settings import load_configuration

    if is_same(path, config_folder() / path.name):
        output.tell(
            Sentence("'{path}' is your own configuration, and needs no trust.", path=in_line(str(path)))
        )
        return output.FOUND
    try:
        file = read_config(path, "folder")
    except FileNotFoundError as error:
        raise ConfigError(
            "there is no {file_name} in '{folder}'",
            "name a folder that has one",
            file_name=path.name,
            folder=path.parent,
        ) from error
    accepted = file.accepted
    without = load_configuration(of_folder=False)
    output.show("\n".join(_lines(file, without, output.screen().language)))
    if without.file is not None and without.file.origin == "variable":
        output.tell(
            Sentence(
                "While VAULT_ASSISTANT_CONFIG names '{file}', that file holds instead.",
                file=without.file.path,
            )
        )
    if record.standing_of(path.parent, accepted) == "trusted":
        output.tell(
            Sentence("It is trusted already; 'vault-assistant setup trust --revoke' takes that back.")
        )
        return output.FOUND
    if not is_agreed and not output.is_interactive():
        raise ConfigError(
            "'{path}' was not trusted: a yes counts only where a person types it, in a terminal",
            "answer there, or add --yes",
            path=path,
        )
    if not is_agreed and not output.agrees(Sentence("Trust it? [y/N]")):
        output.tell(Sentence("Not trusted: nothing has changed."))
        return output.NOTHING
    # What was read and shown; what the file holds by now may be something else.
    record.trust(path.parent, accepted)
    output.tell(Sentence("Trusted until it changes; 'vault-assistant setup trust --revoke' takes that back."))
    return output.FOUND


def _lines(file: "ConfigFile", without: "Configuration", language: Language) -> Iterator[str]:
    """Say what a folder's file sets, and what of the person's own file it would put away.

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
    path = in_line(str(file.path))
    yield Sentence("'{file}' sets, for every command that starts in its folder:", file=path).said(language)
    for keys, value in leaves(values):
        is_vain = at(after, keys) == at(before, keys) != value
        means = "a variable wins over it" if is_vain else consequence(keys, value)
        yield from _setting(keys, value, at(before, keys), means, language)
    own = without.file.values if without.file is not None and without.file.origin == "own" else {}
    lost = [keys for keys, _ in leaves(own) if at(after, keys) != at(before, keys) and keys[0] not in values]
    if lost:
        yield said("Your own configuration is not read there, which also changes:", language)
    for keys in lost:
        value = at(after, keys)
        yield from _setting(keys, value, at(before, keys), consequence(keys, value), language)
    if file.path.is_symlink():
        target = in_line(os.path.realpath(file.path))
        yield Sentence("The file is a link to '{target}'.", target=target).said(language)
    if file.owner != own_user():
        yield said("The file belongs to another user.", language)


def _setting(
    keys: tuple[str, ...], value: object, now: object, means: str, language: Language
) -> Iterator[str]:
    known = Sentence("now none") if now is None else Sentence("now {value}", value=_shown(now))
    told = said("as it is now", language) if value == now else known.said(language)
    yield f"  {in_line('.'.join(keys))}: {_shown(value)} ({told})"
    if means:
        yield f"      {said(means, language)}"


def _shown(value: object) -> str:
    return in_line("none" if value is None else json.dumps(value, ensure_ascii=False), LONGEST)
