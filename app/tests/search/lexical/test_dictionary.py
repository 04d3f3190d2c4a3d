"""Words of a language by its list, typed with their accents or without."""

import pytest

from app.search.lexical.dictionary import may_be_word, rarity
from app.search.lexical.language import LANGUAGE_CODES

FRENCH = LANGUAGE_CODES.index("fr")


@pytest.mark.parametrize(("bare", "written"), [("fete", "fête"), ("degats", "dégâts"), ("metier", "métier")])
def test_a_word_without_its_accents_is_as_common_as_with_them(bare: str, written: str) -> None:
    assert rarity(bare, FRENCH) == rarity(written, FRENCH) < 0.7
    assert may_be_word(bare, [FRENCH])


def test_a_word_with_another_accent_or_a_slip_is_none() -> None:
    for word in ("fète", "limasses", "ortensias"):
        assert rarity(word, FRENCH) == 1
        assert not may_be_word(word, [FRENCH])
