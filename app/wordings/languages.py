"""What languages are called, and what is said of notes in one that the model of meaning does not know."""

from enum import StrEnum


class LanguageKind(StrEnum):
    """Languages by their ISO 639-1 codes, and sentences about them."""

    EN = "English"
    FR = "French"
    DE = "German"
    ES = "Spanish"
    IT = "Italian"
    PT = "Portuguese"
    NL = "Dutch"
    SV = "Swedish"
    DA = "Danish"
    NO = "Norwegian"
    FI = "Finnish"
    HU = "Hungarian"
    RU = "Russian"
    TR = "Turkish"
    OTHER_SCRIPT = "another script"

    READ_BY_GLOSSES = (
        "most notes are in {language}, which the model '{model}' reads by word-for-word glosses; a "
        "multilingual one reads it as it is: {cure}"
    )
    LANGUAGE_UNKNOWN = (
        "most notes are in {language}, which the model '{model}' does not know; for 'deep', get one that "
        "does: {cure}"
    )
    FOUND_BY_WORDS_ALONE = (
        "most notes are in {language}, which the model '{model}' does not know: what they say in other "
        "words than the question was not found ('vault-assistant setup model' names models that do)"
    )
