"""The wordings of what became of one note in a search, and of what would bring it up."""

from app.wordings.wording import Wording


class WhyKind(Wording):
    """Where a search lost a note, and what would bring it up."""

    UNKNOWN = (
        "there is no note '{name}' to search: none is called so, or it is excluded",
        "il n'y a pas de note « {name} » à parcourir : aucune ne s'appelle ainsi, ou elle est exclue",
    )
    NO_NOTE = (
        "'{path}' is no note: only notes are searched",
        "« {path} » n'est pas une note : seules les notes sont parcourues",
    )
    NOT_INDEXED = ("globs of the index leave '{path}' out", "les motifs de l'index écartent « {path} »")
    LEFT_OUT = (
        "'{path}' is never searched: it is always in the chat's context, or temporary",
        "« {path} » n'est jamais parcourue : elle est toujours dans le contexte du chat, ou temporaire",
    )
    PROBLEM = ("'{path}': {reason}", "« {path} » : {reason}")
    FILTERED = ("'{path}' does not pass {filters: and }", "« {path} » ne passe pas {filters: et }")
    PART = (
        "the query asks for {parts: and }, which '{path}' does not meet",
        "la requête demande {parts: et }, à quoi « {path} » ne répond pas",
    )
    NO_WORDS = ("'{path}' holds no word of the question", "« {path} » n'a aucun mot de la question")
    NOT_LISTED = (
        "'{path}' is not among the {most} passages nearest by words, nor among the {most} nearest by meaning",
        "« {path} » n'est pas parmi les {most} passages les plus proches, ni par les mots, ni par le sens",
    )
    FOUND = (
        "'{path}' is found at place {place} of {total}, with a score of {score:.2f}",
        "« {path} » se trouve à la place {place} sur {total}, avec un score de {score:.2f}",
    )
    BELOW = (
        "'{path}' stands at place {place} of {total}, below the first {shown}, which are shown",
        "« {path} » est à la place {place} sur {total}, après les {shown} premières, qui sont montrées",
    )
    LOW_SCORE = (
        "the best score of '{path}' is {score:.2f}, below {least}",
        "le meilleur score de « {path} » est {score:.2f}, sous {least}",
    )
    LACKS = ("'{path}' lacks {words}", "il manque à « {path} » {words}")
    TRY_DEEP = ("'deep' finds it at place {place}", "« deep » la trouve à la place {place}")
    TRY_FURTHER = ("{further} shows it", "{further} la montre")
