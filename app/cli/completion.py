"""``setup completion``: scripts that have shells ask what may follow; see `app.cli.choices`."""

from typing import Annotated, Literal

import typer

from app.cli import output

EXAMPLES = (
    "It completes commands, options, operations, names of notes, headings behind #, tags, folders "
    "and properties. Names come from the index; excluded notes are none of them.\n\n"
    "Examples:\n\n\b\n"
    '  eval "$(vault-assistant setup completion bash)"    # for this shell, and in ~/.bashrc for every one\n'
    "  vault-assistant setup completion bash > ~/.local/share/bash-completion/completions/vault-assistant\n"
    "  vault-assistant setup completion zsh > ~/.zfunc/_vault-assistant    # a folder of $fpath\n"
    "  vault-assistant setup completion fish > ~/.config/fish/completions/vault-assistant.fish"
)
_BASH = """\
# Completion of vault-assistant for bash. Names come from the index, by the command itself.
_vault_assistant() {
    local shown
    mapfile -t shown < <(vault-assistant __complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    COMPREPLY=("${shown[@]}")
    # Within quotation marks readline writes a word as it is given.
    if [[ ${COMP_WORDS[COMP_CWORD]} != [\\'\\"]* && ${#shown[@]} -gt 0 ]]; then
        mapfile -t COMPREPLY < <(printf '%q\\n' "${shown[@]}")
    fi
}
complete -o default -F _vault_assistant vault-assistant wksc
"""
_ZSH = """\
#compdef vault-assistant wksc
# Completion of vault-assistant for zsh. Names come from the index, by the command itself.
_vault_assistant() {
    local shown line
    local -a values abouts
    shown=$(vault-assistant __complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
    for line in "${(@f)shown}"; do
        [[ -z $line ]] && continue
        values+=("${line%%$'\\t'*}")
        abouts+=("${line/$'\\t'/  }")
    done
    (( $#values )) && compadd -M 'm:{a-zA-Z}={A-Za-z}' -l -d abouts -a values || _files
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
    vault-assistant __complete fish $words[2..-1] 2>/dev/null
    or __fish_complete_path (commandline -ct)
end
complete -c vault-assistant -f -a '(__vault_assistant_complete)'
complete -c wksc -f -a '(__vault_assistant_complete)'
"""
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument(help="The shell.")],
) -> int:
    """Print what makes a shell complete commands, notes and tags."""
    output.show(SCRIPTS[shell])
    return output.FOUND
