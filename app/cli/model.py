"""``setup model``: which embedding models there are; get one, and use it."""

import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.bootstrap import configured, open_configured
from app.cli import options, output
from app.cli.build import build_vectors
from app.cli.progress import progress_bar
from app.config.paths import is_remote, model_folder
from app.errors import ConfigError, VaultError
from app.sentences import Sentence, said

if TYPE_CHECKING:
    from app.config.file import ConfigFile
    from app.config.settings import Configuration, Settings
    from app.search.embedding.embedder import Embedder

EXAMPLES = (
    "Without NAME it lists good models, and which are here. NAME is one of them, any other on the hub "
    "(OWNER/NAME), or a folder on this machine. It is downloaded from the hub, or from where HF_ENDPOINT "
    "leads; no note is ever sent there. A model behind a server (ollama:bge-m3, "
    "openai:text-embedding-3-small) needs the extra 'openai', and is sent your notes once it is set.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant setup model\n"
    "  vault-assistant setup model intfloat/multilingual-e5-small --vault ~/Notes\n"
    "  vault-assistant setup model ibm-granite/granite-embedding-97m-multilingual-r2"
)
MARKS = {"here": "here", "in use": "used"}
"""What is said of a model, and the field of a row that says so."""


def model(
    call: options.Call,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A model to get and use.")] = None,
    index: options.IndexOption = None,
) -> int:
    """List embedding models, or get one and use it."""
    from app.config.settings import ENV_PREFIX, settings_of
    from app.search.searcher import searcher_for

    configuration = configured(call.config)
    if name is None:
        return _list(configuration.settings, as_json=call.as_json)
    if (folder := model_folder(name)) is not None:
        # In a configuration file a relative path would mean another folder.
        name = str(folder.absolute())
    variable = next((each for each in os.environ if each.startswith(f"{ENV_PREFIX}INDEX")), None)
    if variable:
        raise ConfigError(
            "the variable {variables} names the indexes, and counts more than a file",
            "take it away first",
            variables=variable,
        )
    # One that is missing or broken is refused before anything is changed.
    embedder = _get(name, configuration.settings)
    file = _set(name, call.vault, index, configuration)
    searcher = searcher_for(open_configured(call.vault, settings_of(file)), index)
    searcher.update()
    built = build_vectors(searcher)
    if call.as_json:
        data = {"name": name, "dimension": embedder.dimension}
        output.show_json(data | {"file": str(file.path), "embedded": built.embedded})
    else:
        output.show(
            Sentence(
                "The index '{index}' is searched by {model}: {count} passages embedded.",
                index=searcher.name,
                model=name,
                count=built.embedded,
            )
        )
    return output.FOUND


def _list(settings: "Settings", *, as_json: bool) -> int:
    """List good models and those in use, and which of them are on this machine."""
    from app.config.settings import BUNDLED_MODEL, MULTILINGUAL_MODEL
    from app.search.embedding.hub import CATALOGUE

    comes = {
        BUNDLED_MODEL: Sentence("comes along"),
        MULTILINGUAL_MODEL: Sentence("comes with the extra '{extra}'", extra="multilingual"),
    }
    indexes = [settings.index, *(entry.index for entry in settings.vaults.values() if entry.index)]
    used = {one.embedding_model for each in indexes for one in each.indexes.values()} - {None}
    known = {each.name: each for each in CATALOGUE}
    rows = list[dict[str, Any]]()
    for name in dict.fromkeys((*known, *sorted(map(str, used)))):
        rows.append({"name": name, "here": _is_here(name), "used": name in used})
        marks = tuple(Sentence(mark) for mark, field in MARKS.items() if rows[-1][field])
        if not as_json:
            output.show(Sentence("{name} ({marks})", name=name, marks=marks) if marks else name)
        if (one := known.get(name)) is None:
            continue
        rows[-1] |= asdict(one)
        if not as_json:
            about = Sentence(
                "  knows {knows}: {size}, {megabytes} MB of memory, "
                "{times:.1f} times the work of {model}, {licence}",
                knows=Sentence(one.knows),
                size=comes.get(name)
                or Sentence("at most {megabytes} MB to download", megabytes=one.megabytes),
                megabytes=one.megabytes,
                times=one.times,
                model=BUNDLED_MODEL,
                licence=one.licence,
            )
            output.show(about)
    if as_json:
        output.show_json(rows)
    else:
        output.show(Sentence("Use one: vault-assistant setup model NAME"))
    return output.FOUND


def _get(name: str, settings: "Settings") -> "Embedder":
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


def _set(name: str, vault: str | None, index: str | None, configuration: "Configuration") -> "ConfigFile":
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
            "'{file}': {setting} is '{name}'."
            if named
            else "'{file}': {setting} is '{name}', for every vault without indexes of its own.",
            file=file.path,
            setting=".".join(keys),
            name=name,
        )
    )
    return file


def _is_here(name: str) -> bool:
    """Return whether a model can be used now: all of it is on this machine, or it is behind a server."""
    from app.search.embedding.hub import WEIGHTS, find_model

    try:
        return is_remote(name) or (found := find_model(name)).is_file() or any(found.rglob(f"*{WEIGHTS}"))
    except VaultError:
        return False
