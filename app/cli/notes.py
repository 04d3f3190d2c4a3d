"""``cat``, ``edit``, ``new`` and ``daily``: a note at the terminal, as its person meets it."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.bootstrap import new_trace_id
from app.cli import change, options, output
from app.cli.parts import find_part, find_parts, part_of, span_of
from app.errors import BadRequestError, NoteNotFoundError, VaultError
from app.sentences import Sentence, Worded, reason_of

if TYPE_CHECKING:
    from app.vault.client import VaultClient

EXAMPLES = {
    "cat": (
        "Examples:\n\n\b\n"
        "  vault-assistant cat Home\n"
        "  vault-assistant cat 'Projects/Garden#Tasks' > tasks.md\n"
        "  vault-assistant cat 'Garden#^budget'\n"
        "  vault-assistant find larch -l -0 | xargs -0 vault-assistant cat"
    ),
    "edit": (
        "The editor is $VISUAL, else $EDITOR, and works on a copy. When it ends, the note is written if it "
        "is still as it was; if not, your text is kept in a file that is named. 'undo' takes it back.\n\n"
        "Examples:\n\n\b\n"
        "  vault-assistant edit Projects/Garden\n"
        "  EDITOR='code --wait' vault-assistant edit 'Garden#Tasks'\n"
        "  vault-assistant edit --obsidian Home\n"
        "  vault-assistant edit Projects/Garden --set status=done --set tags+=glass --set tags-=todo\n"
        "  vault-assistant edit Home --tick 'mend the pane'"
    ),
    "new": (
        "It goes where Obsidian's setting for new notes says. A template is looked for in the vault's folder "
        "of templates; {{title}}, {{date}}, {{time}} and {{date:FORM}} are filled in.\n\n"
        "Examples:\n\n\b\n"
        "  vault-assistant new Larch for the keel\n"
        "  vault-assistant new 'Call with Ana' --template Meeting --edit\n"
        "  vault-assistant new Budget --folder Projects/Garden\n"
        "  vault-assistant new Inbox --append 'Ask Ana about the larch'"
    ),
    "daily": (
        "Folder, form of the name and template are those of Obsidian's daily notes, and for a week, month, "
        "quarter or year those of Periodic Notes. Before a note of another time than now is made, you are "
        "asked.\n\n"
        "Examples:\n\n\b\n"
        "  vault-assistant daily --edit\n"
        "  vault-assistant daily yesterday\n"
        "  vault-assistant daily week\n"
        "  vault-assistant daily month last month\n"
        "  vault-assistant daily 14 juillet 2025"
    ),
}
EDITORS = ("sensible-editor", "nano", "vi")
LINE_EDITORS = frozenset(
    {"vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "micro", "kak", "joe", "ne", "mg"}
)
"""Editors that open a file at a line by ``+LINE``."""
ON_TERMINALS = frozenset({*EDITORS, *LINE_EDITORS, "ed", "ex", "hx", "helix", "mcedit"}) - {
    "emacs", "emacsclient",
}  # fmt: skip
"""Editors that wait for keys of a terminal, and would wait for ever where there is none."""
AT_ONCE_SECONDS = 1.0
"""An editor that comes back sooner, with nothing changed, may still have the note open in a window."""

Words = Annotated[list[str], typer.Argument(metavar="NOTE[#HEADING]", help="A note's name or path.")]
EditOption = Annotated[bool, typer.Option("--edit", "-e", help="Go on in your editor.")]


def cat(
    place: options.Place,
    note: Annotated[
        list[str],
        typer.Argument(
            metavar="NOTE[#HEADING]", help="Names or paths; words that name one note may be bare."
        ),
    ],
) -> int:
    """Print a note, or the part under a heading, as it stands."""
    from app.notes.document import open_document

    opened = place.open()
    shown = list[bytes]()
    for path, part in find_parts(opened, note):
        document = open_document(opened, path)
        shown.append(part_of(document, part) if part else document.data)
    output.show_bytes(shown)
    return output.FOUND


def edit(
    call: options.Call,
    note: Words,
    obsidian: Annotated[
        bool, typer.Option("--obsidian", help="Open it in Obsidian; where that cannot be, print its address.")
    ] = False,
    properties: Annotated[
        list[str] | None,
        options.option("--set", "NAME=VALUE", "Set a property; NAME+=VALUE, NAME-=VALUE for one of a list."),
    ] = None,
    task: Annotated[
        str | None, options.option("--tick", "TEXT|LINE", "Tick the task of this text, or at this line.")
    ] = None,
    yes: options.YesOption = False,
) -> int:
    """Change a note in your editor; set a property, tick a task."""
    from app.notes.answer import planned

    opened, trace_id = call.open(), new_trace_id()
    path, part = find_part(opened, " ".join(note), files=obsidian)
    if properties and task is not None:
        raise BadRequestError("--set and --tick are two changes", "make one after the other")
    if properties or task is not None:
        name, wanted = ("set", "\n".join(properties or ())) if task is None else ("tick", task)
        place = "lines" if task and task.isdecimal() else "content"
        plan = planned(opened, {"operation": name, "path": f"./{path}", place: wanted}, trace_id=trace_id)
        return change.make(opened, [plan], call, trace_id, asks=not yes)
    return _in_obsidian(opened, path, part) if obsidian else _edited(opened, path, part, call)


def _edited(vault: "VaultClient", name: str, part: str, call: options.Call) -> int:
    """Let a person change a copy of a note, and write what they saved."""
    from app.errors import ConflictError
    from app.journal.recover import recover
    from app.notes.answer import changes_nothing
    from app.notes.document import open_document
    from app.notes.find import existing
    from app.notes.models import NoteRequest
    from app.notes.working_copy import WorkingCopy

    recover(vault)
    request = NoteRequest(operation="update", path=f"/{name}", allow_excluded=True)
    document = open_document(vault, existing(vault, request))
    line = span_of(document, part).first if part else 1
    editor = _editor()
    copy = WorkingCopy(vault, document)
    began = time.monotonic()
    try:
        code = _run(editor, copy.file, line)
    except BadRequestError:
        copy.drop()
        raise
    plan = copy.plan()
    reason: Worded | None = Sentence("the editor ended with code {code}", code=code) if code else None
    file = shlex.quote(str(copy.file))
    if changes_nothing(plan):
        if code == 0 and time.monotonic() - began < AT_ONCE_SECONDS:
            told = (
                "the editor came back at once; what you still save there goes to {file} (an editor with "
                "windows needs an option to wait, as in EDITOR='code --wait')"
            )
            change.tell(Sentence(told, file=file))
        else:
            copy.drop()
        if reason:
            raise VaultError(reason, Sentence("Nothing changed in '{path}'", path=change.named(plan.path)))
    if reason is None:
        try:
            ended = change.make(vault, [plan], call, new_trace_id(), asks=False)
            if not changes_nothing(plan):
                copy.drop()
            return ended
        except ConflictError:
            reason = Sentence("the note changed while you wrote")
        except VaultError as error:
            reason = error.message
    raise VaultError(
        "'{path}' was not written: {reason}",
        Sentence("your text is kept in {file}; compare it with the note, and go on from there", file=file),
        path=change.named(plan.path),
        reason=reason,
    )


def _editor() -> list[str]:
    """Return the person's editor, as words of a command.

    Raises:
        BadRequestError: there is none, or it needs a terminal and there is none.
    """
    named = (os.environ.get(name, "").strip() for name in ("VISUAL", "EDITOR"))
    found = next(filter(None, named), None) or next(filter(shutil.which, EDITORS), "")
    try:
        editor = shlex.split(found)
    except ValueError:
        editor = [found]
    if not editor:
        raise BadRequestError("no editor is there", "name one: EDITOR=nano vault-assistant edit NOTE")
    if Path(editor[0]).name in ON_TERMINALS and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadRequestError(
            "the editor '{editor}' needs a terminal, and this is none",
            "name a program by VISUAL that needs none, such as VISUAL='cp FILE'",
            editor=editor[0],
        )
    return editor


def _run(editor: list[str], file: Path, line: int) -> int:
    """Run an editor on a file, and return how it ended.

    Raises:
        BadRequestError: it cannot be started.
    """
    at_line = [f"+{line}"] if line > 1 and Path(editor[0]).name in LINE_EDITORS else []
    sys.stdout.flush()
    # Ctrl-C in an editor is the editor's; a handler of ours, unlike ignoring it, is not handed on to it.
    kept = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        return subprocess.run([*editor, *at_line, str(file)], check=False).returncode
    except OSError as error:
        raise BadRequestError(
            "the editor '{editor}' cannot be started: {reason}",
            "set VISUAL or EDITOR",
            editor=editor[0],
            reason=reason_of(error),
        ) from error
    finally:
        signal.signal(signal.SIGINT, kept)


def _in_obsidian(vault: "VaultClient", path: str, part: str) -> int:
    """Open a note in Obsidian; in a pipe, or where nobody looks at a screen, print its address."""
    from app.search.show.results import uri

    address = uri(vault, f"{path}#{part}" if part else path)
    is_seen = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if is_seen and sys.stdout.isatty() and typer.launch(address, wait=True) == 0:
        address = change.sentence(Sentence("Opened '{path}' in Obsidian", path=change.named(path)))
    output.show(address)
    return output.FOUND


def new(
    call: options.Call,
    title: Annotated[list[str], typer.Argument(metavar="TITLE", help="What the note is called.")],
    template: Annotated[
        str | None, options.option("--template,-t", "NAME", "Make it of this template.")
    ] = None,
    folder: Annotated[
        str | None, options.option("--folder", "FOLDER", "Put it there, and not where Obsidian would.")
    ] = None,
    append: Annotated[
        str | None,
        options.option("--append", "TEXT", "Add this to its end, also where it is there; - reads a pipe."),
    ] = None,
    goes_on: EditOption = False,
) -> int:
    """Make a note, where and as Obsidian would, or add to one."""
    from app.notes.template import find_template, place_for

    opened = call.open()
    written = " ".join(title)
    added = sys.stdin.read() if append == "-" else append
    if added is not None and (path := _existing(opened, written)) is not None:
        wanted = {"operation": "append", "path": f"./{path}", "content": added}
        return _written(opened, wanted, call, goes_on=goes_on)
    if "/" in written and folder is None:
        written = output.target_named(opened, written).removeprefix("./")
    path = place_for(opened, written, output.folder_named(opened, folder), _working_folder(opened))
    text = ""
    if template is not None:
        text = _filled(opened, find_template(opened, template), path, datetime.now())
    if added is not None:
        text = f"{text.rstrip()}\n\n{added}".lstrip().rstrip("\n") + "\n"
    wanted = {"operation": "create", "path": f"./{path}", "content": text}
    return _written(opened, wanted, call, goes_on=goes_on)


def _existing(vault: "VaultClient", name: str) -> str | None:
    try:
        return find_part(vault, name)[0]
    except NoteNotFoundError:
        return None


def daily(
    call: options.Call,
    day: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DAY",
            help="yesterday, 2025-07-14; week, month, quarter, year: of today, or of a day.",
        ),
    ] = None,
    goes_on: EditOption = False,
    yes: options.YesOption = False,
) -> int:
    """Find the note of a day, week, month, quarter or year, or make it."""
    from app.notes.template import daily_of, find_template
    from app.search.query.times import named_day, named_days
    from app.vault.obsidian import UNITS

    opened, words, today = call.open(), day or [], datetime.now().date()
    unit = next((each for each in UNITS if words[:1] == [each]), None)
    named = " ".join(words[1:] if unit else words) or "today"
    meant = named_days(named)[0] if unit else named_day(named)
    found, current = (daily_of(opened, each, change.language(), unit or "day") for each in (meant, today))
    if found.is_there:
        if goes_on:
            return _edited(opened, found.path, "", call)
        said = Sentence("'{path}' is there already", path=change.named(found.path))
        return _shown(opened, said, found.path, call, is_new=False)
    text = ""
    if found.template:
        try:
            source = find_template(opened, f"/{found.template}")
        except NoteNotFoundError:
            change.tell(
                Sentence(
                    "the template '{name}' is not there; the note is made without it",
                    name=change.named(found.template),
                )
            )
        else:
            text = _filled(opened, source, found.path, datetime.combine(found.first, datetime.now().time()))
    asks = found.first != current.first and not yes
    wanted = {"operation": "create", "path": f"./{found.path}", "content": text}
    return _written(opened, wanted, call, asks=asks, goes_on=goes_on)


def _filled(vault: "VaultClient", template: str, path: str, moment: datetime) -> str:
    """Return the text of a new note by a template; one with code of another program is told of."""
    from app.notes.template import filled

    title = path.rpartition("/")[2][:-3]
    text = filled(vault, vault.read(template).text, title, moment, change.language())
    if "<%" in text:
        change.tell(
            Sentence(
                "'{name}' holds code of the plugin Templater, which stays as it is",
                name=change.named(template),
            )
        )
    return text


def _written(
    vault: "VaultClient", wanted: dict[str, str], call: options.Call, *, asks: bool = False, goes_on: bool
) -> int:
    """Make a note, or add to one, and show where, or go on in an editor; where it ``asks``, after a yes."""
    from app.notes.answer import planned

    if goes_on:
        # Says what is wrong with the editor before there is a note.
        _editor()
    trace_id = new_trace_id()
    plan = planned(vault, wanted, trace_id=trace_id)
    done = change.carried_out(vault, [plan], trace_id, asks=asks)
    if not done:
        change.tell(Sentence("Nothing was written"))
        if call.as_json:
            output.show_json({"path": plan.path, "created": False})
        return output.NOTHING
    if goes_on:
        return _edited(vault, plan.path, "", call)
    return _shown(vault, done[0], plan.path, call, is_new=plan.operation == "create")


def _shown(vault: "VaultClient", said: Sentence, path: str, call: options.Call, *, is_new: bool) -> int:
    """Say where a note is: in a pipe by its path alone, so that another program can go on with it."""
    if call.as_json:
        output.show_json({"path": path, "created": is_new})
    elif sys.stdout.isatty():
        output.show(output.wrapped(change.sentence(said)))
    else:
        output.show(output.place_named(vault, path))
    return output.FOUND


def _working_folder(vault: "VaultClient") -> str:
    """Return the working folder as a folder of the vault; empty where it lies outside, or is hidden."""
    try:
        inside = Path.cwd().resolve().relative_to(vault.root)
    except (OSError, ValueError):
        return ""
    # Obsidian has no notes in a folder such as '.obsidian'.
    return "" if any(part.startswith(".") for part in inside.parts) else "/".join(inside.parts)
