"""In French: the command line."""

ROWS: dict[str, str] = {
    "another process indexes in the background already": "un autre processus indexe déjà en arrière-plan",
    "valid: count, name": "au choix : count, name",
    "unknown operation '{written}'": "opération inconnue : « {written} »",
    "did you mean '{near}'? To look for the word, put the query into quotes": (
        "vouliez-vous dire « {near} » ? Pour chercher le mot, mettez la requête entre guillemets"
    ),
    "nothing to look for is given": "rien à chercher n'est donné",
    "give words, as in 'find larch'": "donnez des mots, comme dans « find mélèze »",
    "start again, or run index by hand": "relancez, ou lancez index à la main",
    "init asks, and nobody is there to answer": "init pose des questions, et personne n'est là pour répondre",
    "'status NOTE' says why": "« status NOTE » dit pourquoi",
    "with --port 0 clients cannot know the server": (
        "avec --port 0 les clients ne peuvent connaître le serveur"
    ),
    "set 'oauth.resource'": "réglez « oauth.resource »",
    "take it away first": "retirez-la d'abord",
    "no model is named": "aucun modèle n'est nommé",
    "vault-assistant model list names some": "vault-assistant model list en nomme quelques-uns",
    "add --yes": "ajoutez --yes",
    "the editor '{editor}' needs a terminal, and this is none": (
        "l'éditeur « {editor} » demande un terminal, et il n'y en a pas ici"
    ),
    "name a program by VISUAL that needs none, such as VISUAL='cp FILE'": (
        "nommez par VISUAL un programme qui s'en passe, comme VISUAL='cp FICHIER'"
    ),
    "no editor is there": "il n'y a pas d'éditeur",
    "name one: EDITOR=nano vault-assistant edit NOTE": "nommez-en un : EDITOR=nano vault-assistant edit NOTE",
    "set VISUAL or EDITOR": "réglez VISUAL ou EDITOR",
    "name a command": "nommez une commande",
    "start in another folder, or name one by --to": "partez d'un autre dossier, ou nommez-en un par --to",
    "name another folder by --vault": "nommez un autre dossier par --vault",
    "answer there, or add --yes": "répondez-y, ou ajoutez --yes",
    "it is ignored as it is": "il est ignoré tel quel",
    "name an existing folder": "nommez un dossier existant",
    "name a folder that has one": "nommez un dossier qui en a un",
    "its log is '{log}'": "son journal est « {log} »",
    "the run ended with code {code}": "le processus s'est terminé avec le code {code}",
    "mend '{settings_file}' in the vault": "corrigez « {settings_file} » dans le coffre",
    "Note: {hint}": "Remarque : {hint}",
    "offline": "assistant hors ligne",
    "Vault {name}, model {model}. /new starts afresh, /help lists the commands, /quit ends.": (
        "Coffre {name}, modèle : {model}. /nouveau recommence, /aide énumère les commandes, /quitter termine."
    ),
    "'note' is no command any more": "« note » n'est plus une commande",
    "cat reads a note, new makes one, edit changes it, mv moves it, rm deletes it, undo takes a "
    "write back, and 'status NOTE --json' describes it": (
        "cat lit une note, new en fait une, edit la modifie, mv la déplace, rm la supprime, undo annule une "
        "écriture, et « status NOTE --json » la décrit"
    ),
    "Saved as '{path}'; 'vault-assistant undo' takes it back.": (
        "Enregistré dans « {path} » ; « vault-assistant undo » l'annule."
    ),
    "A new conversation.": "Une nouvelle conversation.",
    "unknown command '{command}'; /help lists the commands": (
        "commande inconnue : « {command} » ; /aide énumère les commandes"
    ),
    "\n(interrupted)": "\n(interrompu)",
    "unknown shell {shell}": "shell inconnu : {shell}",
    "valid: {shells}": "au choix : {shells}",
    "unknown order {order}": "ordre inconnu : {order}",
    "'{root}' can no longer be watched": "« {root} » ne peut plus être suivi",
    "write {example} into '{path}', then run '{name} index'": (
        "écrivez {example} dans « {path} », puis lancez « {name} index »"
    ),
    "Restart {client}, or have it load its servers anew.": (
        "Relancez {client}, ou faites-lui recharger ses serveurs."
    ),
    "'{path}' has this entry already.": "« {path} » a déjà cette entrée.",
    "Not written: this is a dry run.": "Rien n'est écrit : c'est un essai à blanc.",
    "Started the server: {heard}": "Serveur démarré : {heard}",
    "It can be told what the vault holds: {command}": (
        "Il peut apprendre ce que contient le coffre : {command}"
    ),
    "'{path}' is not in the index": "« {path} » n'est pas dans l'index",
    "unexpected failure: {kind}: {reason}": "défaillance imprévue : {kind} : {reason}",
    "see '{path} --help'": "voyez « {path} --help »",
    "WARNING: other machines can reach {host}, and nothing is encrypted: whoever reads the token along "
    "the way can read your notes, and change them as 'writes' allows.": (
        "ATTENTION : d'autres machines atteignent {host}, et rien n'est chiffré : qui lit le jeton en "
        "chemin peut lire vos notes, et les changer autant que « writes » le permet."
    ),
    "WARNING: other machines can reach {host}, and nothing is encrypted: whoever reads the token along "
    "the way can read your notes.": (
        "ATTENTION : d'autres machines atteignent {host}, et rien n'est chiffré : qui lit le jeton en "
        "chemin peut lire vos notes."
    ),
    "Serving {url} {told}; Ctrl-C ends.": "À l'écoute sur {url} {told} ; Ctrl-C termine.",
    "as {resource}, with tokens of {issuer}": "en tant que {resource}, avec les jetons de {issuer}",
    "with the tokens of '{file}'": "avec les jetons de « {file} »",
    "'{named}' is set, so tokens are its own": "« {named} » est réglé : les jetons sont les siens",
    "both 'oauth.issuer' and 'token_file' are set": (
        "« oauth.issuer » et « token_file » sont tous deux réglés"
    ),
    "set one of them to null": "réglez l'un des deux à null",
    "the file of tokens '{path}' cannot be read: {reason}": (
        "le fichier de jetons « {path} » ne peut pas être lu : {reason}"
    ),
    "the file of tokens '{path}' is not yours alone": "le fichier de jetons « {path} » n'est pas à vous seul",
    "chmod 600 '{path}', as its owner": "chmod 600 « {path} », en tant que propriétaire",
    "the file of tokens '{path}' is wrong at '{place}': {reason}": (
        "le fichier de jetons « {path} » est faux à « {place} » : {reason}"
    ),
    "the file of tokens '{path}' is wrong: {reason}": "le fichier de jetons « {path} » est faux : {reason}",
    "it is a list of objects with name, sha256, vaults and writes; see docs/mcp.md": (
        "c'est une liste d'objets avec name, sha256, vaults et writes ; voir docs/mcp.md"
    ),
    "Token, made up for this run ({variable} sets one): {token}": (
        "Jeton, fait pour cette fois ({variable} en règle un) : {token}"
    ),
    "No token: every program on this machine can ask.": (
        "Pas de jeton : tout programme de cette machine peut demander."
    ),
    "Serving {url}; Ctrl-C ends.": "À l'écoute sur {url} ; Ctrl-C termine.",
    "leave --token, --no-token and {token_variable} out": "laissez --token, --no-token et {token_variable}",
    "'{file}': {setting} is '{name}', for every vault without indexes of its own.": (
        "« {file} » : {setting} vaut « {name} », pour tout coffre sans index à lui."
    ),
    "'{file}': {setting} is '{name}'.": "« {file} » : {setting} vaut « {name} ».",
    "Get {name} now (at most {megabytes} MB, {licence}, from {host}; no note is sent)? [y/N] ": (
        "Télécharger {name} maintenant (au plus {megabytes} Mo, {licence}, de {host} ; aucune note n'est "
        "envoyée) ? [o/N] "
    ),
    "there is no operation '{operation}'": "il n'y a pas d'opération « {operation} »",
    "there are: {operations}": "il y a : {operations}",
    "the variable {variables} names the indexes, and counts more than a file": (
        "la variable {variables} nomme les index, et compte plus qu'un fichier"
    ),
    "Every file is what the hub says it is.": "Chaque fichier est bien ce que le dépôt en dit.",
    "{repository}: {files} files, {megabytes} MB, licence {licence}, from {host}. Nothing of your "
    "notes is sent there.": (
        "{repository} : {files} fichiers, {megabytes} Mo, licence {licence}, de {host}. Rien de vos "
        "notes n'y est envoyé."
    ),
    "It cannot be got now: {reason}": "Impossible de le télécharger maintenant : {reason}",
    "a task that is done is not overdue": "une tâche faite n'est pas en retard",
    "give --done or --overdue": "donnez --done ou --overdue",
    "the editor '{editor}' cannot be started: {reason}": (
        "l'éditeur « {editor} » ne peut être lancé : {reason}"
    ),
    "${name} is {value}: {reason}": "${name} vaut {value} : {reason}",
    "WARNING: other machines can reach {host}, and nothing is encrypted: whoever reads the token or "
    "the cookie along the way can read your notes, and change them as 'writes' allows.": (
        "ATTENTION : d'autres machines atteignent {host}, et rien n'est chiffré : qui lit le jeton ou le "
        "cookie en chemin peut lire vos notes, et les changer autant que « writes » le permet."
    ),
    "For another browser: {url}": "Pour un autre navigateur : {url}",
    "Open {url} – Ctrl-C ends.": "Ouvrez {url} – Ctrl-C termine.",
    "'{path}' lies in the vault, where nothing is written unasked": (
        "« {path} » se trouve dans le coffre, où rien n'est écrit sans qu'on le demande"
    ),
    "'{root}' holds no notes": "« {root} » ne contient pas de notes",
    "'vault-assistant init' asks and sets one; or {hint}": (
        "« vault-assistant init » pose la question et le règle ; ou {hint}"
    ),
    "… and {more} more; --json shows all of them with their texts, which are kept in {folder}": (
        "… et {more} autres ; --json les montre tous avec leurs textes, qui sont gardés dans {folder}"
    ),
    "--json shows all of them with their texts, which are kept in {folder}": (
        "--json les montre tous avec leurs textes, qui sont gardés dans {folder}"
    ),
    "the log of sent texts in '{folder}' cannot be read: {reason}": (
        "le journal des textes envoyés dans « {folder} » ne peut être lu : {reason}"
    ),
    "it cannot be read: {reason}; only its name is found": (
        "elle ne peut être lue : {reason} ; seul son nom se trouve"
    ),
    "it cannot be read: {reason}": "elle ne peut être lue : {reason}",
    "Nothing was sent to a language model so far.": "Rien n'a encore été envoyé à un modèle de langage.",
    "{count} characters": "{count} caractères",
    "… and {more} more; --json shows all": "… et {more} autres ; --json montre tout",
    "process {pid}, log {log}": "processus {pid}, journal {log}",
    "ignored: '{file}': {reason}": "ignoré : « {file} » : {reason}",
    "Trusted until it changes; 'vault-assistant trust --revoke' takes that back.": (
        "Accepté jusqu'à ce qu'il change ; « vault-assistant trust --revoke » le reprend."
    ),
    "'{path}' was not trusted: a yes counts only where a person types it, in a terminal": (
        "« {path} » n'a pas été accepté : un oui ne compte que là où une personne le tape, dans un terminal"
    ),
    "Trust it? [y/N] ": "L'accepter ? [o/N] ",
    "'{path}' holds no setting of this program": "« {path} » ne contient aucun réglage de ce programme",
    "The config.json in '{folder}' is trusted no more.": "Le config.json de « {folder} » n'est plus accepté.",
    "--vault {name} opens the vault in this folder": "--vault {name} ouvre le coffre de ce dossier",
    "there is no folder '{named}'": "il n'y a pas de dossier « {named} »",
    "'{path}' is your own configuration, and needs no trust.": (
        "« {path} » est votre propre configuration, et n'a pas à être accepté."
    ),
    "there is no {file_name} in '{folder}'": "il n'y a pas de {file_name} dans « {folder} »",
    "While VAULT_ASSISTANT_CONFIG names '{file}', that file holds instead.": (
        "Tant que VAULT_ASSISTANT_CONFIG nomme « {file} », c'est ce fichier qui vaut."
    ),
    "It is trusted already; 'vault-assistant trust --revoke' takes that back.": (
        "Il est déjà accepté ; « vault-assistant trust --revoke » le reprend."
    ),
    "Not trusted: nothing has changed.": "Non accepté : rien n'a changé.",
    "as it is now": "comme maintenant",
    "now {value}": "maintenant {value}",
    "now none": "maintenant rien",
    "Nothing was trusted in '{folder}'.": "Rien n'était accepté dans « {folder} ».",
    "'{file}' sets, for every command that starts in its folder:": (
        "« {file} » règle, pour toute commande qui part de son dossier :"
    ),
    "No folder's config.json is trusted.": "Aucun config.json de dossier n'est accepté.",
    "The file is a link to '{target}'.": "Le fichier est un lien vers « {target} ».",
}
