"""The options every command shares, accepted before and after its name."""

from pathlib import Path
from typing import Annotated, TypeVar

import typer

from app.bootstrap import set_up_logging

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
