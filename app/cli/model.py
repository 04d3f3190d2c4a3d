"""``model``: which embedding models there are, get one, and use it."""

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.bootstrap import configured, open_configured
from app.cli import options, output
from app.cli.build import build_vectors
from app.cli.options import MenuCommand
from app.cli.progress import progress_bar
from app.cli.start import YES
from app.config.paths import is_remote, model_folder
from app.errors import BadRequestError, ConfigError, VaultError
from app.sentences import Sentence, Worded, said

if TYPE_CHECKING:
    from app.config.file import ConfigFile
    from app.config.settings import Configuration, Settings
    from app.search.embedding.embedder import Embedder
    from app.search.searcher import Searcher

EXAMPLES = (
    "NAME is one of the list, any other on the hub (OWNER/NAME), or a folder on this machine. 'get' "
    "downloads, from the hub or from where HF_ENDPOINT leads; no note is ever sent there. A model behind a "
    "server (ollama:bge-m3, openai:text-embedding-3-small) is sent your notes once you use it.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant model list\n"
    "  vault-assistant model get ibm-granite/granite-embedding-97m-multilingual-r2\n"
    "  vault-assistant model use intfloat/multilingual-e5-small --vault ~/Notes"
)
OFFERED = "offered-model.json"
"""In the state folder: what a person did not want."""
SPEED_TEXT = "The rover is refuelled every second Tuesday, before the gardeners come for the hydrogen. " * 9
SPEED_TEXTS = 8
SPEEDS = "speeds.json"
"""In the folder of what is made of models: passages a second by the name of a model, as measured here."""


class Menu(MenuCommand):
    """Lists what can be done with models in its help."""

    def operations(self) -> Mapping[Any, object]:
        """Return the operations."""
        return OPERATIONS


def model(
    call: options.Call,
    operation: Annotated[str, typer.Argument(metavar="OPERATION", help="What to do; see Operations below.")],
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A model.")] = None,
    index: options.IndexOption = None,
) -> int:
    """List embedding models; get one, use it."""
    known = OPERATIONS.get(operation)
    if known is None:
        raise BadRequestError(
            "there is no operation '{operation}'",
            "there are: {operations}",
            operation=operation,
            operations=", ".join(OPERATIONS),
        )
    return known(_Call(name, index, call))


@dataclass(frozen=True, slots=True)
class _Call:
    """What was typed."""

    given: str | None
    index: str | None
    told: options.Call

    @property
    def name(self) -> str:
        """The model that was named; raises BadRequestError where none was."""
        if not self.given:
            raise BadRequestError("no model is named", "vault-assistant model list names some")
        folder = model_folder(self.given)
        # In a configuration file a relative path would mean another folder.
        return self.given if folder is None else str(folder.absolute())

    def settings(self) -> "Configuration":
        """Read the configuration."""
        return configured(self.told.config)

    def show(self, data: object, lines: Sequence[str]) -> int:
        """Print what was found, for programs or for people."""
        if self.told.as_json:
            output.show_json(data)
        else:
            language = output.screen().language
            output.show(
                "\n".join(
                    output.wrapped(line.said(language) if isinstance(line, Worded) else line)
                    for line in lines
                )
            )
        return output.FOUND


def list_models(call: _Call) -> int:
    """List good models, and which of them are on this machine."""
    from app.config.settings import BUNDLED_MODEL
    from app.search.embedding.hub import CATALOGUE, MTEB
    from app.search.private import read_record

    settings = call.settings().settings
    speeds = read_record(_models(settings) / SPEEDS) or {}
    used = {
        definition.embedding_model
        for indexes in (settings.index, *(entry.index for entry in settings.vaults.values() if entry.index))
        for definition in indexes.indexes.values()
    }
    rows, lines = list[dict[str, Any]](), list[str]()
    for known in CATALOGUE:
        here, speed = _is_here(known.name), speeds.get(known.name)
        rows.append({**asdict(known), "here": here, "used": known.name in used, "passages_a_second": speed})
        finds = Sentence(
            "knows {knows}, finds {figure:.1f} % ({source})",
            knows=Sentence(known.knows),
            figure=known.retrieval or 0.0,
            source=Sentence(known.source),
        )
        effort = Sentence(
            "{times:.1f} times the work of {model}",
            times=known.computing / CATALOGUE[0].computing,
            model=BUNDLED_MODEL,
        )
        work = Sentence("{speed:.0f} passages a second here", speed=speed) if speed else effort
        size = (
            Sentence("comes along")
            if known.name == BUNDLED_MODEL
            else Sentence("at most {megabytes} MB to download", megabytes=known.megabytes)
        )
        needs = Sentence(
            "  {size}, {megabytes} MB of memory, {work}, {licence}",
            size=size,
            megabytes=known.megabytes,
            work=work,
            licence=known.licence,
        )
        knows = finds if known.retrieval else Sentence("knows {knows}", knows=Sentence(known.knows))
        lines += [
            _marked(known.name, here=here, used=known.name in used),
            Sentence("  {knows}", knows=knows),
            needs,
        ]
    listed = {known.name for known in CATALOGUE}
    for other in sorted(name for name in used if name and name not in listed):
        here, speed = _is_here(other), speeds.get(other)
        rows.append({"name": other, "here": here, "used": True, "passages_a_second": speed})
        lines.append(_marked(other, here=here, used=True))
    lines.append(
        Sentence("Figures: {source}. Get one: vault-assistant model get NAME", source=Sentence(MTEB))
    )
    return call.show(rows, lines)


def _marked(name: str, *, here: bool, used: bool) -> str:
    marks = tuple(mark for mark, holds in ((Sentence("here"), here), (Sentence("in use"), used)) if holds)
    return Sentence("{name} ({marks})", name=name, marks=marks) if marks else name


def get_model(call: _Call) -> int:
    """Download a model, check it, and make what it answers quickly by."""
    from app.search.embedding.hub import fetch, hub_host, look_up

    name, settings = call.name, call.settings().settings
    if model_folder(name) is None and not _is_here(name):
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
        with progress_bar(_here("Downloading")) as progress:
            fetch(offer, progress)
        output.tell(Sentence("Every file is what the hub says it is."))
    with progress_bar(_here("Making its fast form")):
        embedder = _load(name, settings)
    rate = _speed(name, embedder, settings)
    data = {"name": name, "dimension": embedder.dimension, "passages_a_second": rate}
    told = Sentence(
        "{name} is on this machine: {numbers} numbers a vector, {rate:.0f} passages a second.",
        name=name,
        numbers=embedder.dimension,
        rate=rate,
    )
    return call.show(data, [told, Sentence("Use it: vault-assistant model use {name}", name=name)])


def _here(label: str) -> str:
    """Return what a progress bar is called, in the language of the screen."""
    return said(label, output.screen().language)


def use_model(call: _Call) -> int:
    """Set a model for an index, and build its vectors while the old ones answer."""
    from app.config.settings import ENV_PREFIX, settings_of
    from app.search.searcher import searcher_for

    if variables := [name for name in os.environ if name.startswith(f"{ENV_PREFIX}INDEX")]:
        raise ConfigError(
            "the variable {variables} names the indexes, and counts more than a file",
            "take it away first",
            variables=variables[0],
        )
    # One that is missing or broken is refused before anything is changed.
    configuration = call.settings()
    _load(call.name, configuration.settings)
    file = _set_model(call, configuration)
    searcher = searcher_for(open_configured(call.told.vault, settings_of(file)), call.index)
    searcher.update()
    built = build_vectors(searcher)
    lines = [
        Sentence(
            "The index '{index}' is searched by {model}: {count} passages embedded.",
            index=searcher.name,
            model=call.name,
            count=built.embedded,
        )
    ]
    return call.show({"name": call.name, "file": str(file.path), "embedded": built.embedded}, lines)


def _set_model(call: _Call, configuration: "Configuration") -> "ConfigFile":
    """Write a model into the configuration file that holds, and say where."""
    from app.config.change import change_config

    keys = _keys(call, configuration.settings)
    file = change_config(configuration.file, keys, call.name)
    told = Sentence(
        "'{file}': {setting} is '{name}', for every vault without indexes of its own."
        if keys[0] == "index"
        else "'{file}': {setting} is '{name}'.",
        file=file.path,
        setting=".".join(keys),
        name=call.name,
    )
    output.tell(told)
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
    from app.search.embedding.hub import CATALOGUE, SMALL, hub_host
    from app.search.private import private_folder, read_record, write_record

    view = searcher.view()
    said = searcher.vault.settings.state_folder / OFFERED
    if searcher.vectors is None or not output.is_interactive() or read_record(said):
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
        private_folder(said.parent)
        write_record(said, SMALL)
        return False
    call = _Call(SMALL, searcher.name, options.Call(str(searcher.vault.root), config))
    try:
        get_model(call)
        _set_model(call, call.settings())
    except VaultError as error:
        output.tell(Sentence("It cannot be got now: {reason}", reason=str(error)))
        return False
    return True


OPERATIONS: dict[str, Callable[[_Call], int]] = {
    "list": list_models,
    "get": get_model,
    "use": use_model,
}


def _keys(call: _Call, settings: "Settings") -> tuple[str, ...]:
    """Return where the model of the index that is meant stands in a configuration file.

    Raises:
        BadRequestError: no index of that name is configured.
    """
    from app.config.folders import is_same
    from app.search.searcher import searcher_for

    opened = open_configured(call.told.vault, settings)
    index = searcher_for(opened, call.index)
    entries = settings.vaults.items()
    named = [name for name, entry in entries if entry.index is not None and is_same(entry.path, opened.root)]
    own = ("vaults", named[0], "index") if named else ("index",)
    return (*own, "indexes", index.name, "embedding_model")


def _models(settings: "Settings") -> Path:
    return settings.cache_folder / "models"


def _is_here(name: str) -> bool:
    """Return whether a model can be used now: all of it is on this machine, or it is behind a server."""
    from app.search.embedding.hub import WEIGHTS, find_model

    try:
        return is_remote(name) or any(find_model(name).rglob(f"*{WEIGHTS}"))
    except VaultError:
        return False


def _load(name: str, settings: "Settings") -> "Embedder":
    from app.search.embedding.loading import embedder_of

    return embedder_of(name, cache=_models(settings), settings=settings)


def _speed(name: str, embedder: "Embedder", settings: "Settings") -> float:
    """Measure how many passages of some two hundred pieces a model reads in a second here, and keep it."""
    from app.search.private import private_folder, read_record, write_record

    embedder.encode([SPEED_TEXT])
    begun = time.perf_counter()
    embedder.encode([SPEED_TEXT] * SPEED_TEXTS)
    rate = round(SPEED_TEXTS / max(time.perf_counter() - begun, 1e-9), 1)
    file = _models(settings) / SPEEDS
    private_folder(file.parent)
    write_record(file, {**(read_record(file) or {}), name: rate})
    return rate
