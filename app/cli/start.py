"""The command alone: the picker, over notes that are indexed first where they are not yet."""

import os
import sys
from pathlib import Path

from app.bootstrap import configured, open_configured
from app.cli import output
from app.errors import VaultNotFoundError
from app.sentences import Sentence
from app.serving.display import has_styles
from app.showing import PATH, in_line
from app.vault.paths import is_note_name

MOST_LOOKED_AT = 5000
"""Entries of a folder that are looked at to find out whether it holds notes."""


def start(vault: str | None, config: Path | None, *, prints: bool) -> list[str] | None:
    """Let a person pick a note; return the command that opens it, or nothing where its path was printed.

    Args:
        vault: The vault that was named.
        config: The configuration file that was named.
        prints: Print the path of the note that is picked.

    Raises:
        VaultNotFoundError: there is none here, or no note in it.
    """
    from prompt_toolkit.output import create_output

    from app.cli.build import index_words
    from app.cli.picker import Picker
    from app.search.searcher import searcher_for

    settings = configured(config).settings
    try:
        opened = open_configured(vault, settings)
    except VaultNotFoundError:
        if vault is not None or not holds_notes(Path.cwd()):
            raise
        opened = open_configured(str(Path.cwd()), settings)
    searcher = searcher_for(opened)
    if not searcher.view().lexical.notes.any():
        if not (notes := len(opened.scan().notes)):
            raise VaultNotFoundError(
                "'{root}' holds no notes", "name another folder by --vault", root=opened.root
            )
        folder = in_line(str(opened.root), PATH)
        output.tell_notice(
            Sentence(
                "'{folder}' holds {notes} {notes:note|notes} that {notes:is|are} not indexed yet",
                folder=folder,
                notes=notes,
            )
        )
        index_words(searcher)
    in_obsidian = opened.settings.picker_opens == "obsidian"
    action = "print" if prints else "open" if in_obsidian else "edit"
    # What is printed may be read by another program; the picker is drawn for the person then.
    drawn = create_output(stdout=sys.stdout if sys.stdout.isatty() else sys.stderr)
    picked = Picker(searcher, output.screen().language, action).run(
        drawn, has_colours=has_styles(is_terminal=True)
    )
    if picked is None:
        return []
    if prints:
        output.show(str(opened.root / picked))
        return None
    named = ["--config", str(config)] if config is not None else []
    # What is no note is for no editor.
    named += ["--obsidian"] if in_obsidian or not is_note_name(picked) else []
    return ["edit", "--vault", str(opened.root), *named, "--", str(opened.root / picked)]


def holds_notes(folder: Path) -> bool:
    """Return whether a folder may be meant as a vault: it holds notes, as far as a short look tells.

    A home folder, or a disk, is no vault because a note lies somewhere in it.
    """
    seen = 0
    for _, folders, files in os.walk(folder) if folder not in (Path.home(), Path(folder.anchor)) else ():
        if any(name.lower().endswith(".md") for name in files):
            return True
        folders[:] = [name for name in folders if not name.startswith(".")]
        seen += len(files) + len(folders)
        if seen > MOST_LOOKED_AT:
            break
    return False
