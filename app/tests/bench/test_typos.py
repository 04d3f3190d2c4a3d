import random
from pathlib import Path

from app.config.settings import Settings
from app.vault.client import VaultClient
from bench.judged import JudgedSet, Question
from bench.typos import in_every, in_longest, ndcg, without_spelling


def test_a_typo_costs_its_note_only_where_spelling_is_off(tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    for at, text in enumerate(["The larches shed needles.", "A tap drips.", "Salt keeps."]):
        (folder / f"{at}.md").write_text(f"{text}\n", encoding="utf-8")
    questions = [Question("lraches", {"0.md": 1.0})]
    judged = JudgedSet("small", folder, questions, 5)
    vault = VaultClient(folder, Settings(cache_dir=tmp_path / "cache"))
    with without_spelling():
        assert ndcg(judged, vault, "fast", questions) == 0
    assert ndcg(judged, vault, "fast", questions) == 1


def test_a_seed_mistypes_the_same_letters_each_time() -> None:
    text = "when do larches shed needles"
    for change in (in_longest, in_every):
        made = [change(text, random.Random(seed)) for seed in (1, 1, 2)]
        assert made[0] == made[1] != made[2]
        assert text not in made
    words, changed = text.split(), in_longest(text, random.Random(3)).split()
    assert [at for at, word in enumerate(words) if changed[at] != word] == [2]
