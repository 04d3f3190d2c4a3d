"""What was wrong with a command, in the words of the command line, whichever process found it out."""

from app.sentences import ParameterName, Sentence

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
    "give another 'new_path'": Sentence("give another name"),
    "give 'lines', or the headings above it as 'Upper#Lower'": Sentence(
        "give --lines, or the headings above it as 'Upper#Lower'"
    ),
    "for example {name}=['...']": Sentence("repeat the option for each value"),
}
"""What agents are told to do, in the words of the command line."""


def in_command_words(text: str) -> str:
    """Return what is said of a mistake with options in the place of the parameters that agents give."""
    if not isinstance(text, Sentence):
        return text
    options = {
        fact: "--" + name.replace("_", "-")
        for fact, name in text.facts.items()
        if isinstance(name, ParameterName)
    }
    if options:
        return Sentence(text.template, **{**text.facts, **options})
    return COMMAND_WORDS.get(text.template, text)
