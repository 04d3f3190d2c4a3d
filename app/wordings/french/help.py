"""In French: the help of the commands."""

ROWS: dict[str, str] = {
    "Usage: ": "Usage : ",
    "Options": "Options",
    "Arguments": "Arguments",
    "Commands": "Commandes",
    "Operations": "Opérations",
    "default: ": "par défaut : ",
    "required": "obligatoire",
    "env var: ": "variable : ",
    "COMMAND [ARGS]...": "COMMANDE [ARGUMENTS]...",
    "Search, read and change a vault of Markdown notes, or chat with it.": (
        "Chercher, lire et changer un coffre de notes Markdown, ou converser avec lui."
    ),
    "Examples:": "Exemples :",
    "The vault is --vault, else VAULT_ASSISTANT_VAULT, else the configuration, else the nearest parent "
    "folder that holds .obsidian/. Exit codes: 0 found, 1 nothing found, 2 error.": (
        "Le coffre est --vault, sinon VAULT_ASSISTANT_VAULT, sinon la configuration, sinon le plus "
        "proche dossier parent qui contient .obsidian/. Codes de sortie : 0 trouvé, 1 rien trouvé, 2 "
        "erreur."
    ),
    "Answer one question, naming the notes and lines.": (
        "Répondre à une question, en nommant les notes et les lignes."
    ),
    "On a terminal the answer comes alone, with its sources below it as path:line; --short prints the "
    "same in a pipe. --full shows the notes themselves after it, as a pipe gets them. The exit code is "
    "1 where the notes do not seem to say.": (
        "Sur un terminal la réponse vient seule, avec ses sources en dessous sous la forme chemin:ligne "
        "; --short affiche de même dans un tube. --full montre ensuite les notes mêmes, comme un tube "
        "les reçoit. Le code de sortie est 1 quand les notes ne semblent pas le dire."
    ),
    "Talk with the assistant in the terminal.": "Converser avec l'assistant dans le terminal.",
    "In the chat: /new forgets the conversation, /save makes a note of it, /help lists the commands, "
    "/quit or Ctrl-D ends it.": (
        "Dans la conversation : /nouveau l'oublie, /enregistrer en fait une note, /aide énumère les "
        "commandes, /quitter ou Ctrl-D la termine."
    ),
    "Example:": "Exemple :",
    "Find notes and passages.": "Trouver des notes et des passages.",
    "An option that takes several values, such as --tag, may be repeated. "
    "A first word such as 'fast' or 'deep' names an operation; to look for it, put the query into "
    "quotes: find 'deep breath'. Write -- before a query that starts with a dash.": (
        "Une option qui prend plusieurs valeurs, comme --tag, peut être répétée. "
        "Un premier mot comme « fast » ou « deep » nomme une opération ; pour le chercher, mettez la "
        "requête entre guillemets : find 'deep breath'. Écrivez -- avant une requête qui commence par un "
        "tiret."
    ),
    "Notes that hold all the words and phrases, ranked by relevance.": (
        "Les notes qui contiennent tous les mots et expressions, classées par pertinence."
    ),
    "Notes with any, or all, of the tags, in text and properties; a parent finds its children.": (
        "Les notes qui ont l'une des étiquettes, ou toutes, dans le texte et les propriétés ; une "
        "étiquette trouve celles en dessous."
    ),
    "Notes that link to a note, or that it links to, with the lines the links stand on.": (
        "Les notes qui mènent à une note, ou auxquelles elle mène, avec les lignes des liens."
    ),
    "Notes created or modified within a range of days, newest first.": (
        "Les notes créées ou modifiées dans un intervalle de jours, les plus récentes d'abord."
    ),
    "Notes that satisfy all of query, tags, dates, folder, scopes and links.": (
        "Les notes qui répondent à tout : requête, étiquettes, dates, dossier, portées et liens."
    ),
    "Chunks ranked by keywords (BM25); no model is loaded.": (
        "Les passages classés par mots (BM25) ; aucun modèle n'est chargé."
    ),
    "Chunks ranked by keywords and meaning together.": (
        "Les passages classés par les mots et le sens à la fois."
    ),
    "Chunks ranked as by fast, or deep with mode=deep, inside the scopes only.": (
        "Les passages classés comme par fast, ou par deep avec mode=deep, dans les portées seulement."
    ),
    "Notes found by terms with ripgrep, then judged by the language model.": (
        "Les notes trouvées par des termes avec ripgrep, puis jugées par le modèle de langage."
    ),
    "Search a named index, by meaning or by words, as configured.": (
        "Chercher dans un index nommé, par le sens ou par les mots, selon sa configuration."
    ),
    "Write -- before a query that starts with a dash.": (
        "Écrivez -- avant une requête qui commence par un tiret."
    ),
    "List the notes with a tag; 'tag rename OLD NEW' renames one.": (
        "Énumérer les notes d'une étiquette ; « tag rename ANCIENNE NOUVELLE » en renomme une."
    ),
    "Tags below it count too. 'tag rename' changes text and properties of all notes, and the tags "
    "below it, as one change that is shown and asked about; one undo takes it back. A tag called "
    "rename is '#rename'.": (
        "Les étiquettes en dessous comptent aussi. « tag rename » change le texte et les propriétés de "
        "toutes les notes, et les étiquettes en dessous, en un seul changement qui est montré et soumis "
        "à votre accord ; un seul undo l'annule. Une étiquette nommée rename s'écrit '#rename'."
    ),
    "List the links to a note and from it.": "Énumérer les liens vers une note et depuis elle.",
    "In a pipe each line begins with from, to or missing.": (
        "Dans un tube chaque ligne commence par from, to ou missing."
    ),
    "List the notes of a day: made, changed, or with its heading.": (
        "Énumérer les notes d'un jour : faites, changées, ou avec son titre."
    ),
    "List the open tasks by the day when they are due, then by place.": (
        "Énumérer les tâches ouvertes par échéance, puis par emplacement."
    ),
    "A task is due on the day behind the calendar sign of the plugin Tasks, or in "
    "[due:: 2025-07-14] or (due:: 2025-07-14), as of Dataview.": (
        "L'échéance d'une tâche est le jour derrière le calendrier de l'extension Tasks, ou dans "
        "[due:: 2025-07-14] ou (due:: 2025-07-14), de Dataview."
    ),
    "Due on these days: today, 'this week', 2025-07.": (
        "Dues ces jours-là : aujourd'hui, 'cette semaine', 2025-07."
    ),
    "Due before today, and not done.": "Dues avant aujourd'hui, et pas faites.",
    "List the notes that changed last, newest first.": (
        "Énumérer les notes changées en dernier, les plus récentes d'abord."
    ),
    "List the notes that no other note links to.": "Énumérer les notes auxquelles aucune autre ne mène.",
    "List the notes that have to do with a note, and why.": (
        "Énumérer les notes en rapport avec une note, et dire pourquoi."
    ),
    "By links, what both link to, tags, words, and meaning where the vectors are there.": (
        "Par les liens, ce à quoi les deux mènent, les étiquettes, les mots, et le sens là où les "
        "vecteurs existent."
    ),
    "List the tags, with how many notes have each.": (
        "Énumérer les étiquettes, avec le nombre de notes de chacune."
    ),
    "List the properties, or the values of one, counted by notes.": (
        "Énumérer les propriétés, ou les valeurs de l'une, comptées par notes."
    ),
    "Print a note, or the part under a heading, as it stands.": (
        "Afficher une note, ou la partie sous un titre, telle quelle."
    ),
    "Change a note in your editor.": "Changer une note dans votre éditeur.",
    "The editor is $VISUAL, else $EDITOR, and works on a copy. When it ends, the note is written if it "
    "is still as it was; if not, your text is kept in a file, and you are told how to go on. 'undo' "
    "takes it back.": (
        "L'éditeur est $VISUAL, sinon $EDITOR, et travaille sur une copie. Quand il se termine, la note "
        "est écrite si elle est restée la même ; sinon votre texte est gardé dans un fichier, et l'on "
        "vous dit comment continuer. « undo » l'annule."
    ),
    "Open a note in Obsidian, or print its address.": (
        "Ouvrir une note dans Obsidian, ou afficher son adresse."
    ),
    "Make a note, where and as Obsidian would.": "Faire une note, là et comme Obsidian le ferait.",
    "It goes where Obsidian's setting for new notes says. A template is looked for in the vault's "
    "folder of templates; {{title}}, {{date}}, {{time}} and {{date:FORM}} are filled in.": (
        "Elle va là où le dit le réglage d'Obsidian pour les nouvelles notes. Un modèle est cherché dans "
        "le dossier des modèles du coffre ; {{title}}, {{date}}, {{time}} et {{date:FORME}} sont remplis."
    ),
    "Find the note of a day, or make it as Obsidian would.": (
        "Trouver la note d'un jour, ou la faire comme Obsidian le ferait."
    ),
    "Folder, form of the name and template are those of Obsidian's daily notes. Before the note of "
    "another day than today is made, you are asked.": (
        "Le dossier, la forme du nom et le modèle sont ceux des notes quotidiennes d'Obsidian. Avant de "
        "faire la note d'un autre jour qu'aujourd'hui, on vous demande."
    ),
    "Move or rename a note, and rewrite the links to it.": (
        "Déplacer ou renommer une note, et réécrire les liens vers elle."
    ),
    "A name alone renames the note in its folder; the name of a folder, or a path, moves it. Every link to "
    "it is rewritten as Obsidian would; the change is shown and asked about first.": (
        "Un nom seul renomme la note dans son dossier ; le nom d'un dossier, ou un chemin, la déplace. "
        "Chaque lien vers la note est réécrit comme Obsidian le ferait ; le changement est d'abord "
        "montré et soumis à votre accord."
    ),
    "Put notes into the trash.": "Mettre des notes à la corbeille.",
    "A note goes where the vault's own setting sends deleted ones.": (
        "Une note va là où le réglage du coffre envoie celles qui sont supprimées."
    ),
    "Replace a text by another in all notes, as one change.": (
        "Remplacer un texte par un autre dans toutes les notes, en un seul changement."
    ),
    "The change of all notes is shown and asked about once, written once, and taken back by one undo. "
    "Notes that Obsidian excludes stay as they are.": (
        "Le changement de toutes les notes est montré et soumis une fois, écrit une fois, et annulé par "
        "un seul undo. Les notes qu'Obsidian exclut restent telles quelles."
    ),
    "Take back the last write.": "Annuler la dernière écriture.",
    "List the writes to notes, newest first.": (
        "Énumérer les écritures dans les notes, les plus récentes d'abord."
    ),
    "Make a note; one that exists is replaced only with `overwrite`.": (
        "Faire une note ; une note existante n'est remplacée qu'avec `overwrite`."
    ),
    "Show a note with its content hash: whole, or a heading's section, a block, or lines.": (
        "Montrer une note avec l'empreinte de son contenu : entière, ou la section d'un titre, un bloc "
        "ou des lignes."
    ),
    "Replace a note's content, or a heading's section, a block, or lines of it.": (
        "Remplacer le contenu d'une note, ou la section d'un titre, un bloc ou des lignes."
    ),
    "Add to the end of a note, or of a heading's section.": (
        "Ajouter à la fin d'une note, ou de la section d'un titre."
    ),
    "Move or rename a note and rewrite the links to it, those of canvases too, and in it.": (
        "Déplacer ou renommer une note et réécrire les liens vers elle, ceux des canevas aussi, et en elle."
    ),
    "Put a note into the trash that the vault's settings name; for good only with `permanent`.": (
        "Mettre une note dans la corbeille que nomment les réglages du coffre ; définitivement avec "
        "`permanent` seulement."
    ),
    "Say in short what a note says, by the language model, or show how it begins without one.": (
        "Dire en bref ce que dit une note, par le modèle de langage ; sans modèle, montrer son début."
    ),
    "Describe a note: titles, tags, dates, headings, tasks, links both ways.": (
        "Décrire une note : titres, étiquettes, dates, tâches, liens dans les deux sens."
    ),
    'Take back the last write, or the last one to `path`, or with content "turn" the last whole turn.': (
        'Annuler la dernière écriture, ou la dernière dans `path`, ou avec le contenu "turn" tout le '
        "dernier tour."
    ),
    "Bring the index up to date.": "Mettre l'index à jour.",
    "Set up a vault by a few questions.": "Préparer un coffre par quelques questions.",
    "It asks which vault, which language model if any, and in what a picked note opens; vaults that "
    "Obsidian knows are listed. The answers go into your own configuration file, of which all else "
    "stays, and nothing is written before you say yes.": (
        "Elle demande quel coffre, quel modèle de langage s'il en faut un, et dans quoi s'ouvre une note "
        "choisie ; les coffres qu'Obsidian connaît sont énumérés. Les réponses vont dans votre propre "
        "fichier de configuration, dont le reste demeure, et rien n'est écrit avant votre oui."
    ),
    "Add the MCP server to a client's configuration.": (
        "Ajouter le serveur MCP à la configuration d'un client."
    ),
    "What the file held is kept beside it, and only the one entry is touched. The server is started "
    "once, as the client would, before anything is written.": (
        "Ce que contenait le fichier est gardé à côté, et seule cette entrée est touchée. Le serveur est "
        "démarré une fois, comme le ferait le client, avant toute écriture."
    ),
    "Serve the vault to other agents (MCP).": "Servir le coffre à d'autres agents (MCP).",
    "Without --http it talks over standard input and output, as the client that starts it expects; "
    "'install' writes that into a client's configuration. Changes to notes follow the setting 'writes'.": (
        "Sans --http il parle par l'entrée et la sortie standard, comme l'attend le client qui le "
        "démarre ; « install » l'écrit dans la configuration d'un client. Les changements de notes "
        "suivent le réglage « writes »."
    ),
    "Tell agents how to search the vault.": "Dire aux agents comment chercher dans le coffre.",
    "List embedding models; get one, use it.": (
        "Énumérer les modèles de vecteurs ; en prendre un, l'utiliser."
    ),
    "Clients: claude-desktop, claude-code, codex, cursor, vscode.": (
        "Clients : claude-desktop, claude-code, codex, cursor, vscode."
    ),
    "NAME is one of the list, any other on the hub (OWNER/NAME), or a folder on this machine. 'get' "
    "downloads, from the hub or from where HF_ENDPOINT leads; no note is ever sent there. A model "
    "behind a server (ollama:bge-m3, openai:text-embedding-3-small) is sent your notes once you use it.": (
        "NOM est l'un de la liste, tout autre du dépôt (AUTEUR/NOM), ou un dossier de cette machine. « "
        "get » télécharge, du dépôt ou de là où mène HF_ENDPOINT ; aucune note n'y est jamais envoyée. "
        "Un modèle derrière un serveur (ollama:bge-m3, openai:text-embedding-3-small) reçoit vos notes "
        "dès que vous l'utilisez."
    ),
    "List good models, and which of them are on this machine.": (
        "Énumérer de bons modèles, et ceux qui sont sur cette machine."
    ),
    "Download a model, check it, and make what it answers quickly by.": (
        "Télécharger un modèle, le vérifier, et préparer ce par quoi il répond vite."
    ),
    "Set a model for an index, and build its vectors while the old ones answer.": (
        "Régler un modèle pour un index, et faire ses vecteurs pendant que les anciens répondent."
    ),
    "Give the lines that answer a question best, within a budget.": (
        "Donner les lignes qui répondent le mieux à une question, dans une limite."
    ),
    "Nothing is asked of a language model. A token is counted by the rules that tokenizers share, "
    "rather too many than too few.": (
        "Rien n'est demandé à un modèle de langage. Un jeton est compté selon les règles communes aux "
        "découpeurs, plutôt trop que trop peu."
    ),
    "Serve the web page: search, ask, read, look.": (
        "Servir la page web : chercher, demander, lire, regarder."
    ),
    "The page is for this machine alone, and for whoever holds its address: that carries a token, "
    "which opens one browser. A token of your own choice (--token) opens any number.": (
        "La page n'est que pour cette machine, et pour qui a son adresse : celle-ci porte un jeton, qui "
        "ouvre un seul navigateur. Un jeton de votre choix (--token) en ouvre autant qu'on veut."
    ),
    "On a terminal the change is shown and asked about; into a pipe the text is printed and nothing is "
    "written. Run it again to refresh the file: only the part between its two marks changes.": (
        "Sur un terminal le changement est montré et soumis à votre accord ; dans un tube le texte est "
        "affiché et rien n'est écrit. Relancez-la pour rafraîchir le fichier : seule change la partie "
        "entre ses deux marques."
    ),
    "Describe the vault and its index, or one note.": "Décrire le coffre et son index, ou une note.",
    "Show what a folder's config.json would change, and accept it.": (
        "Montrer ce que le config.json d'un dossier changerait, et l'accepter."
    ),
    "A config.json in the folder a command starts in is ignored until you trust it, and again when it "
    "changes. 'mcp' and 'install' never take it.": (
        "Un config.json dans le dossier d'où part une commande est ignoré tant que vous ne l'acceptez "
        "pas, et de nouveau quand il change. « mcp » et « install » ne le prennent jamais."
    ),
    "Say why a search does not find a note, and what would help.": (
        "Dire pourquoi une recherche ne trouve pas une note, et ce qui aiderait."
    ),
    "Write -- before a question that starts with a dash. Exit code 0 says that the search finds the "
    "note, 1 that it does not.": (
        "Écrivez -- avant une question qui commence par un tiret. Le code de sortie 0 dit que la "
        "recherche trouve la note, 1 qu'elle ne la trouve pas."
    ),
    "Print what makes a shell complete commands, notes and tags.": (
        "Afficher ce par quoi un shell complète commandes, notes et étiquettes."
    ),
    "It completes commands, options, operations, names of notes, headings behind #, tags, folders, "
    "properties and models. Names come from the index; excluded notes are none of them.": (
        "Il complète commandes, options, opérations, noms de notes, titres derrière #, étiquettes, "
        "dossiers, propriétés et modèles. Les noms viennent de l'index ; les notes exclues n'y sont pas."
    ),
}
