"""The wordings of what is wrong with a sentence of an answer, beside the lines it cites."""

from enum import StrEnum


class ClaimKind(StrEnum):
    """Why a sentence is not borne out, and what became of it."""

    OTHER_WORDS = "“{words}” is quoted, and does not stand in the lines cited"
    OTHER_NUMBER = "“{number}” does not stand in the lines cited, or is the number of something else there"
    OTHER_DATE = "the lines cited do not name the time “{date}”"
    OTHER_NAME = "the lines cited do not name “{name}”"
    JUDGED_UNSAID = "the model that judges does not find it in the lines cited"
    STRUCK = "struck out: {reason}; '{path}' has “{line}”"
    STRUCK_OUT = "struck out, beside '{path}': {reason}"
    NOWHERE = "struck out: “{words}” stands in none of the passages that were found"
    UNCITED = "(uncited)"
    OWN_WORDS = "{count} {count:sentence cites|sentences cite} no note that bears {count:it|them} out"
