"""The command alone: the picker, and before there is an index what is here and whether to index it."""

import os
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app import NAME
from app.bootstrap import configured, open_configured
from app.cli import output
from app.errors import VaultNotFoundError
from app.notices import Language, LanguageKind, Notice, StartKind
from app.serving.display import has_styles
from app.showing import PATH, in_line

if TYPE_CHECKING:
    from app.config.settings import Configuration
    from app.search.searcher import Searcher
    from app.search.view import View
    from app.vault.client import VaultClient
    from app.vault.scan import VaultScan

NO = ("n", "no", "non")
YES = ("y", "yes", "o", "oui")
MOST_QUESTIONS = 3
LEAST_WORDS, MOST_WORDS = 3, 12
"""Of a heading that is proposed as a query."""
LEAST_SHARE = 0.05
"""Of the notes, for a language to be named."""
BYTES_A_SECOND, NOTES_A_SECOND = 3_000_000, 1500
"""What is indexed by words on one core of an ordinary machine; both are paid."""
MOST_LOOKED_AT = 5000
"""Entries of a folder that are looked at to find out whether it holds notes."""


def start(vault: str | None, config: Path | None, *, prints: bool) -> list[str] | None:
    """Let a person pick a note, or take in what is here; return the command by which the note is opened.

    Args:
        vault: The vault that was named.
        config: The configuration file that was named.
        prints: Print the path of the note that is picked.

    Raises:
        VaultNotFoundError: there is none here.
    """
    from app.search.searcher import searcher_for

    configuration = configured(config)
    opened, is_known = _opened(vault, configuration)
    searcher = searcher_for(opened)
    if not searcher.view().lexical.notes.any():
        _first_run(opened, searcher, is_known=is_known)
        return None
    return _pick(opened, searcher, config, prints=prints)


def can_start(*, prints: bool) -> bool:
    """Return whether a person sits at a terminal where something can be picked."""
    return sys.stdin.isatty() and (sys.stdout.isatty() or (prints and sys.stderr.isatty()))


def asked(question: str) -> str:
    """Ask a person something on the terminal; the end of input is an empty answer."""
    output.tell(output.filled(f"{question} "), end="")
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        output.tell("")
    return answer.strip()


def holds_notes(folder: Path) -> bool:
    """Return whether a folder may be meant as a vault: it holds notes, as far as a short look tells."""
    if folder in (Path.home(), Path(folder.anchor)):
        # A home folder, or a disk, is no vault because a note lies somewhere in it.
        return False
    seen = 0
    for _, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if any(name.lower().endswith(".md") for name in files):
            return True
        seen += len(files) + len(folders)
        if seen > MOST_LOOKED_AT:
            return False
    return False


def _opened(vault: str | None, configuration: "Configuration") -> "tuple[VaultClient, bool]":
    """Open the vault that is meant, else the folder one is in; say whether it is found without its name."""
    try:
        return open_configured(vault, configuration.settings), vault is None
    except VaultNotFoundError:
        here = Path.cwd()
        if vault is not None or not holds_notes(here):
            raise
        return open_configured(str(here), configuration.settings), False


def _first_run(vault: "VaultClient", searcher: "Searcher", *, is_known: bool) -> None:
    """Say what is here, offer to index it, and say what can be asked then."""
    language = output.screen().language
    notes = len(vault.scan().notes)
    if not notes:
        raise VaultNotFoundError("'{root}' holds no notes", "name another folder by --vault", root=vault.root)
    folder = in_line(str(vault.root), PATH)
    output.tell_notice(Notice(StartKind.HOLDS_NOTES, folder=folder, notes=notes))
    if not offers_index(vault, searcher, language):
        return
    view = searcher.view()
    output.show(_described(view, language))
    option = [] if is_known else ["--vault", str(vault.root)]
    questions = questions_of(view)
    if questions:
        output.show(f"\n{Notice(StartKind.TRY).said(language)}")
        for question in questions:
            output.show(f"  {_command('find', in_line(question), *option)}")
    more = [Notice(StartKind.PICKER_OPENS, command=_command(*option))]
    if view.vectors is not None:
        more.insert(0, Notice(StartKind.MEANING_NEEDS, command=_command("index", "--background", *option)))
    if not is_known:
        more.append(Notice(StartKind.SETTLE, command=_command("init")))
    output.show("\n" + "\n".join(output.wrapped(notice.said(language)) for notice in more))


def offers_index(vault: "VaultClient", searcher: "Searcher", language: Language) -> bool:
    """Ask whether the notes of a vault shall be indexed by words, and do so; return whether it was done."""
    from app.cli.build import index_words, indexed_notice

    scan = vault.scan()
    if not scan.notes:
        return False
    now = Notice(StartKind.INDEX_NOW, notes=len(scan.notes), time=_time_for(scan))
    if asked(now.said(language)).casefold() in NO:
        return False
    report = index_words(searcher, language=language)
    output.tell_notice(indexed_notice(report))
    return True


def _time_for(scan: "VaultScan") -> Notice:
    """Say how long it takes to index notes by words, from what they weigh."""
    seconds = sum(note.size for note in scan.notes.values()) / BYTES_A_SECOND
    seconds += len(scan.notes) / NOTES_A_SECOND
    if seconds < 10:
        return Notice(StartKind.SECONDS)
    if seconds < 90:
        return Notice(StartKind.ABOUT_SECONDS, seconds=round(seconds / 10) * 10)
    return Notice(StartKind.ABOUT_MINUTES, minutes=round(seconds / 60))


def _command(*words: str) -> str:
    return shlex.join([NAME, *words])


def _described(view: "View", language: Language) -> str:
    """Say of a vault how many notes it holds, in which languages, with how many links and tags."""
    from app.search.lexical.language import LANGUAGE_CODES

    snapshot = view.snapshot
    docs = snapshot.visible.nonzero()[0].tolist()
    often = Counter(snapshot.lexical.column("language")[docs].tolist())
    spoken = tuple(
        Notice(LanguageKind[LANGUAGE_CODES[language].upper()])
        for language, count in often.most_common()
        if count >= LEAST_SHARE * len(docs)
    )
    return (
        Notice(
            StartKind.INDEXED,
            notes=len(docs),
            languages=spoken,
            links=sum(len(snapshot.links(doc)) for doc in docs),
            tags=len(list(snapshot.lexical.terms("tag:"))),
        ).said(language)
        + "."
    )


def questions_of(view: "View") -> list[str]:
    """Return a few headings, evenly over the vault, that a person could type and look for."""
    snapshot = view.snapshot
    docs = snapshot.chunks_of(snapshot.visible).nonzero()[0].tolist()
    trails = (trail for doc in docs for trail in snapshot.chunk_headings(doc) if trail)
    found = list(dict.fromkeys(trail[-1] for trail in trails if _reads_well(trail[-1])))
    return found[:: max(1, len(found) // MOST_QUESTIONS)][:MOST_QUESTIONS]


def _reads_well(text: str) -> bool:
    """Return whether a text is a phrase that a person could type."""
    words = text.split()
    is_phrase = LEAST_WORDS <= len(words) <= MOST_WORDS and all(word[0].isalpha() for word in words)
    return is_phrase and "[" not in text


def _pick(
    vault: "VaultClient", searcher: "Searcher", config: Path | None, *, prints: bool
) -> list[str] | None:
    """Let a person pick a note, and print its path or return the command that opens it."""
    from prompt_toolkit.output import create_output

    from app.cli.picker import Picker

    screen = output.screen()
    opens = vault.settings.picker_opens
    action = StartKind.PRINTS if prints else StartKind.OPENS if opens == "obsidian" else StartKind.EDITS
    # What is printed may be read by another program; the picker is drawn for the person then.
    drawn = create_output(stdout=sys.stdout if sys.stdout.isatty() else sys.stderr)
    picked = Picker(searcher, screen.language, action).run(drawn, has_colours=has_styles(is_terminal=True))
    if picked is None:
        return []
    if prints:
        output.show(str(vault.root / picked))
        return None
    named: Sequence[str] = ["--config", str(config)] if config is not None else []
    command = ["edit", *(["--obsidian"] if opens == "obsidian" else [])]
    return [*command, "--vault", str(vault.root), *named, "--", str(vault.root / picked)]
