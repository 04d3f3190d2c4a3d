"""How many tokens a text is for a language model, without the tokenizer of any."""

import re

_RUNS = re.compile(r"(?P<word>[^\W\d_]+)|(?P<number>\d+)|(?P<signs>(?:[^\w\s]|_)+)|(?P<blank>\s+)")


def count_tokens(text: str) -> int:
    """Return how many tokens a text is for a language model, rather too many than too few.

    No tokenizer is that of all models, so this counts by the rules they share: words, runs of digits, of
    signs and of blanks are never joined. A word in plain letters has 5 to a token, others 3 bytes, digits 3,
    signs 2 bytes. Held against four tokenizers (cl100k, o200k, DeepSeek's, an early one of Anthropic's) on
    1,500-character pieces of notes in English and French and of code, it gives 1.0 to 1.2 times their count
    on average and 0.91 times at the least; on emoji 0.87 times.
    """
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
            case "signs":
                count += -(-len(run[0].encode(errors="replace")) // 2)
            case _:
                # A single blank belongs to the word after it.
                count += run[0] != " "
    return count
