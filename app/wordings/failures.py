"""The wordings of why a model gave no answer, or a database not all; they name no server, key or library."""

from enum import StrEnum


class FailureKind(StrEnum):
    """Why a language model gave no answer, or a database not all of it."""

    MODEL_TOO_LONG = "it took longer than 'model_seconds' allows"
    MODEL_UNREACHABLE = "its server cannot be reached: start it, or check its address"
    MODEL_BROKE_OFF = "the connection to its server broke off"
    MODEL_BUSY = "its server takes no further requests for now"
    MODEL_FAILED = "its server failed with {status}"
    MODEL_REFUSED = "its server refused the request with {status}"
    MODEL_TOO_LARGE = (
        "the request was longer than it can read: start its server with a larger context, or set "
        "'ask_evidence_tokens' lower"
    )
    MODEL_ASKED_ON = "it went on searching and reading beyond the limits of the settings"
    MODEL_LOOPED = "it said the same again and again"
    MODEL_REPEATED = "it asked for the same again and again"
    MODEL_CUT = "its answer reached the longest one that it gives"
    MODEL_SENSELESS = "what it sent is no answer"
    NOT_BROUGHT = "the vault could not be brought up to date in Milvus: {reason}"
    PART_OF_MATCHES = "ranked and counted among the {notes} notes that match best; more may match"
