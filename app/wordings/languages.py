"""What languages are called, and what is said of notes in one that the model of meaning does not know."""

from app.wordings.wording import Wording


class LanguageKind(Wording):
    """Languages by their ISO 639-1 codes, and sentences about them."""

    EN = ("English", "anglais")
    FR = ("French", "français")
    DE = ("German", "allemand")
    ES = ("Spanish", "espagnol")
    IT = ("Italian", "italien")
    PT = ("Portuguese", "portugais")
    NL = ("Dutch", "néerlandais")
    SV = ("Swedish", "suédois")
    DA = ("Danish", "danois")
    NO = ("Norwegian", "norvégien")
    FI = ("Finnish", "finnois")
    HU = ("Hungarian", "hongrois")
    RU = ("Russian", "russe")
    TR = ("Turkish", "turc")
    OTHER_SCRIPT = ("another script", "une autre écriture")

    READ_BY_GLOSSES = (
        "most notes are in {language}, which the model '{model}' reads by word-for-word glosses; a "
        "multilingual one reads it as it is: vault-assistant model get {other}",
        "la plupart des notes sont en {language}, que le modèle « {model} » lit mot à mot en anglais ; un "
        "modèle multilingue le lit tel quel : vault-assistant model get {other}",
    )
    LANGUAGE_UNKNOWN = (
        "most notes are in {language}, which the model '{model}' does not know; for 'deep', get one that "
        "does: vault-assistant model get {other}",
        "la plupart des notes sont en {language}, que le modèle « {model} » ne connaît pas ; pour « deep », "
        "prenez-en un qui la connaît : vault-assistant model get {other}",
    )
    FOUND_BY_WORDS_ALONE = (
        "most notes are in {language}, which the model '{model}' does not know: what they say in other "
        "words than the question was not found ('vault-assistant model list' names models that do)",
        "la plupart des notes sont en {language}, que le modèle « {model} » ne connaît pas : ce qu'elles "
        "disent en d'autres mots que la question n'a pas été trouvé (voir « vault-assistant model list »)",
    )
