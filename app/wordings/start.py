"""The wordings of the picker, of the first run and of the questions that lead to a configuration."""

from enum import StrEnum


class StartKind(StrEnum):
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
    NO_INDEX = "nothing is indexed yet: '{command}' does it, and so does the first search"
    MEANING_NEEDS = "To find what was meant in other words too: {command}"
    PICKER_OPENS = "To pick a note as you type: {command}"

    # Questions that lead to a configuration
    WHICH_VAULT = "Which vault?"
    VAULT_ANSWER = "A number, or the path of a folder [1]"
    FOLDER_ANSWER = "The path of a folder with notes"
    NO_FOLDER = "'{given}' is no folder"
    WHICH_MODEL = "A language model for written answers, such as ollama:qwen3; leave it empty to stay offline"
    WILL_WRITE = "This goes into '{file}':"
    IS_THERE = "'{file}' is there already; its other settings stay"
    NOTHING_NEW = "'{file}' says this already"
    WRITE_NOW = "Write it? [y/N]"
    WRITTEN = "Wrote '{file}'"
    NOT_WRITTEN = "Nothing was written"
    WHICH_CLIENT = "To let another program's agent search it too: {command}"
