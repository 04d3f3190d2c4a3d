"""In French: the chat, the library, the page and the server."""

ROWS: dict[str, str] = {
    "ask_vault was sent {most_asks} times for this question": (
        "ask_vault a été appelé {most_asks} fois pour cette question"
    ),
    "answer from what it found, or use vault_search": (
        "répondez d'après ce qu'il a trouvé, ou prenez vault_search"
    ),
    "model '{model_id}' did not come to an answer: {reason}": (
        "le modèle « {model_id} » n'est pas parvenu à une réponse : {reason}"
    ),
    "ask more narrowly": "demandez plus précisément",
    "the question is empty": "la question est vide",
    "ask something": "demandez quelque chose",
    "read it as a note": "lisez-le comme une note",
    "'{path}' changed since it was read": "« {path} » a changé depuis sa lecture",
    "did you mean '{near:' or '}'?": "vouliez-vous dire « {near: » ou « } » ?",
    "no folder '{written}'": "pas de dossier « {written} »",
    "valid: {valid}": "au choix : {valid}",
    "model '{name}' has no label for entailment, but {labels}": (
        "le modèle « {name} » n'a pas d'étiquette pour l'implication, mais {labels}"
    ),
    "name a model of natural language inference, or one with a single score": (
        "nommez un modèle d'inférence en langue naturelle, ou un modèle à une seule note"
    ),
    "'{name}' is {max_tokens}": "« {name} » vaut {max_tokens}",
    "give a number from {least_tokens} to {most_tokens}": (
        "donnez un nombre de {least_tokens} à {most_tokens}"
    ),
    "what was found has no room in {max_tokens} tokens": (
        "ce qui a été trouvé ne tient pas dans {max_tokens} jetons"
    ),
    "give up to {most_tokens}": "donnez-en jusqu'à {most_tokens}",
    "there is nothing to save yet": "il n'y a encore rien à enregistrer",
    "ask something first": "demandez d'abord quelque chose",
    "the conversation was not saved": "la conversation n'a pas été enregistrée",
    "name another folder": "nommez un autre dossier",
    "choose another name": "choisissez un autre nom",
    "'operation' is {shown}": "« operation » vaut {shown}",
    "the vaults are {names}": "les coffres sont {names}",
    "give one at least, and each a name of its own": "donnez-en au moins un, et à chacun son propre nom",
    "'writes' is {writes}": "« writes » vaut {writes}",
    "unknown tool {name}": "outil inconnu : {name}",
    "the arguments are a {name}": "les arguments sont de type {name}",
    "give an object": "donnez un objet",
    "'changes' is no list of changes": "« changes » n'est pas une liste de changements",
    "give a list of objects": "donnez une liste d'objets",
    "'{beside}' stands beside 'changes'": "« {beside} » se trouve à côté de « changes »",
    "put it into one of them": "mettez-le dans l'un d'eux",
    "'changes' are to several vaults": "« changes » touche plusieurs coffres",
    "make one call for each vault": "faites un appel pour chaque coffre",
    "unknown parameter {each}": "paramètre inconnu : {each}",
    "the arguments are no JSON: {reason}": "les arguments ne sont pas du JSON : {reason}",
    "the question is {question}": "la question est {question}",
    "give a text": "donnez un texte",
    "no tool is chosen": "aucun outil n'est choisi",
    "valid: all, {valid}": "au choix : all, {valid}",
    "nothing is left to offer with --read-only": "avec --read-only il ne reste rien à offrir",
    "choose a tool that reads": "choisissez un outil qui lit",
    "unknown tool '{name}'": "outil inconnu : « {name} »",
    "unknown folder '{folder}'": "dossier inconnu : « {folder} »",
    "there are {known}": "il y a {known}",
    "no folder '{folder}' in the vault": "pas de dossier « {folder} » dans le coffre",
    "name one relative to the vault": "nommez-en un, relatif au coffre",
    "'{host}' can be reached by other machines, so a token is needed": (
        "« {host} » est accessible à d'autres machines : il faut un jeton"
    ),
    "give --token, or leave --no-token out": "donnez --token, ou laissez --no-token",
    "the token must be {least_token} characters or more, all of them ASCII": (
        "le jeton doit avoir {least_token} caractères ou plus, tous en ASCII"
    ),
    "cannot back up '{path}'": "impossible de faire une copie de sûreté de « {path} »",
    "there are too many backups of this second": "il y a trop de copies de cette même seconde",
    "'{block}' is not an object": "« {block} » n'est pas un objet",
    "mend the file first": "corrigez d'abord le fichier",
    "the file is laid out in a way that cannot be kept": (
        "le fichier est disposé d'une façon qui ne peut être gardée"
    ),
    "add the entry by hand": "ajoutez l'entrée à la main",
    "the file is not a JSON object, so it is left alone": (
        "le fichier n'est pas un objet JSON, il est donc laissé tel quel"
    ),
    "the file names '{name}' twice, so it is left alone": (
        "le fichier nomme « {name} » deux fois, il est donc laissé tel quel"
    ),
    "the file is not plain JSON, so it is left alone: {reason}": (
        "le fichier n'est pas du simple JSON, il est donc laissé tel quel : {reason}"
    ),
    "'{path}' was not changed: {reason}": "« {path} » n'a pas été changé : {reason}",
    "'{path}' is no configuration file: too large, or not a regular file": (
        "« {path} » n'est pas un fichier de configuration : trop grand, ou pas un fichier ordinaire"
    ),
    "'{path}' changed meanwhile, so nothing was written": (
        "« {path} » a changé entre-temps, rien n'a donc été écrit"
    ),
    "run it again": "relancez",
    "unknown client '{name}'": "client inconnu : « {name} »",
    "{title} has no configuration for one project": "{title} n'a pas de configuration propre à un projet",
    "leave --project out": "laissez --project",
    "'{block}' is not a table of tables": "« {block} » n'est pas une table de tables",
    "the file is not TOML, so it is left alone: {reason}": (
        "le fichier n'est pas du TOML, il est donc laissé tel quel : {reason}"
    ),
    "the server does not answer, so nothing was written: {reason}": (
        "le serveur ne répond pas, rien n'a donc été écrit : {reason}"
    ),
    "start it by hand: {started}": "démarrez-le à la main : {started}",
    "'oauth.issuer' is not set": "« oauth.issuer » n'est pas réglé",
    "name the authorization server": "nommez le serveur d'autorisation",
    "the token shows none of the vaults": "le jeton ne montre aucun des coffres",
    "ask for one that names them": "demandez-en un qui les nomme",
    "the MCP server needs the package mcp": "le serveur MCP a besoin du paquet mcp",
    "install the extra 'mcp': pip install 'vault-assistant[mcp]', or '.[mcp]' in a clone": (
        "installez l'extra « mcp » : pip install 'vault-assistant[mcp]', ou '.[mcp]' dans un clone"
    ),
    "'{folder}' is a folder of no vault": "« {folder} » n'est un dossier d'aucun coffre",
    "write NAME:FOLDER, with one of: {vaults}": "écrivez NOM:DOSSIER, avec un de ceux-ci : {vaults}",
    "search: {subject}": "recherche : {subject}",
    "question to the notes: {subject}": "question aux notes : {subject}",
    "folders and notes": "dossiers et notes",
    "reading: {subject}": "lecture : {subject}",
    "{doing} '{subject}'": "{doing} « {subject} »",
    "the token does not allow it": "le jeton ne le permet pas",
    "the server was started with --read-only": "le serveur a été démarré avec --read-only",
    "{operation} was not done: {why}": "« {operation} » n'a pas été fait : {why}",
    "Unknown operation: {operation}. Valid: {valid}": "Opération inconnue : {operation}. Au choix : {valid}",
    "cannot listen on {host}:{port}: {reason}": "impossible d'écouter à {host}:{port} : {reason}",
    "choose another --host or --port": "choisissez un autre --host ou --port",
    "'{path}' has more or less than one pair of '{begin}' and '{end}'": (
        "« {path} » n'a pas exactement une paire de « {begin} » et « {end} »"
    ),
    "name another file": "nommez un autre fichier",
    "'{path}' is not UTF-8": "« {path} » n'est pas en UTF-8",
    "mend the file, or remove both": "corrigez le fichier, ou retirez les deux",
    "there is no such folder": "ce dossier n'existe pas",
    "it may have been moved: search for its name": "il a pu être déplacé : cherchez son nom",
    "{text} is no month": "{text} n'est pas un mois",
    "give a year and a month, such as /days/2025-07": "donnez une année et un mois, comme /days/2025-07",
    "there is no such note or file": "cette note (ou ce fichier) n'existe pas",
    "'{name}' is {text}": "« {name} » vaut {text}",
    "give a number from 1 to {most}": "donnez un nombre de 1 à {most}",
    "the web page needs the package {name}": "la page web a besoin du paquet {name}",
    "install the extra 'web': pip install 'vault-assistant[web]', or '.[web]' in a clone": (
        "installez l'extra « web » : pip install 'vault-assistant[web]', ou '.[web]' dans un clone"
    ),
    "the log of sent texts cannot be read: {reason}": (
        "le journal des textes envoyés ne peut être lu : {reason}"
    ),
    "this talk is being answered in a browser": "la réponse à cet entretien se fait dans un navigateur",
    "wait for it, or stop it there": "attendez-la, ou arrêtez-la là-bas",
    "another question is being answered": "une autre question reçoit sa réponse",
    "wait for it or stop it first": "attendez-la ou arrêtez-la d'abord",
    "there is no such talk": "il n'y a pas de tel entretien",
    "load the list again": "rechargez la liste",
    "the title is empty": "le titre est vide",
    "write what the talk is to be called": "écrivez comment l'entretien doit s'appeler",
    "the talk cannot be kept in '{parent}': {reason}": (
        "l'entretien ne peut être gardé dans « {parent} » : {reason}"
    ),
    "there is no such write to take back": "il n'y a pas de telle écriture à annuler",
    "load the page again": "rechargez la page",
    "'{path}' was written to since": "« {path} » a été écrite depuis",
    "take the later write back first": "annulez d'abord l'écriture plus récente",
    "'{note}' is no note, and '{question}' is one": (
        "« {note} » n'est pas une note, et « {question} » en est une"
    ),
    "the note comes first: {command}": "la note vient d'abord : {command}",
    "unknown mode '{mode}'": "mode inconnu : « {mode} »",
    "it is one of {valid}": "c'est l'un de : {valid}",
    "there is no conversation to save yet": "il n'y a pas encore de conversation à enregistrer",
    "there is no such answer to save": "il n'y a pas de telle réponse à enregistrer",
    "wait for it or stop it; it may be in another tab": (
        "attendez-la ou arrêtez-la ; elle est peut-être dans un autre onglet"
    ),
    "this change is not waiting for an answer any more": "ce changement n'attend plus de réponse",
    "ask for it again": "redemandez-le",
    "for example {token}": "par exemple {token}",
    "search by meaning could not be prepared": "la recherche par le sens n'a pas pu être préparée",
    "search by meaning could not be prepared: {reason}": (
        "la recherche par le sens n'a pas pu être préparée : {reason}"
    ),
}
