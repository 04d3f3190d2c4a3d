"""The French catalogue: every text of the code and the page has its entry, none is left over, the facts are the same."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from app import translation
from app.sentences import Sentence, in_french
from app.tests.test_architecture import MODULES
from app.tests.test_notices import KINDS
from app.tests.test_sentences import TEMPLATES, help_texts, is_command_alone
from app.tests.test_sentences import facts_of as facts_in_braces
from app.tests.web.test_languages import marked

FOREIGN = "said by the system or a library"
"""The comment of an entry whose English stands in no code of ours."""
SAME = {"{message}. {hint}"}


def entries(file: Path) -> dict[tuple[str, str], Message]:
    """The entries by context and English, which is that of one where there are several forms."""
    with file.open("rb") as opened:
        return {
            (each.context or "", each.id if isinstance(each.id, str) else each.id[0]): each
            for each in read_po(opened, locale="fr", abort_invalid=True)
            if each.id
        }


FRENCH = entries(translation.CATALOGUE)


def forms(message: Message) -> Iterator[tuple[str, str]]:
    """The English forms of a message, each with its French."""
    if isinstance(message.id, str):
        yield message.id, str(message.string)
    else:
        yield from zip(message.id, message.string or (), strict=True)


def facts_of(text: str) -> list[str]:
    return sorted(
        {*facts_in_braces(text), *re.findall(r"%\(\w+\)s", text)} if "{" in text or "%(" in text else ()
    )


def test_every_text_has_its_french() -> None:
    sentences = {text for text in TEMPLATES if text not in SAME}
    sentences |= {text for text in help_texts() if not is_command_alone(text)}
    missing = [text for text in sentences if ("", text) not in FRENCH]
    missing += [kind.name for kind in KINDS if ("", kind) not in FRENCH]
    page = marked()
    missing += [text for text in page if not {("", text), ("page", text)} & FRENCH.keys()]
    assert sorted(missing) == []
    several = {one: plural for one, plural in page.items() if plural is not None}
    assert {each.id[0]: each.id[1] for each in FRENCH.values() if not isinstance(each.id, str)} == several


def test_no_french_is_left_over() -> None:
    code = "\n".join(
        part.value
        for path in MODULES.values()
        for part in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )
    page = marked()
    unused = []
    for (context, text), message in FRENCH.items():
        if text not in page and (context or (text not in code and FOREIGN not in message.auto_comments)):
            unused.append((context, text))
    assert unused == []


def test_both_languages_name_the_same_facts() -> None:
    for message in FRENCH.values():
        for english, french in forms(message):
            assert french
            assert facts_of(english) == facts_of(french), english
            # "lun." is short for a word.
            assert not french.endswith(".") or english.endswith(".") or " " not in french, english


def test_an_english_reader_loads_none_of_it() -> None:
    translation.french.cache_clear()
    assert Sentence("no note at '{path}'", path="a.md").said("en") == "no note at 'a.md'"
    assert translation.french.cache_info().currsize == 0
    assert in_french("") == ""
