"""What a wording is: one thing to say."""

from enum import Enum


class Wording(Enum):
    """The wordings of things to say, in English; see `app.translation` for their French.

    ``{notes:note|notes}`` chooses by a number, and ``{parts:; }`` joins several, with a comma where nothing
    else is written. A fact that is a notice itself is said in the same language.
    """

    @property
    def english(self) -> str:
        """How it is said in English, with the names of its facts in braces."""
        return str(self.value)
