"""What looks like a key or a password, what does not, and that looking takes time in proportion."""

import time
from pathlib import Path

import pytest

from app.llm.secrets import find_secrets

EXAMPLES = Path(__file__).parents[3] / "examples" / "vault"
# Put together here, so that no scanner takes this page for one that holds keys.
GITHUB = "ghp_" + "a1B2" * 9
JWT = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".dozjgNryP4J3jVmNHl0w5N"
WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow"
BODY = "MIIEowIBAAKCAQEA" * 4


@pytest.mark.parametrize(
    ("text", "kind", "part"),
    [
        ("my key sk-proj-abcDEF1234567890abcdEFGH, keep it", "a key", "sk-proj-abcDEF1234567890abcdEFGH"),
        (f"token {GITHUB}", "a key", GITHUB),
        ("github_pat_" + "11ABCDEFG0" * 3, "a key", "github_pat_" + "11ABCDEFG0" * 3),
        ("AKIA" + "IOSFODNN7EXAMPLE in a sentence", "a key", "AKIA" + "IOSFODNN7EXAMPLE"),
        ("xoxb-" + "123456789012-abcdefGHIJ", "a key", "xoxb-" + "123456789012-abcdefGHIJ"),
        (f"Bearer {JWT}", "a key", JWT),
        ("client_secret: 5f4dcc3b5aa765d61d8327deb882cf99", "a key", "5f4dcc3b5aa765d61d8327deb882cf99"),
        ("clé d’API : abcd1234efgh5678", "a key", "abcd1234efgh5678"),
        (
            f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n-----END RSA PRIVATE KEY-----\nafter",
            "a key",
            f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n-----END RSA PRIVATE KEY-----",
        ),
        ("Password: correcthorse\nnext", "a password", "correcthorse"),
        ("**Mot de passe :** Tr0ub4dor&3", "a password", "Tr0ub4dor&3"),
        ("DB_PASSWORD=s3cr3tpw", "a password", "s3cr3tpw"),
        ("| password | hunter2 |", "a password", "hunter2"),
        ("pwd=abc123", "a password", "abc123"),
        ('"password": "hunter2"', "a password", "hunter2"),
        ("postgres://me:s3cret@db/x", "a password", "s3cret"),
        ("FR76 3000 6000 0112 3456 7890 189 BIC", "a bank account", "FR76 3000 6000 0112 3456 7890 189"),
        ("card 4111 1111 1111 1111 exp", "a payment card", "4111 1111 1111 1111"),
        (f"seed phrase: {WORDS}", "a recovery phrase", WORDS),
    ],
)
def test_it_is_found_and_nothing_around_it(text: str, kind: str, part: str) -> None:
    assert [(each.kind, text[each.start : each.end]) for each in find_secrets(text)] == [(kind, part)]


@pytest.mark.parametrize(
    "text",
    [
        "password: see Keeper",
        "secret: projects/2025/plan-of-action.md",
        "mot de passe : dans le coffre",
        "Password: ********",
        "| Password | Notes |",
        "password: [[Vault]]",
        "password=getpass()",
        "pwd: /home/ada/notes",
        "password: >= 8 characters",
        "task-sk-2025-this-is-a-slug-for-a-note",
        "FR76 3000 6000 0112 3456 7890 188",
        "card 4111 1111 1111 1112",
        "https://x.com/status/4111111111111111",
        "20250714093000",
        "seed phrase: never write these words down, ever",
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
        "https://example.org:8080/a@b",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert find_secrets(text) == []


def test_a_private_key_that_was_cut_ends_with_its_last_line() -> None:
    text = f"12  | -----BEGIN PRIVATE KEY-----\n13  | {BODY}\n14  | {BODY}\n15  | And then I went home.\n"
    (found,) = find_secrets(text)
    assert text[found.end :] == "\n15  | And then I went home.\n"
    assert find_secrets(f"-----BEGIN PRIVATE KEY-----\n{BODY}")[0].value == found.value, "it is the same key"


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "sk-",
        "eyJaaaaaaaaaaaaa.",
        "password: ",
        "4111 ",
        "a://b:",
        f"-----BEGIN PRIVATE KEY-----\n{BODY}\n",
        "seed phrase: abc def ghi ",
        "1 ",
    ],
)
def test_twice_the_text_takes_about_twice_the_time(piece: str) -> None:
    def seconds(size: int) -> float:
        text = (piece * (size // len(piece) + 1))[:size]
        spent = []
        for _ in range(3):
            began = time.process_time()
            find_secrets(text)
            spent.append(time.process_time() - began)
        return min(spent)

    # What took a quadratic time would take sixteen times as long.
    assert seconds(400_000) < 8 * max(seconds(100_000), 0.005)
