"""What a search, or an answer that shows notes, may remark, and how it is said in French."""

import re

from app.chat.offline.phrases import Language

# What is not here stays as it is: a remark in the wrong language is better than none.
_REMARKS = tuple(
    (re.compile(english, re.DOTALL), french)
    for english, french in (
        (r"searched (\d+) notes?", r"notes parcourues : \1"),
        (r"similar tags: (.+)", r"étiquettes proches : \1"),
        (r"words one letter away: (.+)", r"mots à une lettre près : \1"),
        (r"notes with a similar name: (.+)", r"notes au nom proche : \1"),
        (r"(\d+) excluded (?:note|file)s? not shown", r"notes ou fichiers exclus, non montrés : \1"),
        (r"(\d+) left-out notes? not shown", r"notes laissées de côté, non montrées : \1"),
        (
            r"the note '(.+)' does not exist; it is only linked to",
            r"la note « \1 » n'existe pas, des liens y mènent seulement",
        ),
        (
            r"another process is updating the index; this answers from its last state",
            "un autre processus met l'index à jour ; ceci vient de son dernier état",
        ),
        (
            r"the index is catching up with the vault; (\d+) notes? (?:is|are) searched so far",
            r"l'index se met à jour ; notes déjà parcourues : \1",
        ),
        (
            r"the index could not be opened \((.+)\) and was rebuilt",
            r"l'index ne s'ouvrait plus (\1) et a été refait",
        ),
        (
            r"the index was not used \('(.+)' belongs to another user \((\d+)\)\) and was rebuilt",
            r"l'index n'a pas été utilisé (« \1 » appartient à un autre utilisateur, \2) et a été refait",
        ),
        (
            r"the index was not used \(others may write '(.+)'\) and was rebuilt",
            r"l'index n'a pas été utilisé (d'autres peuvent écrire « \1 ») et a été refait",
        ),
        (
            r"the index was not used \('(.+)' is a link\) and was rebuilt",
            r"l'index n'a pas été utilisé (« \1 » est un lien) et a été refait",
        ),
        (
            r"the vectors were damaged \((.+)\) and are built anew",
            r"les vecteurs étaient abîmés (\1) et sont refaits",
        ),
        (
            r"a note changed while it was searched and is left out",
            "une note a changé pendant la recherche et n'est pas montrée",
        ),
        (
            r"this is the offline assistant: it searches and quotes, without a language model\. For written "
            r"answers name one: (.+), the variable (\w+), or “model” in config\.json",
            r"ceci est l'assistant hors ligne : il cherche et cite, sans modèle de langue. Pour des réponses "
            r"rédigées, indiquez-en un : \1, la variable \2, ou « model » dans config.json",
        ),
        (
            r"the model came to no answer of its own \((.*)\); this is what it found",
            r"le modèle n'est pas arrivé à une réponse (\1) ; voici ce qu'il a trouvé",
        ),
        (r"'(.+)' was (?:named|cited), and there is no such note", r"il n'y a pas de note « \1 »"),
        (r"'(.+)' was named, and '(.+)' is shown", r"« \2 » est montrée à la place de « \1 »"),
        (r"'(.+)' was cited; the note is called '(.+)'", r"la note citée comme « \1 » s'appelle « \2 »"),
        (
            r"'(.+)' was cited for words that do not stand there",
            r"« \1 » était citée pour des mots qui ne s'y trouvent pas",
        ),
        (
            r"'(.+)' are no lines of '(.+)', which is shown whole",
            r"« \2 » est montrée en entier, faute de lignes « \1 »",
        ),
        (r"'(.+)' has (\d+) lines, and no lines ([\d-]+)", r"« \1 » a \2 lignes, et pas de lignes \3"),
        (
            r"'(.+)' has (\d+) lines, and no lines ([\d-]+); it is shown whole",
            r"« \1 » a \2 lignes, et pas de lignes \3 ; elle est montrée en entier",
        ),
        (
            r"'(.+)' has (\d+) lines: lines ([\d-]+) are shown as ([\d-]+)",
            r"« \1 » a \2 lignes : les lignes \4 sont montrées au lieu de \3",
        ),
        (
            r"'(.+)' is cut (?:after|inside) line (\d+) of (\d+), for the document to fit (\d+) characters",
            r"« \1 » est coupée à la ligne \2 sur \3, pour que le document tienne en \4 caractères",
        ),
        (
            r"left out, for the document to fit (\d+) characters: (.+)",
            r"laissées de côté, pour que le document tienne en \1 caractères : \2",
        ),
        (
            r"(\d+) further files were named, and left out",
            r"\1 autres notes étaient nommées ; laissées de côté",
        ),
        (
            r"(\d+) texts? that looks? like .+ (?:was|were) left out of what was sent to (.+)",
            r"textes qui ressemblent à une clé ou à un mot de passe, laissés de côté dans ce qui a été "
            r"envoyé à \2 : \1",
        ),
        (
            r"what the vault excludes has changed, and this conversation starts anew",
            r"ce que le coffre exclut a changé, et cette conversation repart de zéro",
        ),
        (r"(\d+) more remarks", r"\1 autres remarques"),
        (
            r"the overview was cut to (\d+) lines and (\d+) characters",
            r"l'aperçu a été coupé à \1 lignes et \2 caractères",
        ),
        (
            r"('.+:') before a blank is text; as an operator it stands right against its value",
            r"\1 suivi d'une espace est du texte ; un opérateur touche sa valeur",
        ),
    )
)


def remark(english: str, language: Language) -> str:
    """Say a remark of the search in a language."""
    if language == "fr":
        for pattern, french in _REMARKS:
            if match := pattern.fullmatch(english):
                return match.expand(french)
    return english
