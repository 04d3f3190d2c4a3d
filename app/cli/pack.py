"""``pack``: the lines that answer a question best, for a program or an agent that pays for each token."""

from typing import Annotated

import typer

from app.cli import options, output

EXAMPLES = (
    "Nothing is asked of a language model. A token is counted by the rules that tokenizers share, rather too "
    "many than too few.\n\n"
    "Examples:\n\n\b\n"
    "  vault-assistant pack 'When was the boat launched?'\n"
    "  vault-assistant pack 'When was the boat launched?' --max-tokens 400 --json"
)


def pack(
    call: options.Calls,
    words: Annotated[list[str], typer.Argument(metavar="QUESTION", help="What to find evidence for.")],
    max_tokens: Annotated[
        int, options.option("--max-tokens", "N", "Most tokens of the answer, from 200.")
    ] = 1200,
) -> int:
    """Give the lines that answer a question best, within a budget."""
    from app.chat.pack import pack as pack_evidence
    from app.cli.build import ready_vaults

    found = pack_evidence(ready_vaults(call.open()), " ".join(words), max_tokens)
    if call.as_json:
        output.show_json(found.data())
    else:
        output.show(found.text)
    return output.FOUND if found.passages else output.NOTHING
