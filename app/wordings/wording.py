"""What a wording is: one thing to say, in English and in French."""

from enum import Enum


class Wording(Enum):
    """The wordings of one thing to say, in English and in French.

    Both name the same facts. ``{notes:note|notes}`` chooses by a number, and ``{parts:; }`` joins several,
    with a comma where nothing else is written. A fact that is a notice itself is said in the same language.
    """

    def __init__(self, english: str, french: str) -> None:
        self.english, self.french = english, french
