import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.search.query import match
from app.search.query.match import finder
from app.search.query.tree import Text

TEXTS = st.text(st.sampled_from("aab \n\t\u00a0\u2003\x1c.*"), max_size=40)


@given(TEXTS, TEXTS)
def test_a_long_text_is_found_where_its_pattern_would_find_it(text: str, wanted: str) -> None:
    node = Text(f"a{wanted}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(match, "LONG_TEXT", 0)
        whole = finder(node)
    assert whole(text) == finder(node)(text)
    assert whole(f"{text}a{wanted}{text}")
