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
    CANVAS_LEFT = (
        "the canvas '{path}' still shows the note by its old path; choose the note there again",
        "le canevas « {path} » montre encore la note par son ancien chemin ; choisissez-y la note de nouveau",
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
