"""Formulas of notes as MathML."""

from app.web.render.formula import draw_formulas


def test_a_space_within_words_hinders_nothing() -> None:
    formula = r"\lim_{n \to \infty} x_n, \overline{AB} \text{a b}"
    found = draw_formulas(f'<code class="formula shown-apart">{formula}</code>')
    assert "<munder><mo>lim</mo>" in found
    assert '<mrow class="over"><mrow><mi>A</mi><mi>B</mi></mrow></mrow>' in found
    assert "<mtext>a\N{NO-BREAK SPACE}b</mtext>" in found
