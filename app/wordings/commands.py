"""The wordings of what the commands for notes say: before a change is made, and of what was made."""

from app.wordings.wording import Wording


class CommandKind(Wording):
    """What is asked, and said, at a terminal."""

    # What is about to be written
    WILL_MOVE = ("Move '{old}' to '{new}'", "Déplacer « {old} » vers « {new} »")
    WILL_CREATE_FOR_DAY = (
        "Create '{path}', for another day than today",
        "Créer « {path} », pour un autre jour qu'aujourd'hui",
    )
    WILL_TRASH = ("Put '{path}' into the trash", "Mettre « {path} » à la corbeille")
    WILL_DELETE = ("Delete '{path}' for good", "Supprimer « {path} » définitivement")
    WILL_TRASH_SEVERAL = ("Put {count} notes into the trash", "Mettre {count} notes à la corbeille")
    WILL_DELETE_SEVERAL = ("Delete {count} notes for good", "Supprimer {count} notes définitivement")
    WILL_UNDO = ("Take back: {writes:; }", "Annuler : {writes: ; }")

    WILL_RETAG = (
        "Rename #{old} to #{new} in {count} {count:note|notes}",
        "Renommer #{old} en #{new} dans {count} {count:note|notes}",
    )
    WILL_REPLACE = (
        "Replace '{old}' by '{new}', {times} {times:time|times} in {count} {count:note|notes}",
        "Remplacer « {old} » par « {new} », {times} fois dans {count} {count:note|notes}",
    )
    TAGS_MERGE = (
        "#{new} is there already: in {count} {count:note|notes} nothing will tell the two apart",
        "#{new} existe déjà : dans {count} {count:note|notes} rien ne les distinguera plus",
    )
    LINKS_LOST = (
        "links that will lead nowhere: {count}",
        "liens qui ne mèneront nulle part : {count}",
    )
    EXCLUDED_LEFT = (
        "excluded notes are neither read nor changed",
        "les notes exclues ne sont ni lues ni modifiées",
    )

    # What was written
    RETAGGED = (
        "Renamed #{old} to #{new} in {count} {count:note|notes}",
        "#{old} s'appelle maintenant #{new} dans {count} {count:note|notes}",
    )
    REPLACED = (
        "Replaced '{old}' by '{new}', {times} {times:time|times} in {count} {count:note|notes}",
        "« {old} » remplacé par « {new} », {times} fois dans {count} {count:note|notes}",
    )
    NO_SUCH_TAG = ("No note has #{old}", "Aucune note n'a #{old}")
    NO_SUCH_TEXT = ("No note holds '{old}'", "Aucune note ne contient « {old} »")
    NOTE_CREATED = ("Created '{path}'", "« {path} » a été créée")
    FOUND_THERE = ("'{path}' is there already", "« {path} » existe déjà")
    SAVED = (
        "Saved '{path}': {added} {added:line|lines} added, {removed} taken away",
        "« {path} » a été enregistrée : {added} {added:ligne ajoutée|lignes ajoutées}, {removed} "
        "{removed:retirée|retirées}",
    )
    MOVED = ("Moved '{old}' to '{new}'", "« {old} » est maintenant « {new} »")
    TRASHED = ("Put '{path}' into the system's trash", "« {path} » a été mise à la corbeille du système")
    TRASHED_IN_VAULT = (
        "Moved '{path}' to '{place}'",
        "« {path} » a été mise à la corbeille : « {place} »",
    )
    DELETED = ("Deleted '{path}' for good", "« {path} » a été supprimée définitivement")
    TRASHED_SEVERAL = ("Put {count} notes into the trash", "{count} notes ont été mises à la corbeille")
    DELETED_SEVERAL = ("Deleted {count} notes for good", "{count} notes ont été supprimées définitivement")
    UNDONE = ("Took back: {writes:; }", "Annulé : {writes: ; }")
    NOBODY_APPROVES = (
        "nothing was written: nobody is here to approve it",
        "rien n'est écrit : personne n'est là pour l'approuver",
    )
    PAGER_TO_QUESTION = ("q closes this, then you are asked", "q ferme ceci, puis on vous demande")
    ADD_YES = ("add --yes", "ajoutez --yes")
    IN_ANOTHER_VAULT = (
        "This is about the vault '{folder}', not about the one of this folder; --vault . means that",
        "Il s'agit du coffre « {folder} », et non de celui de ce dossier ; --vault . désigne celui-ci",
    )
    DECLINED = ("Nothing was written", "Rien n'est écrit")
    NOTHING_CHANGES = ("Nothing changed in '{path}'", "Rien n'a changé dans « {path} »")

    # Lists of notes
    LINKS_HERE = ("Links to it", "Liens vers elle")
    LINKS_THERE = ("It links to", "Elle mène à")
    LINKS_NOWHERE = ("Without a note", "Sans note")
    NOTES_LISTED = ("{count} {count:note|notes}", "{count} {count:note|notes} en tout")
    SOME_NOTES_LISTED = (
        "{shown} of {count} notes; all with --limit 0",
        "{shown} {shown:note|notes} sur {count} ; toutes par --limit 0",
    )
    TASKS_LISTED = (
        "{tasks} {tasks:task|tasks} in {count} {count:note|notes}",
        "{tasks} {tasks:tâche|tâches} dans {count} {count:note|notes}",
    )
    SOME_TASKS_LISTED = (
        "{shown} of {tasks} tasks in {count} {count:note|notes}; all with --limit 0",
        "{shown} {shown:tâche|tâches} sur {tasks} dans {count} {count:note|notes} ; toutes par --limit 0",
    )
    DAY_CREATED = ("created", "créée")
    DAY_MODIFIED = ("changed", "modifiée")
    DAY_ABOUT = ("of that day", "de ce jour")
    DAYS_LOOKED_AT = ("Days looked at: {days}", "Jours regardés : {days}")
    DAY_HEADING = ("line {lines}", "ligne {lines}")
    RELATED_LINK = ("linked", "liée")
    RELATED_TARGETS = ("both link to {names}", "les deux mènent à {names}")
    RELATED_TAGS = ("both {names}", "les deux {names}")
    RELATED_WORDS = ("same words", "mêmes mots")
    RELATED_MEANING = ("alike in meaning", "proche par le sens")

    # An editor, and Obsidian
    COPY_STAYS = (
        "the editor came back at once; if it still has the note open, save there, then: {command} "
        "(an editor with windows needs an option to wait, as in EDITOR='code --wait')",
        "l'éditeur a rendu la main aussitôt ; s'il tient encore la note ouverte, enregistrez-y, puis : "
        "{command} (un éditeur à fenêtres demande une option pour attendre, comme EDITOR='code --wait')",
    )
    TEXT_KEPT = (
        "'{path}' was not written: {reason}. Your text is kept in {file}",
        "« {path} » n'est pas écrite : {reason}. Votre texte est gardé dans {file}",
    )
    HOW_TO_GO_ON = (
        "the first command shows what differs, the second makes your text the note:",
        "la première commande montre ce qui diffère, la seconde fait de votre texte la note :",
    )
    CHANGED_MEANWHILE = (
        "the note changed while you wrote",
        "la note a changé pendant que vous écriviez",
    )
    EDITOR_FAILED = ("the editor ended with code {code}", "l'éditeur s'est terminé avec le code {code}")
    OPENED = ("Opened '{path}' in Obsidian", "« {path} » s'ouvre dans Obsidian")
    NAMED_BY_ALIAS = ("'{alias}' is an alias of '{path}'", "« {alias} » est un alias de « {path} »")
    NAMED_WITHOUT_ACCENTS = (
        "'{name}' is '{path}' but for its accents",
        "« {name} » est « {path} », à ses accents près",
    )
    NO_TEMPLATE = (
        "the template '{name}' is not there; the note is made without it",
        "le modèle « {name} » n'existe pas ; la note est faite sans lui",
    )
    OTHER_TEMPLATER = (
        "'{name}' holds code of the plugin Templater, which stays as it is",
        "« {name} » contient du code du module Templater, qui reste tel quel",
    )

    # A write in the list of writes
    WRITE_CREATE = ("created {path}", "{path} créée")
    WRITE_UPDATE = ("changed {path}", "{path} modifiée")
    WRITE_APPEND = ("added to {path}", "{path} complétée")
    WRITE_MOVE = ("moved {path}", "{path} déplacée")
    WRITE_MOVE_TO = ("moved {path} → {place}", "{path} déplacée vers {place}")
    WRITE_DELETE = ("deleted {path}", "{path} supprimée")
    WRITE_UNDO = ("took back a write to {path}", "écriture annulée dans {path}")
    WRITE_RETAG_OF = (
        "renamed #{old} to #{new} in {count} {count:note|notes}: {path}{count:|, …}",
        "#{old} renommée en #{new} dans {count} {count:note|notes} : {path}{count:|, …}",
    )
    WRITE_REPLACE_OF = (
        "replaced '{old}' by '{new}' in {count} {count:note|notes}: {path}{count:|, …}",
        "« {old} » remplacé par « {new} » dans {count} {count:note|notes} : {path}{count:|, …}",
    )
    WRITE_BATCH = (
        "changed {path} and others: {count} {count:note|notes}",
        "{path} et d'autres modifiées : {count} {count:note|notes}",
    )
    WRITE_AT = ("{write} on {when}", "{write} le {when}")
    WAS_UNDONE = ("taken back", "annulé")
    HIDDEN_NOTE = ("an excluded note", "une note exclue")
    NO_WRITES = ("Nothing was written yet", "Rien n'est encore écrit")
