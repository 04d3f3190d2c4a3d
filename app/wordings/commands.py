"""The wordings of what commands say: around lists and changes, at the beginning, and of work that lasts."""

from enum import StrEnum


class CommandKind(StrEnum):
    """What is asked, and said, at a terminal."""

    # Of a change of many notes
    TAGS_MERGE = "#{new} is there already: in {count} {count:note|notes} nothing will tell the two apart"
    LINKS_LOST = "links that will lead nowhere: {count}"
    EXCLUDED_LEFT = "excluded notes are neither read nor changed"

    # What became of a write
    NO_SUCH_TAG = "No note has #{old}"
    NO_SUCH_TEXT = "No note holds '{old}'"
    FOUND_THERE = "'{path}' is there already"
    NOBODY_APPROVES = "nothing was written: nobody is here to approve it"
    ADD_YES = "add --yes"
    IN_ANOTHER_VAULT = (
        "This is about the vault '{folder}', not about the one of this folder; --vault . means that"
    )
    DECLINED = "Nothing was written"
    NOTHING_CHANGES = "Nothing changed in '{path}'"

    # Lists of notes
    SOME_NOTES_LISTED = "{shown} of {count} notes; all with --limit 0"
    DAY_CREATED = "created"
    DAY_MODIFIED = "modified"
    DAY_ABOUT = "of that day"
    DAY_HEADING = "line {lines}"
    RELATED_LINK = "linked"
    RELATED_TARGETS = "both link to {names}"
    RELATED_TAGS = "both {names}"
    RELATED_WORDS = "same words"
    RELATED_MEANING = "alike in meaning"

    # An editor, and Obsidian
    COPY_STAYS = (
        "the editor came back at once; if it still has the note open, save there, then: {command} (an "
        "editor with windows needs an option to wait, as in EDITOR='code --wait')"
    )
    TEXT_KEPT = "'{path}' was not written: {reason}. Your text is kept in {file}"
    HOW_TO_GO_ON = "the first command shows what differs, the second makes your text the note:"
    CHANGED_MEANWHILE = "the note changed while you wrote"
    EDITOR_FAILED = "the editor ended with code {code}"
    OPENED = "Opened '{path}' in Obsidian"
    NAMED_BY_ALIAS = "'{alias}' is an alias of '{path}'"
    NO_TEMPLATE = "the template '{name}' is not there; the note is made without it"
    OTHER_TEMPLATER = "'{name}' holds code of the plugin Templater, which stays as it is"

    # A write in the list of writes
    WAS_UNDONE = "taken back"
    NO_WRITES = "Nothing was written yet"


class TerminalKind(StrEnum):
    """What stands below results, or in their place."""

    ALL_SHOWN = "{count} {count:result|results}"
    SOME_SHOWN = "{first} to {last} of {count} results; the next: --offset {last}"
    BEST_SHOWN = "{first} to {last}, likeliest first; the next: --offset {last}"
    LAST_SHOWN = "{first} to {last}, the last results"
    NOTES_OF_BEST = "{count} {count:note|notes}, the best; more with --limit"
    NOTHING_FOUND = "Nothing found for '{query}'"
    NOTHING_THERE = "Nothing found"
    PAST_THE_END = "There are no results after the first {offset}; in all there are {count}"


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


class WorkKind(StrEnum):
    """What is done, how far it is, what can be asked meanwhile, and what is kept of it."""

    INDEXING = "Indexing"
    EMBEDDING = "Embedding"
    LOADING_MODEL = "Loading the model"
    MAKING_MODEL = "The model is made ready first, once on this machine: that takes a minute or two"
    WORDS_MEANWHILE = (
        "Meanwhile, 'find' in another terminal searches what is indexed. Ctrl-C stops and keeps that"
    )
    MEANING_MEANWHILE = (
        "Words can be searched already; meaning follows, newest notes first. Ctrl-C stops and keeps it"
    )
    NOTES_INDEXED = (
        "{total} {total:note|notes} in the index: {written} written, {deleted} deleted, {seconds:.2f} s"
    )
    PASSAGES_EMBEDDED = "{count} {count:passage|passages} embedded, {seconds:.1f} s ({rate:.0f}/s)"
    TOO_LARGE = (
        "{count} {count:note is|notes are} larger than the setting 'max_note_bytes' ({limit}) and found by "
        "name only, the first '{path}'; set it to {needed} to have {count:it|all} read"
    )
    NOT_READ_WHOLE = (
        "{count} {count:note|notes} could not be read whole, the first '{path}'; 'vault-assistant status' "
        "says why"
    )
    EMBEDDED_ELSEWHERE = "another process is embedding"
    WORDS_ONLY = "Words only: {reason}"
    NO_VECTORS = "The words are indexed; vectors are not: {reason}"
    WORDS_STOPPED = (
        "Stopped. {done} of {total} {total:note is|notes are} in the index and can be found; "
        "'vault-assistant index' goes on from there"
    )
    MEANING_STOPPED = (
        "Stopped. All notes can be found by their words, and {share:.0%} of their passages by meaning; "
        "'vault-assistant index' goes on from there"
    )
    WATCHING = "Watching for changes; Ctrl-C ends"

    # What the page waits for before it searches by meaning
    MEANING_AFTER_INDEX = "search by meaning waits until the index is built"
    MEANING_AFTER_MODEL = "search by meaning is being made ready: its model is loading"
    MEANING_AFTER_VECTORS = "search by meaning is being prepared: {share:.0%} of the passages are ready"


class ChangeKind(StrEnum):
    """What changed besides, and what stayed."""

    PROPERTIES_KEPT = "the property block was kept"
    LINKING_NOTES = "{count} other {count:note|notes} with links to it ({names})"
    LINKS_REWRITTEN = "links rewritten in {count} other {count:note|notes}"
    LINKS_TAKEN = (
        "'{path}' has the same name: {count} {count:link that led|links that led} to it {count:leads|lead} "
        "to the new note"
    )
    LINKS_UNSEEN = "links in '{path}' were not all looked at: {reason}"
    CANVASES_REWRITTEN = "{count} {count:canvas|canvases} now {count:shows|show} it by its new path"
    HEADING_LEFT_OUT = "the text's first heading '{heading}' is left out: it is that of the section"
    ESCAPED_LINE_ENDS = (
        "the text has no line end, but \\n as two characters, and is written as it is; for line ends, send "
        "\\n with one backslash in JSON, not two"
    )
    NOTE_UNSEEN = "'{path}' could not be read, and is left as it is: {reason}"
    NOTE_LEFT = "left as it is: {reason}"
    EXCLUDED_LINKS_UNSEEN = "links in {count} excluded {count:place|places} were not all looked at"
    EXCLUDED_CHANGED = "{count} excluded {count:note|notes} changed too, not shown"
    TRASHED_COPY_STAYS = "the copy in the system's trash stays there"
    FAILED_LATE = "{path}: {reason}"
    REMAINS_LEFT = "what the write that was taken back had left could not all be removed: {reason}"
    JOURNAL_INCOMPLETE = (
        "{operation} is done, but the journal could not be completed: {reason}; the next command completes it"
    )
