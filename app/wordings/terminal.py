"""The wordings of what a terminal says around results."""

from enum import StrEnum


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
