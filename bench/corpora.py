"""Vaults of any number of notes, made of the sections of a real one."""

import random
import re
from pathlib import Path

SECTION = re.compile(r"^(?=#{1,6} )", re.MULTILINE)
STATUSES = ("draft", "review", "done", "en-cours", "bloqué")
NAMES = ("amber", "basalt", "cedar", "delta", "ember", "fjord", "granit", "houle", "iris", "jade", "kelp")


def make_vault(source: Path, folder: Path, notes: int, seed: int = 7) -> None:
    """Shuffle the sections of a vault into notes, with words, names, tags and properties varied."""
    rng = random.Random(seed)
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(source.rglob("*.md"))]
    sections = [part for text in texts for part in SECTION.split(text) if len(part) > 40]
    for number in range(notes):
        size, body = rng.randint(400, 4200), ""
        while len(body) < size:
            body += varied(rng, rng.choice(sections)[:2500]) + "\n\n"
        name = f"{rng.choice(NAMES)} {rng.choice(NAMES)} {number}"
        file = folder / f"area{number % 23}" / f"{rng.choice(NAMES)}" / f"{name}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        head = (
            f"---\nstatus: {rng.choice(STATUSES)}\ntags: [topic/{rng.choice(NAMES)}]\n"
            f"due: 2025-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}\nprice: {rng.randint(1, 90)}\n---\n"
        )
        file.write_text(f"{head}# {name}\n\n{body}", encoding="utf-8")


def varied(rng: random.Random, text: str) -> str:
    """Put another word in place of one of twenty-five, so that the vocabulary grows with the vault."""

    def word(match: re.Match[str]) -> str:
        return f"{rng.choice(NAMES)}{rng.randrange(4000)}" if rng.random() < 0.04 else match[0]

    return re.sub(r"[a-zà-ÿ]{5,}", word, text)
