"""Help, and what the command library says of a mistyped command, in the language of the screen."""

import re
from functools import cache
from types import MethodType
from typing import Any

from app.cli import output
from app.sentences import Language, Quoted, Sentence, said

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
)
"""What the command library says, with its facts, the longer ones first."""
EXTRA = ("env var: ", "default: ", "required")
"""How begins what typer adds to the help of an option, in brackets at its end."""
_EXTRA = re.compile(rf"(?P<help>.*?)(?: *\[(?P<extra>(?:{'|'.join(EXTRA)})[^\]]*)\])?", re.DOTALL)
_NEEDED = re.compile(r"\{([^{}]*)\}")
_KIND = re.compile(r" <(?:list\[)?(?:str|path|int|float)\]?>$")
"""What typer says of the kind of an argument's value, which its name says already."""
RARE = frozenset(
    {
        "--config", "--debug", "--index", "--query", "--queries", "--search-terms", "--depth", "--offset",
        "--max-chars", "--min-score", "--date-field", "--direction", "--null", "--jsonl", "--agent", "--mode",
        "--note-path", "--allow-host", "--no-token", "--token", "--host", "--uri", "--engine", "--file",
        "--test", "--name", "--color", "--no-pager", "--print", "--query-image", "--turn", "--permanent",
    }
)  # fmt: skip
"""Options that stand at the end of a command's help."""
NO_BREAK = "\u00a0"
REST = "COMMAND [ARGS]..."
EXAMPLES = "\b"
"""Begins a paragraph of help that stays as it is."""


@cache
def _forms() -> list[tuple[str, re.Pattern[str]]]:
    """Return for each template what finds its facts; made by the first mistake."""
    return [
        (template, re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(template)), re.DOTALL))
        for template in USAGE_ERRORS
    ]


def usage_error(error: Any) -> Sentence:  # noqa: ANN401 - typer keeps the types to itself
    """Return what is wrong with a command line, with its facts apart, so that it can be said in French."""
    return read_usage(error.format_message())


def read_usage(text: str) -> Sentence:
    """Return what the command library says by the template that it was made of; else as it is."""
    # The words of a library below typer, which checks what is one of several.
    text = text.removeprefix("Value error, ")
    for template, form in _forms():
        if found := form.fullmatch(text):
            facts: dict[str, object] = {name: _quoted(fact) for name, fact in found.groupdict().items()}
            if "reason" in facts:
                facts["reason"] = read_usage(found["reason"])
            return Sentence(template, **facts)
    return Sentence(text)


def _quoted(fact: str) -> object:
    """Return what stands in quotation marks so that French has its own; several stand with commas between."""
    parts = fact.split(", ")
    if not all(re.fullmatch("'[^']*'", part) for part in parts):
        return fact
    return tuple(Quoted(part[1:-1]) for part in parts)


def in_language(command: Any) -> Any:  # noqa: ANN401 - as above
    """Have a command say its help in the language of the screen."""
    command.format_options = MethodType(_format_options, command)
    for below in (getattr(command, "commands", None) or {}).values():
        if below is not None:
            in_language(below)
    command.context_class = _speaking(command.context_class)
    if output.screen().language != "fr":
        return command
    command.help, command.epilog = _french(command.help), _french(command.epilog)
    command.short_help = _french(command.short_help)
    for parameter in command.params:
        if getattr(parameter, "help", None):
            parameter.help = _french(parameter.help)
        if parameter.metavar:
            parameter.metavar = said(parameter.metavar, "fr")
    return command


def _format_options(command: Any, context: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
    """Write commands by their groups, arguments, options, and at the end those that few need."""
    groups: dict[str, list[Any]] = {}
    below = dict.fromkeys(getattr(command, "commands", None) or (), "Commands")
    for name, title in getattr(command, "groups", below).items():
        about = command.get_command(context, name).get_short_help_str(200)
        groups.setdefault(title, []).append((name, about))
    if groups:
        formatter.write_paragraph()
    for title, rows in groups.items():
        formatter.write_heading(title)
        with formatter.indentation():
            formatter.write_dl(rows)
    sections: dict[str, list[Any]] = {"Arguments": [], "Options": [], "Rarely needed": []}
    for each in command.get_params(context):
        if (row := each.get_help_record(context)) is not None:
            is_rare = not hasattr(command, "groups") and bool(RARE & {*each.opts})
            where = "Rarely needed" if is_rare else "Options"
            sections["Arguments" if each.param_type_name == "argument" else where].append(row)
    for title, rows in sections.items():
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


def paragraphs(text: str) -> list[str]:
    """Return the parts of a help text that are translated one by one: of examples, each line."""
    parts = list[str]()
    for part in text.split("\n\n"):
        lines = part.split("\n")[1:] if part.startswith(EXAMPLES) else [" ".join(part.split())]
        parts += [line for line in lines if line.strip()]
    return parts


def _french(text: str | None) -> str | None:
    if not text:
        return text
    return "\n\n".join(
        "\n".join(said(line, "fr") for line in part.split("\n"))
        if part.startswith(EXAMPLES)
        else _in_french(" ".join(part.split()))
        for part in text.split("\n\n")
    )


def _in_french(text: str) -> str:
    """Say a text in French, with signs that no line begins with held to the word before them."""
    return re.sub(r" (?=[:;?!»])|(?<=«) ", NO_BREAK, said(text, "fr"))


def _speaking(context: type[Any]) -> type[Any]:
    """Return the class of contexts whose formatter says headings and values in the language of the screen."""
    plain, language = context.formatter_class, output.screen().language

    class Speaking(plain):  # type: ignore[misc, valid-type]
        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            # Braces around what is needed are typer's own; what may be left out has brackets.
            args = _NEEDED.sub(r"\1", args).replace(REST, said(REST, language))
            super().write_usage(prog, args, prefix or said("Usage: ", language))

        def write_heading(self, heading: str) -> None:
            super().write_heading(said(heading, language) + " " * (language == "fr"))

        def getvalue(self) -> str:
            return str(super().getvalue()).replace(NO_BREAK, " ")

        def write_dl(self, rows: Any, *args: Any, **choices: Any) -> None:  # noqa: ANN401 - as above
            told = [(_KIND.sub("", first), _row(second, language)) for first, second in rows]
            super().write_dl(told, *args, **choices)

    return type("Speaking", (context,), {"formatter_class": Speaking})


def _row(text: str, language: Language) -> str:
    """Say what stands beside an option: its help, and what typer adds in brackets."""
    found = _EXTRA.fullmatch(text)
    assert found is not None
    shown = _in_french(found["help"]) if language == "fr" else found["help"]
    extra = found["extra"] or ""
    for word in EXTRA:
        extra = extra.replace(word, said(word, language))
    return f"{shown}  [{extra}]" if extra else shown
