"""``setup model``: which embedding models there are; get one, and use it."""

import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.bootstrap import configured, open_configured
from app.cli import options, output
from app.cli.build import build_vectors
from app.cli.progress import progress_bar
from app.config.paths import is_remote, model_folder
from app.errors import ConfigError, VaultError
from app.sentences import Sentence, Worded, said

if TYPE_CHECKING:
    from app.config.file import ConfigFile
    from app.config.settings import Configuration, Settings
    from app.search.embedding.embedder import Embedder
    from app.search.searcher import Searcher

EXAMPLES = (
    "Without NAME it lists good models, and which are here. NAME is one of them, any other on the hub "
    "(OWNER/NAME), or a folder on this machine. It is downloaded from the hub, or from where HF_ENDPOINT "
    "leads; no note is ever sent there. A model behind a server (ollama:bge-m3, "
    "openai:text-embedding-3-small) is sent your notes once it is set.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant setup model\n"
    "  vault-assistant setup model intfloat/multilingual-e5-small --vault ~/Notes\n"
    "  vault-assistant setup model ibm-granite/granite-embedding-97m-multilingual-r2 --download"
)
OFFERED = "offered-model.json"
"""In the state folder: what a person did not want."""


def model(
    call: options.Call,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A model to get and use.")] = None,
    download: Annotated[
        bool, typer.Option("--download", help="Get it alone; it is used when it is set.")
    ] = False,
    index: options.IndexOption = None,
) -> int:
    """List embedding models, or get one and use it."""
    from app.config.settings import ENV_PREFIX, settings_of
    from app.search.searcher import searcher_for

    configuration = configured(call.config)
    if name is None:
        return _list(configuration.settings, as_json=call.as_json)
    folder = model_folder(name)
    # In a configuration file a relative path would mean another folder.
    name = name if folder is None else str(folder.absolute())
    variables = [each for each in os.environ if each.startswith(f"{ENV_PREFIX}INDEX")]
    if variables and not download:
        raise ConfigError(
            "the variable {variables} names the indexes, and counts more than a file",
            "take it away first",
            variables=variables[0],
        )
    # One that is missing or broken is refused before anything is changed.
    embedder = get_model(name, configuration.settings)
    told = Sentence(
        "{name} is on this machine: {numbers} numbers a vector.", name=name, numbers=embedder.dimension
    )
    data: dict[str, Any] = {"name": name, "dimension": embedder.dimension}
    if download:
        return _show(call.as_json, data, [told])
    file = set_model(name, call.vault, index, configuration)
    searcher = searcher_for(open_configured(call.vault, settings_of(file)), index)
    searcher.update()
    built = build_vectors(searcher)
    told = Sentence(
        "The index '{index}' is searched by {model}: {count} passages embedded.",
        index=searcher.name,
        model=name,
        count=built.embedded,
    )
    return _show(call.as_json, {**data, "file": str(file.path), "embedded": built.embedded}, [told])


def _show(as_json: bool, data: object, lines: Sequence[str]) -> int:
    """Print what was found, for programs or for people."""
    if as_json:
        output.show_json(data)
    for line in () if as_json else lines:
        output.show(line if isinstance(line, Worded) else output.wrapped(line))
    return output.FOUND


def _list(settings: "Settings", *, as_json: bool) -> int:
    """List good models, and which of them are on this machine."""
    from app.config.settings import BUNDLED_MODEL, MULTILINGUAL_MODEL
    from app.search.embedding.hub import CATALOGUE, MTEB

    comes = {
        BUNDLED_MODEL: Sentence("comes along"),
        MULTILINGUAL_MODEL: Sentence("comes with the extra '{extra}'", extra="multilingual"),
    }
    used = {
        definition.embedding_model
        for indexes in (settings.index, *(entry.index for entry in settings.vaults.values() if entry.index))
        for definition in indexes.indexes.values()
    }
    rows, lines = list[dict[str, Any]](), list[str]()
    for known in CATALOGUE:
        here, is_used = _is_here(known.name), known.name in used
        rows.append({**asdict(known), "here": here, "used": is_used})
        knows: Sentence = Sentence("knows {knows}", knows=Sentence(known.knows))
        if known.retrieval:
            knows = Sentence(
                "knows {knows}, finds {figure:.1f} % ({source})",
                knows=Sentence(known.knows),
                figure=known.retrieval,
                source=Sentence(known.source),
            )
        needs = Sentence(
            "  {size}, {megabytes} MB of memory, {times:.1f} times the work of {model}, {licence}",
            size=comes.get(known.name)
            or Sentence("at most {megabytes} MB to download", megabytes=known.megabytes),
            megabytes=known.megabytes,
            times=known.computing / CATALOGUE[0].computing,
            model=BUNDLED_MODEL,
            licence=known.licence,
        )
        lines += [
            _marked(known.name, here=here, used=is_used),
            Sentence("  {knows}", knows=knows),
            needs,
        ]
    listed = {known.name for known in CATALOGUE}
    for other in sorted(name for name in used if name and name not in listed):
        rows.append({"name": other, "here": _is_here(other), "used": True})
        lines.append(_marked(other, here=rows[-1]["here"], used=True))
    lines.append(
        Sentence("Figures: {source}. Use one: vault-assistant setup model NAME", source=Sentence(MTEB))
    )
    return _show(as_json, rows, lines)


def _marked(name: str, *, here: bool, used: bool) -> str:
    marks = tuple(mark for mark, holds in ((Sentence("here"), here), (Sentence("in use"), used)) if holds)
    return Sentence("{name} ({marks})", name=name, marks=marks) if marks else name


def get_model(name: str, settings: "Settings") -> "Embedder":
    """Download a model that is not here, check it, and make what it answers quickly by."""
    from app.config.settings import MULTILINGUAL_MODEL
    from app.search.embedding.hub import fetch, hub_host, look_up
    from app.search.embedding.loading import embedder_of

    language = output.screen().language
    if model_folder(name) is None and name != MULTILINGUAL_MODEL and not _is_here(name):
        offer = look_up(name)
        output.tell(
            Sentence(
                "{repository}: {files} files, {megabytes} MB, licence {licence}, from {host}. Nothing of "
                "your notes is sent there.",
                repository=offer.repository,
                files=len(offer.files),
                megabytes=f"{offer.size / 1e6:.0f}",
                licence=offer.licence,
                host=hub_host(),
            )
        )
        with progress_bar(said("Downloading", language)) as progress:
            fetch(offer, progress)
        output.tell(Sentence("Every file is what the hub says it is."))
    with progress_bar(said("Making its fast form", language)):
        return embedder_of(name, cache=settings.cache_folder / "models", settings=settings)


def set_model(
    name: str, vault: str | None, index: str | None, configuration: "Configuration"
) -> "ConfigFile":
    """Write a model into the configuration file that holds, for an index, and say where.

    Raises:
        BadRequestError: no index of that name is configured.
    """
    from app.config.change import change_config
    from app.config.folders import is_same
    from app.search.searcher import searcher_for

    settings = configuration.settings
    opened = open_configured(vault, settings)
    entries = settings.vaults.items()
    named = [key for key, entry in entries if entry.index is not None and is_same(entry.path, opened.root)]
    own = ("vaults", named[0], "index") if named else ("index",)
    keys = (*own, "indexes", searcher_for(opened, index).name, "embedding_model")
    file = change_config(configuration.file, keys, name)
    output.tell(
        Sentence(
            "'{file}': {setting} is '{name}', for every vault without indexes of its own."
            if keys[0] == "index"
            else "'{file}': {setting} is '{name}'.",
            file=file.path,
            setting=".".join(keys),
            name=name,
        )
    )
    return file


def offer_model(searcher: "Searcher", config: Path | None) -> bool:
    """Ask a person, once, whether to get a model for notes in a language that theirs does not know.

    Before the first vectors are built, where somebody is there to answer. A no is remembered.

    Args:
        searcher: The index, its words up to date.
        config: The configuration file that was named.

    Returns:
        Whether another model is set now.
    """
    from app.cli.setup import YES
    from app.search.embedding.hub import CATALOGUE, SMALL, hub_host
    from app.search.private import private_folder, read_record, write_record

    view = searcher.view()
    record = searcher.vault.settings.state_folder / OFFERED
    if searcher.vectors is None or not output.is_interactive() or read_record(record):
        return False
    try:
        hint = searcher.vectors.hint(view.snapshot) if not searcher.vectors.share(view.snapshot) else None
    except VaultError:
        # What keeps the model from being used is said where the vectors are built.
        return False
    if hint is None:
        return False
    known = next(known for known in CATALOGUE if known.name == SMALL)
    output.tell_notice(hint)
    question = Sentence(
        "Get {name} now (at most {megabytes} MB, {licence}, from {host}; no note is sent)? [y/N] ",
        name=SMALL,
        megabytes=known.megabytes,
        licence=known.licence,
        host=hub_host(),
    )
    output.tell(question, end="")
    if sys.stdin.readline().strip().casefold() not in YES:
        private_folder(record.parent)
        write_record(record, SMALL)
        return False
    try:
        configuration = configured(config)
        get_model(SMALL, configuration.settings)
        set_model(SMALL, str(searcher.vault.root), searcher.name, configuration)
    except VaultError as error:
        output.tell(Sentence("It cannot be got now: {reason}", reason=str(error)))
        return False
    return True


def _is_here(name: str) -> bool:
    """Return whether a model can be used now: all of it is on this machine, or it is behind a server."""
    from app.search.embedding.hub import WEIGHTS, find_model

    try:
        return is_remote(name) or (found := find_model(name)).is_file() or any(found.rglob(f"*{WEIGHTS}"))
    except VaultError:
        return False


COMMANDS = {"model": (model, EXAMPLES)}
"""The commands by name, each with the examples of its help."""
