"""In French: status, trust and other reports."""

ROWS: dict[str, str] = {
    "{label} {done} of {total}, process {pid}, log {log}": (
        "{label} {done} sur {total}, processus {pid}, journal {log}"
    ),
    "hidden by the vault's setting 'excluded files'": "par le réglage « fichiers exclus » du coffre",
    "always in the chat's context, or temporary (project vault)": (
        "toujours dans le contexte de la conversation, ou temporaires (coffre de projet)"
    ),
    "left out by the index's include and exclude globs": (
        "laissées par les motifs include et exclude de l'index"
    ),
    "trusted: --config names it": "accepté : --config le nomme",
    "trusted: VAULT_ASSISTANT_CONFIG names it": "accepté : VAULT_ASSISTANT_CONFIG le nomme",
    "trusted: you accepted it as it is, and commands that start in its folder take it": (
        "accepté : vous l'avez accepté tel quel, et les commandes qui partent de son dossier le prennent"
    ),
    "trusted: it lies in your own configuration folder": (
        "accepté : il est dans votre propre dossier de configuration"
    ),
    "{count} {count:text was|texts were} sent to language models, newest first:": (
        "{count} {count:texte envoyé|textes envoyés} à des modèles de langage, les plus récents d'abord :"
    ),
    "there is no file; defaults and variables hold": (
        "il n'y a pas de fichier ; les valeurs par défaut et les variables valent"
    ),
    "offline assistant": "assistant hors ligne",
    "none": "aucune",
    "yes": "oui",
    "no": "non",
    " (new)": " (nouveau)",
    "it is in the index, and no rule leaves it out": "elle est dans l'index, et aucune règle ne l'écarte",
    "new: the next search or 'vault-assistant index' takes it up": (
        "nouvelle : la prochaine recherche ou « vault-assistant index » la prend"
    ),
    "vault": "coffre",
    "project vault": "coffre de projet",
    "configuration": "configuration",
    "index": "index",
    "model": "modèle",
    "writes": "écritures",
    "folder": "dossier",
    "notes": "notes",
    "chunks": "passages",
    "excluded": "exclues",
    "left out": "écartées",
    "unindexed": "non indexées",
    "problems": "problèmes",
    "pending": "en attente",
    "bytes": "octets",
    "embedding model": "modèle de vecteurs",
    "embedded": "vecteurs faits",
    "deep": "recherche deep",
    "recovered": "rétablies",
    "background": "arrière-plan",
    "path": "chemin",
    "indexed": "indexée",
    "searched": "cherchée",
    "why": "pourquoi",
    "a limit on time, length or number": "une limite de temps, de longueur ou de nombre",
    "how passages are found and ranked": "comment les passages sont trouvés et classés",
    "commands that start there open the vault in this folder, unless another is named": (
        "les commandes qui en partent ouvrent le coffre de ce dossier, sauf si un autre est nommé"
    ),
    "a name for a further vault": "un nom pour un autre coffre",
    "a name for several vaults: what asks them shows notes of all of them": (
        "un nom pour plusieurs coffres : ce qui les interroge montre des notes de tous"
    ),
    "who may come in at 'mcp --http' over the network, and which vaults they see": (
        "qui peut entrer par « mcp --http » depuis le réseau, et quels coffres il voit"
    ),
    "these models read what 'keyword' finds: text of your notes is sent to them": (
        "ces modèles lisent ce que « keyword » trouve : du texte de vos notes leur est envoyé"
    ),
    "which notes can be found, and how": "quelles notes peuvent être trouvées, et comment",
    "on what the embedding model runs": "sur quoi tourne le modèle de vecteurs",
    "the index, which holds the words of your notes, is kept there": (
        "l'index, qui contient les mots de vos notes, y est gardé"
    ),
    "what is asked and answered on the page, and what is written in a chat, is kept": (
        "ce qui est demandé et répondu sur la page, et écrit dans une conversation, est gardé"
    ),
    "the journal with earlier contents of notes, texts sent to models and talks are kept there": (
        "le journal avec les contenus antérieurs des notes, les textes envoyés aux modèles et les "
        "entretiens y sont gardés"
    ),
    "in what a note opens that you pick": "dans quoi s'ouvre la note que vous choisissez",
    "which notes are large enough to be left unread": "à partir de quelle taille une note n'est pas lue",
    "how often the index is saved while it is built": (
        "combien de fois l'index est enregistré pendant sa construction"
    ),
    "you are asked before a text that looks like a key is sent to a model elsewhere": (
        "on vous demande avant d'envoyer à un modèle ailleurs un texte qui ressemble à une clé"
    ),
    "a text that looks like a key is left out of what a model elsewhere is sent": (
        "un texte qui ressemble à une clé est retiré de ce qu'un modèle ailleurs reçoit"
    ),
    "texts that look like keys are sent to a model elsewhere without asking you": (
        "les textes qui ressemblent à des clés sont envoyés à un modèle ailleurs sans vous demander"
    ),
    "the chat, and clients of mcp, change notes without asking you": (
        "la conversation, et les clients de mcp, changent des notes sans vous demander"
    ),
    "you are asked before a note is changed": "une note n'est changée qu'avec votre accord",
    "no note is changed": "aucune note n'est changée",
    "no model of your machine reads the notes for this": (
        "aucun modèle de votre machine ne lit les notes pour cela"
    ),
    "the text of all your notes is sent to this model, with your key where it needs one": (
        "le texte de toutes vos notes est envoyé à ce modèle, avec votre clé s'il en faut une"
    ),
    "this model, a folder or a name on your machine, reads the notes": (
        "ce modèle, un dossier ou un nom de votre machine, lit les notes"
    ),
    "how many other wordings of a question the language model is asked for": (
        "combien d'autres formulations d'une question sont demandées au modèle de langage"
    ),
    "with engine 'milvus' the text of all your notes is kept in the database at 'uri'": (
        "avec le moteur « milvus » le texte de toutes vos notes est gardé dans la base à « uri »"
    ),
    "which notes can be found": "quelles notes peuvent être trouvées",
    "no language model: answers quote your notes, and nothing is sent": (
        "pas de modèle de langage : les réponses citent vos notes, et rien n'est envoyé"
    ),
    "this model reads text of your notes, on your machine or wherever OLLAMA_BASE_URL leads": (
        "ce modèle lit du texte de vos notes, sur votre machine ou là où mène OLLAMA_BASE_URL"
    ),
    "text of your notes is sent to this model's provider, with your key, when you ask or chat": (
        "du texte de vos notes est envoyé au fournisseur de ce modèle, avec votre clé, quand vous "
        "demandez ou conversez"
    ),
    "a variable wins over it": "une variable l'emporte sur lui",
    "Your own configuration is not read there, which also changes:": (
        "Votre propre configuration n'y est pas lue, ce qui change aussi :"
    ),
    "The file belongs to another user.": "Le fichier appartient à quelqu'un d'autre.",
    "trusted": "accepté",
    "changed": "changé",
    "unknown": "inconnu",
    "gone": "disparu",
    "Wrote '{path}'. What it held: '{backup}'.": "« {path} » est écrit. Son contenu d'avant : « {backup} ».",
    "{share:.0%}": "{share:.0%}",
    "{rate:.0f}/s": "{rate:.0f}/s",
    "{rate:.1f}/s": "{rate:.1f}/s",
    "'{path}' says this already.": "« {path} » le dit déjà.",
    "Not written: '{path}' is as it was.": "Rien n'est écrit : « {path} » reste comme avant.",
    "What it held: '{path}'.": "Son contenu d'avant : « {path} ».",
    "it offers {tools}": "il offre {tools}",
    "{heard}; asked for the newest note, it answers": "{heard} ; une recherche d'essai a réussi",
    "Wrote '{path}'.": "« {path} » est écrit.",
    "run again with --debug": "relancez avec --debug",
    "/new    forget the conversation and start a new one\n/save   make a note of the conversation; "
    "/save NOTE chooses where, /save FOLDER/ in which folder\n/help   list these commands\n/quit   end "
    "the chat; so do /exit, quit, exit and Ctrl-D\nCtrl-C  stop an answer, and keep what was said; a "
    "write that is asked about is not made": (
        "/nouveau      (ou /new) oublier la conversation et en commencer une nouvelle\n"
        "/enregistrer  (ou /save) faire une note de la conversation ; /enregistrer NOTE choisit où, "
        "/enregistrer DOSSIER/ dans quel dossier\n"
        "/aide         (ou /help) énumérer ces commandes\n"
        "/quitter      (ou /quit) terminer ; de même /exit, quit, exit et Ctrl-D\n"
        "Ctrl-C        arrêter une réponse, et garder ce qui a été dit ; une écriture soumise à votre accord "
        "n'est pas faite"
    ),
    "No such option: {option} (Possible options: {near})": "pas d'option {option} (possibles : {near})",
    "No such option: {option} Did you mean {near}?": "pas d'option {option} ; vouliez-vous dire {near} ?",
    "No such option: {option}": "pas d'option {option}",
    "No such command {command}. Did you mean {near}?": (
        "pas de commande {command} ; vouliez-vous dire {near} ?"
    ),
    "No such command {command}.": "pas de commande {command}",
    "Missing argument {name}.": "l'argument {name} manque",
    "Missing option {name}.": "l'option {name} manque",
    "Missing command.": "la commande manque",
    "Got unexpected extra argument(s) ({words})": "arguments en trop ({words})",
    "Option {option} requires an argument.": "l'option {option} demande une valeur",
    "Option {option} does not take a value.": "l'option {option} ne prend pas de valeur",
    "Invalid value for {name}: {reason}": "valeur invalide pour {name} : {reason}",
    "Invalid value: {reason}": "valeur invalide : {reason}",
    "Value {value} is not a valid {kind}.": "{value} ne convient pas ({kind})",
    "{value} is not a valid {kind}.": "{value} ne convient pas ({kind})",
    "{value} is not one of {choices}.": "{value} n'est pas l'un de {choices}",
    "{value} is not in the range {range}.": "{value} est hors de l'intervalle {range}",
    "--full shows the notes, --short does not; choose one": (
        "--full montre les notes, --short non ; choisissez"
    ),
    "--list, --revoke and --yes exclude each other": "--list, --revoke et --yes s'excluent",
    "--list is about all folders; leave the folder out": (
        "--list porte sur tous les dossiers ; laissez le dossier"
    ),
    "--sent is about all that was sent; leave the note out": (
        "--sent porte sur tout ce qui a été envoyé ; laissez la note"
    ),
    "--background ends when the index is up to date; leave --watch out": (
        "--background se termine quand l'index est à jour ; laissez --watch"
    ),
}
