import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.normal_forms import Form, normalized

# Marks of several classes, some that come apart, signs that are none, and letters that take marks.
SIGNS = "\u0301\u0323\u0344\u0f73\u0f71\u05b4\u093c\u3099\uff9e\u200d\u20dd🔥—¨aéかｶ한\u1161 \n."
RUNS = st.lists(
    st.text(st.sampled_from(SIGNS), max_size=4) | st.text(st.sampled_from(SIGNS[:9]), min_size=30)
)


@pytest.mark.parametrize("form", ["NFC", "NFKD"])
@given(RUNS | st.lists(st.text()))
def test_every_text_gets_the_form_that_the_standard_gives_it(form: Form, pieces: list[str]) -> None:
    text = "".join(pieces)
    assert normalized(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("offset", range(34))
def test_a_long_run_is_seen_wherever_it_stands(offset: int) -> None:
    text = "x" * offset + "a" + "\u0301\u0323" * 17 + "é" * 40
    assert normalized("NFC", text) == unicodedata.normalize("NFC", text)
