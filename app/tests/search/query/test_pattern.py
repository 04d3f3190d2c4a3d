"""Regular expressions: JavaScript's meaning, and never longer than the limit."""

import re
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.errors import BadRequestError, PatternError
from app.search.query.tree import Clock, read_pattern

TEXT = "Le devis, 2025-07-14: 12 €\n\n- [ ] été à Paris\nfoo.bar {x} aa-bb ÎLE 😀"


def meets(source: str, text: str = TEXT, *, case: bool = False) -> bool:
    return read_pattern(source, case=case).meets(text, Clock())


@pytest.mark.parametrize(
    ("source", "met"),
    [
        (r"\d{4}-\d{2}-\d{2}", True), (r"^- \[ \] ", True), (r"€$", True), (r"devis.*foo", False), (r"devis[^]*foo", True),
        (r"devis[\s\S]*foo", True), (r"[]", False), (r"\bété\b", True), (r"\bt\b", False), (r"île", True), (r"\u00e9t\u00E9", True),
        (r"\u{1F600}", True), (r"\xe9", True), (r"\p{Lu}LE", True), (r"\p{Script=Greek}", False), (r"[\p{L}]{5}", True),
        (r"(?<!foo)\.bar", False), (r"(?<=foo)\.bar", True), (r"foo(?!\.bar)", False), (r"(.)\1-(.)\2", True), (r"(?<c>a)\k<c>", True),
        (r"{x}", True), (r"a{", False), (r"x{,2}", False), (r"\{x\}", True), (r"[[x]", True), (r"[a&&b]b", True), (r"[\]\-]", True),
        (r"a\/b", False), (r"[/]", False), (r"\cJ", True), (r"\0", False), (r"(?:12|13) €", True), (r"(?i:DEVIS)", True), (r"a??b", True),
        (r"[\b]", False), (r"[\d-x]{4}", True), (r"[^\W\d]{5}", True), (r"a+-b*", True), (r"x*", True), (r"é{2,}", False), (r"t.*?é", True),
    ],
)  # fmt: skip
def test_expressions_mean_what_they_mean_in_javascript(source: str, met: bool) -> None:
    assert meets(source) is met


@pytest.mark.parametrize(
    "source", ["(?P<n>a)", "(?#x)", "(?>a)", "(?R)", "(?1)", "(?|a)", "(?(1)a)", "\\A", "\\Z", "\\Gx", "\\Qx\\E", "a++", "a{2}{3}", "(?:a{999}){999}", "?", "(", ")", "[a", "a\\"]
)  # fmt: skip
def test_what_is_not_javascript_is_refused_by_name(source: str) -> None:
    with pytest.raises(PatternError):
        read_pattern(source)


@given(
    st.text(alphabet="ab.é \n", max_size=30),
    st.lists(st.sampled_from(["a", "b", "é", ".", r"\w", "[ab]", "[^a]", "(ab|é)", r"\b", "^", "$", r"\s"]), min_size=1, max_size=5),
    st.lists(st.sampled_from(["", "", "*", "+", "?", "{2}", "{1,}", "*?", "+?"]), min_size=5, max_size=5),
)  # fmt: skip
@settings(max_examples=100, deadline=None)
def test_repeats_meet_what_they_meet_in_python(text: str, atoms: list[str], repeats: list[str]) -> None:
    anchors = (r"\b", "^", "$")
    source = "".join(a if a in anchors else a + r for a, r in zip(atoms, repeats, strict=False))
    assert meets(source, text) is (re.search(source, text, re.MULTILINE | re.IGNORECASE) is not None)


@pytest.mark.parametrize(
    "source",
    [r"(a+)+$", r"(a|aa)+$", r"(.*)*x", r"(\w+\s?)+$", r"(?=(a+))a*b\1", r"^(([a-z])+.)+[A-Z]([a-z])+$"],
)
def test_no_expression_runs_longer_than_the_limit(source: str) -> None:
    pattern, text = read_pattern(source), "a" * 5000 + "! " + "ab " * 5000 + "\u0001"
    begun = time.thread_time()
    with suppress(BadRequestError):
        pattern.meets(text, Clock(0.2))
    assert time.thread_time() - begun < 0.7
