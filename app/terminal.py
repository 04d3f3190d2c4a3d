"""Text that a terminal shows and does not obey."""

import re

# Control characters could move the cursor or change colours, and direction marks could reorder a line.
_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]")


def visible(text: str) -> str:
    """Put the replacement character for everything in ``text`` that a terminal would act on."""
    return _COMMANDS.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))
