"""The wordings of what became of one note in a search, and of what would bring it up."""

from enum import StrEnum


class WhyKind(StrEnum):
    """Where a search lost a note, and what would bring it up."""

    UNKNOWN = "there is no note '{name}' to search: none is called so, or it is excluded"
    NO_NOTE = "'{path}' is no note: only notes are searched"
    NOT_INDEXED = "globs of the index leave '{path}' out"
    LEFT_OUT = "'{path}' is never searched: it is always in the chat's context, or temporary"
    PROBLEM = "'{path}': {reason}"
    FILTERED = "'{path}' does not pass {filters: and }"
    PART = "the query asks for {parts: and }, which '{path}' does not meet"
    NO_WORDS = "'{path}' holds no word of the question"
    NOT_LISTED = (
        "'{path}' is not among the {most} passages nearest by words, nor among the {most} nearest by meaning"
    )
    FOUND = "'{path}' is found at place {place} of {total}, with a score of {score:.2f}"
    BELOW = "'{path}' stands at place {place} of {total}, below the first {shown}, which are shown"
    LOW_SCORE = "the best score of '{path}' is {score:.2f}, below {least}"
    LACKS = "'{path}' lacks {words}"
    TRY_DEEP = "'deep' finds it at place {place}"
    TRY_FURTHER = "{further} shows it"
