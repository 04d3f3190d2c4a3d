"""``completion``: scripts for shells, and what they are told, written down where it is read quickly."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli import output
from app.cli.help import NO_BREAK
from app.config.settings import logger
from app.errors import BadRequestError
from app.limits import shown
from app.sentences import said
from app.serving.completion import NAMES_SUFFIX, choices, commands_file, latest, show

if TYPE_CHECKING:
    from app.vault.client import VaultClient

EXAMPLES = (
    "It completes commands, options, operations, names of notes, headings behind #, tags, folders, "
    "properties and models. Names come from the index; excluded notes are none of them.\n\n"
    "Examples:\n\n\b\n"
    '  eval "$(vault-assistant completion bash)"    # for this shell, and in ~/.bashrc for every one\n'
    "  vault-assistant completion bash > ~/.local/share/bash-completion/completions/vault-assistant\n"
    "  vault-assistant completion zsh > ~/.zfunc/_vault-assistant    # a folder of $fpath\n"
    "  vault-assistant completion fish > ~/.config/fish/completions/vault-assistant.fish"
)
SHELLS = ("bash", "zsh", "fish")
_BASH = """\
# Completion of vault-assistant for bash. Names come from the index, by the command itself.
_vault_assistant() {
    COMPREPLY=()
    local shown
    shown=$(vault-assistant __complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    case $? in
        3) compopt -o default; return ;;
        4) compopt -o nospace ;;
    esac
    [[ -n $shown ]] && mapfile -t COMPREPLY <<<"$shown"
}
complete -F _vault_assistant vault-assistant wksc
"""
_ZSH = """\
#compdef vault-assistant wksc
# Completion of vault-assistant for zsh. Names come from the index, by the command itself.
_vault_assistant() {
    local shown line code
    local -a values abouts behind
    shown=$(vault-assistant __complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
    code=$?
    if (( code == 3 )); then
        _files
        return
    fi
    (( code == 4 )) && behind=(-S '')
    for line in "${(@f)shown}"; do
        [[ -z $line ]] && continue
        values+=("${line%%$'\\t'*}")
        if [[ $line == *$'\\t'* ]]; then
            abouts+=("${line%%$'\\t'*}  ${line#*$'\\t'}")
        else
            abouts+=("$line")
        fi
    done
    (( $#values )) && compadd "${behind[@]}" -M 'm:{a-zA-Z}={A-Za-z}' -l -d abouts -a values
}
if [[ $funcstack[1] == (_vault-assistant|_vault_assistant) ]]; then
    _vault_assistant "$@"
else
    compdef _vault_assistant vault-assistant wksc
fi
"""
_FISH = """\
# Completion of vault-assistant for fish. Names come from the index, by the command itself.
function __vault_assistant_complete
    set -l words (commandline -opc) (commandline -ct | string unescape)
    if test (count $words) -lt 2
        set words $words ''
    end
    set -l shown (vault-assistant __complete fish $words[2..-1] 2>/dev/null)
    if test $status -eq 3
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $shown
    end
end
complete -c vault-assistant -f -a '(__vault_assistant_complete)'
complete -c wksc -f -a '(__vault_assistant_complete)'
"""
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}

_OPTIONS = {
    "--vault": "vault", "--config": "file", "--file": "file", "--index": "index", "--model": "llm",
    "--template": "template", "--folder": "folder", "--in": "folder", "--tags": "tag", "--tag": "tag",
    "--note-path": "note", "--scopes": "folder", "--scope": "folder", "--start-date": "day", "--since": "day",
    "--due": "day",
    "--end-date": "day", "--until": "day", "--direction": "choice:backlinks|forward|both",
    "--date-field": "choice:created|modified", "--mode": "choice:fast|deep", "--to": "file",
    "--agents": "file", "--query-image": "file", "--project": "file",
}  # fmt: skip
"""Options by what their values are; the values of others are free text."""
_ARGUMENTS = {
    "NOTE": "note", "NOTE[#HEADING]": "part", "TAG": "tag", "DAY": "day", "PATH": "note",
    "SHELL": "choice:" + "|".join(SHELLS),
}  # fmt: skip
"""Arguments by what help calls them."""
_OF_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "properties": ("property", "text"),
    "mv": ("note", "text"),
    "why": ("note", "text"),
    "install": ("choice:claude-desktop|claude-code|codex|cursor|vscode", "text"),
    "trust": ("file",),
    "new": ("text",),
}
"""The arguments of commands whose names for them say too little."""
_SORTS = {"tags": "choice:count|name", "properties": "choice:count|name"}
_BEHIND = {
    "find": {"by_tag": "tag", "by_link": "note", "by_date": "day"},
    "note": {"": "note"},
    "model": {"": "embedding"},
}
"""What stands behind the operation of a command."""


def completion(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
) -> int:
    """Print what makes a shell complete commands, notes and tags."""
    if shell not in SCRIPTS:
        raise BadRequestError(
            "unknown shell {shell}", "valid: {shells}", shell=shown(shell), shells=", ".join(SHELLS)
        )
    output.show(SCRIPTS[shell])
    return output.FOUND


def complete(arguments: list[str], commands_of: Callable[[], Mapping[str, Any]]) -> int:
    """Print what may follow, and write down what was needed to know it; a failure offers nothing.

    Args:
        arguments: The shell, then the words up to the cursor.
        commands_of: Makes the commands by name; by the empty one what holds them all.
    """
    if len(arguments) < 2:
        return output.NOTHING
    shell, words = arguments[0], arguments[1:]
    try:
        commands = table(commands_of())
        _write(Path(commands_file()), commands)
        found = choices(commands, shell, words, None)
        if found is None:
            found = choices(commands, shell, words, _names(*_named(words)))
        return output.NOTHING if found is None else show(found, shell, words[-1])
    except Exception as error:  # noqa: BLE001 - at a half written line no message can be read
        logger.error("command_failed", exc_info=error)
        return output.NOTHING


def _named(words: list[str]) -> tuple[str | None, str | None]:
    """Return the vault and the configuration that some words name."""
    found: dict[str, str] = {}
    for at, word in enumerate(words[:-1]):
        name, equals, value = word.partition("=")
        if name in ("--vault", "--config"):
            found[name] = value if equals else words[at + 1]
    return found.get("--vault"), found.get("--config")


def table(made: Mapping[str, Any]) -> dict[str, Any]:
    """Return all commands: what each is about, its options, and what its arguments are."""
    return {
        name: {
            "about": (command.help or "").strip().split("\n")[0].replace(NO_BREAK, " "),
            "options": _options(name, command),
            "arguments": _arguments(name, command) if name else [],
        }
        for name, command in made.items()
    }


def _options(command: str, made: Any) -> dict[str, dict[str, str]]:  # noqa: ANN401 - as typer's
    found = {"--help": {"about": said("Show help.", output.screen().language), "takes": ""}}
    for each in (each for each in made.params if not getattr(each, "hidden", False)):
        if each.param_type_name != "option":
            continue
        for name in each.opts:
            takes = "" if each.is_flag else _OPTIONS.get(name, "text")
            if name == "--sort" and takes:
                takes = _SORTS.get(command, "choice:score|path|title|created|modified")
            kind = each.type_descriptor.annotation
            if isinstance(kind, type) and issubclass(kind, Enum):
                takes = "choice:" + "|".join(str(one.value) for one in kind)
            found[name] = {"about": (each.help or "").replace(NO_BREAK, " "), "takes": takes}
    return found


def _arguments(command: str, made: Any) -> list[Any]:  # noqa: ANN401 - as typer's
    if command in _OF_COMMANDS:
        return list(_OF_COMMANDS[command])
    operations = list(made.operations()) if hasattr(made, "operations") else []
    if operations:
        return ["choice:" + "|".join(operations), _BEHIND.get(command, {"": "text"})]
    language = output.screen().language
    kinds = {said(name, language): kind for name, kind in _ARGUMENTS.items()}
    return [
        kinds.get(each.metavar or "", "text") for each in made.params if each.param_type_name == "argument"
    ]


def _names(named: str | None, config: str | None) -> dict[str, Any]:
    """Return the names of a vault, and write them down beside its index.

    Raises:
        VaultError: the vault cannot be opened.
    """
    from app.bootstrap import open_configured
    from app.config.settings import load_configuration
    from app.serving.ask_resident import files_of_settings, way_to
    from app.serving.known import way_name, ways_folder

    file = None if config is None else Path(config)
    settings = load_configuration(file).settings
    vault = open_configured(named, settings)
    names = _gathered(vault)
    names["vaults"] = sorted([*settings.vaults, *settings.groups])
    files = files_of_settings(file)
    if names["index"] and files is not None:
        place = Path(names["index"]) / "names.json"
        _write(place, names)
        _write(
            Path(ways_folder()) / way_name(named, config, NAMES_SUFFIX),
            {"names": str(place), **way_to(vault, named, files)},
        )
    return names


def _gathered(vault: "VaultClient") -> dict[str, Any]:
    """Gather what the index says of the notes that may be shown; without one, their names from the disk."""
    from app.search.embedding.catalogue import CATALOGUE
    from app.search.searcher import searcher_for
    from app.serving.known import state_of
    from app.vault.obsidian import SETTINGS_FILE, TEMPLATES_FILE, templates

    settings = vault.settings
    own = [str(vault.root / name) for name in (SETTINGS_FILE, TEMPLATES_FILE)]
    models = [settings.model, *settings.keyword_models, "offline"]
    found: dict[str, Any] = {
        "root": str(vault.root),
        "settings": {file: list(state_of(file) or ()) for file in own},
        "templates": templates(vault.root).folder,
        "indexes": list(settings.index.indexes),
        "llm": list(dict.fromkeys(filter(None, models))),
        "embedding": [model.name for model in CATALOGUE],
        "notes": [], "tags": [], "properties": [], "folders": [], "index": "", "generation": -1,
        "changed": {},
    }  # fmt: skip
    # Looked at before the index is: what changes meanwhile is seen the next time.
    found["changed"] = {
        folder: (vault.root / folder).stat().st_mtime_ns for folder in ("", *vault.scan().folders)
    }
    searcher = searcher_for(vault)
    if vault.obsidian.hides_all or not searcher.view().lexical.notes.any():
        notes: list[str] = [path for path in vault.scan().notes if not vault.is_excluded(path)]
        return found | {"notes": sorted(notes), "folders": _folders(notes)}
    searcher.freshen()

    def ask() -> dict[str, Any]:
        from app.search.inventory import property_counts, tag_counts

        snapshot = searcher.view().snapshot
        notes = sorted(
            path
            for path in snapshot.lexical.paths()
            if not snapshot.is_excluded(path) and not vault.is_excluded(path)
        )
        folder = searcher.folder / "lexical"
        return {
            "notes": notes,
            "folders": _folders(notes),
            "tags": [(row.name, row.notes) for row in tag_counts(snapshot)],
            "properties": [row.name for row in property_counts(snapshot)],
            "index": str(folder),
            "generation": latest(str(folder)),
        }

    return found | searcher.mended(ask)


def _folders(notes: list[str]) -> list[str]:
    above = {path[:at] for path in notes for at, sign in enumerate(path) if sign == "/"}
    return sorted(above)


def _write(file: Path, value: object) -> None:
    """Write something down for the next time; what cannot be written is made again then."""
    from app.config.folders import replace_file
    from app.serving.known import is_private

    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_private(file.parent):
            for other in file.parent.glob("*.commands") if file.suffix == ".commands" else ():
                other.unlink(missing_ok=True)
            replace_file(file, json.dumps(value, ensure_ascii=False).encode(errors="replace"), confirm=False)


COMMANDS: Mapping[str, tuple[Callable[..., int], str]] = {"completion": (completion, EXAMPLES)}
"""The commands by name, each with the examples of its help."""
