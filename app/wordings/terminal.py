"""The wordings of what a terminal says around results."""

from app.wordings.wording import Wording


class TerminalKind(Wording):
    """What stands below results, or in their place."""

    ALL_SHOWN = ("{count} {count:result|results}", "{count} {count:résultat|résultats}")
    SOME_SHOWN = (
        "{first} to {last} of {count} results; the next: --offset {last}",
        "{first} à {last} sur {count} résultats ; la suite : --offset {last}",
    )
    BEST_SHOWN = (
        "{first} to {last}, likeliest first; the next: --offset {last}",
        "{first} à {last}, les plus probables d'abord ; la suite : --offset {last}",
    )
    LAST_SHOWN = ("{first} to {last}, the last results", "{first} à {last}, les derniers résultats")
    NOTES_OF_BEST = (
        "{count} {count:note|notes}, the best; more with --limit",
        "{count} {count:note, la meilleure|notes, les meilleures} ; la suite par --limit",
    )
    NOTHING_FOUND = ("Nothing found for '{query}'", "Rien trouvé pour « {query} »")
    NOTHING_THERE = ("Nothing found", "Rien trouvé")
    PAST_THE_END = (
        "There are no results after the first {offset}; in all there are {count}",
        "Il n'y a pas de résultat au-delà de {offset} ; en tout il y en a {count}",
    )
