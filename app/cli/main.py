"""The command: what it offers, and how its failures look."""

import logging
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from app import NAME, __version__
from app.bootstrap import LOGGER_NAME
from app.cli import options, output
from app.cli.help import SpokenCommand, SpokenGroup, usage_error
from app.errors import BadRequestError, VaultError
from app.sentences import Sentence, typed
from app.serving.display import COMPLETE, take_display
from app.showing import in_line

GROUPS = {
    "Ask and find": {"ask": "chat", "chat": "chat", "find": "find", "search": "search", "list": "lists"},
    "Read": {"cat": "notes", "daily": "notes"},
    "Write": {
        "new": "notes", "edit": "notes", "mv": "writes", "rm": "writes", "replace": "writes", "undo": "writes"
    },
    "Vault": {"setup": "setup", "index": "index", "status": "status"},
    "Serve": {"mcp": "mcp", "serve": "serve"},
}  # fmt: skip
"""The commands with their modules, in the groups and the order of the help."""
COMMANDS = {name: module for group in GROUPS.values() for name, module in group.items()}
REMOVED = {
    "tag": "list --tag TAG", "links": "list --links NOTE", "on": "list --on DAY", "tasks": "list tasks",
    "recent": "list recent", "orphans": "list orphans", "related": "list --related NOTE",
    "tags": "list tags", "properties": "list properties",
    "why": "find --why NOTE QUERY", "pack": "find QUERY --max-tokens N", "open": "edit --obsidian NOTE",
    "log": "undo --list", "init": "setup", "install": "setup install CLIENT", "trust": "setup trust",
    "skill": "setup skill", "completion": "setup completion SHELL", "model": "setup model",
    "note": "cat, edit, new, mv, rm, undo or status NOTE",
}  # fmt: skip
"""Former commands, and what does their work."""
NEAR = 0.8
"""Least share of letters in common for a word alone to be a mistyped command, which is said."""


def make_command(name: str) -> Any:  # noqa: ANN401 - a command, or the group that the empty name gives
    """Make one command, by the empty name what holds them all; its help in the language of the screen."""
    return _make(name, output.screen().language)


@cache
def _make(name: str, _language: str) -> Any:  # noqa: ANN401 - as above
    """Make one command, once for each language; what only the others need is not imported.

    A module has a function for each of its commands, and the examples of their help; one with commands below
    its own names their modules as well.
    """
    if not name:
        return typer.main.get_command(app)
    if name not in COMMANDS:
        return None
    module = import_module(f"{__package__}.{COMMANDS[name]}")
    alone = typer.Typer(
        cls=SpokenGroup, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None
    )
    if below := getattr(module, "BELOW", None):
        function, examples = _parts(name, module)
        alone.callback(invoke_without_command=True, epilog=examples)(options.spread(function))
        for inner in below:
            _add(alone, inner, import_module(f"{__package__}.{inner}"))
    else:
        _add(alone, name, module)
    return typer.main.get_command(alone)


def _add(group: typer.Typer, name: str, module: Any) -> None:  # noqa: ANN401 - a module
    function, examples = _parts(name, module)
    group.command(name, cls=getattr(module, "Menu", SpokenCommand), epilog=examples)(options.spread(function))


def _parts(name: str, module: Any) -> tuple[Any, str]:  # noqa: ANN401 - a module
    """Return the function of a command, which has its name, and the examples of its help."""
    examples = module.EXAMPLES if isinstance(module.EXAMPLES, str) else module.EXAMPLES[name]
    return getattr(module, "list_notes" if name == "list" else name), examples


class _Commands(SpokenGroup):
    """The commands, each made when it is asked for."""

    def __init__(self, **parts: Any) -> None:  # noqa: ANN401 - as typer's
        super().__init__(**parts)
        # By these names typer says what a mistyped one is near to.
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]
        self.groups = GROUPS

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - as `make_command`
        """Return a command by its name; None where there is no such command."""
        return make_command(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - as `get_command`
        """Return the command that is meant and its arguments; words that name none are searched.

        Raises:
            BadRequestError: it is the name of a former command, alone or with options that `find` has not.
        """
        name, *rest = args
        if name in self.commands:
            return super().resolve_command(ctx, args)
        find = make_command("find")
        known = {each for option in find.params for each in (*option.opts, *option.secondary_opts)}
        foreign = any(each.startswith("-") and each.partition("=")[0] not in known for each in rest)
        if (now := REMOVED.get(name)) and (not rest or rest[0].startswith("-") or foreign):
            raise BadRequestError("'{name}' is now '{now}'", name=name, now=now)
        from difflib import get_close_matches  # only what is no command needs it

        is_alone = not rest or rest[0].startswith("-")
        if is_alone and (near := get_close_matches(name, self.commands, n=1, cutoff=NEAR)):
            output.tell(
                Sentence("'{name}' is searched; the command is '{near}'.", name=in_line(name), near=near[0])
            )
        return "find", find, args


log = logging.getLogger(LOGGER_NAME)
app = typer.Typer(
    name=NAME,
    cls=_Commands,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(context: typer.Context, wanted: bool) -> None:
    # A line that is completed is read as well, and nothing is done for it.
    if wanted and not context.resilient_parsing:
        output.show(f"{NAME} {__version__}")
        raise typer.Exit(output.FOUND)


@app.callback()
def root(
    ctx: typer.Context,
    vault: options.VaultOption = None,
    config: options.ConfigOption = None,
    as_json: options.JsonOption = False,
    debug: options.DebugOption = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
    # The next three are taken before they are read here, see `app.serving.display`.
    color: Annotated[
        Literal["auto", "always", "never"],
        typer.Option("--color", show_default=False, help="Colours, on a terminal by default."),
    ] = "auto",
    lang: Annotated[
        Literal["en", "fr"] | None, typer.Option("--lang", help="The language of messages.")
    ] = None,
    no_pager: Annotated[bool, typer.Option("--no-pager", help="Show long output at once.")] = False,
    prints: Annotated[bool, typer.Option("--print", help="Print the path of the picked note.")] = False,
) -> int:
    """Search, read and change a vault of Markdown notes, or chat with it."""
    return output.FOUND if ctx.invoked_subcommand else _pick(ctx, vault, config, prints=prints)


def _pick(ctx: typer.Context, vault: str | None, config: Path | None, *, prints: bool) -> int:
    """Let a person pick a note; where nobody sits at a terminal, say what the commands are."""
    is_seen = sys.stdout.isatty() or (prints and sys.stderr.isatty())
    if not (sys.stdin.isatty() and is_seen):
        output.show(ctx.get_help())
        return output.FAILED
    from app.cli.start import start

    command = start(vault, config, prints=prints)
    if command is None:
        return output.FOUND
    return _run(command) if command else output.NOTHING


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; whatever goes wrong becomes one line on stderr."""
    return ended(lambda: _run(take_display(sys.argv[1:] if arguments is None else arguments)))


def ended(work: Callable[[], int]) -> int:
    """Do the work of a command, and return its exit code, or that of what went wrong."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a character gets a question mark, not a failure.
            stream.reconfigure(errors="replace")
    try:
        return _done(work)
    except (BrokenPipeError, SystemExit):
        # The reader went away; typer ends by the second then.
        output.close_pipe()
        return output.FOUND


def _done(work: Callable[[], int]) -> int:
    try:
        code = work()
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return output.INTERRUPTED
    except BrokenPipeError:
        raise
    except VaultError as error:
        log.error("command_failed", exc_info=error)
        # What agents give as parameters, people type as options.
        texts = [typed(text) if isinstance(text, Sentence) else text for text in (error.message, error.hint)]
        output.tell_error(*texts)
    except Exception as error:
        log.error("command_failed", exc_info=error)
        said = Sentence("unexpected failure: {kind}: {reason}", kind=type(error).__name__, reason=error)
        output.tell_error(said, "run again with --debug")
    return output.FAILED


def _run(arguments: Sequence[str]) -> int:
    if arguments[:1] == [COMPLETE]:
        from app.cli.choices import complete

        return complete(list(arguments[1:]), make_command(""))
    try:
        command = make_command("")
        code = command(args=arguments, prog_name=NAME, standalone_mode=False)
        return code if isinstance(code, int) else output.FOUND
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else NAME
        output.tell_error(usage_error(error.format_message()), Sentence("see '{path} --help'", path=path))
    except typer.Abort:
        return output.INTERRUPTED
    return output.FAILED


if __name__ == "__main__":
    sys.exit(main())
