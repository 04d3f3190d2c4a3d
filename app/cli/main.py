"""The command: what it offers, and how its failures look."""

import errno
import gc
import logging
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from app import __version__
from app.bootstrap import LOGGER_NAME
from app.cli import (
    chat,
    find,
    index,
    install,
    mcp,
    model,
    note,
    output,
    pack,
    search,
    serve,
    status,
    trust,
    why,
)
from app.errors import VaultError

NAME = "vault-assistant"
EPILOG = (
    "Examples:\n\n\b\n"
    f"  {NAME} find fast budget --vault ~/Notes\n"
    f"  {NAME} ask 'What did we decide about the budget?'\n"
    f"  {NAME} note read 'Projects/Garden'\n\n"
    "The vault is --vault, else VAULT_ASSISTANT_VAULT, else the configuration, else the nearest parent "
    "folder that holds .obsidian/. Exit codes: 0 found, 1 nothing found, 2 error."
)

LASTING = ("chat", "index", "mcp", "serve")
"""Commands that may last; what refers to itself is looked for while they do, see `app.cli.entry`."""
COLLECTED = (50_000, 20, 100)
"""How often it is looked for; Python's own setting costs the first index of a vault a seventh of its time."""

app = typer.Typer(
    name=NAME,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        output.show(f"{NAME} {__version__}")
        raise typer.Exit(output.FOUND)


@app.callback(epilog=EPILOG)
def root(
    ctx: typer.Context,
    vault: output.VaultOption = None,
    config: output.ConfigOption = None,
    as_json: output.JsonOption = False,
    debug: output.DebugOption = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Search, read and change a vault of Markdown notes, or chat with it."""
    if ctx.invoked_subcommand in LASTING:
        gc.set_threshold(*COLLECTED)
        gc.enable()
    elif ctx.invoked_subcommand is None:
        output.show(ctx.get_help())


app.command("ask", epilog=chat.ASK_EXAMPLES)(chat.ask)
app.command("chat", epilog=chat.CHAT_EXAMPLES)(chat.chat)
app.command("find", cls=find.FindCommand, epilog=find.EXAMPLES)(find.find)
app.command("search", epilog=search.EXAMPLES)(search.search)
# What stands behind the path is refused by the command itself, which knows the option that was meant.
app.command("note", cls=note.NoteCommand, epilog=note.EXAMPLES, context_settings={"allow_extra_args": True})(
    note.note
)
app.command("index", epilog=index.EXAMPLES)(index.index)
app.command("install", epilog=install.EXAMPLES)(install.install)
app.command("mcp", epilog=mcp.EXAMPLES)(mcp.mcp)
app.command("model", cls=model.ModelCommand, epilog=model.EXAMPLES)(model.model)
app.command("pack", epilog=pack.EXAMPLES)(pack.pack)
app.command("serve", epilog=serve.EXAMPLES)(serve.serve)
app.command("status", epilog=status.EXAMPLES)(status.status)
app.command("trust", epilog=trust.EXAMPLES)(trust.trust)
app.command("why", epilog=why.EXAMPLES)(why.why)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; whatever goes wrong becomes one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a character gets a question mark, not a failure.
            stream.reconfigure(errors="replace")
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except OSError as error:
        if error.errno != errno.EPIPE:
            return _unexpected(error)
        output.close_pipe()
        return output.FOUND


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = app(args=arguments, prog_name=NAME, standalone_mode=False)
        return code if isinstance(code, int) else output.FOUND
    except VaultError as error:
        _log(error)
        output.tell_error(error.message, error.hint)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else NAME
        output.tell_error(error.format_message(), f"see '{path} --help'")
    except (KeyboardInterrupt, typer.Abort):
        return output.INTERRUPTED
    except BrokenPipeError:
        raise
    except SystemExit:
        # How typer ends when its reader went away.
        output.close_pipe()
        return output.FOUND
    except Exception as error:  # noqa: BLE001 - the front door's last resort
        return _unexpected(error)
    return output.FAILED


def _unexpected(error: Exception) -> int:
    _log(error)
    output.tell_error(f"unexpected failure: {type(error).__name__}: {error}", "run again with --debug")
    return output.FAILED


def _log(error: Exception) -> None:
    """Record a failure with its traceback; only ``--debug`` shows it."""
    logging.getLogger(LOGGER_NAME).error("command_failed", exc_info=error)


if __name__ == "__main__":
    sys.exit(main())
