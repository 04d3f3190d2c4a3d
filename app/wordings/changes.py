"""The wordings of what a person should know of notes that were changed."""

from app.wordings.wording import Wording


class ChangeKind(Wording):
    """What changed besides, and what stayed."""

    PROPERTIES_KEPT = ("the property block was kept", "le bloc de propriétés a été gardé")
    LINKING_NOTES = (
        "{count} other {count:note|notes} with links to it ({names})",
        "{count} {count:autre note|autres notes} avec des liens vers elle ({names})",
    )
    LINKS_REWRITTEN = (
        "links rewritten in {count} other {count:note|notes}",
        "liens réécrits dans {count} {count:autre note|autres notes}",
    )
    LINKS_TAKEN = (
        "'{path}' has the same name: {count} {count:link that led|links that led} to it {count:leads|lead} "
        "to the new note",
        "« {path} » a le même nom : {count} {count:lien qui menait|liens qui menaient} à elle "
        "{count:mène|mènent} à la nouvelle note",
    )
    LINKS_UNSEEN = (
        "links in '{path}' were not all looked at: {reason}",
        "les liens de « {path} » n'ont pas tous été examinés : {reason}",
    )
    CANVASES_REWRITTEN = (
        "{count} {count:canvas|canvases} now {count:shows|show} it by its new path",
        "{count} {count:canevas la montre désormais|canevas la montrent désormais} par son nouveau chemin",
    )
    HEADING_LEFT_OUT = (
        "the text's first heading '{heading}' is left out: it is that of the section",
        "le premier titre du texte, « {heading} », est laissé de côté : c'est celui de la section",
    )
    ESCAPED_LINE_ENDS = (
        "the text has no line end, but \\n as two characters, and is written as it is; for line ends, send "
        "\\n with one backslash in JSON, not two",
        "le texte n'a aucune fin de ligne, mais \\n en deux caractères, et est écrit tel quel ; pour des "
        "fins de ligne, envoyez en JSON \\n avec une seule barre oblique inverse, et non deux",
    )
    NOTE_UNSEEN = (
        "'{path}' could not be read, and is left as it is: {reason}",
        "« {path} » n'a pas pu être lue, et reste telle quelle : {reason}",
    )
    NOTE_LEFT = ("left as it is: {reason}", "laissée telle quelle : {reason}")
    EXCLUDED_LINKS_UNSEEN = (
        "links in {count} excluded {count:place|places} were not all looked at",
        "les liens de {count} {count:endroit exclu|endroits exclus} n'ont pas tous été examinés",
    )
    EXCLUDED_CHANGED = (
        "{count} excluded {count:note|notes} changed too, not shown",
        "{count} {count:note exclue changée aussi, non montrée|notes exclues changées aussi, non montrées}",
    )
    TRASHED_COPY_STAYS = (
        "the copy in the system's trash stays there",
        "la copie reste dans la corbeille du système",
    )
    FAILED_LATE = ("{path}: {reason}", "{path} : {reason}")
    REMAINS_LEFT = (
        "what the write that was taken back had left could not all be removed: {reason}",
        "ce que l'écriture annulée avait laissé n'a pas pu être entièrement retiré : {reason}",
    )
    JOURNAL_INCOMPLETE = (
        "{operation} is done, but the journal could not be completed: {reason}; the next command completes "
        "it",
        "{operation} est fait, mais le journal n'a pas pu être complété : {reason} ; la prochaine commande "
        "le complète",
    )
