"""The wordings of what the commands for notes say: before a change is made, and of what was made."""

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
    PAGER_TO_QUESTION = "q closes this, then you are asked"
    ADD_YES = "add --yes"
    IN_ANOTHER_VAULT = (
        "This is about the vault '{folder}', not about the one of this folder; --vault . means that"
    )
    DECLINED = "Nothing was written"
    NOTHING_CHANGES = "Nothing changed in '{path}'"

    # Lists of notes
    LINKS_HERE = "Links to it"
    LINKS_THERE = "It links to"
    LINKS_NOWHERE = "Without a note"
    NOTES_LISTED = "{count} {count:note|notes}"
    SOME_NOTES_LISTED = "{shown} of {count} notes; all with --limit 0"
    TASKS_LISTED = "{tasks} {tasks:task|tasks} in {count} {count:note|notes}"
    SOME_TASKS_LISTED = "{shown} of {tasks} tasks in {count} {count:note|notes}; all with --limit 0"
    DAY_CREATED = "created"
    DAY_MODIFIED = "modified"
    DAY_ABOUT = "of that day"
    DAYS_LOOKED_AT = "Days looked at: {days}"
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
    NAMED_WITHOUT_ACCENTS = "'{name}' is '{path}' but for its accents"
    NO_TEMPLATE = "the template '{name}' is not there; the note is made without it"
    OTHER_TEMPLATER = "'{name}' holds code of the plugin Templater, which stays as it is"

    # A write in the list of writes
    WAS_UNDONE = "taken back"
    NO_WRITES = "Nothing was written yet"
