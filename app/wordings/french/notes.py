"""In French: notes that cannot be read or written."""

ROWS: dict[str, str] = {
    "a hidden file beside it could not be removed ({reason})": (
        "un fichier caché à côté d'elle n'a pas pu être supprimé ({reason})"
    ),
    "the disk did not confirm it ({reason}); a power failure now may undo it": (
        "le disque ne l'a pas confirmé ({reason}) ; une panne de courant maintenant pourrait l'annuler"
    ),
    "(only line ends or encoding differ)": "(seuls les fins de ligne ou l'encodage diffèrent)",
    "\\ No newline at end of file": "\\ Pas de fin de ligne à la fin du fichier",
    "(the note is empty)": "(la note est vide)",
    "an excluded note": "une note exclue",
    "'{path}'": "« {path} »",
    "{hidden_note} cannot be read or written": "{hidden_note} ne peut être ni lue ni écrite",
    "a person can look at it": "une personne peut y regarder",
    "{hidden_note} changed meanwhile": "{hidden_note} a changé entre-temps",
    "nothing was written": "rien n'a été écrit",
    "the journal would lie in the vault, at '{state}'": (
        "le journal se trouverait dans le coffre, à « {state} »"
    ),
    "change the setting 'state_dir'": "changez le réglage « state_dir »",
    "the earlier content {name} is damaged": "le contenu antérieur {name} est endommagé",
    "another process is writing to this vault": "un autre processus écrit dans ce coffre",
    "the journal in '{folder}' cannot be written: {reason}": (
        "impossible d'écrire le journal dans « {folder} » : {reason}"
    ),
    "without it nothing is written; see the setting 'state_dir'": (
        "sans lui rien n'est écrit ; voyez le réglage « state_dir »"
    ),
    "the earlier content {name} is not kept any more": "le contenu antérieur {name} n'est plus gardé",
    "the earlier content {name} cannot be read: {reason}": (
        "impossible de lire le contenu antérieur {name} : {reason}"
    ),
    "nothing was taken back": "rien n'a été annulé",
    "the journal in '{folder}' cannot be read: {reason}": (
        "impossible de lire le journal dans « {folder} » : {reason}"
    ),
    "see the setting 'state_dir'": "voyez le réglage « state_dir »",
    "there are too many late edits of '{name}'": "il y a trop de modifications tardives de « {name} »",
    "remove some of them": "retirez-en quelques-unes",
    "the empty folder {folder} could not be removed": "le dossier vide {folder} n'a pas pu être retiré",
    "{operation} changes nothing": "« {operation} » ne change rien",
    "name an operation that writes": "nommez une opération qui écrit",
    "performing {operation}: {reason}": "pendant « {operation} » : {reason}",
    "read it again; nothing was written": "relisez-la ; rien n'a été écrit",
    "there is a note at '{path}' already": "il y a déjà une note à « {path} »",
    "choose another path": "choisissez un autre chemin",
    "{reason}; what was written before could not be put back either: {second}": (
        "{reason} ; ce qui avait été écrit auparavant n'a pas pu être remis non plus : {second}"
    ),
    "the next command tries again, and 'status' says what became of it": (
        "la prochaine commande réessaie, et « status » dit ce qu'il en est"
    ),
    "{operation} could not be completed, on the disk nor in the journal: {reason}": (
        "« {operation} » n'a pu être achevé, ni sur le disque ni dans le journal : {reason}"
    ),
    "the next command puts the note back, and 'status' says so": (
        "la prochaine commande remet la note, et « status » le dit"
    ),
    "no heading '{heading}' in '{path}'": "pas de titre « {heading} » dans « {path} »",
    "its headings are {listed} and {more} more": "ses titres sont {listed} et {more} autres",
    "its headings are {listed}": "ses titres sont {listed}",
    "it has no headings": "elle n'a pas de titres",
    "no block '^{wanted}' in '{path}'": "pas de bloc « ^{wanted} » dans « {path} »",
    "its blocks are {names}": "ses blocs sont {names}",
    "no block in it has a name": "aucun de ses blocs n'a de nom",
    "write a range such as '9-14', '9' or '9-'": "écrivez un intervalle comme « 9-14 », « 9 » ou « 9- »",
    "'{name}' is '{lines}', whose end is before its start": (
        "« {name} » vaut « {lines} », dont la fin précède le début"
    ),
    "'{name}' is '{lines}', but '{path}' has {line_count} lines": (
        "« {name} » vaut « {lines} », mais « {path} » a {line_count} lignes"
    ),
    "heading '{heading}' stands {count} times in '{path}', at lines {places}": (
        "le titre « {heading} » figure {count} fois dans « {path} », aux lignes {places}"
    ),
    "name the headings above it too, as in 'Note#Upper#Lower'": (
        "nommez aussi les titres au-dessus, comme dans « Note#Haut#Bas »"
    ),
    "give 'lines', or the headings above it as 'Upper#Lower'": (
        "donnez « lines », ou les titres au-dessus, comme « Haut#Bas »"
    ),
    "{places} and {more} more": "{places} et {more} autres",
    "a batch moves one note at most": "un lot déplace une note au plus",
    "{count} are to be moved": "{count} sont à déplacer",
    "'{note}' is moved to '{place}', and a batch makes one of them anew": (
        "« {note} » est déplacée vers « {place} », et un lot recrée l'une des deux"
    ),
    "make it two": "faites-en deux",
    "'{name}'": "« {name} »",
    "rename from ": "ancien nom : ",
    "rename to ": "nouveau nom : ",
    "no note at '{path}'": "aucune note « {path} »",
    "only whole lines can be replaced": "seules des lignes entières peuvent être remplacées",
    "#{was} is called that already": "#{was} s'appelle déjà ainsi",
    "give another name": "donnez un autre nom",
    "'{path}' is not valid {encoding}, and would be in two encodings": (
        "« {path} » n'est pas de l'{encoding} valide et serait dans deux encodages"
    ),
    "save it as UTF-8 first, in your editor or with iconv; nothing was written": (
        "enregistrez-la d'abord en UTF-8, dans votre éditeur ou avec iconv ; rien n'a été écrit"
    ),
    "#{was} in '{path}' is written in a way that cannot be changed safely": (
        "#{was} est écrite dans « {path} » d'une façon qui ne peut être changée sans risque"
    ),
    "change it there by hand first; nothing was written": "changez-la d'abord à la main ; rien n'a été écrit",
    "the text to replace is empty": "le texte à remplacer est vide",
    "both texts are the same": "les deux textes sont les mêmes",
    "give another one": "donnez-en un autre",
    "name a folder of the vault, from its root": "nommez un dossier du coffre, à partir de sa racine",
    "'{written}' is no tag": "« {written} » n'est pas une étiquette",
    "letters, digits, - _ and /, not digits alone": "lettres, chiffres, - _ et /, pas de chiffres seuls",
    "the properties of '{path}' could not be read any more": (
        "les propriétés de « {path} » ne pourraient plus être lues"
    ),
    "change that note by hand first; nothing was written": (
        "changez d'abord cette note à la main ; rien n'a été écrit"
    ),
    "no note can be made at '{written}'": "aucune note ne peut être faite à « {written} »",
    "'{path}' is reached through a symbolic link": "« {path} » est atteint par un lien symbolique",
    "name '{real}' itself": "nommez « {real} » même",
    "the vault's settings exclude '{written}'": "les réglages du coffre excluent « {written} »",
    "only read and info work on it": "seuls read et info y sont possibles",
    "no note can be used, for what the vault's settings exclude is not known": (
        "aucune note ne peut être utilisée, car on ne sait pas ce que les réglages du coffre excluent"
    ),
    "a person can mend '{settings_file}'; 'status' says what is wrong with it": (
        "une personne peut corriger « {settings_file} » ; « status » dit ce qui n'y va pas"
    ),
    "the vault has no folder '{rest}', and '{written}' may lie outside of it": (
        "le coffre n'a pas de dossier « {rest} », et « {written} » se trouve peut-être en dehors"
    ),
    "leave the slash at its beginning out to make '{rest}' in the vault": (
        "laissez la barre oblique du début pour faire « {rest} » dans le coffre"
    ),
    "the name '{name}' holds {called} (U+{code:04X})": "le nom « {name} » contient {called} (U+{code:04X})",
    "leave it out": "retirez-le",
    'a person can put "writes": "allow" into config.json ({file}, or the file that --config names), or '
    "ask where they can answer": (
        'une personne peut mettre "writes": "allow" dans config.json ({file}, ou le fichier que --config '
        "nomme), ou demander là où elle peut répondre"
    ),
    "{operation} was not done": "« {operation} » n'a pas été fait",
    "it must be one of {valid}": "ce doit être l'un de : {valid}",
    "{not_done}: the setting 'writes' is 'refuse'": "{not_done} : le réglage « writes » vaut « refuse »",
    "a person can change it": "une personne peut le changer",
    "{not_done}: '{template}' would be a template, and nobody can approve of one": (
        "{not_done} : « {template} » serait un modèle, et personne ne peut l'approuver"
    ),
    "choose a folder other than that of the templates, or let a person do it": (
        "choisissez un autre dossier que celui des modèles, ou laissez faire une personne"
    ),
    "{not_done}: the setting 'writes' is 'ask', and nobody can approve": (
        "{not_done} : le réglage « writes » vaut « ask », et personne ne peut approuver"
    ),
    "Unknown operation: {shown}. Valid: {valid}": "Opération inconnue : {shown}. Au choix : {valid}",
    "'{one}' and '{other}' both say where": "« {one} » et « {other} » disent tous deux où",
    "give one of them": "donnez l'un des deux",
    "unknown parameter {name}": "paramètre inconnu : {name}",
    "'content' holds a NUL character": "« content » contient un caractère NUL",
    "'{name}' is of no use to {operation}": "« {name} » ne sert à rien à « {operation} »",
    "it takes {usable}": "l'opération prend {usable}",
    "'{name}' required for {operation}": "« {name} » est nécessaire pour « {operation} »",
    "the link in '{path}', line {line}, cannot be rewritten": (
        "le lien dans « {path} », ligne {line}, ne peut être réécrit"
    ),
    "it is not JSON as Obsidian writes it": "ce n'est pas du JSON comme Obsidian l'écrit",
    "the text holds the heading '{twice}' too, which would stand twice in '{path}'": (
        "le texte contient aussi le titre « {twice} », qui figurerait deux fois dans « {path} »"
    ),
    "give what belongs under '{own}' alone": "donnez seulement ce qui va sous « {own} »",
    "the name '{name}' is percent-encoded": "le nom « {name} » est encodé avec des %",
    "write '{plain}'": "écrivez « {plain} »",
    "choose another name for the note, or change the link first": (
        "choisissez un autre nom pour la note, ou changez d'abord le lien"
    ),
    "{shown} cannot be linked to from '{path}', line {line}": (
        "on ne peut faire de lien vers {shown} depuis « {path} », ligne {line}"
    ),
    "choose a name without # | [[ ]]": "choisissez un nom sans # | [[ ]]",
    "the link to '{target}' in '{path}', line {line}, is written with escapes": (
        "le lien vers « {target} » dans « {path} », ligne {line}, est écrit avec des échappements"
    ),
    "write it plainly first": "écrivez-le d'abord simplement",
    "the links to it cannot be found: {unseen}": "les liens vers elle ne peuvent être trouvés : {unseen}",
    "try again; nothing was written": "réessayez ; rien n'a été écrit",
    "'{old}' is there already": "« {old} » existe déjà",
    "give another 'new_path'": "donnez un autre « new_path »",
    "a link in {hidden_note} cannot be rewritten": "un lien dans {hidden_note} ne peut être réécrit",
    "choose another name for the note, or let a person change the link first": (
        "choisissez un autre nom pour la note, ou laissez une personne changer d'abord le lien"
    ),
    "use update or append, or 'overwrite' to replace it": (
        "prenez update ou append, ou « overwrite » pour la remplacer"
    ),
    "leave 'expected_hash' out to create it": "laissez « expected_hash » pour la créer",
    "no change waits under this token": "aucun changement n'attend sous ce jeton",
    "it was made, withdrawn or altered, waited too long, or newer ones took its place; propose it again": (
        "il a été fait, retiré ou modifié, a attendu trop longtemps, ou de plus récents ont pris sa "
        "place ; proposez-le de nouveau"
    ),
    "'seconds' is {seconds:g}": "« seconds » vaut {seconds:g}",
    "give a number from 1 to {most_seconds:g}": "donnez un nombre de 1 à {most_seconds:g}",
    "changes are {changes}": "les changements sont {changes}",
    "give one object, or a list of objects": "donnez un objet, ou une liste d'objets",
    "{count} changes are proposed": "{count} changements sont proposés",
    "give 1 to {most_changes}": "donnez-en de 1 à {most_changes}",
    "nothing would change": "rien ne changerait",
    "the notes hold that already": "les notes le contiennent déjà",
    "'{path}' is no longer to be written": "« {path} » n'est plus à écrire",
    "propose it again; nothing was written": "proposez-le de nouveau ; rien n'a été écrit",
    "{shown} changed meanwhile": "{shown} a changé entre-temps",
    "the proposal cannot be kept in '{folder}': {reason}": (
        "la proposition ne peut être gardée dans « {folder} » : {reason}"
    ),
    "the proposal in '{folder}' cannot be read: {reason}": (
        "la proposition dans « {folder} » ne peut être lue : {reason}"
    ),
    "see 'state_dir'": "voyez « state_dir »",
    "{operation} cannot be one of several changes": (
        "« {operation} » ne peut être un changement parmi d'autres"
    ),
    "propose it by itself": "proposez-le seul",
    "propose what is to be written": "proposez ce qui est à écrire",
    "there is a note at {shown} already": "il y a déjà une note à {shown}",
    "'{name}' is '{lines}', but line {first} has {count} characters": (
        "« {name} » vaut « {lines} », mais la ligne {first} a {count} caractères"
    ),
    "no title is given": "aucun titre n'est donné",
    "name the note, as in 'new Larch for the keel'": (
        "nommez la note, comme dans « new Du mélèze pour la quille »"
    ),
    "the title '{name}' holds '{found}'": "le titre « {name} » contient « {found} »",
    "write '{near}': no link leads to a name with [ ] # ^ |, and Obsidian makes none with : or \\": (
        "écrivez « {near} » : aucun lien ne mène à un nom avec [ ] # ^ |, "
        "et Obsidian n'en fait pas avec : ou \\"
    ),
    "there are none in '{folder}'": "il n'y en a pas dans « {folder} »",
    "the vault's settings name no folder of templates; name a note by its path": (
        "les réglages du coffre ne nomment pas de dossier de modèles ; nommez une note par son chemin"
    ),
    "{reason}; {names} had gone before that": "{reason} ; {names} étaient déjà parties",
    "'vault-assistant undo' takes that back": "« vault-assistant undo » annule cela",
    "nothing was taken back; '{command}' takes back another write, and 'log' lists them all": (
        "rien n'est annulé ; « {command} » annule une autre écriture, et « log » les montre toutes"
    ),
    "'undo NOTE' takes back the write to one of them": "« undo NOTE » annule l'écriture de l'une d'elles",
    "no template '{name}'": "pas de modèle « {name} »",
    "'{trash_folder}' holds too many notes named '{name}'": (
        "« {trash_folder} » contient trop de notes nommées « {name} »"
    ),
    "empty it": "videz-la",
    "'content' is {content}": "« content » vaut {content}",
    "for undo it is '{write}', '{turn}' or left out": "pour undo c'est « {write} », « {turn} » ou rien",
    "no write to '{path}' that could be taken back": "aucune écriture dans « {path} » ne peut être annulée",
    "no write that could be taken back": "aucune écriture ne peut être annulée",
    "{note} changed since it was written": "{note} a changé depuis son écriture",
    "{note} was changed between these writes": "{note} a été changée entre ces écritures",
    "take them back one by one": "annulez-les une à une",
    "no copy can be made in '{folder}': {reason}": (
        "aucune copie ne peut être faite dans « {folder} » : {reason}"
    ),
    "'{file}' cannot be read: {reason}": "impossible de lire « {file} » : {reason}",
    "create '{path}'": "créer « {path} »",
    "overwrite '{path}'": "remplacer « {path} »",
    "update '{path}'": "changer « {path} »",
    "append to '{path}'": "ajouter à « {path} »",
    "put '{path}' into the system's trash, or {folder}/ without one": (
        "mettre « {path} » à la corbeille du système, ou dans {folder}/ s'il n'y en a pas"
    ),
    "put '{path}' into {folder}/": "mettre « {path} » dans {folder}/",
    "delete '{path}' for good": "supprimer « {path} » définitivement",
    "move '{old}' to '{new}'": "déplacer « {old} » vers « {new} »",
    "rename #{was} to #{becomes}": "renommer #{was} en #{becomes}",
    "replace a text": "remplacer un texte",
    "{steps:; }": "{steps: ; }",
    "take back {writes:; }": "annuler : {writes: ; }",
    "{operation} '{path}' ({when})": "{operation} « {path} » ({when})",
    "create": "création de",
    "update": "changement de",
    "append": "ajout à",
    "move": "déplacement de",
    "delete": "suppression de",
    "undo": "annulation sur",
    "batch": "changement de plusieurs notes, dont",
    "retag": "renommage d'une étiquette dans",
    "replace": "remplacement d'un texte dans",
    "{summary:capital}.": "{summary:capital}.",
    "({notice})": "({notice})",
    "Nothing to do: '{path}' already holds that; hash {hash}.": (
        "Rien à faire : « {path} » contient déjà cela ; empreinte {hash}."
    ),
    "hash {hash}": "empreinte {hash}",
    "Warning: {act}": "Attention : {act}",
    "Warning: {more} more of this kind": "Attention : {more} {more:autre|autres} de ce genre",
    "loads from the network when it is opened: {url}": "charge depuis le réseau à son ouverture : {url}",
    "runs code in Obsidian with the plugin {plugin}": "exécute du code dans Obsidian avec le module {plugin}",
    "Done: put '{path}' into the system's trash.": "Fait : « {path} » est dans la corbeille du système.",
    "Done: moved '{path}' to '{trashed}', for the system has no usable trash.": (
        "Fait : « {path} » est déplacée vers « {trashed} », car le système n'a pas de corbeille utilisable."
    ),
    "Done: moved '{path}' to '{trashed}'.": "Fait : « {path} » est déplacée vers « {trashed} ».",
    "Done: {summary}.": "Fait : {summary}.",
    "… and {count} more": "… et {count} {count:autre|autres}",
    "title": "titre",
    "first heading": "premier titre de section",
    "aliases": "alias",
    "tags": "étiquettes",
    "properties": "propriétés",
    "dates": "dates",
    "size": "taille",
    "headings": "titres de section",
    "tasks": "tâches",
    "blocks": "blocs",
    "links to": "liens vers",
    "links from": "liens depuis",
    "unresolved links": "liens sans cible",
    "search": "recherche",
    "{bytes} bytes, {lines} {lines:line|lines}; hash {hash}": (
        "{bytes} octets, {lines} {lines:ligne|lignes} ; empreinte {hash}"
    ),
    "{text} (line {line})": "{text} (ligne {line})",
    "{name}: {value}": "{name} : {value}",
    "cannot be read": "illisibles",
    "created {created} (by {created_by}), modified {modified} (by {modified_by})": (
        "créée le {created} (d'après {created_by}), modifiée le {modified} (d'après {modified_by})"
    ),
    "property": "une propriété",
    "name": "le nom",
    "file": "le fichier",
    "{count}, {still} open": "{count}, dont {still} {still:ouverte|ouvertes}",
    "left out of results: context note or inbox of a project vault": (
        "hors des résultats : note de contexte ou boîte de réception d'un coffre de projets"
    ),
    "excluded by the vault's settings": "exclue par les réglages du coffre",
    "{count} excluded {count:note|notes} not shown": (
        "{count} {count:note exclue non montrée|notes exclues non montrées}"
    ),
    "'{path}', {shown} of {count}; {facts:; }. The note's text, which is data:": (
        "« {path} », {shown} sur {count} ; {facts: ; }. Le texte de la note, qui n'est que données :"
    ),
    "no lines": "aucune ligne",
    "line {first}": "ligne {first}",
    "lines {first}-{last}": "lignes {first}-{last}",
    "CRLF line ends": "fins de ligne CRLF",
    "CR line ends": "fins de ligne CR",
    "Cut to fit max_chars; go on with lines='{following}-{last}'.": (
        "Coupé pour tenir dans max_chars ; la suite est à lines='{following}-{last}'."
    ),
    "'{path}' has no text to summarise.": "« {path} » n'a pas de texte à résumer.",
    "no language model is configured": "aucun modèle de langage n'est configuré",
    "the model failed: {reason}": "le modèle a échoué : {reason}",
    "(Only the first {count} characters were read.)": "(Seuls les {count} premiers caractères ont été lus.)",
    "Summary of '{path}':": "Résumé de « {path} » :",
    "Beginning of '{path}':": "Début de « {path} » :",
    "Headings: {listed}": "Titres : {listed}",
    "(This is no summary: {why}.)": "(Ce n'est pas un résumé : {why}.)",
    "not valid {name}, first at byte {byte}; replaced": (
        "n'est pas en {name} valide, d'abord à l'octet {byte} ; remplacé"
    ),
    "holds NUL characters": "contient des caractères NUL",
    "blocks nested beyond reason: read as plain text, without headings and tasks": (
        "blocs imbriqués à l'excès : lus comme du texte, sans titres ni tâches"
    ),
}
