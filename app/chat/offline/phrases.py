"""What the offline assistant understands and says, in French and in English."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields

from app.notices import Language
from app.search.excerpt import fold
from app.search.lexical.analysis import runs
from app.search.lexical.language import LANGUAGES, asked_in
from app.sentences import SPACED

_FRENCH = """
a ai ait alors as au aussi aux avec avez avons c ca ce cela ces cet cette ceux chez combien comme comment d
dans de des dit dois doit donc du elle elles en encore est et etait ete etes etre eu eux fait faire fut il ils
j je l la laquelle le les leur leurs lui ma mais me mes moi mon n ne nos notre nous on ont ou oui par
parle parlent pas peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sais
sait sans se ses si sommes son sont sur ta te tes toi ton tous tout toute toutes trouve tu un une va vers
voir vont vos votre vous y note notes cherche dis donne liste montre bonjour bonsoir merci
"""
_ENGLISH = """
a about all am an and any are as at be been but by can could d did do does done find for from give had
has have he her his how i if in is it its know let list look m many may me more much my no not note notes
of on or our please re s say says search she should show so some t tell than that the their them then
there these they this those to up us ve was we were what when where which who whom whose why will with
would you your hello hi thanks thank
"""
FRENCH_WORDS = frozenset(_FRENCH.split())
ENGLISH_WORDS = frozenset(_ENGLISH.split())
# They show a language and may carry a question all the same.
FRENCH_SIGNS = FRENCH_WORDS | {"affiche", "aide", "liens", "lire", "lis", "ouvre", "ouvrir", "salut"}
ENGLISH_SIGNS = ENGLISH_WORDS | {"help", "hey", "links", "next", "open", "read"}

READ = re.compile(
    r"(?:(?:read|open|show me|show|lis|lire|ouvre|ouvrir|affiche|montre[- ]moi|montre)"
    r"(?:\s+(?:the note|note|la note))?)\s+(?P<name>\S.*?)\s*[.!?]*",
    re.IGNORECASE,
)
TAGS = re.compile(
    r"(?:tags?|étiquettes?|mots?[- ]clés?)\s*:\s*(?P<tags>.+)|(?P<bare>#\S+(?:[\s,]+#\S+)*)", re.IGNORECASE
)
BACKLINKS = re.compile(
    r"(?:links? to|backlinks? (?:of|to|for)|what links to|which notes link to|"
    r"liens? vers|rétroliens? (?:de|vers)|"
    r"qu['’]est-ce qui (?:pointe|renvoie) vers|quelles notes (?:pointent|renvoient) vers)"
    r"\s*:?\s*(?P<name>\S.*?)\s*[.!?]*",
    re.IGNORECASE,
)
MORE = re.compile(
    r"(?:more|next|continue|go on|and more|suite|la suite|encore|plus|continue[rz]?)\s*[.!?]*", re.IGNORECASE
)
HELP = re.compile(r"(?:help|aide|\?+|what can you do|que sais-tu faire)\s*[.!?]*", re.IGNORECASE)
UNDO: dict[Language, re.Pattern[str]] = {
    "fr": re.compile(
        r"(?:annule[rz]?|d[ée]fai(?:s|re|tes)|reviens en arrière|revenir en arrière)"
        r"(?:\s+(?:ça|cela|tout|(?:[lt]a dernière|cette|la|l['’]) ?(?:modification|écriture|action)))?"
        r"[\s.!…]*",
        re.IGNORECASE,
    ),
    "en": re.compile(
        r"(?:undo|revert|take (?:it|that|this) back)"
        r"(?:\s+(?:it|that|this|everything|(?:the|your|that) (?:last )?(?:change|edit|write)))?[\s.!…]*",
        re.IGNORECASE,
    ),
}
"""What asks to take the last change back, and names nothing."""
_ADDED = r"(?:[\s,]+(?:there|all|everyone|à tous|à toi|à vous))?[\s.!…]*"
GREETINGS: dict[Language, re.Pattern[str]] = {
    "fr": re.compile(r"(?:bonjour|bonsoir|salut|coucou)" + _ADDED, re.IGNORECASE),
    "en": re.compile(r"(?:hello|hi|hey|good (?:morning|afternoon|evening))" + _ADDED, re.IGNORECASE),
}
THANKS: dict[Language, re.Pattern[str]] = {
    "fr": re.compile(
        r"(?:(?:ok|parfait|super|très bien|bien)[\s,]+)?(?:(?:un )?grand )?merci"
        r"(?: bien| beaucoup| infiniment)?" + _ADDED,
        re.IGNORECASE,
    ),
    "en": re.compile(
        r"(?:(?:ok|okay|great|perfect|good)[\s,]+)?(?:many )?(?:thanks|thank you|thx)"
        r"(?: a lot| so much| very much)?" + _ADDED,
        re.IGNORECASE,
    ),
}
REPLIES: dict[Language, re.Pattern[str]] = {
    "fr": re.compile(r"(?:o|oui|non|d['’]accord|ok)[\s.!…]*", re.IGNORECASE),
    "en": re.compile(r"(?:y|n|yes|no|okay)[\s.!…]*", re.IGNORECASE),
}
"""What answers a question that nobody asked: without a model nothing waits for a yes or no."""
FOLLOW_UP = re.compile(
    r"(?:and|what about|how about|et|et pour|qu['’]en est-il (?:de|du|des)|also|aussi)\b", re.IGNORECASE
)
# How requests begin, what they call a note, and their verbs with what follows; all as `fold` gives it.
_POLITE = {
    "fr": (
        r"(?:(?:s['’]il (?:te|vous) plait|stp|svp|merci de|ok|et|alors|maintenant)[\s,]+)*"
        r"(?P<polite>(?:(?:peux|pourrais|veux)[- ]tu|(?:pouvez|pourriez|voulez)[- ]vous"
        r"|tu (?:peux|pourrais)|vous (?:pouvez|pourriez))\s+)?(?:m['’]|(?:me|nous|y|en|la|le|les)\s+)?"
    ),
    "en": (
        r"(?:(?:please|ok|okay|and|then|now)[\s,]+)*"
        r"(?P<polite>(?:(?:can|could|would|will) you|i(?: want|['’]d like| would like| need) you to)\s+"
        r"(?:please\s+)?)?"
    ),
}
_NOTE = {
    "fr": (
        r"(?:(?:une?|la|le|les|cette|ces?|m(?:a|on|es)|t(?:a|on|es)|[nv]otre|[nv]os|des|toutes?|deux|trois)\s+"
        r"(?:(?!(?:de|des|du|sur|dans|pour|a)\b|d['’])\S+\s+){0,3}?(?:notes?|fichiers?|pages?)\b"
        r"|(?:note|fichier|page)\b|\[\[|\S+\.md\b)"
    ),
    "en": (
        r"(?:(?:an?|the|this|that|these|those|my|our|your|another|one|two|three|some|all|every|each|any)\s+"
        r"(?:(?!(?:of|about|on|from|in|for|to)\b)\S+\s+){0,3}?(?:notes?|files?|pages?)\b"
        r"|(?:note|file|page)\b|\[\[|\S+\.md\b)"
    ),
}
_REQUESTS = {
    "fr": (
        r"(?:(?:re)?ecri(?:s|re|vez)|redige[rz]?|cree[rsz]?|fai(?:s|re|tes)|pren(?:ds|dre|ez)"
        r"|(?:ajout|modifi|chang|corrig|complet|renomm|deplac|supprim|effac|enlev|remplac|archiv"
        r"|enregistr)e[rz]?|met(?:s|tre|tez) a jour)(?:-moi|-nous)?\s+NOTE",
        r"(?:ecri(?:s|re|vez)|met(?:s|tre|tez)|enregistre[rz]?)\s(?:.+?\s)?(?:a|dans|sur)\s+NOTE",
        r"note[rz]?\s.+?\s(?:a|dans|sur)\s+NOTE",
        r"(?:enlev|retir|remplac|chang|corrig|modifi)e[rz]?\s.+?\s(?:de|du|des|dans)\s+NOTE",
        r"(?:r?ajout|inser|renomm|deplac)e[rz]?\s.+?\s(?:a|au|aux|dans|en|vers|sous|sur)\s+\S",
        r"(?:r?ajout|inser)e[rz]?\s(?:a|au|aux|dans|sous|sur)\s+(?:NOTE|[^:«“\"]{1,80}[:«“\"]\s*\S)",
        r"(?:supprim|effac)e[rz]?\s+\S",
    ),
    "en": (
        r"(?:(?:re)?write|create|make|start|draft|take|add|edit|change|update|modify|correct|fix|complete"
        r"|extend|rename|move|delete|remove|erase|replace|archive|save)(?:\s+(?:me|us))?\s+NOTE",
        r"(?:write\s(?:.+?\s)?|(?:put|save)\s.+?\s)(?:to|into|in|under)\s+NOTE",
        r"(?:remove|replace|change|correct|fix|update)\s.+?\s(?:of|in|from)\s+NOTE",
        r"(?:add|append|insert|rename|move)\s.+?\s(?:to|into|in|under|as)\s+\S",
        r"(?:add|append|insert)\s(?:to|into|in|under)\s+(?:NOTE|[^:«“\"]{1,80}[:«“\"]\s*\S)",
        r"(?:(?:write|note|jot) down|delete|erase|overwrite)\s+\S",
    ),
}


def _request(language: Language) -> re.Pattern[str]:
    forms = "|".join(_REQUESTS[language]).replace("NOTE", _NOTE[language])
    return re.compile(f"{_POLITE[language]}(?:{forms})", re.DOTALL)


WRITE: dict[Language, re.Pattern[str]] = {"fr": _request("fr"), "en": _request("en")}
"""What asks for a note to be written, created, changed or deleted; held against folded text."""
WRITE_CHARS = 400
"""Where a message has to say so: a request is at its beginning."""
OPERATORS = re.compile(r"\"|\b(?:tag|path|file|line|section|block|task|content):|\[\w+:|\bOR\b|(?:^|\s)-\w")


@dataclass(frozen=True, slots=True)
class Phrases:
    """The fixed sentences of one language."""

    language: Language
    found: str
    nothing: str
    not_said: str
    nearest: str
    no_tasks: str
    more_tasks: str
    linking: str
    tagged: str
    no_more: str
    rest: str
    failed: str
    line: str
    lines: str
    note: str
    empty: str
    cut: str
    corrected: str
    hello: str
    welcome: str
    help: str
    question: str
    writes_nothing: str
    nothing_to_undo: str
    offline: str
    briefly: str
    colon: str
    between: str

    def place_of(self, first: int, last: int) -> str:
        """Name some lines: "line 16", "lines 16-20"."""
        return (
            self.line.format(numbers=first) if first == last else self.lines.format(numbers=f"{first}-{last}")
        )


def _spaced(phrases: Phrases) -> Phrases:
    """Return French sentences in which no line ends before one of their signs."""
    names = [each.name for each in fields(phrases) if each.name != "language"]
    texts = {name: SPACED.sub("\u00a0", getattr(phrases, name)) for name in names}
    return Phrases(language=phrases.language, **texts)


PHRASES: dict[Language, Phrases] = {
    "fr": _spaced(
        Phrases(
            language="fr",
            found="Voici ce que disent les notes :",
            nothing="Je n'ai rien trouvé dans le coffre pour « {query} ».",
            not_said="Les notes ne semblent pas le dire.",
            nearest="Le plus proche : {places}.",
            no_tasks="Aucune tâche ouverte n'est de celles-là.",
            more_tasks="Encore {count} ; la commande « tasks » les énumère toutes.",
            linking="Les liens :",
            tagged="Les notes qui portent cette étiquette :",
            no_more="Il n'y a rien d'autre.",
            rest="Encore {count} : écrivez « suite ».",
            failed="Cela n'a pas marché :",
            line="ligne {numbers}",
            lines="lignes {numbers}",
            note="'{path}', {place} sur {count}",
            empty="'{path}' est vide.",
            cut="(Coupé ici : la note va jusqu'à la ligne {count}.)",
            corrected="Corrections, après vérification dans les notes :",
            hello="Bonjour !",
            welcome="De rien.",
            help=(
                "Posez une question, ou écrivez « lis NOTE », « étiquette : #x », « liens vers NOTE », "
                "« suite »."
            ),
            question="Posez une question sur ce que disent les notes.",
            writes_nothing=(
                "Sans modèle de langage, je n'écris aucune note, et je n'en modifie ni n'en supprime aucune "
                ": je cherche, je lis et je cite. « vault-assistant note append NOTE --content TEXTE » "
                "ajoute à une note, et « note --help » dit le reste."
            ),
            nothing_to_undo=(
                "Je n'ai rien à annuler : sans modèle de langage, je ne modifie aucune note. "
                "« vault-assistant note undo » annule la dernière modification d'une note."
            ),
            offline=(
                "(Assistant hors ligne : je cherche et je cite, sans modèle de langage. Pour des réponses "
                "rédigées, indiquez un modèle : --model ollama:qwen3, la variable VAULT_ASSISTANT_MODEL, ou "
                "« model » dans config.json.)"
            ),
            colon=" :",
            between=" ; ",
            briefly="(Assistant hors ligne.)",
        )
    ),
    "en": Phrases(
        language="en",
        found="Here is what the notes say:",
        nothing="I found nothing in the vault for “{query}”.",
        not_said="The notes do not seem to say.",
        nearest="What comes nearest: {places}.",
        no_tasks="No open task is one of those.",
        more_tasks="{count} more; the command “tasks” lists all of them.",
        linking="The links:",
        tagged="The notes with this tag:",
        no_more="There is nothing further.",
        rest="{count} more: write “more”.",
        failed="That did not work:",
        line="line {numbers}",
        lines="lines {numbers}",
        note="'{path}', {place} of {count}",
        empty="'{path}' is empty.",
        cut="(Cut here: the note goes on to line {count}.)",
        corrected="Corrections, after a look at the notes:",
        hello="Hello!",
        welcome="You are welcome.",
        help="Ask a question, or write “read NOTE”, “tags: #x”, “links to NOTE”, “more”.",
        question="Ask a question about what the notes say.",
        writes_nothing=(
            "Without a language model I write no notes, and I change and delete none: I search, read and "
            "quote. “vault-assistant note append NOTE --content TEXT” adds to a note, and “note --help” says "
            "the rest."
        ),
        nothing_to_undo=(
            "I have nothing to undo: without a language model I change no notes. “vault-assistant note undo” "
            "takes back the last change of a note."
        ),
        offline=(
            "(Offline assistant: I search and quote, without a language model. For written answers name a "
            "model: --model ollama:qwen3, the variable VAULT_ASSISTANT_MODEL, or “model” in config.json.)"
        ),
        colon=":",
        between="; ",
        briefly="(Offline assistant.)",
    ),
}


_MARKS = (("“", "”"), ("«\u00a0", "\u00a0»"), ('"', '"'))


def quotation(text: str, place: str, language: Language) -> str:
    """Write a quotation of one line and its place, between quotation marks that do not stand in it."""
    styles = _MARKS if language == "en" else (_MARKS[1], _MARKS[0], _MARKS[2])
    opening, closing = next(
        (style for style in styles if not any(sign.strip() in text for sign in style)), ("", "")
    )
    return f"{opening}{text}{closing} ({place})"


def courtesy(text: str) -> str | None:
    """Answer a greeting, thanks, a yes or a no that asks nothing; ``None`` for anything else."""
    for language, said in PHRASES.items():
        if THANKS[language].fullmatch(text.strip()):
            return said.welcome
        if GREETINGS[language].fullmatch(text.strip()):
            return f"{said.hello} {said.help}"
        if REPLIES[language].fullmatch(text.strip()):
            return said.help
    return None


def unsigned(text: str) -> str:
    """Return an answer without the line by which the offline assistant says at its end that it is one."""
    for said in PHRASES.values():
        for signature in (said.offline, said.briefly):
            text = text.removesuffix(f"\n\n{signature}")
    return text


def asks_to_write(text: str) -> Language | None:
    """Return in which language a message asks to write, change or delete a note; ``None`` where it does not.

    A question does so only where it asks politely, such as "Can you add milk to Shopping?".
    """
    folded = fold(text.strip()[:WRITE_CHARS])
    for language, pattern in WRITE.items():
        found = pattern.match(folded)
        if found is not None and (found["polite"] or not text.rstrip().endswith("?")):
            return language
    return None


def asks_to_undo(text: str) -> Language | None:
    """Return in which language a message asks to take the last change back; ``None`` where it does not."""
    return next((language for language, asks in UNDO.items() if asks.fullmatch(text.strip())), None)


def is_question(text: str, *, is_first: bool) -> bool:
    """Return whether a message asks what the notes say, and is understood without what was said before it.

    A greeting, a request to write or to undo and what the offline assistant takes as a command are none.

    Args:
        text: The message.
        is_first: Whether nothing was said before it.
    """
    text = text.strip()
    if courtesy(text) is not None or asks_to_write(text) is not None or asks_to_undo(text) is not None:
        return False
    if any(command.fullmatch(text) for command in (READ, TAGS, BACKLINKS, MORE, HELP)):
        return False
    return is_first or (bool(content_words(text)) and FOLLOW_UP.match(text) is None)


def words_of(text: str) -> list[str]:
    """Return the words of a text, without case and accents."""
    return re.findall(r"\w+", fold(text))


def language_of(text: str) -> Language | None:
    """Tell the language of a sentence from its small words and accents.

    ``None`` when nothing shows it, or when it is another one, which has some small words and accents too.
    """
    for language, reply in REPLIES.items():
        if reply.fullmatch(text.strip()):
            return language
    words = words_of(text)
    french = sum(word in FRENCH_SIGNS for word in words) + sum(
        char in "àâçéèêëîïôœùûü«»" for char in text.lower()
    )
    english = sum(word in ENGLISH_SIGNS for word in words)
    known = asked_in(set(runs(text)), range(len(LANGUAGES)))
    if french == english or (known is not None and LANGUAGES[known] not in ("english", "french")):
        return None
    return "fr" if french > english else "en"


def language_for(questions: Sequence[str], reader: Language = "en") -> Language:
    """Return the language of an answer: of the last question, else of an earlier one, else the reader's.

    Args:
        questions: What was asked, oldest first.
        reader: The language of whoever reads the answer, where no question tells one.
    """
    for question in reversed(questions):
        if (language := language_of(question)) is not None:
            return language
    return reader


def content_words(text: str) -> str:
    """Take the small words of both languages out of a question; one with operators stays as it is."""
    if OPERATORS.search(text):
        return text
    kept = []
    for word in text.split():
        # Elisions come off: l'atelier, qu'avons.
        bare = re.sub(r"^(?:[cdjlmnst]|qu)['’]", "", word, flags=re.IGNORECASE).strip("?!.,;…«»“”()")
        small = all(part in FRENCH_WORDS or part in ENGLISH_WORDS for part in words_of(bare))
        # Signs carry meaning of their own, as in C++, ⏫ or [x]; lone ASCII punctuation does not.
        signs = re.search(r"[^\w'’-]", bare.rstrip(":")) and not (bare.isascii() and not words_of(bare))
        if bare and (not small or signs):
            kept.append(bare)
    return " ".join(kept)
