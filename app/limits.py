"""How much may come in from outside: every limit in one table, and the checks that name it."""

from app.errors import BadRequestError
from app.sentences import Quoted

QUERY_CHARS = 10_000
"""Longest query, search term or question of `ask`."""
MESSAGE_CHARS = 100_000
"""Longest message in a chat."""
LIST_ITEMS = 100
"""Most items of a list: queries, search terms, tags, scopes."""
LIST_CHARS = 50_000
"""Most characters of all the items of one list together."""
VALUE_CHARS = 1_000
"""Longest of all other texts that are no path and no content: a tag, a scope, a date, a heading, a block."""
PATH_BYTES = 4_096
NAME_BYTES = 255
"""Longest path, and longest name of a file or folder on it."""
ANSWER_CHARS = 1_000_000
"""Longest answer of a search or of a note that a caller may ask for, as `max_chars`."""
HITS = 1_000
"""Most hits that a program asks for at once; what is read by a model or a person has a smaller bound."""
HEADING_CHARS = 300
"""Of a longer heading, search keeps and shows the beginning."""

MESSAGE_BYTES = 10_000_000
"""Longest message of the MCP protocol: the largest note, with every character escaped, fits."""
BODY_BYTES = 2_000_000
"""Largest body of a request to the page."""
ADDRESS_FIELDS = 250
"""Most parameters in an address of the page, and most fields of one of its forms."""
HEADER_BYTES = 131_072
"""Largest head of an HTTP request: the longest query fits into its address, percent-encoded."""
LEAST_TOKEN = 16
"""Shortest token that opens a server: a shorter one can be guessed."""
CONNECTIONS = 100
"""Most connections that a server holds at once."""
HEAD_SECONDS = 10.0
BODY_SECONDS = 60.0
"""How long a request's head, and then its body, may take to arrive."""

SHOWN_CHARS = 60


def shown(value: object) -> str:
    """Return a value as an error quotes it: short, on one line, and printable whatever it holds."""
    text = value if isinstance(value, str) else repr(value)
    short = text if len(text) <= SHOWN_CHARS else text[: SHOWN_CHARS - 1] + "…"
    return Quoted(short) if isinstance(value, str) else short


def check_text(text: str, name: str, most: int | None) -> None:
    """Refuse a text that is too long, or holds half of a surrogate pair, as broken JSON brings it.

    Args:
        text: The text.
        name: What the parameter is called.
        most: The most characters; None for any length.

    Raises:
        BadRequestError: with the name of the parameter, and the limit or what it holds.
    """
    if most is not None and len(text) > most:
        raise BadRequestError(
            "'{name}' has {count:,} characters",
            "{most:,} are the most",
            name=name,
            count=len(text),
            most=most,
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadRequestError(
            "'{name}' holds a lone surrogate (U+{code:04X}), which is no text",
            "send it as valid Unicode",
            name=name,
            code=ord(text[error.start]),
        ) from error


def check_list(texts: list[str] | tuple[str, ...], name: str, most: int | None) -> None:
    """Refuse a list with too many items, too much text, or an item that `check_text` refuses.

    Args:
        texts: The items.
        name: What the parameter is called.
        most: The most characters of one item.

    Raises:
        BadRequestError: with the name of the parameter, and the limit.
    """
    if len(texts) > LIST_ITEMS:
        raise BadRequestError(
            "'{name}' has {count:,} items",
            "{list_items} are the most",
            name=name,
            count=len(texts),
            list_items=LIST_ITEMS,
        )
    for text in texts:
        check_text(text, name, most)
    if (size := sum(map(len, texts))) > LIST_CHARS:
        raise BadRequestError(
            "the items of '{name}' have {size:,} characters together",
            "{list_chars:,} are the most",
            name=name,
            size=size,
            list_chars=LIST_CHARS,
        )
