"""``setup completion``: scripts that have shells ask what may follow; see `app.cli.choices`."""

from typing import Annotated

import typer

from app.cli import output
from app.errors import BadRequestError
from app.limits import shown

EXAMPLES = (
    "It completes commands, options, operations, names of notes, headings behind #, tags, folders, "
    "properties and models. Names come from the index; excluded notes are none of them.\n\n"
    "Examples:\n\n\b\n"
    '  eval "$(vault-assistant setup completion bash)"    # for this shell, and in ~/.bashrc for every one\n'
    "  vault-assistant setup completion bash > ~/.local/share/bash-completion/completions/vault-assistant\n"
    "  vault-assistant setup completion zsh > ~/.zfunc/_vault-assistant    # a folder of $fpath\n"
    "  vault-assistant setup completion fish > ~/.config/fish/completions/vault-assistant.fish"
)
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


def completion(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
) -> int:
    """Print what makes a shell complete commands, notes and tags."""
    if shell not in SCRIPTS:
        raise BadRequestError(
            "unknown shell {shell}", "valid: {shells}", shell=shown(shell), shells=", ".join(SCRIPTS)
        )
    output.show(SCRIPTS[shell])
    return output.FOUND


COMMANDS = {"completion": (completion, EXAMPLES)}
"""The commands by name, each with the examples of its help."""
