"""``setup``: a configuration by a few questions, an index, and a first search."""

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from app import NAME
from app.bootstrap import open_vault
from app.cli import options, output
from app.cli.start import holds_notes
from app.errors import BadRequestError, ModelError
from app.notices import Language
from app.sentences import Sentence
from app.showing import PATH, in_line

if TYPE_CHECKING:
    from app.config.file import ConfigFile
    from app.search.view import View

EXAMPLES = (
    "Alone it asks which vault, and which language model if any; vaults that Obsidian knows are listed. The "
    "answers go into your own configuration file, of which all else stays; nothing is written before you say "
    "yes. Then it indexes the notes by words, and searches them.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant setup\n"
    "  vault-assistant setup --config ~/dotfiles/vault.json\n"
    "  vault-assistant setup install claude-code --vault ~/Notes"
)
BELOW = ("install", "trust", "skill", "completion", "model")
"""The commands below this one, each in a module of its name."""
MOST_LISTED = 20
NONE = frozenset({"n", "no", "non", "none", "aucun", "offline", "-"})
"""What people answer who want no language model."""
EXAMPLE = '{"vault": "/home/ana/Notes", "model": null}'
LEAST_WORDS, MOST_WORDS = 3, 12
"""Of a heading that is searched for as an example."""


def setup(ctx: typer.Context, config: options.ConfigOption = None, debug: options.DebugOption = False) -> int:
    """Set up a vault, agents, a model, completion."""
    from app.config.file import FILE_NAME, read_config
    from app.config.folders import config_folder

    if ctx.invoked_subcommand is not None:
        return output.FOUND
    path = (config or config_folder() / FILE_NAME).expanduser().absolute()
    if not output.is_interactive():
        raise BadRequestError(
            "setup asks, and nobody is there to answer",
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
    language = output.screen().language
    output.tell(Sentence("This asks for the vault, for a language model, and before anything is written."))
    answers: dict[str, Any] = {"vault": _vault(values.get("vault"), language)}
    known = values.get("model")
    # What the file says already is what no answer means.
    question = Sentence(
        "A language model for written answers, such as ollama:qwen3; leave it empty to stay offline"
    )
    model = output.asked(f"{question.said(language)} [{known or ''}]:") or known
    answers["model"] = None if model and model.casefold() in NONE else model
    changed = {name: value for name, value in answers.items() if values.get(name) != value}
    if not changed:
        output.tell_notice(Sentence("'{file}' says this already", file=in_line(str(path), PATH)))
    elif not _written(changed, file, path):
        output.tell_notice(Sentence("Nothing was written"))
        return output.NOTHING
    if answers["model"]:
        _try_model(answers["model"])
    return _first_search(answers["vault"], config)


def _try_model(name: str) -> None:
    """Say what the language model lacks: a package, a key."""
    from app.llm.models import resolve_model

    try:
        resolve_model(name)
    except ModelError as error:
        output.tell_error(error.message, error.hint)


def _vault(known: object, language: Language) -> str:
    """Ask for the vault: one of those that Obsidian knows, the folder one is in, or any other.

    Raises:
        typer.Abort: the person left.
    """
    from app.vault.obsidian import find_vault
    from app.vault.registered import registered_vaults

    here = find_vault(Path.cwd()) or (Path.cwd() if holds_notes(Path.cwd()) else None)
    first = [Path(known)] if isinstance(known, str) and Path(known).is_dir() else []
    folders = [*first, *([here] if here else []), *registered_vaults()]
    found = list(dict.fromkeys(folder.resolve() for folder in folders))[:MOST_LISTED]
    if found:
        output.tell(Sentence("Which vault?").said(language))
        for number, folder in enumerate(found, 1):
            output.tell(f"  {number}. {in_line(str(folder), PATH)}")
    question = Sentence(
        "A number, or the path of a folder [1]" if found else "The path of a folder with notes"
    ).said(language)
    while True:
        if (answer := output.asked(f"{question}:")) is None:
            raise typer.Abort
        given = answer or ("1" if found else "")
        if given.isascii() and given.isdigit() and 1 <= int(given) <= len(found):
            return str(found[int(given) - 1])
        chosen = Path(given).expanduser().absolute()
        if given and chosen.is_dir():
            return str(chosen)
        output.tell_notice(Sentence("'{given}' is no folder", given=in_line(given, PATH)))


def _written(changed: dict[str, Any], file: "ConfigFile | None", path: Path) -> bool:
    """Show what goes into a configuration file, ask, and write it; return whether it was written."""
    from app.config.change import change_config
    from app.config.file import read_config
    from app.config.folders import create_file

    language, shown = output.screen().language, in_line(str(path), PATH)
    if file is not None:
        output.tell_notice(Sentence("'{file}' is there already; its other settings stay", file=shown))
    output.tell(Sentence("This goes into '{file}':", file=shown).said(language))
    output.show(json.dumps(changed, indent=2, ensure_ascii=False))
    output.flush()
    if not output.agrees(Sentence("Write it? [y/N]")):
        return False
    if file is None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with create_file(path) as created:
            created.write(b"{}\n")
        file = read_config(path, "own")
    for name, value in changed.items():
        file = change_config(file, (name,), value)
    output.tell_notice(Sentence("Wrote '{file}'", file=shown))
    return True


def _first_search(vault: str, config: Path | None) -> int:
    """Index the notes by words, search for a heading of theirs, and say what else there is."""
    from app.cli.build import index_words, indexed_notice
    from app.cli.forms import Form, printed
    from app.search.request import parse_request
    from app.search.searcher import searcher_for

    opened, language = open_vault(vault, config), output.screen().language
    searcher = searcher_for(opened)
    output.tell_notice(indexed_notice(index_words(searcher)))
    named = ["--config", str(config)] if config is not None else []
    view = searcher.view()
    if question := example_of(view):
        output.show(f"$ {shlex.join([NAME, in_line(question), *named])}")
        request = parse_request({"operation": "fast", "query": question, "limit": 3})
        output.show_printed(
            *printed(searcher.search(request), request, Form(), output.screen(), root=opened.root)
        )
    more = [Sentence("To pick a note as you type: {command}", command=shlex.join([NAME, *named]))]
    if view.vectors is not None:
        more.append(
            Sentence(
                "To find what was meant in other words too: {command}",
                command=shlex.join([NAME, "index", *named]),
            )
        )
    more.append(
        Sentence(
            "To let another program's agent search it too: {command}",
            command=shlex.join([NAME, "setup", "install", "CLIENT", *named]),
        )
    )
    output.show("\n" + "\n".join(output.wrapped(notice.said(language)) for notice in more))
    return output.FOUND


def example_of(view: "View") -> str:
    """Return a heading from the middle of the vault that a person could search for; empty where none is."""
    snapshot = view.snapshot
    docs = snapshot.chunks_of(snapshot.visible).nonzero()[0].tolist()
    found = list(dict.fromkeys(trail[-1] for doc in docs for trail in snapshot.chunk_headings(doc) if trail))
    well = [
        text
        for text in found
        if "[" not in text
        and LEAST_WORDS <= len(words := text.split()) <= MOST_WORDS
        and all(word[0].isalpha() for word in words)
    ]
    return well[len(well) // 2] if well else ""
