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
    "The program does not answer; trying again …": "Le programme ne répond pas ; nouvel essai …",
    "The program was started anew: open the address that its terminal shows, or give its token": (
        "Le programme a redémarré : ouvrez l'adresse qu'affiche son terminal, ou donnez son jeton"
    ),
}
"""A sentence that depends on a number has two forms, for one and for several."""
