"""What the page says, in French: each sentence of its templates as it stands there, and its translation."""

FRENCH: dict[str, str | tuple[str, str]] = {
    # Every page
    "Skip to the content": "Aller au contenu",
    "Pages": "Pages",
    "Search": "Chercher",
    "Browse": "Parcourir",
    "Ask": "Demander",
    "Status": "État",
    "Go to …": "Aller à …",
    "Go to a note": "Aller à une note",
    "Go to a note (Ctrl K)": "Aller à une note (Ctrl K)",
    "Switch between light and dark": "Passer du clair au sombre",
    "Name of a note": "Nom d'une note",
    "Notes": "Notes",
    "choose": "choisir",
    "open": "ouvrir",
    "search in the texts": "chercher dans les textes",
    # A canvas
    "Open in Obsidian": "Ouvrir dans Obsidian",
    "The cards as a list": "Les cartes en liste",
    "Group without a name": "Groupe sans nom",
    "Empty card": "Carte vide",
    "This file is no canvas: its text cannot be read as JSON Canvas.": (
        "Ce fichier n'est pas un canevas : son texte ne se lit pas comme du JSON Canvas."
    ),
    "There is nothing on this canvas yet.": "Il n'y a encore rien sur ce canevas.",
    "Not shown:": "Non montrées :",
    "%(count)s card too many": ("%(count)s carte de trop", "%(count)s cartes de trop"),
    "%(count)s card without a place or of an unknown kind": (
        "%(count)s carte sans place ou d'un genre inconnu",
        "%(count)s cartes sans place ou d'un genre inconnu",
    ),
    "%(count)s arrow too many": ("%(count)s flèche de trop", "%(count)s flèches de trop"),
    "%(count)s arrow between cards that are not shown": (
        "%(count)s flèche entre des cartes non montrées",
        "%(count)s flèches entre des cartes non montrées",
    ),
    "Canvas": "Canevas",
    "Go on reading": "Lire la suite",
    "Zoom in": "Agrandir",
    "Zoom out": "Réduire",
    "Show all": "Tout montrer",
    "Drag or the arrow keys move; two fingers, Ctrl with the wheel, + and − zoom; 0 shows all.": (
        "Glisser ou les flèches déplacent ; deux doigts, Ctrl avec la molette, + et − changent l'échelle ;"
        " 0 montre tout."
    ),
    "%(count)s card": ("%(count)s carte", "%(count)s cartes"),
    "in %(group)s": "dans %(group)s",
    "leads to": "mène à",
    "canvas": "canevas",
    # A base
    "base": "base",
    "Views": "Vues",
    "This is no base:": "Ce n'est pas une base :",
    "Not understood, and left out:": "Non compris, et laissé de côté :",
    "the condition": "la condition",
    "the formula": "la formule",
    "the column": "la colonne",
    "the layout, instead of which there is a table:": "la disposition, que remplace un tableau :",
    "the setting": "le réglage",
    "because of": "à cause de",
    "This view asks for more than a page works out, so that some of it is missing.": (
        "Cette vue demande plus de calcul qu'une page n'en fait : il en manque une partie."
    ),
    "No file meets the conditions of this view.": "Aucun fichier ne remplit les conditions de cette vue.",
    "There are more tables than one page shows.": "Il y a plus de tableaux qu'une page n'en montre.",
    "This base has no such view.": "Cette base n'a pas cette vue.",
    "%(count)s file": ("%(count)s fichier", "%(count)s fichiers"),
    "%(count)s more than is shown": (
        "%(count)s de plus n'est pas montré",
        "%(count)s de plus ne sont pas montrés",
    ),
    "Name": "Nom",
    "Path": "Chemin",
    "Folder": "Dossier",
    "Kind of file": "Type de fichier",
    "Bytes": "Octets",
    "Created": "Créé",
    "Changed": "Modifié",
    "Tags": "Étiquettes",
    "Links": "Liens",
    # Talks
    "Earlier talks": "Conversations précédentes",
    "Back to the talk": "Revenir à la conversation",
    "The talk was deleted.": "La conversation a été supprimée.",
    "Bring it back": "La rétablir",
    "Talks are not kept: the setting keep_talks is off.": (
        "Les conversations ne sont pas gardées : le réglage keep_talks est à « false »."
    ),
    "Words in a talk": "Mots d'une conversation",
    "No talk has these words.": "Aucune conversation n'a ces mots.",
    "What you ask will be here.": "Ce que vous demanderez se trouvera ici.",
    "%(count)s question": ("%(count)s question", "%(count)s questions"),
    "Rename or delete": "Renommer ou supprimer",
    "Title": "Titre",
    "Rename": "Renommer",
    "Delete": "Supprimer",
    "Go on with an earlier talk": "Reprendre une conversation",
    "This answer names a note that is excluded now, so it is not shown.": (
        "Cette réponse nomme une note qui est exclue maintenant ; elle n'est pas montrée."
    ),
    "The server ended while this was being answered.": "Le serveur s'est arrêté pendant la réponse.",
    "Stopped; this was said by then:": "Arrêté ; voici ce qui était dit :",
    "Stopped before there was an answer.": "Arrêté avant qu'il y ait une réponse.",
    "This was said by then:": "Voici ce qui était dit :",
    "Copy": "Copier",
    "Copied": "Copié",
    "As Markdown": "En Markdown",
    "Ask again": "Redemander",
    "Edit the question": "Modifier la question",
    "Looking": "Recherche en cours",
    "Answered": "Il y a une réponse",
    "There is no answer": "Il n'y a pas de réponse",
    "The program does not answer any more. See whether it still runs, then load the page again.": (
        "Le programme ne répond plus. Voyez s'il tourne encore, puis rechargez la page."
    ),
}
"""A sentence that depends on a number has two forms, for one and for several."""
