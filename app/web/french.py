"""What the page says, in French: each sentence of its templates as it stands there, and its translation."""

from app.web.talk.french import TALKS

FRENCH: dict[str, str | tuple[str, str]] = TALKS | {
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
    # Search
    "Search %(vault)s": "Chercher dans %(vault)s",
    "Words, or a query as in Obsidian": "Des mots, ou une requête comme dans Obsidian",
    'Search: words, "a phrase", tag:#garden, -without …': (
        'Chercher : des mots, "une phrase", tag:#jardin, -sans …'
    ),
    "Enter": "Entrée",
    "Esc": "Échap",
    "Shift Enter": "Maj Entrée",
    "to search": "pour chercher",
    "to choose": "pour choisir",
    "to open": "pour ouvrir",
    "back to the box": "retour au champ",
    "Searching …": "Recherche …",
    "looking by meaning …": "recherche par le sens …",
    "found by meaning too": "trouvé aussi par le sens",
    "by words alone": "par les mots seuls",
    "by words alone: {reason}": "par les mots seuls : {reason}",
    "Narrowed to": "Restreint à",
    "Leave this folder": "Quitter ce dossier",
    "Drop this tag": "Retirer cette étiquette",
    "Scope and dates": "Portée et dates",
    "Scope": "Portée",
    "project:garden, Journal/2025-*": "project:jardin, Journal/2025-*",
    "From": "Du",
    "2025-07, 7 days ago": "2025-07, 2025-07-14",
    "To": "Au",
    "2025-07-14, today": "2025-07-31",
    "Clear": "Effacer",
    "Results by month": "Résultats par mois",
    "Results": "Résultats",
    "Narrow the results": "Restreindre les résultats",
    "Search the whole vault": "Chercher dans tout le coffre",
    "Folders": "Dossiers",
    "Tags": "Étiquettes",
    "%(count)s more": "%(count)s de plus",
    "%(first)s to %(last)s": "de %(first)s à %(last)s",
    "No passage has a date": "Aucun passage n'a de date",
    "%(count)s undated": "%(count)s sans date",
    "drop the dates": "retirer les dates",
    "This result is no longer there; search again.": "Ce résultat n'est plus là ; cherchez de nouveau.",
    "%(first)s–%(last)s of %(count)s passage": (
        "%(first)s–%(last)s sur %(count)s passage",
        "%(first)s–%(last)s sur %(count)s passages",
    ),
    "%(first)s–%(last)s of %(count)s note": (
        "%(first)s–%(last)s sur %(count)s note",
        "%(first)s–%(last)s sur %(count)s notes",
    ),
    "newest first": "les plus récentes d'abord",
    "lines %(lines)s": "lignes %(lines)s",
    "line %(line)s": "ligne %(line)s",
    "Notes dated in this month": "Notes datées de ce mois",
    "It contains %(words)s, and its meaning is close to what you asked.": (
        "Il contient %(words)s, et son sens est proche de votre demande."
    ),
    "It contains %(words)s.": "Il contient %(words)s.",
    "It contains none of your words, but its meaning is close to what you asked.": (
        "Il ne contient aucun de vos mots, mais son sens est proche de votre demande."
    ),
    "It matches the filters of your search.": "Il correspond aux filtres de votre recherche.",
    "Its closest sentence: “%(sentence)s”": "Sa phrase la plus proche : « %(sentence)s »",
    "Every result matches:": "Tous les résultats répondent à :",
    "Of 10 results like this one, fewer than one is what people were looking for.": (
        "Sur 10 résultats comme celui-ci, moins d'un est ce qu'on cherchait."
    ),
    "Of 10 results like this one, about %(count)s are what people were looking for.": (
        "Sur 10 résultats comme celui-ci, environ %(count)s sont ce qu'on cherchait."
    ),
    "Why this?": "Pourquoi ?",
    "Open in Obsidian": "Ouvrir dans Obsidian",
    "Copy as link": "Copier comme lien",
    "Copied": "Copié",
    "Pages of results": "Pages de résultats",
    "Previous": "Précédent",
    "Next": "Suivant",
    "%(first)s–%(last)s, likeliest first": "%(first)s–%(last)s, les plus probables d'abord",
    "Page %(page)s of %(pages)s": "Page %(page)s sur %(pages)s",
    "There is only %(pages)s page.": ("Il n'y a que %(pages)s page.", "Il n'y a que %(pages)s pages."),
    "Nothing found.": "Rien trouvé.",
    "1 more by meaning": "1 de plus par le sens",
    "{n} more by meaning": "{n} de plus par le sens",
    "Order by meaning too": "Aussi par le sens",
    "This search is incomplete or has a mistake.": "Cette recherche est incomplète ou contient une erreur.",
    "Expected here: %(expected)s.": "Attendu ici : %(expected)s.",
    "To search for it just as it stands, put it in double quotes.": (
        "Pour chercher le texte tel quel, mettez-le entre guillemets droits."
    ),
    "Nothing seems to answer this. The nearest in meaning:": (
        "Rien ne semble y répondre. Au plus près par le sens :"
    ),
    "Near in meaning": "Proche par le sens",
    "These passages lie nearest to what was asked. They do not seem to answer it.": (
        "Ces passages sont les plus proches de la demande. Ils ne semblent pas y répondre."
    ),
    "There is no note yet.": "Il n'y a pas encore de note.",
    "Go to the first page": "Aller à la première page",
    "Search by meaning as well": "Chercher aussi par le sens",
    "%(count)s note found": ("%(count)s note trouvée", "%(count)s notes trouvées"),
    "%(count)s passage found": ("%(count)s passage trouvé", "%(count)s passages trouvés"),
    # Folders and tags
    "All notes": "Toutes les notes",
    "Where this is": "Où cela se trouve",
    "Search in this folder": "Chercher dans ce dossier",
    "All tags": "Toutes les étiquettes",
    "Newest first": "Les plus récentes d'abord",
    "No note has a tag yet. Write one as <code>#boat</code> in the text, or under "
    "<code>tags</code> in the properties.": (
        "Aucune note n'a encore d'étiquette. Écrivez <code>#bateau</code> dans le texte, ou sous "
        "<code>tags</code> dans les propriétés."
    ),
    "No note is called that. Shift Enter searches in the texts.": (
        "Aucune note ne s'appelle ainsi. Maj Entrée cherche dans les textes."
    ),
    # The way in, and what goes wrong
    "Come in": "Entrer",
    "This page needs its token": "Cette page demande son jeton",
    "That token is not, or no longer, the right one.": "Ce jeton n'est pas, ou n'est plus, le bon.",
    "A token that the program made up opens one browser; the terminal then shows the next one.": (
        "Un jeton créé par le programme ouvre un seul navigateur ; le terminal affiche alors le suivant."
    ),
    "The terminal in which <code>vault-assistant serve</code> runs shows an address "
    "that holds it. Open that address, or paste it here.": (
        "Le terminal où tourne <code>vault-assistant serve</code> affiche une adresse qui le "
        "contient. Ouvrez cette adresse, ou collez-la ici."
    ),
    "Address or token": "Adresse ou jeton",
    "Go on to %(vault)s": "Continuer vers %(vault)s",
    "Search the vault": "Chercher dans le coffre",
    "Not found": "Introuvable",
    # Notes
    "Notes with a similar name:": "Notes au nom semblable :",
    "This machine only searches: the files of the notes are elsewhere.": (
        "Cette machine ne fait que chercher : les fichiers des notes sont ailleurs."
    ),
    "Diagram": "Diagramme",
    "Mermaid does not understand this:": "Mermaid ne comprend pas ceci :",
    "Properties": "Propriétés",
    "yes": "oui",
    "no": "non",
    "This note has %(count)s line now: line %(gone)s, which was cited, is not there any more.": (
        ("Cette note a maintenant %(count)s ligne : la ligne %(gone)s, qui était citée, n'y est plus."),
        ("Cette note a maintenant %(count)s lignes : la ligne %(gone)s, qui était citée, n'y est plus."),
    ),
    "This note is long: lines %(first)s to %(last)s of %(all)s are shown.": (
        "Cette note est longue : voici les lignes %(first)s à %(last)s sur %(all)s."
    ),
    "Its beginning": "Son début",
    "This note has no text.": "Cette note n'a pas de texte.",
    "The note is too long for one page; this ends with line %(last)s of %(all)s.": (
        "La note est trop longue pour une page ; celle-ci finit à la ligne %(last)s sur %(all)s."
    ),
    "Go on reading": "Lire la suite",
    "Around this note": "Autour de cette note",
    "Outline": "Plan",
    "(empty)": "(vide)",
    "No note is linked with this one.": "Aucune note n'est liée à celle-ci.",
    "No note links here": "Aucune note n'y mène",
    "Linked from %(count)s note": (
        "Liée depuis %(count)s note",
        "Liée depuis %(count)s notes",
    ),
    "and %(count)s more line": (
        "et %(count)s autre ligne",
        "et %(count)s autres lignes",
    ),
    "and %(count)s more note": (
        "et %(count)s autre note",
        "et %(count)s autres notes",
    ),
    # Status
    "Index": "Index",
    "Vault": "Coffre",
    "Notes that are searched": "Notes où l'on cherche",
    "%(notes)s, in %(passages)s passages": "%(notes)s, en %(passages)s passages",
    "Waiting": "En attente",
    "%(count)s changed note; the next search takes it up": (
        "%(count)s note modifiée ; la prochaine recherche la reprend",
        "%(count)s notes modifiées ; la prochaine recherche les reprend",
    ),
    "nothing: the index is up to date": "rien : l'index est à jour",
    "Search by meaning": "Recherche par le sens",
    "%(share)s %% of the passages have vectors of %(model)s": (
        "%(share)s %% des passages ont des vecteurs de %(model)s"
    ),
    "not built: this index is of words alone": "pas construite : cet index n'a que les mots",
    "On disk": "Sur le disque",
    "bytes": "octets",
    "kB": "ko",
    "MB": "Mo",
    "GB": "Go",
    "in": "dans",
    "Changes to notes": "Modifications des notes",
    "are asked about first": "faites après votre accord",
    "are allowed": "permises",
    "are refused": "refusées",
    "Left out": "Laissées de côté",
    "Excluded:": "Exclues :",
    "Kept out of results:": "Hors des résultats :",
    "Not in this index:": "Hors de cet index :",
    "%(count)s note": (
        "%(count)s note",
        "%(count)s notes",
    ),
    "hidden by the vault's setting 'excluded files': %(filters)s": (
        "cachées par le réglage « fichiers exclus » du coffre : %(filters)s"
    ),
    "context notes and the inbox of a project vault": (
        "notes de contexte et boîte de réception d'un coffre de projets"
    ),
    "left out by the index's include and exclude globs": (
        "écartées par les motifs « include » et « exclude » de l'index"
    ),
    "They are not named here.": "Elles ne sont pas nommées ici.",
    "Nothing: every note is searched.": "Rien : on cherche dans toutes les notes.",
    "Problems": "Problèmes",
    "None.": "Aucun.",
    "%(count)s excluded file has problems too.": (
        "%(count)s fichier exclu a aussi des problèmes.",
        "%(count)s fichiers exclus ont aussi des problèmes.",
    ),
    "Language model": "Modèle de langage",
    "None: the offline assistant answers, and nothing leaves this machine.": (
        "Aucun : l'assistant hors ligne répond, et rien ne quitte cette machine."
    ),
    "What was sent to which model": "Ce qui a été envoyé à quel modèle",
    "%(count)s text, from all vaults of this machine.": (
        "%(count)s texte, de tous les coffres de cette machine.",
        "%(count)s textes, de tous les coffres de cette machine, les plus récents d'abord.",
    ),
    "The first %(count)s are shown.": "Les %(count)s premiers sont montrés.",
    "All are kept in <code>%(folder)s/sent</code>, for you alone.": (
        "Tous sont gardés dans <code>%(folder)s/sent</code>, pour vous seul."
    ),
    "%(count)s characters": "%(count)s caractères",
    "Cut after %(count)s characters.": "Coupé après %(count)s caractères.",
    "Nothing so far.": "Rien pour l'instant.",
    "The index is being built: %(done)s of %(all)s notes.": (
        "L'index est en cours de construction : %(done)s notes sur %(all)s."
    ),
    "Search by meaning is being prepared: %(done)s of %(all)s passages.": (
        "La recherche par le sens se prépare : %(done)s passages sur %(all)s."
    ),
    "%(rate)s a second: about %(count)s minute left.": (
        "%(rate)s par seconde : encore %(count)s minute environ.",
        "%(rate)s par seconde : encore %(count)s minutes environ.",
    ),
    "%(rate)s a second: about %(count)s second left.": (
        "%(rate)s par seconde : encore %(count)s seconde environ.",
        "%(rate)s par seconde : encore %(count)s secondes environ.",
    ),
    "What is indexed so far is found already; notes and folders can be opened at once.": (
        "Ce qui est déjà indexé se trouve ; on peut tout de suite ouvrir les notes et les dossiers."
    ),
    "All notes are found by their words already; those that are counted here, by their meaning too.": (
        "Toutes les notes se trouvent déjà par leurs mots ; "
        "celles qui sont comptées ici, aussi par leur sens."
    ),
    # A month of notes
    "January": "janvier",
    "February": "février",
    "March": "mars",
    "April": "avril",
    "May": "mai",
    "June": "juin",
    "July": "juillet",
    "August": "août",
    "September": "septembre",
    "October": "octobre",
    "November": "novembre",
    "December": "décembre",
    "Mon": "lun.",
    "Tue": "mar.",
    "Wed": "mer.",
    "Thu": "jeu.",
    "Fri": "ven.",
    "Sat": "sam.",
    "Sun": "dim.",
    "Calendar": "Calendrier",
    "Daily notes": "Notes quotidiennes",
    "Months": "Mois",
    "Previous month": "Mois précédent",
    "Next month": "Mois suivant",
    "%(count)s dated note of %(day)s": (
        "%(count)s note datée du %(day)s",
        "%(count)s notes datées du %(day)s",
    ),
    "No note is of this month.": "Aucune note n'est de ce mois.",
    "Other notes dated in this month": "Autres notes datées de ce mois",
    # The notes around one
    "Graph of notes": "Graphe des notes",
    "Around %(name)s": "Autour de %(name)s",
    "links both ways": "liée dans les deux sens",
    "is linked from here": "liée depuis cette note",
    "links here": "mène ici",
    "Open the note": "Ouvrir la note",
}
"""A sentence that depends on a number has two forms, for one and for several."""
