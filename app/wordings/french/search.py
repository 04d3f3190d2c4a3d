"""In French: a search that cannot be carried out."""

ROWS: dict[str, str] = {
    "name some, as in 'find by_tag project/garden'": "nommez-en, comme dans « find by_tag projet/jardin »",
    "name one, as in 'find by_link Home'": "nommez-en une, comme dans « find by_link Accueil »",
    "give --scope 'projects/*/state.md', or use fast": (
        "donnez --scope 'projets/*/state.md', ou prenez fast"
    ),
    "give --search-term larch --search-term 'kiln.*broke', the most important first": (
        "donnez --search-term mélèze --search-term 'four.*cassé', le plus important d'abord"
    ),
    "give words, --tag, --since, --until, --in, --scope or --note-path": (
        "donnez des mots, --tag, --since, --until, --in, --scope ou --note-path"
    ),
    "repeat the option for each value": "répétez l'option pour chaque valeur",
    "{reason:capital}.": "{reason:capital}.",
    "Try: {advice}.": "Essayez : {advice}.",
    "covers {share:.0%} of what is asked": "couvre {share:.0%} de ce qui est demandé",
    "leads the next note by {share:.0%} in words": "devance la note suivante de {share:.0%} par les mots",
    "meaning {count:.1f} deviations above the vault's background": (
        "sens {count:.1f} écarts types au-dessus du fond du coffre"
    ),
    "meaning {count:.1f} deviations below the vault's background": (
        "sens {count:.1f} écarts types sous le fond du coffre"
    ),
    "{parts}": "{parts}",
    "{parts:; }": "{parts: ; }",
    "raised for '{time}' by {source}": "avancé pour « {time} » par {source}",
    "its own day": "son propre jour",
    "the name of its note": "le nom de sa note",
    "a heading": "un titre",
    "a property of its note": "une propriété de sa note",
    "a date written in it": "une date qu'il contient",
    "the day of its file": "le jour de son fichier",
    "{list} #{place}": "{list} nº {place}",
    "found by {lists}": "trouvé par {lists}",
    "words": "mots",
    "vectors": "vecteurs",
    "expansion": "mots voisins",
    "links": "liens",
    "words in the time": "mots dans l'intervalle",
    "vectors in the time": "vecteurs dans l'intervalle",
    "names": "noms",
    "words of the gloss": "mots traduits",
    "words of '{query}'": "mots de « {query} »",
    "vectors of '{query}'": "vecteurs de « {query} »",
    "links to {path}": "mène à {path}",
    "linked from {path}, line {line}": "lié depuis {path}, ligne {line}",
    "matches {words}": "contient {words}",
    "matches the filters": "répond aux filtres",
    "nearest: {sentence}": "le plus proche : {sentence}",
    "{reason} (no language model is configured)": "{reason} (aucun modèle de langage n'est configuré)",
    "'folder' and 'scopes' need a vault": "« folder » et « scopes » demandent un coffre",
    "name one, or give start=...": "nommez-en un, ou donnez start=...",
    "index '{name}' has engine 'milvus' and no 'uri'": (
        "l'index « {name} » a le moteur « milvus » et pas d'« uri »"
    ),
    "for example http://localhost:19530": "par exemple http://localhost:19530",
    "unknown order {sort}": "ordre inconnu : {sort}",
    "the template names {found}": "le gabarit nomme {found}",
    "it can name {fields}": "il peut nommer {fields}",
    "the cache folder '{cache}' lies inside the vault": (
        "le dossier de cache « {cache} » se trouve dans le coffre"
    ),
    "name one outside by 'cache_dir'": "nommez-en un ailleurs par « cache_dir »",
    "the cache folder '{cache}' belongs to another user ({owner})": (
        "le dossier de cache « {cache} » appartient à quelqu'un d'autre ({owner})"
    ),
    "name one of your own by 'cache_dir'": "nommez-en un à vous par « cache_dir »",
    "cannot keep an index in '{folder}': {reason}": (
        "aucun index ne peut être gardé dans « {folder} » : {reason}"
    ),
    "another process is updating the index": "un autre processus met l'index à jour",
    "try again when it is done": "réessayez quand il aura fini",
    "watching needs the package watchfiles": "suivre les changements demande le paquet watchfiles",
    "install the extra 'watch': pip install 'vault-assistant[watch]', or '.[watch]' in a clone": (
        "installez l'extra « watch » : pip install 'vault-assistant[watch]', ou '.[watch]' dans un clone"
    ),
    "each of those search terms yielded too many results": "chacun de ces termes de recherche trouve trop",
    "give longer, more specific terms": "donnez des termes plus longs, plus précis",
    "keyword search needs ripgrep, and there is no 'rg'": (
        "la recherche keyword a besoin de ripgrep, et il n'y a pas de « rg »"
    ),
    "install it: pip install ripgrep==14.1.0, or the package 'ripgrep' of your system": (
        "installez-le : pip install ripgrep==14.1.0, ou le paquet « ripgrep » de votre système"
    ),
    "ripgrep took too long over the search term '{term}'": (
        "ripgrep a mis trop de temps pour le terme de recherche « {term} »"
    ),
    "narrow by folder or scopes": "restreignez par folder ou scopes",
    "search term '{term}' is no regular expression: {reason}": (
        "le terme de recherche « {term} » n'est pas une expression rationnelle : {reason}"
    ),
    "put a backslash before its signs": "mettez une barre oblique inverse devant ses signes",
    "ripgrep ended with code {code} over the search term '{term}'": (
        "ripgrep s'est terminé avec le code {code} pour le terme de recherche « {term} »"
    ),
    "ripgrep cannot be run: {reason}": "impossible de lancer ripgrep : {reason}",
    "'{name}' is damaged": "« {name} » est endommagé",
    "'{name}' was made by another version": "« {name} » a été fait par une autre version",
    "the index in '{folder}' cannot be read ({reason})": (
        "l'index dans « {folder} » ne peut être lu ({reason})"
    ),
    "the index in '{folder}' lacks a file": "il manque un fichier à l'index dans « {folder} »",
    "number {number} of {name} cannot be unpacked ({reason})": (
        "le numéro {number} de {name} ne peut être décompressé ({reason})"
    ),
    "the writer is closed": "l'écriture est close",
    "another process is writing the index in '{folder}'": (
        "un autre processus écrit l'index dans « {folder} »"
    ),
    "engine 'milvus' needs the package pymilvus": "le moteur « milvus » a besoin du paquet pymilvus",
    "install the extra 'milvus': pip install 'vault-assistant[milvus]', or '.[milvus]' in a clone": (
        "installez l'extra « milvus » : pip install 'vault-assistant[milvus]', ou '.[milvus]' dans un clone"
    ),
    "Milvus at '{uri}' did not answer: {reason}": "Milvus à « {uri} » n'a pas répondu : {reason}",
    "see that it runs there, or set engine 'local'": "voyez s'il y tourne, ou réglez le moteur « local »",
    "'keyword' reads the notes' files, which are not here": (
        "« keyword » lit les fichiers des notes, qui ne sont pas ici"
    ),
    "use another operation": "prenez une autre opération",
    "there is no vault '{name}' in Milvus at '{uri}'": (
        "il n'y a pas de coffre « {name} » dans Milvus à « {uri} »"
    ),
    "bring it there with `vault-assistant index`, or see 'remote_name'": (
        "portez-le là par `vault-assistant index`, ou voyez « remote_name »"
    ),
    "this machine only reads '{name}' in Milvus": "cette machine ne fait que lire « {name} » dans Milvus",
    "set 'feeds' to true to bring it there": "réglez « feeds » sur true pour l'y porter",
    "this asks for a whole vault, and '{name}' has {notes} notes in Milvus": (
        "ceci demande un coffre entier, et « {name} » a {notes} notes dans Milvus"
    ),
    "search it instead, or ask on the machine that brings it there": (
        "cherchez-y plutôt, ou demandez sur la machine qui l'y porte"
    ),
    "another machine is bringing the vault '{name}' to Milvus": (
        "une autre machine porte le coffre « {name} » dans Milvus"
    ),
    "try again when it is done; if it was cut off, in {left} seconds": (
        "réessayez quand elle aura fini ; si elle s'est interrompue, dans {left} secondes"
    ),
    "the vault '{name}' is not whole in Milvus at '{uri}'": (
        "le coffre « {name} » n'est pas entier dans Milvus à « {uri} »"
    ),
    "bring it there with `index`": "portez-le là par `index`",
    "cannot read the image '{path}': {reason}": "impossible de lire l'image « {path} » : {reason}",
    "name a PNG, JPEG, WebP or GIF file in the vault": "nommez un fichier PNG, JPEG, WebP ou GIF du coffre",
    "'{path}' is not shown": "« {path} » n'est pas montré",
    "there is no image '{path}' in the vault": "il n'y a pas d'image « {path} » dans le coffre",
    "cannot read the image: {reason}": "impossible de lire l'image : {reason}",
    "model '{model}' understands texts only": "le modèle « {model} » ne comprend que des textes",
    "ask without an image": "demandez sans image",
    "no index '{name}' is configured": "aucun index « {name} » n'est configuré",
    "there are: {names}": "il y a : {names}",
    "none is: add one to 'index.indexes' in config.json": (
        "il n'y en a pas : ajoutez-en un à « index.indexes » dans config.json"
    ),
    "index '{name}' is searched by words and cannot take 'query_image' (got {query_image})": (
        "l'index « {name} » se cherche par mots et ne peut prendre « query_image » (reçu {query_image})"
    ),
    "ask an index whose 'embedding_model' understands images": (
        "demandez à un index dont « embedding_model » comprend les images"
    ),
    "the query is empty, and index '{name}' is searched by words": (
        "la requête est vide, et l'index « {name} » se cherche par mots"
    ),
    "give 'query'": "donnez « query »",
    "index '{name}' cannot take 'query_image': its model '{model}' understands texts only": (
        "l'index « {name} » ne peut prendre « query_image » : son modèle « {model} » ne comprend que des "
        "textes"
    ),
    "ask an index whose 'embedding_model' understands images, such as clip-ViT-B-32": (
        "demandez à un index dont « embedding_model » comprend les images, comme clip-ViT-B-32"
    ),
    "neither 'query' nor 'query_image' is given": "ni « query » ni « query_image » n'est donné",
    "give one of them, or both": "donnez l'un des deux, ou les deux",
    "this index has no embedding model": "cet index n'a pas de modèle de vecteurs",
    "use operation 'fast', or an index with 'embedding_model'": (
        "prenez l'opération « fast », ou un index avec « embedding_model »"
    ),
    "query '{shown}' is not understood at position {at}: expected {expected}": (
        "la requête « {shown} » n'est pas comprise à la position {at} : il y faudrait {expected}"
    ),
    "what is meant as text can stand in double quotes": (
        "ce qui est du texte peut se mettre entre guillemets droits"
    ),
    "at most {count} parts": "{count} parties au plus",
    "'{text}' is more than one day: {first} to {last}": "« {text} » est plus d'un jour : {first} à {last}",
    "name one day": "nommez un seul jour",
    "'{text}' names no day": "« {text} » ne nomme aucun jour",
    "write {accepted_forms}, or {natural}": "écrivez {accepted_forms}, ou {natural}",
    "did you mean '{near:', '}'?": "vouliez-vous dire « {near: », « } » ?",
    "there are '{known:', '}'": "il y a « {known: », « } »",
    "a number, or a date such as 2025-07-14, after '{sign}'": (
        "un nombre, ou une date comme 2025-07-14, après « {sign} »"
    ),
    "a date after '{field}:', such as 2025-07, >=2025-07-14, 2025-01..2025-03": (
        "une date après « {field}: », comme 2025-07, >=2025-07-14, 2025-01..2025-03"
    ),
    "a tag after 'tag:', such as tag:#project": "une étiquette après « tag: », comme tag:#projet",
    "a note's name after '{operator}:'": "le nom d'une note après « {operator}: »",
    "'{name}' means several notes": "« {name} » désigne plusieurs notes",
    "give the path of one: {candidates}": "donnez le chemin de l'une : {candidates}",
    "at most {most} groups within each other": "{most} groupes imbriqués au plus",
    "something to find after '{name}:'": "quelque chose à chercher après « {name}: »",
    "no '{name}:' inside '{outer}:'; put it beside, or in quotes if it is text": (
        "pas de « {name}: » dans « {outer}: » ; mettez-le à côté, ou entre guillemets si c'est du texte"
    ),
    "'\"' that closes this one, with a blank after it": (
        "le guillemet droit qui ferme celui-ci, suivi d'une espace"
    ),
    "')' that closes this '(', with a blank after it": "la « ) » qui ferme cette « ( », suivie d'une espace",
    "the regular expression /{source}/ takes too long; it was stopped after {seconds} s": (
        "l'expression rationnelle /{source}/ prend trop de temps ; elle a été arrêtée après {seconds} s"
    ),
    "avoid repeats within repeats, or put a word, a tag or a path beside it": (
        "évitez les répétitions dans des répétitions, ou mettez un mot, une étiquette ou un chemin à côté"
    ),
    "a valid regular expression ({reason})": "une expression rationnelle valide ({reason})",
    "a simpler regular expression": "une expression rationnelle plus simple",
    "scope '{text}' names no project": "la portée « {text} » ne nomme aucun projet",
    "write project:NAME": "écrivez project:NOM",
    "model '{name}' gives {num_labels} scores to a passage, not one": (
        "le modèle « {name} » donne {num_labels} notes à un passage, et non une"
    ),
    "name another reranker": "nommez un autre modèle de reclassement",
    " from {least}": " à partir de {least}",
    " from {least} to {most:,}": " de {least} à {most}",
    "'{name}' must be{bounds} (got {found})": "« {name} » doit être{bounds} (reçu {found})",
    "choose a number{bounds}": "choisissez un nombre{bounds}",
    "Unknown operation: {named}": "Opération inconnue : {named}",
    "Valid: {valid}": "Au choix : {valid}",
    "operation '{operation}' cannot use 'note_path' (got {note_path})": (
        "l'opération « {operation} » ne peut prendre « note_path » (reçu {note_path})"
    ),
    "it takes one with explain=true, and then says why that note is not found": (
        "elle le prend avec explain=true, et dit alors pourquoi cette note n'est pas trouvée"
    ),
    "operation '{operation}' cannot use '{name}' (got {value})": (
        "l'opération « {operation} » ne peut prendre « {name} » (reçu {value})"
    ),
    "'scopes' is empty": "« scopes » est vide",
    "use null to search the whole vault": "prenez null pour chercher dans tout le coffre",
    "'query' required for fulltext search": "« query » est nécessaire à la recherche fulltext",
    'give words or a "phrase"': 'donnez des mots ou une "expression exacte"',
    "'tags' required for tag search": "« tags » est nécessaire à la recherche par étiquettes",
    "give tags such as ['project/garden']": "donnez des étiquettes comme ['projet/jardin']",
    "'note_path' required for link search": "« note_path » est nécessaire à la recherche par liens",
    "give the path or name of a note": "donnez le chemin ou le nom d'une note",
    "'start_date' or 'end_date' required": "« start_date » ou « end_date » est nécessaire",
    "give a day such as 2025-07-14 or '7 days ago'": "donnez un jour comme 2025-07-14 ou « 7 days ago »",
    "at least one search criteria required": "il faut au moins un critère de recherche",
    "give query, tags, start_date, end_date, folder, scopes or note_path": (
        "donnez query, tags, start_date, end_date, folder, scopes ou note_path"
    ),
    "'scopes' required for scoped search": "« scopes » est nécessaire à la recherche scoped",
    "give scopes such as ['projects/*/state.md'], or use fast": (
        "donnez des portées comme ['projects/*/state.md'], ou prenez fast"
    ),
    "'query' required for keyword search": "« query » est nécessaire à la recherche keyword",
    "say in full what is looked for": "dites en toutes lettres ce qui est cherché",
    "'search_terms' required for keyword search": "« search_terms » est nécessaire à la recherche keyword",
    "give regular expressions, the most important first, such as ['larch', 'kiln.*broke']": (
        "donnez des expressions rationnelles, les plus importantes d'abord, comme ['mélèze', 'four.*cassé']"
    ),
    "'query' or 'queries' required for {operation} search": (
        "« query » ou « queries » est nécessaire à la recherche {operation}"
    ),
    "give words, or '*' for everything": "donnez des mots, ou « * » pour tout",
    "'queries' is empty": "« queries » est vide",
    "give at least one query, or '*' for everything": "donnez au moins une requête, ou « * » pour tout",
    "start date {start} lies after end date {end}": (
        "la date de début {start} vient après la date de fin {end}"
    ),
    "swap them": "échangez-les",
    "unknown {name} {value}": "{name} inconnu : {value}",
    "'{name}' must be {called}{bounds} (got {value})": "« {name} » doit être {called}{bounds} (reçu {value})",
    "for example {name}=['...']": "par exemple {name}=['...']",
    "unknown index '{name}'": "index inconnu : « {name} »",
    "'deep' needs the package faiss-cpu": "« deep » a besoin du paquet faiss-cpu",
    "the token vectors of a passage do not hold against their sum": (
        "les vecteurs de jetons d'un passage ne répondent pas à leur somme"
    ),
    "make room, or name another folder by 'cache_dir'; what was built is kept": (
        "faites de la place, ou nommez un autre dossier par « cache_dir » ; ce qui est fait est gardé"
    ),
    "the model '{name}' is still being made ready": "le modèle « {name} » est encore en préparation",
    "ask again in half a minute": "redemandez dans une demi-minute",
}
