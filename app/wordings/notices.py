"""The wordings of what is said beside results."""

from app.wordings.wording import Wording


class NoticeKind(Wording):
    """What can be said; why a note was not found is told by `WhyKind`."""

    REMARK = ("Note: {notice}", "Remarque : {notice}")

    # The state of the index and its vectors
    INDEX_BUSY = (
        "another process is updating the index; this answers from its last state",
        "un autre processus met l'index à jour ; ceci vient de son dernier état",
    )
    INDEX_BEHIND = (
        "the index is catching up with the vault; {notes} {notes:note is|notes are} searched so far",
        "l'index se met à jour ; {notes:note déjà parcourue|notes déjà parcourues} : {notes}",
    )
    INDEX_REBUILT = (
        "the index could not be opened ({reason}) and was rebuilt",
        "l'index ne s'ouvrait plus ({reason}) et a été refait",
    )
    INDEX_REFUSED = (
        "the index was not used ({reason}) and was rebuilt",
        "l'index n'a pas été utilisé ({reason}) et a été refait",
    )
    VAULT_FAILED = (
        "the vault '{name}' did not answer: {reason}",
        "le coffre « {name} » n'a pas répondu : {reason}",
    )
    FOREIGN_OWNER = (
        "'{path}' belongs to another user ({owner})",
        "« {path} » appartient à un autre utilisateur, {owner}",
    )
    FOREIGN_WRITERS = ("others may write '{path}'", "d'autres peuvent écrire « {path} »")
    IS_LINK = ("'{path}' is a link", "« {path} » est un lien")
    VECTORS_REBUILT = (
        "the vectors were damaged ({reason}) and are built anew",
        "les vecteurs étaient abîmés ({reason}) et sont refaits",
    )
    VECTORS_NOT_BUILT = (
        "vectors are not being built: {reason}",
        "les vecteurs ne se construisent pas : {reason}",
    )
    OTHERS_BY_WORDS = (
        "{share:.0%} of the passages have vectors so far; the others are found by their words only",
        "{share:.0%} des passages ont déjà des vecteurs ; les autres ne se trouvent que par leurs mots",
    )
    OTHERS_UNSEARCHED = (
        "{share:.0%} of the passages have vectors so far; the others are not searched yet",
        "{share:.0%} des passages ont déjà des vecteurs ; les autres ne sont pas encore parcourus",
    )
    VECTORS_OF_BEFORE = (
        "the vectors of '{model}' are being built; those of the model before answer",
        "les vecteurs de « {model} » se construisent ; ceux du modèle précédent répondent",
    )
    IMAGES_PENDING = (
        "images without vectors so far: {count}, such as '{path}'; not searched yet",
        "images encore sans vecteurs : {count}, comme « {path} » ; pas encore parcourues",
    )
    IMAGES_UNREADABLE = (
        "images that cannot be read: {count}, such as '{path}': {reason}",
        "images illisibles : {count}, comme « {path} » : {reason}",
    )
    NOTE_CHANGED = (
        "a note changed while it was searched and is left out",
        "une note a changé pendant la recherche et n'est pas montrée",
    )
    NOT_UTF_8 = (
        "{count} {count:note|notes} found {count:is|are} not valid UTF-8, the first '{path}'; letters that "
        "cannot be read stand as \N{REPLACEMENT CHARACTER}, and words with them are not found",
        "{count} {count:note trouvée n'est|notes trouvées ne sont} pas en UTF-8 valide, la première « {path} "
        "» ; une lettre illisible y devient \N{REPLACEMENT CHARACTER}, et ces mots ne se trouvent pas",
    )
    NAMED_NOTE_CHANGED = (
        "'{path}' changed while it was searched and is left out",
        "« {path} » a changé pendant la recherche et n'est pas montrée",
    )

    # The time that a question names
    TIME_BETWEEN = (
        '"{phrase}" read as {first} to {last}: what answers and lies inside is preferred',
        "« {phrase} » compris comme du {first} au {last} : ce qui répond et s'y trouve est préféré",
    )
    TIME_ON = (
        '"{phrase}" read as {first}: what answers and lies inside is preferred',
        "« {phrase} » compris comme le {first} : ce qui répond et s'y trouve est préféré",
    )
    TIME_UNTIL = (
        '"{phrase}" read as the days up to {last}: what answers and lies inside is preferred',
        "« {phrase} » compris comme les jours jusqu'au {last} : ce qui répond et s'y trouve est préféré",
    )
    TIME_FROM = (
        '"{phrase}" read as the days from {first} on: what answers and lies inside is preferred',
        "« {phrase} » compris comme les jours à partir du {first} : ce qui répond et s'y trouve est préféré",
    )

    # What is excluded
    FILTER_TOO_SLOW = (
        "excluded files: the expression {source} takes too long; no note is shown until it is simpler",
        "fichiers exclus : l'expression {source} prend trop de temps ; aucune note n'est montrée tant "
        "qu'elle n'est pas plus simple",
    )
    FILTERS_UNREADABLE = ("{file} cannot be read: {reason}", "{file} est illisible : {reason}")
    NO_NOTE_SHOWN = (
        "{reason}; no note is shown until it can",
        "{reason} ; aucune note n'est montrée d'ici là",
    )
    FILTERS_NOT_UNDERSTOOD = (
        "{reason}; no note is shown until it is",
        "les fichiers exclus ne sont pas compris : {reason} ; aucune note n'est montrée d'ici là",
    )
    EXCLUDED_NOTES = (
        "{count} excluded {count:note|notes} not shown",
        "notes ou fichiers exclus, non montrés : {count}",
    )
    LEFT_OUT_NOTES = (
        "{count} left-out {count:note|notes} not shown",
        "{count:note laissée de côté, non montrée|notes laissées de côté, non montrées} : {count}",
    )
    EXCLUDED_FILES = (
        "{count} excluded {count:file|files} not shown",
        "{count:fichier exclu, non montré|fichiers exclus, non montrés} : {count}",
    )
    KEY_MASKED = (
        "1 text that looks like {what} was left out of what was sent to {model}",
        "1 texte qui ressemble à {what} a été laissé de côté dans ce qui a été envoyé à {model}",
    )
    KEYS_MASKED = (
        "{count} texts that look like keys or passwords were left out of what was sent to {model}",
        "{count} textes qui ressemblent à des clés ou à des mots de passe ont été laissés de côté dans ce "
        "qui a été envoyé à {model}",
    )
    A_KEY = ("a key", "une clé")
    A_PASSWORD = ("a password", "un mot de passe")
    A_BANK_ACCOUNT = ("a bank account", "un compte bancaire")
    A_PAYMENT_CARD = ("a payment card", "une carte de paiement")
    A_RECOVERY_PHRASE = ("a recovery phrase", "une phrase de récupération")

    # Found across languages
    FOUND_BY_GLOSS = (
        "the first note found is in another language; the question was read as '{gloss}'",
        "la première note trouvée est dans une autre langue ; la question a été lue « {gloss} »",
    )
    NEAR_GLOSS = (
        "in another language, '{gloss}' finds {notes} {notes:note|notes}",
        "dans une autre langue, « {gloss} » trouve {notes} {notes:note|notes}",
    )

    # What was done without
    FOUND_BY_WORDS = ("found by words only: {reason}", "trouvé par les mots seuls : {reason}")
    NO_REWORDING = (
        "no other wordings were tried: {reason}",
        "aucune autre formulation n'a été essayée : {reason}",
    )
    NO_JUDGE = (
        "sentences were held against the notes by rules alone: {reason}",
        "les phrases n'ont été comparées aux notes que par des règles : {reason}",
    )
    NO_RERANKER = ("the reranker was not used: {reason}", "le reclassement n'a pas eu lieu : {reason}")
    READ_BY_WORDS = (
        "the embedding model does not know the question's language: words alone chose what is quoted; "
        "'vault-assistant model list' names multilingual ones",
        "le modèle de sens ne connaît pas la langue de la question : les mots seuls ont choisi les "
        "citations ; « vault-assistant model list » en nomme de multilingues",
    )
    NO_REASONS = (
        "no reasons by the language model: {reason}",
        "pas d'explication du modèle de langage : {reason}",
    )
    SEARCHED_WITHOUT = (
        "nothing found holds {parts: and }; this is what was found without it",
        "rien de trouvé ne contient {parts: et } ; voici ce qui se trouve sans cela",
    )
    SOME_WORDS = (
        "no note holds all {words} words; these hold {held} of them",
        "aucune note ne contient les {words} mots ; celles-ci en contiennent {held}",
    )
    MORE_PLACES = (
        "{count} more {count:note holds|notes hold} what {place} says; 'also_in' leaves them out",
        "{count} {count:autre note contient|autres notes contiennent} ce que dit {place} ; « also_in » n'en "
        "parle pas",
    )

    # What to try when nothing was found
    NOTHING_SAYS = (
        "none of the notes searched has any of these words, and none is likely to answer",
        "aucune des notes parcourues n'a un de ces mots, et aucune ne semble y répondre",
    )
    NEAREST = ("nearest in meaning", "le plus proche par le sens")
    SEARCHED = ("searched {notes} {notes:note|notes}", "{notes:note parcourue|notes parcourues} : {notes}")
    NOT_ALL_SEARCHED = (
        "searched {notes} {notes:note|notes}; {kinds} not searched",
        "{notes:note parcourue|notes parcourues} : {notes} ; non parcouru : {kinds}",
    )
    NEAR_TAGS = ("similar tags: {tags}", "étiquettes proches : {tags}")
    SPELT = ("{typed}: searched as {words} too", "{typed} : cherché aussi comme {words}")
    SEVERAL_SPELT = (
        "searched in other spellings too: {words}",
        "cherché aussi autrement écrit : {words}",
    )
    NOTHING_HOLDS = ("nothing holds {typed}; {near}", "rien ne contient {typed} ; {near}")
    NEAR_WORD = (
        "{word} stands in {notes} {notes:note|notes}",
        "{word} figure dans {notes} {notes:note|notes}",
    )
    NEAR_NAMES = ("notes with a similar name: {paths}", "notes au nom proche : {paths}")
    NEVER_SEARCHED = (
        "never searched: {paths}, always in the chat's context, or temporary",
        "jamais parcourues : {paths}, toujours dans le contexte du chat, ou temporaires",
    )
    STANDS_IN = ("{word} stands in {paths}: read it there", "{word} figure dans {paths} : à y lire")
    VOID_SCOPE = ("scope '{scope}' matches no note", "la portée « {scope} » ne contient aucune note")
    FOLDER_MEANT = (
        "the folder '{written}' is '{folder}' but for its accents",
        "le dossier « {written} » est « {folder} », à ses accents près",
    )
    WITHOUT_FILTERS = (
        "without {filters: and } there would be {total}",
        "sans {filters: et } il y en aurait {total}",
    )
    SCOPES = ("scopes", "les portées")
    FOLDER = ("folder", "le dossier")
    DATES = ("dates", "les dates")
    TAGS = ("tags", "les étiquettes")

    # Links
    ONLY_LINKED = (
        "the note '{name}' does not exist; it is only linked to",
        "la note « {name} » n'existe pas, des liens y mènent seulement",
    )
    LINKED_FILES = ("links to files: {files}", "liens vers des fichiers : {files}")
    UNRESOLVED = ("unresolved links: {names}", "liens sans cible : {names}")
    AND_MORE = ("{names} and {more} more", "{names} et {more} de plus")

    # How a query was read
    ASKS_FOR_ALL = ("'{query}' asks for everything", "« {query} » demande tout")
    ASKS_FOR = ("'{query}' asks for {parts:; }", "« {query} » demande {parts: ; }")
    COUNTED_PART = (
        "{part} ({notes} {notes:note|notes}, {left} left)",
        "{part} ({notes} {notes:note|notes}, il en reste {left})",
    )
    ONLY_RANKS = (
        "what ranks and leaves nothing out: {parts:; }",
        "ce qui classe sans rien écarter : {parts: ; }",
    )
    BRACKETS_ARE_TEXT = (
        "'[{name}]' is text here; fulltext can ask for a property of that name",
        "« [{name}] » est du texte ici ; fulltext peut demander une propriété de ce nom",
    )
    UNKNOWN_PROPERTY = (
        "no note has a property '{name}'; text in brackets can stand in double quotes",
        "aucune note n'a de propriété « {name} » ; un texte entre crochets peut se mettre entre guillemets "
        "droits",
    )
    OPERATOR_IS_TEXT = (
        "'{name}:' before a blank is text; as an operator it stands right against its value",
        "« {name}: » suivi d'une espace est du texte ; un opérateur touche sa valeur",
    )

    # Files found by terms
    NO_MATCHES = ("no matches found", "rien ne correspond")
    NONE_RELEVANT = ("No relevant files found", "aucun fichier pertinent")
    RANKED_BY_TERMS = (
        "{why}: the files are ranked by how many and how important the terms they match",
        "{why} : les fichiers sont classés par le nombre et l'importance des termes qu'ils contiennent",
    )
    NO_MODEL = (
        "no language model is configured (keyword_models names them, the best first, such as {models})",
        "aucun modèle de langage n'est configuré (keyword_models les nomme, le meilleur d'abord : {models})",
    )
    NAMES_NO_FILES = (
        "the language model's answer names no files",
        "la réponse du modèle de langage ne nomme aucun fichier",
    )
    INVENTED_NAMES = (
        "{count} {count:name|names} of the language model's answer left out: no such file was found",
        "{count} {count:nom écarté|noms écartés} de la réponse du modèle de langage : aucun fichier trouvé "
        "ne s'appelle ainsi",
    )
    TERMS_TOO_BROAD = (
        "terms left out, since they find too much, alone or together: {terms}",
        "termes laissés de côté, car ils trouvent trop, seuls ou ensemble : {terms}",
    )
    FILES_LOST = (
        "some files were left out: they changed while they were searched, or cannot be read",
        "certains fichiers ont été laissés de côté : ils ont changé pendant la recherche ou sont illisibles",
    )

    # Answers in chat
    RULES_CHANGED = (
        "what the vault excludes has changed, and this conversation starts anew",
        "ce que le coffre exclut a changé, et cette conversation repart de zéro",
    )
    OFFLINE = (
        "this is the offline assistant: it searches and quotes, without a language model. For written "
        "answers name one: --model ollama:qwen3, the variable VAULT_ASSISTANT_MODEL, or “model” in "
        "config.json",
        "ceci est l'assistant hors ligne : il cherche et cite, sans modèle de langage. Pour des réponses "
        "rédigées, indiquez-en un : --model ollama:qwen3, la variable VAULT_ASSISTANT_MODEL, ou « model » "
        "dans config.json",
    )
    NO_ANSWER = (
        "the model came to no answer of its own ({reason}); this is what was found",
        "le modèle n'est pas arrivé à une réponse ({reason}) ; voici ce qui a été trouvé",
    )
    ANSWER_BROKE_OFF = (
        "the answer ends here ({reason}); ask again for the rest",
        "la réponse s'arrête ici ({reason}) ; redemandez pour avoir la suite",
    )
    WENT_WRONG = ("{reason}", "cela n'a pas marché : {reason}")
    NAMED_MISSING = ("'{name}' was named, and there is no such note", "il n'y a pas de note « {name} »")
    SHOWN_INSTEAD = (
        "'{name}' was named, and '{path}' is shown",
        "« {path} » est montrée à la place de « {name} »",
    )
    CITED_MISSING = ("'{name}' was cited, and there is no such note", "il n'y a pas de note « {name} »")
    CITED_OTHERWISE = (
        "'{name}' was cited; the note is called '{path}'",
        "la note citée comme « {name} » s'appelle « {path} »",
    )
    NO_SUCH_LINES = (
        "'{path}' has {count} {count:line|lines}, and no lines {lines}",
        "« {path} » a {count} {count:ligne|lignes}, et pas de lignes {lines}",
    )
    NO_SUCH_LINES_WHOLE = (
        "'{path}' has {count} {count:line|lines}, and no lines {lines}; it is shown whole",
        "« {path} » a {count} {count:ligne|lignes}, et pas de lignes {lines} ; elle est montrée en entier",
    )
    OTHER_LINES = (
        "'{path}' has {count} {count:line|lines}: lines {lines} are shown as {shown}",
        "« {path} » a {count} {count:ligne|lignes} : les lignes {shown} sont montrées au lieu de {lines}",
    )
    NOT_LINES = (
        "'{lines}' are no lines of '{path}', which is shown whole",
        "« {path} » est montrée en entier, faute de lignes « {lines} »",
    )
    CUT_AFTER = (
        "'{path}' is cut after line {line} of {count}, for the document to fit {budget} characters",
        "« {path} » est coupée après la ligne {line} sur {count}, pour que le document tienne en {budget} "
        "caractères",
    )
    CUT_INSIDE = (
        "'{path}' is cut inside line {line} of {count}, for the document to fit {budget} characters",
        "« {path} » est coupée dans la ligne {line} sur {count}, pour que le document tienne en {budget} "
        "caractères",
    )
    NOTES_LEFT_OUT = (
        "left out, for the document to fit {budget} characters: {names}",
        "laissées de côté, pour que le document tienne en {budget} caractères : {names}",
    )
    FILES_NOT_LOOKED_AT = (
        "{count} further {count:file was|files were} named, and left out",
        "{count} {count:autre note était nommée ; laissée|autres notes étaient nommées ; laissées} de côté",
    )
    OVERVIEW_CUT = (
        "the overview was cut to {lines} lines and {characters} characters",
        "l'aperçu a été coupé à {lines} lignes et {characters} caractères",
    )
    MORE_NOTICES = ("{count} more {count:remark|remarks}", "{count} {count:autre remarque|autres remarques}")
