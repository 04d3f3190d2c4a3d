"""In French: the help of options and arguments."""

ROWS: dict[str, str] = {
    "The vault, or a configured name.": "Le coffre, ou un nom configuré.",
    "The configuration file.": "Le fichier de configuration.",
    "Print JSON.": "Afficher du JSON.",
    "Show the log and tracebacks.": "Montrer le journal et les traces d'erreur.",
    "Print the version.": "Afficher la version.",
    "Colours: auto takes them on a terminal, unless NO_COLOR is set.": (
        "Couleurs : auto en met sur un terminal, sauf si NO_COLOR est réglé."
    ),
    "The language of messages; else that of LC_MESSAGES.": (
        "La langue des messages ; sinon celle de LC_MESSAGES."
    ),
    "Do not show long output page by page ($PAGER).": (
        "Ne pas montrer page par page ($PAGER) ce qui est long."
    ),
    "Without a command: print the path of the note that is picked.": (
        "Sans commande : afficher le chemin de la note choisie."
    ),
    "What to ask; - reads it from standard input, as a pipe does.": (
        "Ce qui est demandé ; - le lit sur l'entrée standard, comme le fait un tube."
    ),
    "A model as pydantic-ai names it, such as ollama:qwen3; or offline.": (
        "Un modèle comme pydantic-ai le nomme, ainsi ollama:qwen3 ; ou offline."
    ),
    "Show the notes too, as in a pipe: the whole document.": (
        "Montrer aussi les notes, comme dans un tube : le document entier."
    ),
    "The answer and its sources alone, as on a terminal.": (
        "La réponse et ses sources seules, comme sur un terminal."
    ),
    "The vault, or a configured name; repeat for several, or NAME=FOLDER.": (
        "Le coffre, ou un nom configuré ; à répéter pour plusieurs, ou NOM=DOSSIER."
    ),
    "What to look for, with operators such as tag:. Begun by an operation, it is that one.": (
        "Ce qui est cherché, avec des opérateurs comme tag:. Si une opération le commence, c'est elle."
    ),
    "By meaning too, not by words alone.": "Par le sens aussi, et pas seulement par les mots.",
    "The same as QUERY.": "La même chose que REQUÊTE.",
    "created or modified.": "created ou modified.",
    "With or without #, several as a,b; a parent finds its children.": (
        "Avec ou sans #, plusieurs sous la forme a,b ; un parent trouve ses enfants."
    ),
    "All tags, not any.": "Toutes les étiquettes, et non une quelconque.",
    "For by_link, combined: a note. With explain, for the others: says why it is not found.": (
        "Pour by_link et combined : une note. Avec explain, pour les autres : dit pourquoi elle n'est pas "
        "trouvée."
    ),
    "Links to the note, from it, or both.": "Les liens vers la note, ceux qui en partent, ou les deux.",
    "Links away, 1 to 3.": "À combien de liens de là, de 1 à 3.",
    'First day: 2025-07-14, 2025-07, today or "7 days ago".': (
        "Premier jour : 2025-07-14, 2025-07, aujourd'hui ou « il y a 7 jours »."
    ),
    "Last day, inclusive.": "Dernier jour, inclus.",
    "Which date of a note counts.": "Quelle date d'une note compte.",
    "Several queries, merged.": "Plusieurs requêtes, dont les résultats sont réunis.",
    "Globs, folders, notes, project:NAME, each optionally with #HEADING.": (
        "Motifs, dossiers, notes, project:NOM, chacun au besoin avec #TITRE."
    ),
    "For scoped: by words, or by meaning too.": "Pour scoped : par les mots, ou par le sens aussi.",
    "By words, or by meaning too.": "Par les mots, ou par le sens aussi.",
    "For keyword: regular expressions, most important first.": (
        "Pour keyword : des expressions régulières, la plus importante d'abord."
    ),
    "Results to skip.": "Combien de résultats sauter.",
    "Longest answer, 500 to 1,000,000.": "La plus longue réponse, de 500 à 1 000 000.",
    "Leave out what scores less, 0 to 1.": "Laisser de côté ce qui a une note plus basse, de 0 à 1.",
    "Say why each was found.": "Dire pourquoi chacun a été trouvé.",
    "Give obsidian:// addresses.": "Donner des adresses obsidian://.",
    "A configured index.": "Un index configuré.",
    "Only below this folder.": "Seulement dans ce dossier.",
    "The most results, 1 to 100; 0 for all.": "Le plus de résultats, de 1 à 100 ; 0 pour tous.",
    "Longest answer, from 500.": "La plus longue réponse, à partir de 500.",
    "Longest answer in tokens, from 100.": "La plus longue réponse en jetons, à partir de 100.",
    "Print titles: each note once.": "Afficher les titres : chaque note une fois.",
    "Print paths: each note once.": "Afficher les chemins : chaque note une fois.",
    "End each path by NUL, for xargs -0.": "Terminer chaque chemin par NUL, pour xargs -0.",
    "Print a line of JSON for each result.": "Afficher une ligne de JSON par résultat.",
    "Print each by a template: '{path}:{line} {title}'.": (
        "Afficher chacun par un gabarit : '{path}:{line} {title}'."
    ),
    "score, path, title, created or modified.": "score, path, title, created ou modified.",
    "Print as language models read it, on a terminal too.": (
        "Afficher comme les modèles de langage le lisent, sur un terminal aussi."
    ),
    "The index, by name.": "L'index, par son nom.",
    "What to look for.": "Ce qui est cherché.",
    "The most hits.": "Le plus de résultats.",
    "An image to look for.": "Une image à chercher.",
    "How to print.": "Comment afficher.",
    "With or without #.": "Avec ou sans #.",
    "All of them, not any.": "Toutes, et non une quelconque.",
    "Show the change and write nothing.": "Montrer le changement et ne rien écrire.",
    "Take out what was written.": "Ôter ce qui a été écrit.",
    "Write without asking.": "Écrire sans demander.",
    "The most notes; 0 for all.": "Le plus de notes ; 0 pour toutes.",
    "Print paths alone.": "Afficher les chemins seuls.",
    "A note's name or path.": "Le nom ou le chemin d'une note.",
    "yesterday, last week, 2025-07, 14 juillet.": "hier, last week, 2025-07, 14 juillet.",
    "Those of one note.": "Celles d'une seule note.",
    "Those that are done.": "Celles qui sont faites.",
    "Only those that link to no note either.": "Seulement celles qui ne mènent non plus à aucune.",
    "Only this one and those below it.": "Seulement celle-ci et celles en dessous.",
    "count or name.": "count ou name.",
    "The values of this one.": "Les valeurs de celle-ci.",
    "Print the address and open nothing.": "Afficher l'adresse et ne rien ouvrir.",
    "What the note is called.": "Comment s'appelle la note.",
    "Make it of this template.": "La faire de ce modèle.",
    "Put it there, and not where Obsidian would.": "La mettre là, et non où Obsidian le ferait.",
    "Go on in your editor.": "Continuer dans votre éditeur.",
    "today, yesterday, last monday, 2025-07-14.": "aujourd'hui, hier, lundi dernier, 2025-07-14.",
    "Its new name, or the folder or path it goes to.": "Son nouveau nom, ou le dossier ou chemin où elle va.",
    "Names or paths; words that name one note may be bare.": (
        "Noms ou chemins ; les mots d'un seul nom se passent de guillemets."
    ),
    "Names or paths of notes.": "Noms ou chemins de notes.",
    "Delete for good.": "Supprimer définitivement.",
    "The text as it stands in notes.": "Le texte tel qu'il est dans les notes.",
    "What takes its place; '' takes it away.": "Ce qui prend sa place ; '' le retire.",
    "In any case.": "Quelle que soit la casse.",
    "Take back the last write to this note.": "Annuler la dernière écriture dans cette note.",
    "All that one command, or one turn of a chat, wrote.": (
        "Tout ce qu'une commande, ou un tour de conversation, a écrit."
    ),
    "Writes to this note alone.": "Les écritures dans cette seule note.",
    "The most writes; 0 for all.": "Le plus d'écritures ; 0 pour toutes.",
    "What to do; see Operations below.": "Que faire ; voyez les opérations plus bas.",
    "Start from nothing.": "Repartir de rien.",
    "Keep it up to date until Ctrl-C.": "Le tenir à jour jusqu'à Ctrl-C.",
    "Go on without this terminal; 'status' says how far it is.": (
        "Continuer sans ce terminal ; « status » dit où il en est."
    ),
    "This time, what keeps the index.": "Cette fois, ce qui garde l'index.",
    "Where Milvus listens.": "Où Milvus écoute.",
    "claude-desktop, claude-code, codex, cursor or vscode.": (
        "claude-desktop, claude-code, codex, cursor ou vscode."
    ),
    "What the client calls the server.": "Comment le client appelle le serveur.",
    "Only for the project in this folder.": "Seulement pour le projet de ce dossier.",
    "Another configuration file.": "Un autre fichier de configuration.",
    "Show the change and do not make it.": "Montrer le changement et ne pas le faire.",
    "Start the server and ask it something first.": (
        "Démarrer d'abord le serveur et lui demander quelque chose."
    ),
    "Tools to offer, by commas; 'all' for all; repeat.": (
        "Les outils à offrir, entre virgules ; « all » pour tous ; à répéter."
    ),
    "Show nothing outside this folder; repeat.": "Ne rien montrer hors de ce dossier ; à répéter.",
    "Offer nothing that changes a note.": "N'offrir rien qui change une note.",
    "Serve over HTTP.": "Servir par HTTP.",
    "With --http.": "Avec --http.",
    "With --http; 0 for any.": "Avec --http ; 0 pour n'importe lequel.",
    "With --http; else one is made up.": "Avec --http ; sinon il en est fait un.",
    "With --http, on this machine only.": "Avec --http, sur cette machine seulement.",
    "A name this server is called by; repeat.": "Un nom par lequel on appelle ce serveur ; à répéter.",
    "A model.": "Un modèle.",
    "What to find evidence for.": "Ce dont il faut trouver la preuve.",
    "Most tokens of the answer, from 200.": "Le plus de jetons de la réponse, à partir de 200.",
    "Where to listen.": "Où écouter.",
    "The port; 0 for any.": "Le port ; 0 pour n'importe lequel.",
    "Else one is made up.": "Sinon il en est fait un.",
    "A name the page is called by; repeat.": "Un nom par lequel on appelle la page ; à répéter.",
    "Open no browser.": "N'ouvrir aucun navigateur.",
    "Where SKILL.md is; else .claude/skills/NAME here.": (
        "Où se trouve SKILL.md ; sinon .claude/skills/NOM ici."
    ),
    "Write a section of this file instead.": "Écrire plutôt une section de ce fichier.",
    "One note: is it indexed, and why.": "Une note : est-elle indexée, et pourquoi.",
    "List what was sent to language models, newest first.": (
        "Énumérer ce qui a été envoyé à des modèles de langage, le plus récent d'abord."
    ),
    "By default the one you are in.": "Par défaut celui où vous êtes.",
    "Trust it without asking.": "L'accepter sans demander.",
    "List what is trusted.": "Énumérer ce qui est accepté.",
    "Trust the folder's file no more.": "Ne plus accepter le fichier du dossier.",
    "The note's path or name.": "Le chemin ou le nom de la note.",
    "What was looked for.": "Ce qui était cherché.",
    "The most results, 1 to 100.": "Le plus de résultats, de 1 à 100.",
    "bash, zsh or fish.": "bash, zsh ou fish.",
}
