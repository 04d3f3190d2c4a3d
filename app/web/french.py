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
    # The graph
    "Graph": "Graphe",
    "Graph of notes": "Graphe des notes",
    "Graph on the whole page": "Le graphe sur toute la page",
    "Around %(name)s": "Autour de %(name)s",
    "All notes and their links": "Toutes les notes et leurs liens",
    "Links away": "Liens de distance",
    "Notes not written yet": "Notes pas encore écrites",
    "not written yet": "pas encore écrite",
    "Draw": "Dessiner",
    "Whole vault": "Tout le coffre",
    "Find in the graph": "Chercher dans le graphe",
    "Colours": "Couleurs",
    "by folder": "par dossier",
    "by tag": "par étiquette",
    "Closer": "Plus près",
    "Farther": "Plus loin",
    "Show all": "Tout montrer",
    "%(count)s note": ("%(count)s note", "%(count)s notes"),
    "%(count)s link": ("%(count)s lien", "%(count)s liens"),
    "%(count)s more is left out": ("%(count)s autre est omise", "%(count)s autres sont omises"),
    "The graph could not be drawn; the list below has its notes.": (
        "Le graphe n'a pas pu être dessiné ; la liste ci-dessous contient ses notes."
    ),
    "Links: ": "Liens : ",
    "Found: ": "Trouvées : ",
    "Open the note": "Ouvrir la note",
    "The arrows go along the links, Enter opens, + and − zoom, 0 shows all.": (
        "Les flèches suivent les liens, Entrée ouvre, + et − zooment, 0 montre tout."
    ),
    "As a list": "En liste",
    "These have the most links.": "Celles-ci ont le plus de liens.",
    "All notes by folder": "Toutes les notes par dossier",
}
"""A sentence that depends on a number has two forms, for one and for several."""
