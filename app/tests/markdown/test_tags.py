"""What is a tag in running text."""

import pytest

from app.markdown.parse import parse_note


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#r&d", ["r"]),
        ("#kebab-case #snake_case #a/b", ["kebab-case", "snake_case", "a/b"]),
        ("#l’eau #l'eau", ["l"]),
        ("#1984 #y1984 #1990s #123-456", ["y1984", "1990s", "123-456"]),
        ("(#a) mot#b «#c» ##d /#e &#233;", []),
        ("[[x]]#a `x`#b $x$#c <!-- x -->#d".replace("[[x]]", "t [[x]]"), ["a", "b", "c", "d"]),
        ("<b>#a</b>", ["a"]),
        ("_#a_ #b_", ["a", "b_"]),
        ("*x*#a", ["a"]),
        ("`*` *#a", []),
        (r"\*#a* \#b", []),
        ("https://x/#a https://x#a [[n#a]] [t](x.md#a) [#a](x.md)", []),
        ("| #a |\n|---|\n| #b |", ["a", "b"]),
        ("# #", []),
        ("#/ #a/ #-", ["a", "-"]),
    ],
)
def test_a_hash_makes_a_tag_as_in_obsidian(text: str, tags: list[str]) -> None:
    assert list(parse_note(text).tags) == tags


def test_property_tags_come_first_and_the_first_spelling_stays() -> None:
    assert parse_note("---\ntags: [Été, b]\n---\n#été #B #c").tags == ("Été", "b", "c")
