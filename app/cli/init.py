"""``init``: a configuration by a few questions, shown before it is written."""

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import NAME
from app.cli import options, output
from app.cli.start import NO, YES, asked, holds_notes, offers_index
from app.errors import BadRequestError
from app.notices import Language, Notice, StartKind
from app.showing import PATH, in_line

if TYPE_CHECKING:
    from app.config.file import ConfigFile

EXAMPLES = (
    "It asks which vault, which language model if any, and in what a picked note opens; vaults that Obsidian "
    "knows are listed. The answers go into your own configuration file, of which all else stays, and "
    "nothing is written before you say yes.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant init\n"
    "  vault-assistant init --config ~/dotfiles/vault.json"
)
MOST_LISTED = 20
OPENS = {"e": "editor", "o": "obsidian"}
NONE = frozenset({*NO, "none", "nothing", "aucun", "aucune", "rien", "-"})
"""What people answer who want no language model, and no other program."""
EXAMPLE = '{"vault": "/home/ana/Notes", "model": null}'


def init(
    config: options.ConfigOption = None,
    debug: options.DebugOption = False,
) -> int:
    """Set up a vault by a few questions."""
    from app.config.change import change_config
    from app.config.file import FILE_NAME, read_config
    from app.config.folders import config_folder, create_file

    language = output.screen().language
    path = (config or config_folder() / FILE_NAME).expanduser().absolute()
    if not output.is_interactive():
        raise BadRequestError(
            "init asks, and nobody is there to answer",
            "write {example} into '{path}', then run '{name} index'",
            example=EXAMPLE,
            path=path,
            name=NAME,
        )
    try:
        file: ConfigFile | None = read_config(path, "own")
    except FileNotFoundError:
        file = None
    values = {} if file is None else file.values
    answers = _answers(values, language)
    changed = {name: value for name, value in answers.items() if values.get(name) != value}
    shown = in_line(str(path), PATH)
    if not changed:
        output.tell_notice(Notice(StartKind.NOTHING_NEW, file=shown))
    else:
        if file is not None:
            output.tell_notice(Notice(StartKind.IS_THERE, file=shown))
        output.tell(Notice(StartKind.WILL_WRITE, file=shown).said(language))
        output.show(json.dumps(changed, indent=2, ensure_ascii=False))
        output.flush()
        question = Notice(StartKind.WRITE_NEW if file is None else StartKind.WRITE_NOW).said(language)
        answer = asked(question).casefold()
        if answer in NO or (file is not None and answer not in YES):
            output.tell_notice(Notice(StartKind.NOT_WRITTEN))
            return output.NOTHING
        if file is None and config is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            with create_file(path) as created:
                created.write((json.dumps(changed, indent=2) + "\n").encode())
        else:
            for name, value in changed.items():
                file = change_config(file, (name,), value)
        output.tell_notice(Notice(StartKind.WRITTEN, file=shown))
    _say_what_holds(config, path, language)
    return _offer(str(answers["vault"]), config, language)


def _answers(values: dict[str, Any], language: Language) -> dict[str, Any]:
    """Ask for each setting; what the file says already is what no answer means."""
    vault = _vault(values.get("vault"), language)
    known = values.get("model")
    model = asked(f"{Notice(StartKind.WHICH_MODEL).said(language)} [{known or ''}]:") or known
    if model and model.casefold() in NONE:
        model = None
    default = "o" if values.get("picker_opens") == "obsidian" else "e"
    opens = asked(f"{Notice(StartKind.WHICH_OPENS, default=default).said(language)}:").casefold()[:1]
    answers = {"vault": vault, "picker_opens": OPENS.get(opens, OPENS[default])}
    # What is as it would be without a file need not stand in one.
    if model is not None:
        answers["model"] = model
    if "picker_opens" not in values and answers["picker_opens"] == OPENS["e"]:
        del answers["picker_opens"]
    return answers


def _vault(known: object, language: Language) -> str:
    """Ask for the vault: one of those that Obsidian knows, the folder one is in, or any other.

    Raises:
        KeyboardInterrupt: the person left.
    """
    found = _candidates(known)
    if found:
        output.tell(Notice(StartKind.WHICH_VAULT).said(language))
        for number, folder in enumerate(found, 1):
            output.tell(f"  {number}. {in_line(str(folder), PATH)}")
    question = Notice(StartKind.VAULT_ANSWER if found else StartKind.FOLDER_ANSWER).said(language)
    while True:
        output.tell(output.filled(f"{question}: "), end="")
        line = sys.stdin.readline()
        if not line:
            raise KeyboardInterrupt
        given = line.strip() or ("1" if found else "")
        if given.isascii() and given.isdigit() and 1 <= int(given) <= len(found):
            return str(found[int(given) - 1])
        folder = Path(given).expanduser().absolute()
        if given and folder.is_dir():
            return str(folder)
        output.tell_notice(Notice(StartKind.NO_FOLDER, given=in_line(given, PATH)))


def _candidates(known: object) -> list[Path]:
    """Return folders that may be meant: what is set, what is around, what Obsidian knows."""
    from app.vault.obsidian import find_vault
    from app.vault.registered import registered_vaults

    here = find_vault(Path.cwd()) or (Path.cwd() if holds_notes(Path.cwd()) else None)
    first = [Path(known)] if isinstance(known, str) and Path(known).is_dir() else []
    folders = [*first, *([here] if here else []), *registered_vaults()]
    return list(dict.fromkeys(folder.resolve() for folder in folders))[:MOST_LISTED]


def _say_what_holds(config: Path | None, path: Path, language: Language) -> None:
    """Say where another file than the one that was written holds for commands that start here."""
    from app.config.folders import is_same
    from app.config.settings import load_configuration

    held = load_configuration(config).file
    if held is not None and not is_same(held.path, path):
        output.tell_notice(Notice(StartKind.OTHER_HOLDS, file=in_line(str(held.path), PATH)))


def _offer(vault: str, config: Path | None, language: Language) -> int:
    """Offer to index, to install the server in another program, and say how agents are told."""
    from app.bootstrap import open_vault
    from app.cli.install import install
    from app.mcp.install.clients import CLIENTS
    from app.search.searcher import searcher_for

    opened = open_vault(vault, config)
    searcher = searcher_for(opened)
    named = ["--vault", vault, *(["--config", str(config)] if config is not None else [])]
    if offers_index(opened, searcher, language) and searcher.vectors is not None:
        more = shlex.join([NAME, "index", "--background", *named])
        output.tell(Notice(StartKind.MEANING_NEEDS, command=more).said(language))
    told = shlex.join([NAME, "skill", *named])
    output.tell(Notice(StartKind.TELL_AGENTS, command=told).said(language))
    question = Notice(StartKind.WHICH_CLIENT, clients=", ".join(CLIENTS)).said(language) + ":"
    while (client := asked(question).casefold()) and client not in NONE:
        if client in CLIENTS:
            return install(options.Place(vault, config), client)
        output.tell_notice(Notice(StartKind.NO_CLIENT, given=in_line(client)))
    return output.FOUND
