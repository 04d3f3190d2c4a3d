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
        ("sk-ant-api03-AbCdEf0123456789AbCdEf0123", "a key", "sk-ant-api03-AbCdEf0123456789AbCdEf0123"),
        (f"token {GITHUB}", "a key", GITHUB),
        ("github_pat_" + "11ABCDEFG0" * 3, "a key", "github_pat_" + "11ABCDEFG0" * 3),
        ("AKIA" + "IOSFODNN7EXAMPLE in a sentence", "a key", "AKIA" + "IOSFODNN7EXAMPLE"),
        ("xoxb-" + "123456789012-abcdefGHIJ", "a key", "xoxb-" + "123456789012-abcdefGHIJ"),
        (
            "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
            "a key",
            "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
        ),
        (f"Bearer {JWT}", "a key", JWT),
        ("api_key = 'abcd1234efgh5678'", "a key", "abcd1234efgh5678"),
        ("client_secret: 5f4dcc3b5aa765d61d8327deb882cf99", "a key", "5f4dcc3b5aa765d61d8327deb882cf99"),
        ("clé d’API : abcd1234efgh5678", "a key", "abcd1234efgh5678"),
        (
            f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n-----END RSA PRIVATE KEY-----\nafter",
            "a key",
            f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n-----END RSA PRIVATE KEY-----",
        ),
        ("password: hunter22", "a password", "hunter22"),
        ("Password: correcthorse\nnext", "a password", "correcthorse"),
        ("**Mot de passe :** Tr0ub4dor&3", "a password", "Tr0ub4dor&3"),
        ("mot de passe\u00a0: soleil42!", "a password", "soleil42!"),
        ("DB_PASSWORD=s3cr3tpw", "a password", "s3cr3tpw"),
        ("| password | hunter2 |", "a password", "hunter2"),
        ("passwd=hunter2&x=1", "a password", "hunter2&x=1"),
        ("pwd=abc123", "a password", "abc123"),
        ('"password": "hunter2"', "a password", "hunter2"),
        ("postgres://me:s3cret@db/x", "a password", "s3cret"),
        ("FR76 3000 6000 0112 3456 7890 189 BIC", "a bank account", "FR76 3000 6000 0112 3456 7890 189"),
        ("DE89370400440532013000", "a bank account", "DE89370400440532013000"),
        ("card 4111 1111 1111 1111 exp", "a payment card", "4111 1111 1111 1111"),
        ("378282246310005", "a payment card", "378282246310005"),
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
        "token: 2025-07-14T09:30:00",
        "The password: it is in the safe",
        "mot de passe : dans le coffre",
        "password: none",
        "Password: ********",
        "| Password | Notes |",
        "password: [[Vault]]",
        "password: ${PW}",
        "password=os.environ['X']",
        "password=getpass()",
        "pwd: str",
        "pwd: /home/ada/notes",
        "password: >= 8 characters",
        "reset password: 2025-07-14",
        "forgot password? see https://x.y/z",
        "sk-learn-and-other-very-long-slug-names",
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


def test_no_more_than_half_of_it_is_shown() -> None:
    assert [
        find_secrets(f"password: {text}")[0].beginning for text in ("ab1c", "hunter22", "Tr0ub4dor&3x")
    ] == [
        "ab",
        "hunt",
        "Tr0u",
    ]


def test_the_example_vault_has_none() -> None:
    notes = {path: path.read_text(encoding="utf-8") for path in EXAMPLES.rglob("*.md")}
    assert notes
    assert {path: found for path, text in notes.items() if (found := find_secrets(text))} == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        *(
            "sk-",
            "eyJ",
            "eyJaaaaaaaaaaaaa.",
            "password:",
            "password: ",
            "FR76 ",
            "4111 ",
            "a://b:",
            "AKIA",
            "A",
        ),
        *(
            "-----BEGIN PRIVATE KEY-----\n",
            f"-----BEGIN PRIVATE KEY-----\n{BODY}\n",
            "seed phrase ",
            "\n",
            "*_`",
        ),
        *("seed phrase: abc def ghi ", "recovery words a b c", "xoxb-", "api key ", "mot de passe ", "1 "),
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
