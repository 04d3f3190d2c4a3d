"""The wordings of what a person should know of notes that were changed."""

from enum import StrEnum


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
