"""In French: the vault, its paths, its settings and what is asked of it."""

ROWS: dict[str, str] = {
    "'edit NOTE' changes it; give the new one another name, or --folder": (
        "« edit NOTE » la change ; donnez un autre nom à la nouvelle, ou --folder"
    ),
    "'{name}' is an alias of {count} notes: '{listed:', '}'": (
        "« {name} » est un alias de {count} notes : « {listed: », « } »"
    ),
    "'{name}' is a folder, not a note": "« {name} » est un dossier, et non une note",
    "name a note in it": "nommez une note qui s'y trouve",
    "name one of them": "nommez l'une d'elles",
    "properties not read: {reason}": "propriétés non lues : {reason}",
    "line {line}: {problem}": "ligne {line} : {problem}",
    "longer than {most} characters": "plus de {most} caractères",
    "nested too deeply": "trop imbriqué",
    "not names with values": "ce ne sont pas des noms avec des valeurs",
    "expands to more than {most} values": "donne plus de {most} valeurs",
    "nested more than {most} deep, or within itself": "imbriqué plus de {most} fois, ou dans lui-même",
    "the tag '{tag}' is not read": "l'étiquette YAML « {tag} » n'est pas lue",
    "the name '{name}' stands twice": "le nom « {name} » s'y trouve deux fois",
    "name an existing folder with --vault PATH{known} or {variable}, put \"vault\" into '{file}', or "
    "start inside a folder that holds .obsidian/": (
        'nommez un dossier existant par --vault CHEMIN{known} ou {variable}, mettez "vault" dans « '
        "{file} », ou partez d'un dossier qui contient .obsidian/"
    ),
    "'{named}' stands for several vaults": "« {named} » désigne plusieurs coffres",
    "name one of them: {names}": "nommez l'un d'eux : {names}",
    "the vault's name is empty": "le nom du coffre est vide",
    "two vaults are called '{name}'": "deux coffres s'appellent « {name} »",
    "name one: --vault NAME=FOLDER": "nommez-en un : --vault NOM=DOSSIER",
    "setting '{name}': '{place}' lies inside the vault '{root}'": (
        "réglage « {name} » : « {place} » se trouve dans le coffre « {root} »"
    ),
    "name a folder outside": "nommez un dossier ailleurs",
    "no vault named, and none around '{path}'": (
        "aucun coffre n'est nommé, et il n'y en a pas autour de « {path} »"
    ),
    " (configured names: {names})": " (noms configurés : {names})",
    "'{path}' changed meanwhile": "« {path} » a changé entre-temps",
    "try again": "réessayez",
    "cannot write '{path}': {reason}": "impossible d'écrire « {path} » : {reason}",
    "'{path}' was made meanwhile": "« {path} » a été créé entre-temps",
    "the configuration '{path}' is not a JSON object": "la configuration « {path} » n'est pas un objet JSON",
    'start it with "{{"': "commencez-la par « {{ »",
    "cannot read the configuration '{path}': {reason}": (
        "impossible de lire la configuration « {path} » : {reason}"
    ),
    "it must be JSON": "elle doit être en JSON",
    "no configuration file at '{path}'": "pas de fichier de configuration à « {path} »",
    "name an existing JSON file": "nommez un fichier JSON existant",
    "'{path}' is larger than {max_bytes} bytes": "« {path} » dépasse {max_bytes} octets",
    "'{path}' is not a regular file": "« {path} » n'est pas un fichier ordinaire",
    "cannot read '{path}': {reason}": "impossible de lire « {path} » : {reason}",
    "setting '{keys}'{where}: there is no such setting (got {value})": (
        "réglage « {keys} »{where} : il n'y en a pas de ce nom (valeur {value})"
    ),
    "did you mean '{near}'? there are: {known}": "vouliez-vous dire « {near} » ? il y a : {known}",
    "there are: {known}": "il y a : {known}",
    "a variable {env_prefix}… is no JSON: {reason}": (
        "une variable {env_prefix}… n'est pas du JSON : {reason}"
    ),
    "write it as in config.json": "écrivez-la comme dans config.json",
    "setting '{where}': {reason} (got {value})": "réglage « {where} » : {reason} (reçu {value})",
    "setting '{name}': '{place}' is outside your own folders, and the file of a folder, '{path}', may "
    "keep nothing there": (
        "réglage « {name} » : « {place} » est hors de vos propres dossiers, et le fichier d'un dossier, "
        "« {path} », ne peut rien y garder"
    ),
    "name a place below your home folder, or name the file with --config": (
        "nommez un endroit sous votre dossier personnel, ou nommez le fichier par --config"
    ),
    " in '{file}'": " dans « {file} »",
    "{others} or {last}": "{others} ou {last}",
    "the record of trusted folders '{path}' is not yours alone to write": (
        "le registre des dossiers acceptés, « {path} », peut être écrit par d'autres que vous"
    ),
    "delete it, and trust your folders again": "supprimez-le, et acceptez de nouveau vos dossiers",
    "the record of trusted folders '{path}' is damaged: {reason}": (
        "le registre des dossiers acceptés, « {path} », est endommagé : {reason}"
    ),
    "another process is writing '{path}'": "un autre processus écrit « {path} »",
    "try again in a moment": "réessayez dans un instant",
    "the agent's dependencies {found}": "les dépendances de l'agent {found}",
    "give it deps with a VaultClient as 'vault'": (
        "donnez-lui des dépendances avec un VaultClient dans « vault »"
    ),
    "{message}. {hint}": "{message}. {hint}",
    "'{name}' has {count:,} characters": "« {name} » a {count} caractères",
    "{most:,} are the most": "{most} au plus",
    "'{name}' has {count:,} items": "« {name} » a {count} éléments",
    "{list_items} are the most": "{list_items} au plus",
    "the items of '{name}' have {size:,} characters together": (
        "les éléments de « {name} » ont {size} caractères en tout"
    ),
    "{list_chars:,} are the most": "{list_chars} au plus",
    "'{name}' holds a lone surrogate (U+{code:04X}), which is no text": (
        "« {name} » contient un demi-codet isolé (U+{code:04X}), qui n'est pas du texte"
    ),
    "send it as valid Unicode": "envoyez-le en Unicode valide",
    "'{name}' is missing": "« {name} » manque",
    "{name}: {about}": "{name} : {about}",
    "give '{name}'": "donnez « {name} »",
    "'{name}' is {value}": "« {name} » vaut {value}",
    "'{path}' is too large: {size} bytes": "« {path} » est trop grand : {size} octets",
    "the setting 'max_note_bytes' allows {limit}": "le réglage « max_note_bytes » en permet {limit}",
    "that is a folder": "c'est un dossier",
    "the vault's folder is an empty text": "le dossier du coffre est un texte vide",
    "'{path}' is not a folder": "« {path} » n'est pas un dossier",
    "name the folder that holds the notes": "nommez le dossier qui contient les notes",
    "'{note}' would have {count} bytes": "« {note} » aurait {count} octets",
    "no vault at '{path}'": "pas de coffre à « {path} »",
    "date '{text}' is not understood": "la date « {text} » n'est pas comprise",
    "write {accepted_forms}": "écrivez {accepted_forms}",
    "'{path}' is marked read-only": "« {path} » est protégé en écriture",
    "allow writing to the file first": "permettez d'abord d'écrire le fichier",
    "the glob '{glob}' has more than {max_crossing} '**'": (
        "le motif « {glob} » a plus de {max_crossing} « ** »"
    ),
    "use fewer": "prenez-en moins",
    "malformed glob '{glob}': {reason}": "motif mal formé « {glob} » : {reason}",
    "check what stands in [ ]": "vérifiez ce qui est entre [ ]",
    "malformed glob '{glob}': '{{' is not closed": "motif mal formé « {glob} » : « {{ » n'est pas fermée",
    "add the missing '}}'": "ajoutez la « }} » qui manque",
    "the glob '{glob}' has more than {max_choices} choices": (
        "le motif « {glob} » a plus de {max_choices} choix"
    ),
    "write several": "écrivez-en plusieurs",
    "malformed glob '{glob}': '[' is not closed": "motif mal formé « {glob} » : « [ » n'est pas fermé",
    "add the missing ']'": "ajoutez le « ] » qui manque",
    "a regular expression of at most {most} characters": (
        "une expression rationnelle de {most} caractères au plus"
    ),
    "')' that closes this '('": "la « ) » qui ferme cette « ( »",
    "a group of JavaScript's, which '{opening}' does not open": (
        "un groupe de JavaScript, que « {opening} » n'ouvre pas"
    ),
    "'(' somewhere before this ')'": "une « ( » quelque part avant cette « ) »",
    "something that can be repeated before this": "quelque chose qui se répète avant ceci",
    "at most {most} repeats": "{most} répétitions au plus",
    "numbers in order": "des nombres dans l'ordre",
    "a sign after '\\'": "un signe après « \\ »",
    "an escape of JavaScript's, which '\\{sign}' is not": (
        "un échappement de JavaScript, ce que « \\{sign} » n'est pas"
    ),
    "the number of a character": "le numéro d'un caractère",
    "']' that closes this '['": "le « ] » qui ferme ce « [ »",
    "a range in order": "un intervalle dans l'ordre",
    "there are several vaults": "il y a plusieurs coffres",
    "give vault: {names}": "donnez vault : {names}",
    "no vault {name}": "pas de coffre {name}",
    "'{place}' names '{found_name}', and the call '{name}'": (
        "« {place} » nomme « {found_name} », et l'appel « {name} »"
    ),
    "name one vault": "nommez un seul coffre",
    "places are in several vaults: {found}": "les endroits sont dans plusieurs coffres : {found}",
    "'{name}' and '{other}' are one vault": "« {name} » et « {other} » sont un même coffre",
    "give it one name": "donnez-lui un seul nom",
    "the vault '{name}' lies inside the vault '{other}'": (
        "le coffre « {name} » se trouve dans le coffre « {other} »"
    ),
    "give one of them alone": "donnez l'un des deux seul",
    "'{wanted}' could be any of {count} notes: '{listed:', '}'": (
        "« {wanted} » peut être n'importe laquelle de {count} notes : « {listed: », « } »"
    ),
    "'{wanted}' could be any of several excluded notes": (
        "« {wanted} » peut être n'importe laquelle de plusieurs notes exclues"
    ),
    "and {more} more; give the whole path": "et {more} autres ; donnez le chemin entier",
    "give the whole path": "donnez le chemin entier",
    "no note path given": "aucun chemin de note n'est donné",
    "name a note, such as 'Projects/Plan.md'": "nommez une note, comme « Projets/Plan.md »",
    "{reason}; its earlier settings hold until it can": "{reason} ; ses réglages antérieurs valent jusque-là",
    "{file}: 'userIgnoreFilters' is not a list: {value}": (
        "{file} : « userIgnoreFilters » n'est pas une liste : {value}"
    ),
    "{file}: 'userIgnoreFilters' holds {value}, which is not a text": (
        "{file} : « userIgnoreFilters » contient {value}, qui n'est pas un texte"
    ),
    "{file}: '{key}' is {value}, not one of {choices}": (
        "{file} : « {key} » vaut {value}, ce qui n'est pas l'une de ces valeurs : {choices}"
    ),
    "excluded files: {count} are listed, and {most} at most are understood": (
        "fichiers exclus : {count} sont listés, et {most} au plus sont compris"
    ),
    "excluded files: {count} expressions are listed, and {most} at most are understood": (
        "fichiers exclus : {count} expressions sont listées, et {most} au plus sont comprises"
    ),
    "excluded files: the expression {text} is not understood: expected {expected}": (
        "fichiers exclus : l'expression {text} n'est pas comprise : il y faudrait {expected}"
    ),
    "'{path}' names a folder, not a note": "« {path} » nomme un dossier, et non une note",
    "drop the slash at the end": "retirez la barre oblique de la fin",
    "'{path}' is hidden: a name on it starts with a dot": (
        "« {path} » est caché : un nom y commence par un point"
    ),
    "choose names without a leading dot": "choisissez des noms sans point au début",
    "the path '{text}…' is longer than {path_bytes} bytes": (
        "le chemin « {text}… » dépasse {path_bytes} octets"
    ),
    "shorten it": "raccourcissez-le",
    "the path '{written}' holds a NUL": "le chemin « {written} » contient un caractère NUL",
    "give a path inside the vault, such as 'Projects/Plan.md'": (
        "donnez un chemin dans le coffre, comme « Projets/Plan.md »"
    ),
    "the path '{written}' names a host": "le chemin « {written} » nomme une machine",
    "'{written}' is an address, not a path": "« {written} » est une adresse, et non un chemin",
    "the path '{written}' names a drive": "le chemin « {written} » nomme un lecteur",
    "the path '{written}' names a home folder": "le chemin « {written} » nomme un dossier personnel",
    "the name '{part}…' has {size} bytes": "le nom « {part}… » a {size} octets",
    "{name_bytes} are the most": "{name_bytes} au plus",
    "the path '{path}' leads out of the vault": "le chemin « {path} » mène hors du coffre",
    "the path '{written}' is not valid Unicode": "le chemin « {written} » n'est pas de l'Unicode valide",
    "symbolic link to a target inside the vault; skipped, the target is listed by itself": (
        "lien symbolique vers une cible du coffre ; sauté, la cible est listée elle-même"
    ),
    "the vault's folder '{root}' cannot be opened: {reason}": (
        "le dossier du coffre « {root} » ne peut être ouvert : {reason}"
    ),
    "name cannot be used: {reason}": "ce nom ne peut être utilisé : {reason}",
    "symbolic link to nothing; skipped": "lien symbolique vers rien ; sauté",
    "symbolic link skipped: {reason}": "lien symbolique sauté : {reason}",
    "a symbolic link on '{path}' leads outside the vault": (
        "un lien symbolique sur « {path} » mène hors du coffre"
    ),
    "only files inside it are used": "seuls les fichiers qui s'y trouvent sont pris",
    "'{path}' is a folder": "« {path} » est un dossier",
    "name a file": "nommez un fichier",
    "cannot access '{path}': {reason}": "impossible d'accéder à « {path} » : {reason}",
    "the symbolic links on '{path}' lead in a circle": (
        "les liens symboliques sur « {path} » tournent en rond"
    ),
    "a name on '{path}…' is too long for the disk": "un nom sur « {path}… » est trop long pour le disque",
    "a file or link is in the way": "un fichier ou un lien barre le chemin",
    "'{path}' is a symbolic link": "« {path} » est un lien symbolique",
    "name the note it leads to": "nommez la note à laquelle il mène",
    "'{file}' is ignored: {reason}": "« {file} » est ignoré : {reason}",
    "it changed since you trusted it; 'vault-assistant trust' shows what it would change, and asks": (
        "il a changé depuis que vous l'avez accepté ; « vault-assistant trust » montre ce qu'il "
        "changerait, et demande"
    ),
    "you have not trusted it; 'vault-assistant trust' shows what it would change, and asks": (
        "vous ne l'avez pas accepté ; « vault-assistant trust » montre ce qu'il changerait, et demande"
    ),
    "a server takes no file of the folder that a client starts it in; if it is yours, name it with "
    "--config": (
        "un serveur ne prend aucun fichier du dossier où un client le démarre ; s'il est à vous, "
        "nommez-le par --config"
    ),
}
