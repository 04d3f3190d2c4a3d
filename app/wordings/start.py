"""The wordings of the picker, of the first run and of the questions that lead to a configuration."""

from app.wordings.wording import Wording


class StartKind(Wording):
    """What is said to somebody who begins."""

    # The picker
    BY_WORDS = ("words", "mots")
    BY_MEANING = ("words and meaning", "mots et sens")
    COUNTED = ("{first} of {count}", "{first} sur {count}")
    LATEST = ("changed last", "changées en dernier")
    SEARCHING = ("searching…", "recherche…")
    NO_RESULT = ("Nothing found", "Rien trouvé")
    GONE = ("The note cannot be read: {reason}", "La note ne peut être lue : {reason}")
    PICK_KEYS = (
        "↑↓ choose · Enter {action} · Tab {other} · Esc leave",
        "↑↓ choisir · Entrée {action} · Tab {other} · Échap quitter",
    )
    EDITS = ("edit", "modifier")
    OPENS = ("open", "ouvrir")
    PRINTS = ("print", "afficher")

    # The first run
    HOLDS_NOTES = (
        "'{folder}' holds {notes} {notes:note|notes} that {notes:is|are} not indexed yet",
        "« {folder} » contient {notes} {notes:note pas encore indexée|notes pas encore indexées}",
    )
    INDEX_NOW = (
        "Index {notes} {notes:note|notes} now, by words? That takes {time}, once; no note is changed or sent "
        "anywhere, and the index lies in your cache folder. [Y/n]",
        "Indexer {notes} {notes:note|notes} maintenant, par mots ? Cela prend {time}, une fois ; aucune note "
        "n'est changée ni envoyée, et l'index va dans votre dossier de cache. [O/n]",
    )
    SECONDS = ("a few seconds", "quelques secondes")
    ABOUT_SECONDS = ("about {seconds} seconds", "environ {seconds} secondes")
    ABOUT_MINUTES = ("about {minutes} {minutes:minute|minutes}", "environ {minutes} {minutes:minute|minutes}")
    NO_INDEX = (
        "nothing is indexed yet: '{command}' does it, and so does the first search",
        "rien n'est encore indexé : « {command} » le fait, et la première recherche aussi",
    )
    INDEXED = (
        "{notes} {notes:note|notes} in {languages: and }, {links} {links:link|links}, {tags} {tags:tag|tags}",
        "{notes} {notes:note|notes} en {languages: et }, {links} {links:lien|liens}, "
        "{tags} {tags:étiquette|étiquettes}",
    )
    TRY = ("Try:", "Essayez :")
    MEANING_NEEDS = (
        "To find what was meant in other words too: {command}",
        "Pour trouver aussi ce qui est dit en d'autres mots : {command}",
    )
    PICKER_OPENS = ("To pick a note as you type: {command}", "Pour choisir une note en tapant : {command}")
    SETTLE = (
        "To leave --vault out, from any folder, and to choose more: {command}",
        "Pour se passer de --vault, depuis tout dossier, et choisir davantage : {command}",
    )

    # Questions that lead to a configuration
    WHICH_VAULT = ("Which vault?", "Quel coffre ?")
    VAULT_ANSWER = (
        "A number, or the path of a folder [1]",
        "Un numéro, ou le chemin d'un dossier [1]",
    )
    FOLDER_ANSWER = ("The path of a folder with notes", "Le chemin d'un dossier de notes")
    NO_FOLDER = ("'{given}' is no folder", "« {given} » n'est pas un dossier")
    WHICH_MODEL = (
        "A language model for written answers, such as ollama:qwen3; leave it empty to stay offline",
        "Un modèle de langage pour des réponses rédigées, comme ollama:qwen3 ; vide, tout reste hors ligne",
    )
    WHICH_OPENS = (
        "Enter in the picker opens a note in your editor (e) or in Obsidian (o) [{default}]",
        "Entrée, dans le choix de notes, ouvre dans votre éditeur (e) ou dans Obsidian (o) [{default}]",
    )
    WILL_WRITE = ("This goes into '{file}':", "Ceci va dans « {file} » :")
    IS_THERE = (
        "'{file}' is there already; its other settings stay",
        "« {file} » existe déjà ; ses autres réglages restent",
    )
    NOTHING_NEW = ("'{file}' says this already", "« {file} » le dit déjà")
    WRITE_NOW = ("Write it? [y/N]", "L'écrire ? [o/N]")
    WRITE_NEW = ("Write it? [Y/n]", "L'écrire ? [O/n]")
    WRITTEN = ("Wrote '{file}'", "« {file} » est écrit")
    NOT_WRITTEN = ("Nothing was written", "Rien n'est écrit")
    OTHER_HOLDS = (
        "In this folder '{file}' holds instead: it is trusted here, or named",
        "Dans ce dossier, c'est « {file} » qui vaut : il y est accepté, ou nommé",
    )
    WHICH_CLIENT = (
        "Let another program search it too ({clients})? Its name, or nothing",
        "Laisser aussi un autre programme y chercher ({clients}) ? Son nom, ou rien",
    )
    NO_CLIENT = ("'{given}' is none of them", "« {given} » n'en fait pas partie")
    TELL_AGENTS = (
        "Agents can be told what it holds: {command}",
        "Les agents peuvent savoir ce qu'il contient : {command}",
    )
