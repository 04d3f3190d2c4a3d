"""The wordings of the picker, of the first run and of the questions that lead to a configuration."""

from app.wordings.wording import Wording


class StartKind(Wording):
    """What is said to somebody who begins."""

    # The picker
    BY_WORDS = "words"
    BY_MEANING = "words and meaning"
    COUNTED = "{first} of {count}"
    LATEST = "changed last"
    SEARCHING = "searching…"
    NO_RESULT = "Nothing found"
    GONE = "The note cannot be read: {reason}"
    PICK_KEYS = "↑↓ choose · Enter {action} · Tab {other} · Esc leave"
    EDITS = "edit"
    OPENS = "open"
    PRINTS = "print"

    # The first run
    HOLDS_NOTES = "'{folder}' holds {notes} {notes:note|notes} that {notes:is|are} not indexed yet"
    INDEX_NOW = (
        "Index {notes} {notes:note|notes} now, by words? That takes {time}, once; no note is changed or "
        "sent anywhere, and the index lies in your cache folder. [Y/n]"
    )
    SECONDS = "a few seconds"
    ABOUT_SECONDS = "about {seconds} seconds"
    ABOUT_MINUTES = "about {minutes} {minutes:minute|minutes}"
    NO_INDEX = "nothing is indexed yet: '{command}' does it, and so does the first search"
    INDEXED = (
        "{notes} {notes:note|notes} in {languages: and }, {links} {links:link|links}, {tags} {tags:tag|tags}"
    )
    TRY = "Try:"
    MEANING_NEEDS = "To find what was meant in other words too: {command}"
    PICKER_OPENS = "To pick a note as you type: {command}"
    SETTLE = "To leave --vault out, from any folder, and to choose more: {command}"

    # Questions that lead to a configuration
    WHICH_VAULT = "Which vault?"
    VAULT_ANSWER = "A number, or the path of a folder [1]"
    FOLDER_ANSWER = "The path of a folder with notes"
    NO_FOLDER = "'{given}' is no folder"
    WHICH_MODEL = "A language model for written answers, such as ollama:qwen3; leave it empty to stay offline"
    WHICH_OPENS = "Enter in the picker opens a note in your editor (e) or in Obsidian (o) [{default}]"
    WILL_WRITE = "This goes into '{file}':"
    IS_THERE = "'{file}' is there already; its other settings stay"
    NOTHING_NEW = "'{file}' says this already"
    WRITE_NOW = "Write it? [y/N]"
    WRITE_NEW = "Write it? [Y/n]"
    WRITTEN = "Wrote '{file}'"
    NOT_WRITTEN = "Nothing was written"
    OTHER_HOLDS = "In this folder '{file}' holds instead: it is trusted here, or named"
    WHICH_CLIENT = "Let another program search it too ({clients})? Its name, or nothing"
    NO_CLIENT = "'{given}' is none of them"
    TELL_AGENTS = "Agents can be told what it holds: {command}"
