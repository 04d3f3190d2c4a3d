"""``ask`` and ``chat``: the assistant in the terminal."""

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from app.bootstrap import new_trace_id
from app.cli import options, output
from app.errors import BadRequestError, EngineMissingError, VaultError
from app.sentences import Language, Sentence, said, typed
from app.showing import in_line

if TYPE_CHECKING:
    from app.chat.ask.concat import Document
    from app.chat.conversation import Conversation
    from app.search.searcher import Searcher
    from app.vault.client import VaultClient

EXAMPLES = {
    "ask": (
        "Examples:\n\n\b\n"
        "  vault-assistant ask 'What did we decide about the heating?'\n"
        "  vault-assistant ask --model ollama:qwen3 'Où en est la serre ?'\n"
        "  vault-assistant ask --full 'What did we decide about the heating?'\n"
        "  echo 'What did we decide?' | vault-assistant ask -\n\n"
        "The answer comes with its sources below it as path:line; --full shows the notes themselves after "
        "it. The exit code is 1 where the notes do not seem to say."
    ),
    "chat": (
        "In the chat: /new forgets the conversation, /save makes a note of it, /help lists the commands, "
        "/quit or Ctrl-D ends it.\n\n"
        "Example:\n\n\b\n"
        "  vault-assistant chat --model ollama:qwen3 --vault ~/Notes"
    ),
}
ModelOption = Annotated[
    str | None,
    options.option("--model", "NAME", "A model as pydantic-ai names it, such as ollama:qwen3; or offline."),
]
IN_ENGLISH = {"/nouveau": "/new", "/enregistrer": "/save", "/aide": "/help", "/quitter": "/quit"}
"""Each command of a chat has both its names, whichever language is spoken."""
QUIT = ("/quit", "/exit", "quit", "exit")
SLASH_HELP = (
    "/new    forget the conversation and start a new one\n"
    "/save   make a note of the conversation; /save NOTE chooses where, /save FOLDER/ in which folder\n"
    "/help   list these commands\n"
    "/quit   end the chat; so do /exit, quit, exit and Ctrl-D\n"
    "Ctrl-C  stop an answer, and keep what was said; a write that is asked about is not made"
)


def ask(
    calls: options.Calls,
    question: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="QUESTION", help="What to ask; - reads it from standard input, as a pipe does."
        ),
    ] = None,
    model: ModelOption = None,
    full: Annotated[bool, typer.Option("--full", help="Show the notes too: the whole document.")] = False,
    why: Annotated[
        str | None, options.option("--why", "NOTE", "Say why a note is not quoted, without a model.")
    ] = None,
) -> int:
    """Answer one question, naming the notes and lines."""
    from app.cli.build import finish_indexes
    from app.cli.secrets import person_asked
    from app.vault.named import ALONE

    words = list(question or ())
    is_piped = words == ["-"] or (not words and not sys.stdin.isatty())
    text = (sys.stdin.read() if is_piped else " ".join(words)).strip()
    if not text:
        raise typer.BadParameter("the question is empty")
    vaults, screen = calls.open(), output.screen()
    begun: list[Searcher] = []
    if why is not None:
        return _told_why(vaults, text, why, as_json=calls.as_json)
    with person_asked(text):
        # Programs read English where the question tells no language.
        document, name = _answered(vaults, text, model, "en" if calls.as_json else screen.language, begun)
    if calls.as_json:
        output.show_json(
            {
                "question": text,
                "model": name,
                "answer": document.text,
                "overview": document.overview,
                "answered": document.is_answered,
                "claims": [asdict(claim) for claim in document.claims],
                "files": [
                    {"path": block.path, "lines": block.range, "text": block.text}
                    for block in document.blocks
                ],
                "notices": document.remarks,
            }
        )
    elif full or ALONE not in vaults:
        output.show_printed(screen.printed(document.text if full else f"{document.head}\n"))
    else:
        from app.chat.shown import shown_answer

        output.show_printed(shown_answer(document, vaults[ALONE], screen))
    finish_indexes(begun)
    return output.FOUND if document.blocks and document.is_answered else output.NOTHING


def _told_why(vaults: "Mapping[str, VaultClient]", question: str, note: str, *, as_json: bool) -> int:
    """Say where the lines of a note stand among what could be quoted for a question without a model."""
    from app.chat.evidence.gather import gather
    from app.chat.evidence.why import why
    from app.cli.build import ready_vaults
    from app.cli.parts import find_part
    from app.cli.secrets import person_asked
    from app.search.request import parse_request
    from app.search.searcher import searcher_for
    from app.vault.named import ALONE

    if ALONE not in vaults:
        raise BadRequestError("--why asks one vault", "name it by --vault")
    vault = ready_vaults(vaults)[ALONE]
    path, _ = find_part(vault, note)
    with person_asked(question):
        gathered = gather(vault, question)
        found = why(gathered, path)
    if as_json:
        output.show_json({"question": question, "found": found.place == 1, **asdict(found)})
        return output.FOUND if found.place == 1 else output.NOTHING
    if found.span is None:
        asked = {"operation": gathered.mode, "query": question, "note_path": path, "explain": True}
        reasons = searcher_for(vault).why(parse_request(asked))[0].reasons
        output.show(Sentence("'{path}' is not among the passages that were found.", path=path))
        for reason in reasons:
            output.show(Sentence("{reason:capital}.", reason=typed(reason)))
        return output.NOTHING
    output.show(
        Sentence(
            "Line {line} of '{path}' stands at place {place} of {total}: {text}",
            line=found.span.first,
            path=path,
            place=found.place,
            total=found.total,
            text=in_line(found.span.plain),
        )
    )
    output.show(Sentence("What each number adds to it, and to what comes first:"))
    for name, (mine, first) in found.numbers.items():
        output.show(f"  {name:8}  {mine:+5.2f}  {first:+5.2f}")
    output.show(
        Sentence(
            "The first answers with a chance of {chance:.2f}; from {least:.2f} it is quoted.",
            chance=found.chance,
            least=vault.settings.ask_probability,
        )
    )
    return output.FOUND if found.place == 1 else output.NOTHING


def _answered(
    vaults: "Mapping[str, VaultClient]",
    question: str,
    model: str | None,
    language: Language,
    begun: "list[Searcher]",
) -> tuple["Document", str]:
    """Answer a question: the document and the model's name."""
    from app.chat.ask.answer import model_for
    from app.chat.ask.several import ask_vaults_async
    from app.cli.build import ready_vaults
    from app.config.settings import OFFLINE
    from app.llm.loop import run

    chosen = model_for(next(iter(vaults.values())), model)
    if chosen is not None:
        _without_banner()
    asked = ask_vaults_async(
        ready_vaults(vaults, begun=begun),
        question,
        model=chosen or OFFLINE,
        trace_id=new_trace_id(),
        tell=_tell_call,
        language=language,
    )
    return run(asked), OFFLINE if chosen is None else chosen.model_name


def _without_banner() -> None:
    """Keep the agent library from printing about itself."""
    import pydantic_ai

    pydantic_ai.BANNER_ENABLED = False


def chat(place: options.Place, model: ModelOption = None) -> int:
    """Talk with the assistant in the terminal."""
    from app.cli.secrets import person_asked

    opened, is_interactive = place.open(), output.is_interactive()
    conversation = _conversation(opened, model)
    if is_interactive:
        from app.config.settings import OFFLINE
        from app.search.searcher import searcher_for

        # Without the extra each search looks for itself.
        with suppress(EngineMissingError):
            searcher_for(opened).watch()
        name = conversation.model.model_name
        begun = Sentence(
            "Vault {name}, model {model}. /new starts afresh, /help lists the commands, /quit ends.",
            name=opened.name,
            model=Sentence("offline") if name == OFFLINE else name,
        )
        output.tell(begun)
    with person_asked():
        failed = _talk(conversation, _reader())
    return output.FAILED if failed and not is_interactive else output.FOUND


def _reader() -> Callable[[], str | None]:
    """Return what reads a person's lines: commands completed, earlier lines brought back on a terminal."""
    if not output.is_interactive():
        return lambda: line.strip() if (line := sys.stdin.readline()) else None
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return lambda: output.asked("\n>")
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter

    commands = [*(IN_ENGLISH if output.screen().language == "fr" else ()), *IN_ENGLISH.values()]
    session: PromptSession[str] = PromptSession(
        completer=WordCompleter(commands, sentence=True), complete_while_typing=False
    )

    def read() -> str | None:
        output.tell("")
        while True:
            # Ctrl-C gives up what stands on the line.
            with suppress(KeyboardInterrupt):
                try:
                    return session.prompt("> ").strip()
                except EOFError:
                    return None

    return read


def _talk(conversation: "Conversation", ask_next: Callable[[], str | None]) -> bool:
    """Take what the person says until they end the chat, and say whether something failed."""
    failed = False
    while (question := ask_next()) is not None:
        word, _, rest = question.partition(" ")
        command = IN_ENGLISH.get(word, word)
        if question in QUIT or (command == "/quit" and not rest):
            break
        if command == "/new" and not rest:
            conversation.forget()
            output.tell(Sentence("A new conversation."))
        elif command == "/help" and not rest:
            output.tell(Sentence(SLASH_HELP))
        elif command == "/save":
            failed = not _save(conversation, rest.strip()) or failed
        elif question.startswith("/"):
            output.tell(
                Sentence("unknown command '{command}'; /help lists the commands", command=in_line(question))
            )
        elif question:
            try:
                _turn(conversation, question)
                failed = conversation.broke_off or failed
            except VaultError as error:
                failed = True
                output.tell_error(error.message, error.hint)
            except KeyboardInterrupt:
                if not output.is_interactive():
                    raise
                output.tell(Sentence("\n(interrupted)"))
    return failed


def _save(conversation: "Conversation", path: str) -> bool:
    """Make a note of the conversation, and say where, or why not."""
    try:
        saved = conversation.save(path or None, trace_id=new_trace_id())
    except VaultError as error:
        output.tell_error(error.message, error.hint)
        return False
    output.tell(Sentence("Saved as '{path}'; 'vault-assistant undo' takes it back.", path=in_line(saved)))
    return True


def _turn(conversation: "Conversation", question: str) -> None:
    """Answer one question, printing the text as it comes and, for a person, each tool call."""
    from app.cli.flow import Flow
    from app.llm.loop import run as wait_for

    said: list[str] = []
    flow = Flow(output.screen().columns)

    def say(text: str) -> None:
        output.say(flow.broken(text))
        output.flush()
        said.append(text)

    try:
        wait_for(conversation.ask(question, say, _tell_call, trace_id=new_trace_id()))
    except KeyboardInterrupt:
        output.say(flow.rest())
        if "".join(said).strip():
            conversation.keep_stopped(question, "".join(said))
        raise
    say("\n")


def _tell_call(call: str) -> None:
    """Show a person, if one is there, which tool is called."""
    if output.is_interactive():
        output.tell(f"· {in_line(said(call, output.screen().language))}")


def _conversation(vault: "VaultClient", name: str | None) -> "Conversation":
    from app.chat.approval import approve
    from app.chat.ask.answer import model_for
    from app.chat.conversation import Conversation
    from app.chat.offline.assistant import offline_model
    from app.cli.build import refuse_unknown
    from app.dependencies import ChatDependencies

    _without_banner()
    language = output.screen().language
    asking = approve if output.is_interactive() else None
    dependencies = ChatDependencies(vault, new_trace_id(), vault.settings.writes, asking, language)
    conversation = Conversation(dependencies, model_for(vault, name) or offline_model(language))
    refuse_unknown(vault)
    return conversation
