"""The wordings of what searching is worth on a vault."""

from app.wordings.wording import Wording


class MeasureKind(Wording):
    """How it was asked, and what the figures mean."""

    COPYING = ("Copying and indexing", "Copie et indexation")
    ASKING = ("Asking ({way})", "Questions ({way})")
    WORDS = ("words", "mots")
    MEANING = ("meaning", "sens")
    ASKED = (
        "{count} {count:question|questions} of {notes} {notes:note|notes}: {headings} "
        "{headings:heading|headings}, {links} {links:text|texts} of links, {descriptions} "
        "{descriptions:description|descriptions}. Each line "
        "with one of them was taken out first, in a copy that is gone again",
        "{count} {count:question|questions} à {notes} {notes:note|notes} : {headings} "
        "{headings:titre|titres}, {links} {links:texte|textes} de liens, {descriptions} "
        "{descriptions:description|descriptions}. Chaque "
        "ligne qui en contient une a d'abord été ôtée, dans une copie qui n'est plus là",
    )
    COLUMNS = ("Hit@5   first      ms  tokens", "Hit@5     1re      ms  jetons")
    ROW = (
        "{way}  {hit:5.0%}   {first:5.0%}  {milliseconds:6.0f}  {tokens:6}",
        "{way}  {hit:4.0%}   {first:4.0%}  {milliseconds:6.0f}  {tokens:6}",
    )
    MEANS = (
        "Hit@5: the note that is meant is among the first five; first: it is the first. ms: the median "
        "time of a question, with the index open. tokens: what a language model reads of the answer, the "
        "median",
        "Hit@5 : la note voulue est parmi les cinq premières ; 1re : elle est la première. ms : temps "
        "médian d'une question, index ouvert. jetons : ce qu'un modèle de langage lit de la réponse, en "
        "médiane",
    )
    HOW_RIPGREP = (
        "ripgrep: one run for all words of a question but the stop words; files with most of the words "
        "first, then with most lines. Its tokens are the lines of the first five files",
        "ripgrep : un seul appel pour tous les mots d'une question sauf les mots vides ; d'abord les "
        "fichiers qui en ont le plus, puis le plus de lignes. Ses jetons sont les lignes des cinq "
        "premiers fichiers",
    )
    WORDS_ALONE = (
        "By meaning nothing was asked: the index has no model; 'vault-assistant model use NAME' gives it one",
        "Rien n'a été demandé par le sens : l'index n'a pas de modèle ; « vault-assistant model use NOM » "
        "lui en donne un",
    )
    NO_MEANING = (
        "By meaning nothing was asked: {share:.0%} of the passages have vectors; 'vault-assistant index' "
        "builds them",
        "Rien n'a été demandé par le sens : {share:.0%} des passages ont des vecteurs ; « vault-assistant"
        " index » les construit",
    )
