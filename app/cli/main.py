"""The command: what it offers, and how its failures look."""

import gc
import sys
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from app import NAME, __version__
from app.cli import options, output
from app.cli.ending import ended
from app.cli.help import in_language, usage_error
from app.errors import BadRequestError
from app.sentences import Sentence
from app.serving.display import COMPLETE, take_display
from app.showing import in_line

LASTING = ("chat", "index", "setup", "mcp", "serve")
"""Commands that may last; what refers to itself is looked for while they do, see `app.cli.entry`."""
COMMANDS = {
    "ask": "chat", "chat": "chat", "find": "find", "search": "search", "list": "lists",
    "cat": "notes", "daily": "notes",
    "new": "notes", "edit": "notes", "mv": "writes", "rm": "writes", "replace": "writes", "undo": "writes",
    "setup": "setup", "index": "index", "status": "status",
    "mcp": "mcp", "serve": "serve",
}  # fmt: skip
"""The module of each command, in the order of the help."""
GROUPS = {"ask": "Ask and find", "cat": "Read", "new": "Write", "setup": "Vault", "mcp": "Serve"}
"""The groups of the help, by the first command of each."""
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
COLLECTED = (50_000, 20, 100)
"""How often it is looked for; Python's own setting costs the first index of a vault a seventh of its time."""


def make_command(name: str) -> Any:  # noqa: ANN401 - typer keeps the type of its commands to itself
    """Make one command, by the empty name what holds them all; its help in the language of the screen."""
    return _make(name, output.screen().language)


@cache
def _make(name: str, _language: str) -> Any:  # noqa: ANN401 - as above
    """Make one command, once for each language; what only the others need is not imported.

    A module has a table of its commands, each with the examples of its help; a command of operations has a
    class for its help as well, and one with commands below it a table of their modules.
    """
    if not name:
        return in_language(typer.main.get_command(app))
    if name not in COMMANDS:
        return None
    module = import_module(f"{__package__}.{COMMANDS[name]}")
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    function, examples = module.COMMANDS[name]
    if below := getattr(module, "BELOW", None):
        alone.callback(invoke_without_command=True, epilog=examples)(options.spread(function))
        for inner, place in below.items():
            _add(alone, inner, import_module(f"{__package__}.{place}"))
    else:
        _add(alone, name, module)
    return in_language(typer.main.get_command(alone))


def _add(group: typer.Typer, name: str, module: Any) -> None:  # noqa: ANN401 - a module with `COMMANDS`
    function, examples = module.COMMANDS[name]
    group.command(name, cls=getattr(module, "Menu", None), epilog=examples)(options.spread(function))


class _Commands(TyperGroup):
    """The commands, each made when it is asked for."""

    def __init__(self, **choices: Any) -> None:  # noqa: ANN401 - as typer's
        super().__init__(**choices)
        # By these names typer says what a mistyped one is near to.
        self.commands = dict.fromkeys(COMMANDS, None)  # type: ignore[assignment]
        self.groups, title = dict[str, str](), ""
        for name in COMMANDS:
            title = GROUPS.get(name, title)
            self.groups[name] = title

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - as `_command`
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


app = typer.Typer(
    name=NAME,
    cls=_Commands,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Color(StrEnum):
    """When output has colours; see `app.serving.display`, which takes the option before it is read here."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Lang(StrEnum):
    """The languages that the program speaks; taken before it is read here, as the above."""

    EN = "en"
    FR = "fr"


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
    color: Annotated[
        Color, typer.Option("--color", show_default=False, help="Colours, on a terminal by default.")
    ] = Color.AUTO,
    lang: Annotated[Lang | None, typer.Option("--lang", help="The language of messages.")] = None,
    no_pager: Annotated[bool, typer.Option("--no-pager", help="Show long output at once.")] = False,
    prints: Annotated[bool, typer.Option("--print", help="Print the path of the picked note.")] = False,
) -> int:
    """Search, read and change a vault of Markdown notes, or chat with it."""
    if ctx.invoked_subcommand in LASTING:
        gc.set_threshold(*COLLECTED)
        gc.enable()
    elif ctx.invoked_subcommand is None:
        return _alone(ctx, vault, config, prints=prints)
    return output.FOUND


def _alone(ctx: typer.Context, vault: str | None, config: Path | None, *, prints: bool) -> int:
    """Let a person pick a note; where nobody sits at a terminal, say what the commands are."""
    from app.cli import start

    if not start.can_start(prints=prints):
        output.show(ctx.get_help())
        return output.FAILED
    gc.set_threshold(*COLLECTED)
    gc.enable()
    command = start.start(vault, config, prints=prints)
    if command is None:
        return output.FOUND
    return _run(command) if command else output.NOTHING


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; whatever goes wrong becomes one line on stderr."""
    return ended(lambda: _run(take_display(sys.argv[1:] if arguments is None else arguments)))


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
        output.tell_error(usage_error(error), Sentence("see '{path} --help'", path=path))
    except typer.Abort:
        return output.INTERRUPTED
    return output.FAILED


if __name__ == "__main__":
    sys.exit(main())
