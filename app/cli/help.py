"""Help, and what the command library says of a mistyped command, in the language of the screen."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from typer._click import Command, Context, HelpFormatter
from typer.core import TyperCommand, TyperGroup

from app.cli import output
from app.sentences import Quoted, Sentence, said

USAGE_ERRORS = (
    "No such option: {option} (Possible options: {near})",
    "No such option: {option} Did you mean {near}?",
    "No such option: {option}",
    "No such command {command}. Did you mean {near}?",
    "No such command {command}.",
    "Missing argument {name}.",
    "Missing option {name}.",
    "Missing command.",
    "Got unexpected extra argument(s) ({words})",
    "Option {option} requires an argument.",
    "Option {option} does not take a value.",
    "Invalid value for {name}: {reason}",
    "Invalid value: {reason}",
    "Value {value} is not a valid {kind}.",
    "{value} is not a valid {kind}.",
    "{value} is not one of {choices}.",
    "{value} is not in the range {range}.",
    "Input should be less than or equal to {le}",
    "Input should be greater than or equal to {ge}",
)
"""What the command library says, with its facts, the longer ones first."""
EXTRA = ("env var: ", "default: ", "required")
"""How begins what typer adds to the help of an option, in brackets at its end."""
_EXTRA = re.compile(
    rf"(?P<help>.*?)(?: *\[(?P<extra>(?:{'|'.join(EXTRA)}|[\d<=]*x[<>])[^\]]*)\])?", re.DOTALL
)
_NEEDED = re.compile(r"\{([^{}]*)\}")
_KIND = re.compile(r" <(?:list\[)?(?:str|path|int|float)\]?>$")
"""What typer says of the kind of an argument's value, which its name says already."""
RARE = frozenset(
    {
        *("--config", "--debug", "--index", "--query", "--queries", "--search-terms", "--depth", "--offset"),
        *("--max-chars", "--min-score", "--date-field", "--direction", "--null", "--agent"),
        *("--mode", "--note-path", "--allow-host", "--no-token", "--token", "--host"),
        *("--color", "--no-pager", "--print", "--query-image", "--turn", "--permanent"),
    }
)
"""Options that stand at the end of a command's help."""
NO_BREAK = "\u00a0"
REST = "COMMAND [ARGS]..."
EXAMPLES = "\b"
"""Begins a paragraph of help that stays as it is."""


def usage_error(text: str) -> Sentence:
    """Return what typer says of a command line, with its facts apart so that it has its French."""
    # The words of a library below typer, which checks what is one of several.
    text = text.removeprefix("Value error, ")
    for template in USAGE_ERRORS:
        form = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(template))
        if found := re.fullmatch(form, text, re.DOTALL):
            facts: dict[str, object] = {name: _quoted(fact) for name, fact in found.groupdict().items()}
            if "reason" in facts:
                facts["reason"] = usage_error(found["reason"])
            return Sentence(template, **facts)
    return Sentence(text)


def _quoted(fact: str) -> object:
    """Return what stands in quotation marks so that French has its own; several stand with commas between."""
    parts = fact.split(", ")
    if not all(re.fullmatch("'[^']*'", part) for part in parts):
        return fact
    return tuple(Quoted(part[1:-1]) for part in parts)


def paragraphs(text: str) -> list[str]:
    """Return the parts of a help text that are translated one by one: of examples, each line."""
    parts = list[str]()
    for part in text.split("\n\n"):
        lines = part.split("\n")[1:] if part.startswith(EXAMPLES) else [" ".join(part.split())]
        parts += [line for line in lines if line.strip()]
    return parts


def _told(text: str) -> str:
    """Say a text of help, with signs that no line begins with held to the word before them."""
    return re.sub(r" (?=[:;?!»])|(?<=«) ", NO_BREAK, said(" ".join(text.split()), output.screen().language))


def _told_row(text: str) -> str:
    """Say what stands beside an option: its help, and what typer adds in brackets."""
    found = _EXTRA.fullmatch(text)
    assert found is not None
    extra = found["extra"] or ""
    for word in EXTRA:
        extra = extra.replace(word, said(word, output.screen().language))
    return f"{_told(found['help'])}  [{extra}]" if extra else _told(found["help"])


class _Formatter(HelpFormatter):
    """Writes help in the language of the screen."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        # Braces around what is needed are typer's own; what may be left out has brackets.
        language = output.screen().language
        args = _NEEDED.sub(r"\1", args).replace(REST, said(REST, language))
        super().write_usage(prog, args, said(prefix or "Usage: ", language))

    def write_heading(self, heading: str) -> None:
        language = output.screen().language
        super().write_heading(said(heading, language) + " " * (language == "fr"))

    def write_text(self, text: str) -> None:
        language = output.screen().language
        parts = [
            "\n".join(said(line, language) for line in part.split("\n"))
            if part.startswith(EXAMPLES)
            else _told(part)
            for part in text.split("\n\n")
        ]
        super().write_text("\n\n".join(parts))

    def write_dl(self, rows: Sequence[tuple[str, str]], *args: int, **sizes: int) -> None:
        super().write_dl(
            [(_KIND.sub("", first), _told_row(second)) for first, second in rows], *args, **sizes
        )

    def getvalue(self) -> str:
        return super().getvalue().replace(NO_BREAK, " ")


class _Context(Context):
    formatter_class = _Formatter


class SpokenCommand(TyperCommand):
    """A command whose help is in the language of the screen."""

    context_class = _Context

    def __init__(self, *args: Any, **parts: Any) -> None:  # noqa: ANN401 - as typer's
        super().__init__(*args, **parts)
        speak_values(self)

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write what the command takes, what is rarely needed at the end."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": [], "Rarely needed": []}
        for each in self.get_params(ctx):
            if (row := each.get_help_record(ctx)) is not None:
                kind = "Rarely needed" if RARE.intersection(each.opts) else "Options"
                sections["Arguments" if each.param_type_name == "argument" else kind].append(row)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class SpokenGroup(TyperGroup):
    """Commands by their ``groups``, then the options."""

    context_class = _Context

    def __init__(self, **parts: Any) -> None:  # noqa: ANN401 - as typer's
        super().__init__(**parts)
        self.groups: Mapping[str, Iterable[str]] = {"Commands": self.commands}
        speak_values(self)

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the commands, which typer would write last and cut to the width of a line."""
        formatter.write_paragraph()
        for title, names in self.groups.items():
            formatter.write_heading(title)
            with formatter.indentation():
                formatter.write_dl([(name, purpose(self.get_command(ctx, name))) for name in names])
        TyperCommand.format_options(self, ctx, formatter)  # type: ignore[arg-type]


def speak_values(command: Command) -> None:
    """Call the values of a command's parameters as the language of the screen does."""
    for parameter in command.params:
        if parameter.metavar:
            parameter.metavar = said(parameter.metavar, output.screen().language)


def purpose(command: Command | None) -> str:
    """Return what a command does, in its first paragraph."""
    text = (command.help or "") if command is not None else ""
    return " ".join(text.partition("\n\n")[0].split())
