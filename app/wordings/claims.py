"""The wordings of what is wrong with a sentence of an answer, beside the lines it cites."""

from app.wordings.wording import Wording


class ClaimKind(Wording):
    """Why a sentence is not borne out, and what became of it."""

    OTHER_WORDS = (
        "“{words}” is quoted, and does not stand in the lines cited",
        "« {words} » est cité, et ne figure pas dans les lignes indiquées",
    )
    OTHER_NUMBER = (
        "“{number}” does not stand in the lines cited, or is the number of something else there",
        "« {number} » ne figure pas dans les lignes indiquées, ou y compte autre chose",
    )
    OTHER_DATE = (
        "the lines cited do not name the time “{date}”",
        "les lignes indiquées ne parlent pas de cette date : « {date} »",
    )
    OTHER_NAME = (
        "the lines cited do not name “{name}”",
        "les lignes indiquées ne nomment pas « {name} »",
    )
    JUDGED_OPPOSITE = (
        "the model that judges finds the opposite in the lines cited",
        "le modèle qui juge trouve le contraire dans les lignes indiquées",
    )
    JUDGED_UNSAID = (
        "the model that judges does not find it in the lines cited",
        "le modèle qui juge ne le trouve pas dans les lignes indiquées",
    )
    STRUCK = (
        "struck out: {reason}; '{path}' has “{line}”",
        "biffé : {reason} ; « {path} » porte « {line} »",
    )
    STRUCK_OUT = ("struck out, beside '{path}': {reason}", "biffé, au regard de « {path} » : {reason}")
    UNCITED = ("(uncited)", "(sans source)")
    OWN_WORDS = (
        "{count} {count:sentence cites|sentences cite} no note that bears {count:it|them} out",
        "{count} {count:phrase ne cite|phrases ne citent} aucune note qui {count:la|les} confirme",
    )
