"""What commands share of their help and options."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand

from app.bootstrap import set_up_logging

T = TypeVar("T")


class MenuCommand(TyperCommand):
    """A command whose first argument is one of several operations."""

    def operations(self) -> Mapping[Any, object]:
        """Return the operations by name; looked up only when help is shown."""
        raise NotImplementedError

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer keeps the types to itself
        """Write the first sentence of each operation, then the examples."""
        with formatter.section("Operations"):
            formatter.write_dl(
                [
                    (name, (function.__doc__ or "").strip().split("\n")[0])
                    for name, function in self.operations().items()
                ]
            )
        super().format_epilog(ctx, formatter)


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
IndexOption = Annotated[str | None, typer.Option("--index", metavar="NAME", help="The index, by name.")]
