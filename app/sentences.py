"""A sentence of the program with the facts it names, said in the language of who reads it.

What is said beside results is a `Notice`, whose English stands in a table with others of its kind. A failure
is said where it is raised, so that its English stands there: ``Sentence("no note at '{path}'", path=path)``.
The French is looked up by the English, in a catalogue (`app.translation`), when somebody reads French.
"""

import re
from collections.abc import Mapping
from string import Formatter
from typing import Any, Literal, Self, TypeVar, get_args

Language = Literal["fr", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
T = TypeVar("T", bound="Worded")
SPACED = re.compile(r" (?=[:;?!»])|(?<=«) ")
"""The blanks of a French sentence at which no line may be broken."""
CAPITAL = "capital"
"""Behind a sentence within another one, as in ``{summary:capital}``: it begins with a capital."""


class Worded(str):
    """A text of the program in English that knows what it is made of, and so can be said in French."""

    __slots__ = ("facts",)
    facts: Mapping[str, Any]

    def wording(self, language: Language) -> str:
        """Return how it is said in a language, with the names of its facts in braces."""
        raise NotImplementedError

    def said(self, language: Language) -> str:
        """Return it in a language, its facts in their places."""
        return put(self.wording(language), self.facts, language)


class Sentence(Worded):
    """A sentence that stands in the code in English, with the facts it names.

    It reads as its English, so that what shows English alone shows it as it is. A fact is put in as it is,
    whatever it holds; one that is a sentence or notice itself is said in the same language.

    Args:
        template: The English, with the names of the facts in braces; verbatim where there are no facts.
        facts: What it names.
    """

    __slots__ = ("template",)
    template: str

    def __new__(cls, template: str, /, **facts: object) -> Self:
        """Say a sentence in English, and keep what it is made of."""
        kept = {name: _fact(value) for name, value in facts.items()}
        made = super().__new__(cls, put(template, kept, "en"))
        made.template, made.facts = template, kept
        return made

    def as_data(self) -> dict[str, Any]:
        """Return what makes it again, in values that JSON has."""
        return {
            "sentence": self.template,
            "facts": {name: data_of(fact) for name, fact in self.facts.items()},
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Make it again from what `as_data` returned; KeyError where a fact that it names is missing."""
        return cls(data["sentence"], **{name: value_of(fact) for name, fact in data["facts"].items()})

    def remark(self, language: Language) -> str:
        """Return it as a sentence of its own beside results."""
        return Sentence("Note: {notice}", notice=self).said(language) + "."

    def wording(self, language: Language) -> str:
        """Return how it is said in a language; English where it has no French."""
        return in_french(self.template) if language == "fr" else self.template


class ParameterName(str):
    """A parameter by the name that agents give it, or one with a value; see `typed`."""

    __slots__ = ()


def typed(text: T) -> T:
    """Return a sentence with options, as they are typed, in the place of the parameters that agents give."""
    names = {fact: name for fact, name in text.facts.items() if isinstance(name, ParameterName)}
    if not names:
        return text
    options = {fact: "--" + name.replace("_", "-").replace("=", " ") for fact, name in names.items()}
    made: Any = text
    return type(text)(made.template, **{**text.facts, **options})


class Quoted(Worded):
    """A value as somebody wrote it, in the quotation marks of the language; a number has none.

    It reads as Python shows it, with what does not show written out.
    """

    __slots__ = ()

    def __new__(cls, value: object, /) -> "Quoted":
        """Quote a value in English, and keep it."""
        made = super().__new__(cls, repr(value))
        made.facts = {"value": value}
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[object], dict[str, Any]]:
        """Return what makes it again, for a copy."""
        return (self.facts["value"],), {}

    def said(self, language: Language) -> str:
        """Return the value in the quotation marks of a language."""
        is_french_text = language == "fr" and isinstance(self.facts["value"], str)
        return f"« {self[1:-1]} »" if is_french_text else str(self)


def worded(text: str, facts: Mapping[str, object]) -> Worded:
    """Return a text with its facts in their places; one that has its own stays as it is."""
    return text if isinstance(text, Worded) else Sentence(text, **facts)


def said(text: str, language: Language) -> str:
    """Return a text in a language: a sentence or a notice, or what stands in the code without facts.

    What has no wording there, such as a text from elsewhere, is returned as it is.
    """
    return worded(text, {}).said(language)


def reason_of(error: OSError) -> Sentence:
    """Return what the system says of a failure, such as ``No space left on device``."""
    return Sentence(error.strerror or str(error))


def in_french(text: str, context: str = "") -> str:
    """Return the French of a text, or the text where it has none.

    Args:
        text: The English, as it stands in the code.
        context: What tells it from the same English with other French: the name of a kind, or "page".
    """
    if not text:
        # To gettext, the empty text is the head of the catalogue.
        return text
    # Nothing of it is read where nobody reads French.
    from app.translation import french

    known = french()
    found = known.pgettext(context, text) if context else text
    return known.gettext(text) if found == text else found


def put(wording: str, facts: Mapping[str, Any], language: Language) -> str:
    """Put facts into a wording; one without facts stays as it is."""
    return _WORDS[language].vformat(wording, (), facts) if facts else wording


def _fact(value: object) -> object:
    if isinstance(value, OSError):
        # Python's own text has the number of the error, and the path, which the sentence names itself.
        return reason_of(value)
    return value if isinstance(value, str | int | float | tuple) else str(value)


def data_of(value: Any) -> Any:  # noqa: ANN401 - a fact
    """Return a value, sentences and tuples of them included, as what JSON has."""
    if isinstance(value, Sentence):
        return value.as_data()
    return [data_of(each) for each in value] if isinstance(value, tuple) else value


def value_of(data: Any) -> Any:  # noqa: ANN401 - what `data_of` returned
    """Make a value again from what `data_of` returned, so that its sentences can be said in French."""
    if isinstance(data, Mapping):
        return Sentence.from_data(data)
    return tuple(map(value_of, data)) if isinstance(data, list) else data


class _Words(Formatter):
    """Puts facts into the wordings of one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def format_field(self, value: Any, spec: str) -> str:  # noqa: ANN401 - a fact
        if isinstance(value, Worded):
            text = value.said(self._language)
            return text[:1].upper() + text[1:] if spec == CAPITAL else text
        if isinstance(value, tuple):
            return (spec or ", ").join(self.format_field(each, "") for each in value)
        if isinstance(value, int) and "|" in spec:
            one, several = spec.split("|")
            # In French none is singular as well.
            return one if value == 1 or (value == 0 and self._language == "fr") else several
        shown = format(value, spec)
        if self._language == "fr" and isinstance(value, float):
            return shown.replace(".", ",").replace("%", " %")
        return shown


_WORDS: dict[Language, _Words] = {"en": _Words("en"), "fr": _Words("fr")}
