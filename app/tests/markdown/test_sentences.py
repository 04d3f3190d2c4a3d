"""Where sentences end, in English, French and German."""

from itertools import pairwise

import pytest

from app.markdown.sentences import sentence_starts


def pieces(text: str) -> list[str]:
    return [text[first:last].strip() for first, last in pairwise([0, *sentence_starts(text), len(text)])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Es kommt am 7. Dezember. Seit 1. April neu.", ["Es kommt am 7. Dezember.", "Seit 1. April neu."]),
        ("Dr. Nwosu came. She left!", ["Dr. Nwosu came.", "She left!"]),
        ("Vu par M. Calvet. Mme. Roux part.", ["Vu par M. Calvet.", "Mme. Roux part."]),
        ("J. R. Smith wrote it. U.S. policy.", ["J. R. Smith wrote it.", "U.S. policy."]),
        ("See no. 5 and art. 3. He said no. Then he went.", ["See no. 5 and art. 3.", "He said no.", "Then he went."]),
        ("Il dit « Oui. » Puis il part.", ["Il dit « Oui. »", "Puis il part."]),
        ("It is **bold.** [[Next]] follows.", ["It is **bold.**", "[[Next]] follows."]),
        ("It took 3.5 kg, e.g. salt. élan no. This", ["It took 3.5 kg, e.g. salt. élan no.", "This"]),
        ("今日は。明日は？はい", ["今日は。", "明日は？", "はい"]),
    ],
)  # fmt: skip
def test_a_sentence_ends_where_a_reader_says(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected
