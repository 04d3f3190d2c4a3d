"""What is raised in English can be said in French, with the facts it was raised with."""

import ast
import copy
import pickle
import re
from collections.abc import Iterator
from string import Formatter
from typing import NamedTuple

import pytest

from app import NAME, errors
from app.cli.completion import SCRIPTS
from app.cli.help import paragraphs
from app.cli.main import main
from app.errors import NoteNotFoundError, VaultError
from app.mcp.install.clients import CLIENTS
from app.search.operations import OPERATIONS
from app.sentences import Sentence
from app.tests.cli.conftest import all_commands
from app.tests.test_architecture import MODULES
from app.tests.test_notices import TABLES

ERRORS = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, VaultError)
}
SPOKEN = ERRORS | {"Sentence", "BusyError", "NotWaitingError", "PatternError", "fail", "refused"}
"""What is made with a sentence first, and for errors a hint second."""


class Spoken(NamedTuple):
    """A call that says something: where, its texts, whether each is known, and the facts it gives."""

    place: str
    texts: list[ast.expr]
    constants: dict[str, ast.expr]
    facts: set[str]
    is_open: bool


def assigned(name: str) -> dict[str, ast.expr]:
    """The constants of a module, what a function chooses between two, and constants of ours that are imported."""
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    found = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and (node in tree.body or (is_literal(node.value, {}) and "{" in ast.unparse(node.value)))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module in MODULES:
            theirs = ast.parse(MODULES[node.module].read_text(encoding="utf-8"))
            names = {alias.name for alias in node.names}
            for other in theirs.body:
                if isinstance(other, ast.Assign) and ast.unparse(other.targets[0]) in names:
                    found[ast.unparse(other.targets[0])] = other.value
    return found


def spoken() -> Iterator[Spoken]:
    for name, path in MODULES.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = assigned(name)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SPOKEN:
                # The place in an expression is no text.
                texts = node.args[: 2 if node.func.id in ERRORS else 1]
                facts = {keyword.arg for keyword in node.keywords if keyword.arg is not None}
                is_open = any(keyword.arg is None for keyword in node.keywords)
                yield Spoken(f"{name}:{node.lineno}", texts, constants, facts, is_open)


def literals(node: ast.expr, constants: dict[str, ast.expr]) -> list[str]:
    """The texts that an expression can be, as far as they stand in the code."""
    match node:
        case ast.Constant(value=str(text)):
            return [text] if text else []
        case ast.IfExp(body=one, orelse=other):
            return literals(one, constants) + literals(other, constants)
        case ast.Name(id=name) if name in constants:
            return literals(constants[name], {})
        case ast.Attribute(value=ast.Name(id=table), attr=kind) if table in TABLES:
            return [TABLES[table][kind]]
        case _:
            return []


def is_literal(node: ast.expr, constants: dict[str, ast.expr]) -> bool:
    match node:
        case ast.IfExp(body=one, orelse=other):
            return is_literal(one, constants) and is_literal(other, constants)
        case ast.Name(id=name):
            return name in constants
        case ast.Attribute(value=ast.Name(id=table)):
            return table in TABLES
        case ast.Call(func=ast.Name(id="Sentence" | "missing_extra")):
            # A sentence has facts of its own, and takes no others.
            return True
        case _:
            return isinstance(node, ast.Constant)


def facts_of(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


SPEECH = list(spoken())
TEMPLATES = sorted(
    {text for call in SPEECH for node in call.texts for text in literals(node, call.constants)}
)


def test_the_facts_of_a_sentence_are_those_it_is_given() -> None:
    for call in SPEECH:
        if call.facts and not call.is_open:
            named = {
                fact
                for node in call.texts
                for text in literals(node, call.constants)
                for fact in facts_of(text)
            }
            assert named == call.facts, call.place


def test_no_text_is_put_together_where_it_is_raised() -> None:
    made = [
        call.place
        for call in SPEECH
        for node in call.texts
        for part in ast.walk(node)
        if isinstance(part, ast.JoinedStr | ast.BinOp)
        and not any(part in ast.walk(each) for each in ast.walk(node) if isinstance(each, ast.Call))
    ]
    assert made == []


def test_beside_facts_stand_only_texts_of_the_code() -> None:
    """A text from elsewhere would be read as a template, with its braces."""
    for call in SPEECH:
        if call.facts:
            assert all(is_literal(node, call.constants) for node in call.texts), call.place


def test_an_error_is_said_in_both_languages() -> None:
    error = NoteNotFoundError(
        "no note at '{path}'", "did you mean '{near:' or '}'?", path="{a}.md", near=("a.md", "b.md")
    )
    assert str(error) == "no note at '{a}.md'. did you mean 'a.md' or 'b.md'?"
    assert error.said("fr") == "aucune note « {a}.md ». vouliez-vous dire « a.md » ou « b.md » ?"


def test_a_copy_of_a_sentence_is_said_in_french_too() -> None:
    sentence = Sentence("no note at '{path}'", path="a.md")
    for copied in (copy.deepcopy(sentence), pickle.loads(pickle.dumps(sentence))):
        assert (copied, copied.said("fr")) == (sentence, "aucune note « a.md »")


def help_texts() -> set[str]:
    """Every text of help that is translated by itself."""
    texts = {(operation.__doc__ or "").partition("\n")[0] for operation in OPERATIONS.values()}
    for command in all_commands().values():
        shown = [command.help, command.epilog, command.short_help]
        shown += [getattr(parameter, "help", None) for parameter in command.params]
        texts |= {part for text in shown if text for part in paragraphs(text)}
    assert len(texts) > 150
    return texts


OF_NO_LANGUAGE = frozenset((
    "budget", "Budget", "juillet", "milvus", "journal", "Port", "Avel", "Port-Avel", "grep", "xargs", "wc", "project",
    "petrel", "Où", "en", "est", "la", "serre",
))  # fmt: skip
"""Words of examples that are names of folders, or French."""


def is_command_alone(line: str) -> bool:
    """Whether an example has no word of English besides the program's own: commands, options, values."""
    if not line.startswith("  "):
        return False
    commands = all_commands()
    own = {*" ".join(commands).split(), NAME, *OF_NO_LANGUAGE}
    for command in commands.values():
        own |= {option for each in command.params for option in each.opts}
    own |= {*CLIENTS, *SCRIPTS, *OPERATIONS}
    # A path, a model's name and a number are no words.
    plain = [word for word in line.split() if not re.search(r"[/~:=0-9|>.,]", word)]
    return all((part.strip("'?") or NAME) in own or part.startswith("-") for part in plain)


def test_help_is_french_where_french_is_spoken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert main(["serve", "--help"]) == 0
    shown = capsys.readouterr().out
    assert "Usage : vault-assistant serve" in shown
    assert "Options :" in shown
    assert "Où écouter.  [par défaut : 127.0.0.1]" in shown
    assert "variable : VAULT_ASSISTANT_WEB_TOKEN" in " ".join(shown.split())
    assert "Montrer ce message et terminer." in shown
    assert main(["find", "--limit", "many", "larch"]) == 2
    assert capsys.readouterr().err == (
        "erreur : valeur invalide pour « --limit » : il faut un nombre entier\n"
        "conseil : voir « vault-assistant find --help »\n"
    )
