"""The wordings of what is said of work that lasts."""

from app.wordings.wording import Wording


class WorkKind(Wording):
    """What is done, how far it is, what can be asked meanwhile, and what is kept of it."""

    INDEXING = ("Indexing", "Indexation")
    EMBEDDING = ("Embedding", "Vecteurs")
    LOADING_MODEL = ("Loading the model", "Chargement du modèle")
    TIME_LEFT = ("{time} left", "encore {time}")
    TIME_PASSED = ("{time} so far", "depuis {time}")
    WORDS_MEANWHILE = (
        "Meanwhile, 'find' in another terminal searches what is indexed. Ctrl-C stops and keeps that",
        "En attendant, « find » dans un autre terminal cherche dans ce qui est indexé. "
        "Ctrl-C arrête et garde cela",
    )
    MEANING_MEANWHILE = (
        "Words can be searched already; meaning follows, newest notes first. Ctrl-C stops and keeps it",
        "Les mots se cherchent déjà ; le sens suit, notes récentes d'abord. Ctrl-C arrête et garde tout",
    )
    NOTES_INDEXED = (
        "{total} {total:note|notes} in the index: {written} written, {deleted} deleted, {seconds:.2f} s",
        "{total} {total:note|notes} dans l'index : {written} {written:écrite|écrites}, "
        "{deleted} {deleted:supprimée|supprimées}, {seconds:.2f} s",
    )
    PASSAGES_EMBEDDED = (
        "{count} {count:passage|passages} embedded, {seconds:.1f} s ({rate:.0f}/s)",
        "{count} {count:passage vectorisé|passages vectorisés}, {seconds:.1f} s ({rate:.0f}/s)",
    )
    PASSAGES_CUT = (
        "Of {count} very long {count:passage|passages} the end is found by its words only",
        "La fin de {count} {count:très long passage|très longs passages} ne se trouve que par ses mots",
    )
    TOO_LARGE = (
        "{count} {count:note is|notes are} larger than the setting 'max_note_bytes' ({limit}) and found "
        "by name only, the first '{path}'; set it to {needed} to have {count:it|all} read",
        "{count} {count:note dépasse|notes dépassent} le réglage « max_note_bytes » ({limit}) et ne se "
        "{count:trouve|trouvent} que par le nom, la première « {path} » ; mettez-le à {needed} pour "
        "{count:la|les} lire",
    )
    NOT_READ_WHOLE = (
        "{count} {count:note|notes} could not be read whole, the first '{path}'; 'vault-assistant "
        "status' says why",
        "{count} {count:note n'a|notes n'ont} pas pu être {count:lue|lues} en entier, la première « {path} » "
        "; « vault-assistant status » dit pourquoi",
    )
    EMBEDDED_ELSEWHERE = ("another process is embedding", "un autre processus calcule les vecteurs")
    WORDS_ONLY = ("Words only: {reason}", "Les mots seulement : {reason}")
    NO_VECTORS = (
        "The words are indexed; vectors are not: {reason}",
        "Les mots sont indexés, pas les vecteurs : {reason}",
    )
    WORDS_STOPPED = (
        "Stopped. {done} of {total} {total:note is|notes are} in the index and can be found; "
        "'vault-assistant index' goes on from there",
        "Arrêté. {total:Note indexée et trouvable|Notes indexées et trouvables} : {done} sur {total} ; "
        "« vault-assistant index » reprend là",
    )
    MEANING_STOPPED = (
        "Stopped. All notes can be found by their words, and {share:.0%} of their passages by meaning; "
        "'vault-assistant index' goes on from there",
        "Arrêté. Toutes les notes se trouvent par leurs mots, et {share:.0%} de leurs passages par le sens ; "
        "« vault-assistant index » reprend là",
    )
    WATCHING = ("Watching for changes; Ctrl-C ends", "Les changements sont suivis ; Ctrl-C termine")
    BACKGROUND_BEGUN = (
        "Process {pid} indexes in the background. 'vault-assistant status' says how far it is, "
        "'kill {pid}' stops it and keeps what is done. Its log: {log}",
        "Le processus {pid} indexe en arrière-plan. « vault-assistant status » dit où il en est, "
        "« kill {pid} » l'arrête et garde ce qui est fait. Son journal : {log}",
    )
    BACKGROUND_RUNS = (
        "Process {pid} brings the index up to date already. Its log: {log}",
        "Le processus {pid} met déjà l'index à jour. Son journal : {log}",
    )
    BACKGROUND_OVER = (
        "There was little to do, and it is done. The log: {log}",
        "Il y avait peu à faire, et c'est fait. Le journal : {log}",
    )

    # What the page waits for before it searches by meaning
    MEANING_AFTER_INDEX = (
        "search by meaning waits until the index is built",
        "la recherche par le sens attend que l'index soit construit",
    )
    MEANING_AFTER_MODEL = (
        "search by meaning is being made ready: its model is loading",
        "la recherche par le sens se prépare : son modèle se charge",
    )
    MEANING_AFTER_VECTORS = (
        "search by meaning is being prepared: {share:.0%} of the passages are ready",
        "la recherche par le sens se prépare : {share:.0%} des passages sont prêts",
    )
