"""How many tokens a text is for a language model, without the tokenizer of any."""

import re

_PIECES = re.compile(r"[A-Za-z]{1,5}|[0-9]{1,3}|[^\sA-Za-z0-9]{1,2}|\s{2,}|[^\S ]")
"""The tokens of a text of ASCII signs, each as one match; a single blank belongs to the word after it."""
_ODD = re.compile(r"(?<!\S)[\x21-\x7e\x00-\x08\x0e-\x1b\x7f]*+[^\s\x00-\x7f]\S*+")
"""What stands between blanks and has other signs."""
_RUNS = re.compile(r"(?P<word>[^\W\d_]+)|(?P<number>\d+)|(?P<signs>(?:[^\w\s]|_)+)")


def count_tokens(text: str) -> int:
    """Return how many tokens a text is for a language model, rather too many than too few.

    No tokenizer is that of all models, so this counts by the rules they share: words, runs of digits, of
    signs and of blanks are never joined. A word in plain letters has 5 to a token, others 3 bytes, digits 3,
    signs 2 bytes. Held against four tokenizers (cl100k, o200k, DeepSeek's, an early one of Anthropic's) on
    1,500-character pieces of notes in English and French and of code, it gives 1.0 to 1.2 times their count
    on average and 0.91 times at the least; on emoji 0.87 times.
    """
    odd: list[str] = []
    if not text.isascii():
        odd, text = _ODD.findall(text), _ODD.sub("x", text)
    # The letter that stands for each of them is a token itself.
    return len(_PIECES.findall(text)) + sum(count - 1 for count in map(_count_runs, odd))


def _count_runs(text: str) -> int:
    count = 0
    for run in _RUNS.finditer(text):
        size = len(run[0])
        match run.lastgroup:
            case "word" if run[0].isascii():
                count += -(-size // 5)
            case "word":
                count += -(-len(run[0].encode(errors="replace")) // 3)
            case "number":
                count += -(-size // 3)
            case _:
                count += -(-len(run[0].encode(errors="replace")) // 2)
    return count
