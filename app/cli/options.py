"""What commands share of their help and options."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeVar, get_args

import typer

from app.bootstrap import configured, open_vault, open_vaults, set_up_logging
from app.parameters import NONE

if TYPE_CHECKING:
    from app.config.settings import Settings
    from app.vault.client import VaultClient

T = TypeVar("T")


def _kept(ctx: typer.Context, param: typer.CallbackParam, value: T) -> T:
    """Remember a value given before the command, and let one given after it win."""
    key = f"vault-assistant.{param.name}"
    if value is not None and value is not False:
        ctx.meta[key] = value
    kept: T = ctx.meta.get(key, value)
    return kept


def _debug(ctx: typer.Context, param: typer.CallbackParam, value: bool) -> bool:
    debug = _kept(ctx, param, value)
    set_up_logging(debug)
    return debug


def _kept_several(ctx: typer.Context, param: typer.CallbackParam, value: list[str] | None) -> list[str]:
    """Let vaults named after the command win over the one named before it."""
    before = ctx.meta.get("vault-assistant.vault")
    return list(value or ()) or ([before] if before is not None else [])


def option(names: str, metavar: str, text: str) -> Any:  # noqa: ANN401 - as typer.Option returns it
    """Return an option with a value, by its names with commas between."""
    return typer.Option(*names.split(","), metavar=metavar, help=text)


VaultsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--vault",
        metavar="FOLDER|NAME",
        help="The vault, or a configured name; repeat for several, or NAME=FOLDER.",
        callback=_kept_several,
    ),
]
VaultOption = Annotated[
    str | None,
    typer.Option("--vault", metavar="FOLDER|NAME", help="The vault, or a configured name.", callback=_kept),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="The configuration file.", callback=_kept),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.", callback=_kept)]
DebugOption = Annotated[bool, typer.Option("--debug", help="Show the log and tracebacks.", callback=_debug)]


class FromTable(NamedTuple):
    """Stands, in an annotation of a command's parameter, for the options of some parameters of a search.

    The command is given their values by name, in a mapping.
    """

    names: tuple[str, ...] = ()
    """Which of the parameters; empty for all but the operation."""
    helps: Mapping[str, Any] = NONE
    """What is said of some of them on the command line."""

    def options(self) -> Iterator[inspect.Parameter]:
        """Yield the options, in the order of the table."""
        from app.search.request import PARAMETERS

        for name, row in PARAMETERS.items():
            if self.names and name not in self.names:
                continue
            kind, word = _VALUES[row.kind]
            made = typer.Option(
                *(f"--{flag}" for flag in (name.replace("_", "-"), *row.also)),
                metavar=None if row.choices else row.holds or word,
                help=self.helps.get(name, row.told),
            )
            kind = Literal[row.choices] if row.choices else kind if row.default is not None else kind | None
            yield inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=row.default, annotation=Annotated[kind, made]
            )


_VALUES: Mapping[str, tuple[Any, str | None]] = {
    "string": (str, "TEXT"),
    "integer": (int, "N"),
    "number": (float, "X"),
    "boolean": (bool, None),
    "strings": (list[str], "TEXT"),
}
"""Of each kind of parameter, its type, and what a value is called where the table does not say that."""

IndexOption = Annotated[str | None, typer.Option("--index", metavar="INDEX", help="The index, by name.")]
FolderOption = Annotated[
    str | None, typer.Option("--in", "--folder", metavar="FOLDER", help="Only below this folder.")
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")]


@dataclass(frozen=True, slots=True)
class Place:
    """Options of a command that opens a vault."""

    vault: VaultOption = None
    config: ConfigOption = None
    debug: DebugOption = False

    def open(self) -> "VaultClient":
        """Open the vault that is meant; raises as `app.bootstrap.open_vault` does."""
        return open_vault(self.vault, self.config)


@dataclass(frozen=True, slots=True)
class Call(Place):
    """Options of a command that opens a vault, and can print data."""

    as_json: JsonOption = False


@dataclass(frozen=True, slots=True)
class Calls:
    """Options of a command that opens one or several vaults, and can print data."""

    vault: VaultsOption = None
    config: ConfigOption = None
    as_json: JsonOption = False
    debug: DebugOption = False

    def settings(self) -> "Settings":
        """Return the settings, of the configuration that is named or else found."""
        return configured(self.config).settings

    def open(self) -> "Mapping[str, VaultClient]":
        """Open the vaults that are meant; raises as `app.bootstrap.open_vaults` does."""
        return open_vaults(self.vault or (), self.settings())


def spread(function: Callable[..., int]) -> Callable[..., int]:
    """Return a command for typer: in the place of each parameter that is a class of options stand its fields.

    These follow the command's own parameters, with ``--debug`` at the end. In the place of one that is
    annotated with a `FromTable` stand the options of that.
    """
    own = inspect.signature(function)
    groups: dict[str, tuple[Callable[..., Any], list[inspect.Parameter]]] = {}
    shown, shared = list[inspect.Parameter](), list[inspect.Parameter]()
    for name, one in own.parameters.items():
        if table := next((each for each in get_args(one.annotation) if isinstance(each, FromTable)), None):
            groups[name] = dict, list(table.options())
            shown += groups[name][1]
        elif isinstance(one.annotation, type) and is_dataclass(one.annotation):
            groups[name] = one.annotation, list(inspect.signature(one.annotation).parameters.values())
            shared += groups[name][1]
        else:
            shown.append(one)
    shown += sorted(shared, key=lambda one: one.name == "debug")

    def command(**values: Any) -> int:  # noqa: ANN401 - whatever the options hold
        made = {
            name: make(**{one.name: values.pop(one.name) for one in fields})
            for name, (make, fields) in groups.items()
        }
        return function(**made, **values)

    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in shown]
    command.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in shown}
    command.__doc__ = function.__doc__
    return command
