"""``completion``: scripts for shells, and what they are told of the commands."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Annotated, Any

import typer

from app.cli import output
from app.cli.choices import Choice, choices, show
from app.cli.help import NO_BREAK
from app.config.settings import logger
from app.errors import BadRequestError
from app.limits import shown
from app.sentences import said

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
    "NOTE": "note", "NOTE[#HEADING]": "part", "TAG": "tag", "DAY": "day",
    "SHELL": "choice:" + "|".join(SHELLS),
}  # fmt: skip
"""Arguments by what help calls them."""
_OF_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "properties": ("property", "text"),
    "install": ("choice:claude-desktop|claude-code|codex|cursor|vscode", "text"),
    "trust": ("file",),
}
"""The arguments of commands whose names for them say too little."""
_SORTS = {"tags": "choice:count|name", "properties": "choice:count|name"}
_BEHIND = {
    "find": {"by_tag": "tag", "by_link": "note", "by_date": "day"},
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


def complete(arguments: list[str], commands: Sequence[str], make: Callable[[str], Any]) -> int:
    """Print what may follow; a failure offers nothing.

    Args:
        arguments: The shell, then the words up to the cursor.
        commands: The names of the commands.
        make: Makes a command by its name, or by the empty one what holds them all; None where there is none.
    """
    if len(arguments) < 2:
        return output.NOTHING
    shell, words = arguments[0], arguments[1:]

    def row_of(name: str) -> dict[str, Any] | None:
        return None if (made := make(name)) is None else read_command(name, made)

    try:
        found = choices(shell, words, lambda: [Choice(name, _about(make(name))) for name in commands], row_of)
        return show(found, shell, words[-1])
    except Exception as error:  # noqa: BLE001 - at a half written line no message can be read
        logger.error("command_failed", exc_info=error)
        return output.NOTHING


def _about(made: Any) -> str:  # noqa: ANN401 - as typer's
    return str(made.help or "").strip().split("\n")[0].replace(NO_BREAK, " ")


def read_command(name: str, made: Any) -> dict[str, Any]:  # noqa: ANN401 - as typer's
    """Return the options of a command, and what its arguments are."""
    return {"options": _options(name, made), "arguments": _arguments(name, made) if name else []}


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


COMMANDS: Mapping[str, tuple[Callable[..., int], str]] = {"completion": (completion, EXAMPLES)}
"""The commands by name, each with the examples of its help."""
