"""The wordings of what is said beside results: one row a kind, with the English of it.

``{notes:note|notes}`` chooses by a number, and ``{parts:; }`` joins several, with a comma where nothing else
is written. A fact that is a notice itself is said in the same language.
"""
