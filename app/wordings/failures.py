"""The wordings of why a model gave no answer, or a database not all; they name no server, key or library."""

from app.wordings.wording import Wording


class FailureKind(Wording):
    """Why a language model gave no answer, or a database not all of it."""

    MODEL_TOO_LONG = (
        "it took longer than 'model_seconds' allows",
        "il a mis plus de temps que « model_seconds » n'en laisse",
    )
    MODEL_UNREACHABLE = (
        "its server cannot be reached: start it, or check its address",
        "son serveur est injoignable : démarrez-le, ou vérifiez son adresse",
    )
    MODEL_BROKE_OFF = ("the connection to its server broke off", "la connexion à son serveur s'est coupée")
    MODEL_BUSY = (
        "its server takes no further requests for now",
        "son serveur n'accepte plus de demandes pour l'instant",
    )
    MODEL_FAILED = ("its server failed with {status}", "son serveur a échoué avec {status}")
    MODEL_REFUSED = (
        "its server refused the request with {status}",
        "son serveur a refusé la demande avec {status}",
    )
    MODEL_TOO_LARGE = (
        "the request was longer than it can read",
        "la demande était plus longue qu'il ne peut lire",
    )
    MODEL_ASKED_ON = (
        "it went on searching and reading beyond the limits of the settings",
        "il a continué à chercher et à lire au-delà des limites des réglages",
    )
    MODEL_REPEATED = ("it asked for the same again and again", "il a redemandé sans fin la même chose")
    MODEL_CUT = (
        "its answer reached the longest one that it gives",
        "sa réponse a atteint la plus longue qu'il donne",
    )
    MODEL_SENSELESS = ("what it sent is no answer", "ce qu'il a envoyé n'est pas une réponse")
    NOT_BROUGHT = (
        "the vault could not be brought up to date in Milvus: {reason}",
        "le coffre n'a pas pu être mis à jour dans Milvus : {reason}",
    )
    PART_OF_MATCHES = (
        "ranked and counted among the {notes} notes that match best; more may match",
        "classé et compté parmi les {notes} notes qui correspondent le mieux ; d'autres peuvent correspondre",
    )
