"""The wordings of what is said of work that lasts."""

from enum import StrEnum


class WorkKind(StrEnum):
    """What is done, how far it is, what can be asked meanwhile, and what is kept of it."""

    INDEXING = "Indexing"
    EMBEDDING = "Embedding"
    LOADING_MODEL = "Loading the model"
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
