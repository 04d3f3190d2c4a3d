"""What was wrong with a command, in the words of the command line, whichever process found it out."""

from app.sentences import Sentence

OPTION_NAMES = frozenset({
    "'{name}' must be{bounds} (got {found})",
    "'{name}' must be {called}{bounds} (got {value})",
    "operation '{operation}' cannot use '{name}' (got {value})",
    "unknown {name} {value}",
    "'{name}' is {value}",
})  # fmt: skip
"""What is said of a parameter by its name, which at the command line is an option's."""
COMMAND_WORDS = {
    "give tags such as ['project/garden']": Sentence("name some, as in 'find by_tag project/garden'"),
    "give the path or name of a note": Sentence("name one, as in 'find by_link Home'"),
    "give scopes such as ['projects/*/state.md'], or use fast": Sentence(
        "give --scope 'projects/*/state.md', or use fast"
    ),
    "give regular expressions, the most important first, such as ['larch', 'kiln.*broke']": Sentence(
        "give --search-term larch --search-term 'kiln.*broke', the most important first"
    ),
    "give query, tags, start_date, end_date, folder, scopes or note_path": Sentence(
        "give words, --tag, --since, --until, --in, --scope or --note-path"
    ),
    "use update or append, or 'overwrite' to replace it": Sentence(
        "use update or append, or --overwrite to replace it"
    ),
    "for example {name}=['...']": Sentence("repeat the option for each value"),
}
"""What agents are told to do, in the words of the command line."""


def in_command_words(text: str) -> str:
    """Return what is said of a mistake with options in the place of the parameters that agents give."""
    if not isinstance(text, Sentence):
        return text
    if text.template in OPTION_NAMES:
        option = "--" + str(text.facts["name"]).replace("_", "-")
        return Sentence(text.template, **{**text.facts, "name": option})
    return COMMAND_WORDS.get(text.template, text)
