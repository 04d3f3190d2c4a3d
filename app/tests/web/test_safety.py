"""Who is let in, what every answer forbids, and that a note which is excluded is as if it were not there."""

import time
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.errors import BadRequestError
from app.tests.web.conftest import BASE, TOKEN, visit
from app.vault.client import VaultClient
from app.web.app import build_app
from app.web.door import Door

Session = tuple[TestClient, str]
NOTES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["private/"]}',
    "Plan.md": "See [[Diary]], [the picture](private/me.png) and ![[Diary]].\n",
    "private/Diary.md": "# Diary\n\nnobody reads this\n",
    "private/me.png": b"\x89PNG",
    "pictures/boat.png": b"\x89PNG boat",
    "pictures/boat.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "list.csv": "a,b\n",
    ".hidden.png": b"\x89PNG",
}


@pytest.fixture
def session(vault: VaultClient) -> Session:
    """A page with something that changes, and the token its forms carry."""

    async def change(request: Request) -> PlainTextResponse:
        return PlainTextResponse((await request.body()).decode())

    app: Starlette = build_app(vault, token=TOKEN)
    app.router.routes.append(Route("/change", change, methods=["POST"]))
    client = TestClient(app, base_url=BASE)
    client.post("/enter", data={"token": TOKEN})
    return client, client.get("/status").text.split('name="csrf-token" content="')[1].split('"')[0]


@pytest.mark.parametrize("path", ["/", "/status", "/note/Plan.md", "/file/pictures/boat.png", "/ask", "/no"])
def test_nothing_is_shown_before_one_has_come_in(vault: VaultClient, path: str) -> None:
    answer = TestClient(build_app(vault, token=TOKEN), base_url=BASE).get(path)
    assert answer.status_code == 401
    assert "This browser has not come in yet." in answer.text
    assert "Plan" not in answer.text


def test_the_opened_address_gives_a_cookie_that_no_script_and_no_other_site_can_use(
    vault: VaultClient,
) -> None:
    client = TestClient(build_app(vault, token=TOKEN), base_url=BASE)
    answer = client.get(f"/enter?token={TOKEN}")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("vault-assistant-8766=")
    assert cookie.split("; ")[1:] == ["HttpOnly", "Path=/", "SameSite=strict"]
    assert 'content="0; url=/"' in answer.text
    assert TOKEN not in answer.text
    assert client.get("/").status_code == 200


def test_a_wrong_token_opens_nothing(vault: VaultClient) -> None:
    client = TestClient(build_app(vault, token=TOKEN), base_url=BASE)
    for answer in (client.get("/enter?token=x"), client.post("/enter", data={"token": TOKEN + "x"})):
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers
    assert client.get("/enter").status_code == 200
    assert client.get("/").status_code == 401


def test_a_chosen_token_opens_any_number_and_must_be_hard_to_guess() -> None:
    door = Door(TOKEN)
    assert door.enter(TOKEN) != door.enter(TOKEN)
    with pytest.raises(BadRequestError, match="16 characters or more"):
        Door("hunter2")


def test_what_was_not_signed_here_or_long_ago_is_no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    door = Door(TOKEN)
    session = door.enter(TOKEN)
    assert session is not None
    assert door.session(session.key) == session
    name, _, signature = session.key.rpartition(".")
    for forged in (
        "",
        ".",
        name,
        f"{name}.",
        f"9{name}.{signature}",
        f"{name}.{session.csrf}",
        "é.é",
        "\udcff.x",
    ):
        assert door.session(forged) is None
    assert Door(TOKEN).session(session.key) is None
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 7 * 24 * 3600 - 2)
    assert door.session(session.key) == session
    monkeypatch.setattr(time, "time", lambda: now + 7 * 24 * 3600 + 2)
    assert door.session(session.key) is None


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8766", 200),
        ("localhost", 200),
        ("LOCALHOST:1", 200),
        ("[::1]:8766", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example:8766", 421),
        ("localhost:8766.evil.example", 421),
        ("", 421),
    ],
)
def test_only_its_own_names_are_answered_to(client: TestClient, host: str, status: int) -> None:
    assert client.get("/enter", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 200),
        (BASE, 200),
        ("https://127.0.0.1:8766", 403),
        ("http://127.0.0.1:9999", 403),
        ("http://localhost:8766", 403),
        ("https://evil.example", 403),
        ("null", 403),
    ],
)
def test_only_its_own_pages_may_change_something(session: Session, origin: str | None, status: int) -> None:
    client, csrf = session
    headers = {"X-CSRF-Token": csrf} | ({"Origin": origin} if origin else {})
    assert client.post("/change", content="x", headers=headers).status_code == status


def test_a_change_carries_the_token_of_its_session(session: Session, vault: VaultClient) -> None:
    client, csrf = session
    assert client.post("/change", data={"csrf": csrf, "a": "b"}).text == f"csrf={csrf}&a=b"
    assert client.post("/change", content="raw", headers={"X-CSRF-Token": csrf}).text == "raw"
    other = visit(vault).get("/status").text.split('name="csrf-token" content="')[1].split('"')[0]
    for wrong in ("", "x", other, csrf + "x"):
        assert client.post("/change", data={"csrf": wrong}).status_code == 403
        assert client.post("/change", headers={"X-CSRF-Token": wrong}).status_code == 403
    assert client.post("/change").status_code == 403
    # What is not a form is not read as one.
    as_json = client.post("/change", content=f"csrf={csrf}", headers={"Content-Type": "application/json"})
    assert as_json.status_code == 403
    too_large = client.post("/change", content=b"x" * 2_000_001, headers={"X-CSRF-Token": csrf})
    assert too_large.status_code == 413


@pytest.mark.parametrize(
    "path", ["/", "/note/Plan.md", "/nothing", "/note/nothing", "/static/base.css", "/status"]
)
def test_every_answer_forbids_what_no_page_of_ours_does(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
    }
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == ("no-cache" if path.startswith("/static") else "no-store")


def test_a_refusal_and_a_failure_forbid_it_as_well(vault: VaultClient) -> None:
    def fail(request: Request) -> None:
        raise RuntimeError("the inside of the program")

    app = build_app(vault, token=TOKEN)
    app.router.routes.append(Route("/fail", fail))
    client = TestClient(app, base_url=BASE, raise_server_exceptions=False)
    refused = client.get("/fail")
    client.post("/enter", data={"token": TOKEN})
    failed = client.get("/fail")
    assert (refused.status_code, failed.status_code) == (401, 500)
    assert "default-src 'none'" in refused.headers["content-security-policy"]
    assert failed.headers["content-security-policy"] == refused.headers["content-security-policy"]
    assert "Unexpected failure: RuntimeError." in failed.text
    assert "the inside" not in failed.text


def test_nothing_that_is_shown_tells_of_it(client: TestClient) -> None:
    note = client.get("/note/Plan.md").text
    assert '<span class="missing">Diary</span>' in note
    assert "/note/private" not in note
    assert "/file/private" not in note
    assert "nobody reads this" not in note
    assert "Diary" not in client.get("/around/Plan.md").text
    for path in ("/?q=nobody", "/?q=diary", "/?q=tag:x", "/status"):
        assert "Diary.md" not in client.get(path).text


def test_links_on_disk_lead_nowhere_else(vault: VaultClient, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("outside")
    for name, target in (("a.md", outside), ("b.md", "private/Diary.md"), ("c.png", "private/me.png")):
        (vault.root / name).symlink_to(target)
    client = visit(vault)
    for path in ("/note/a.md", "/note/b.md", "/file/c.png", "/file/../outside.md", "/note/..%2foutside.md"):
        assert client.get(path).status_code == 404, path


def test_a_picture_is_shown_and_everything_else_is_saved(client: TestClient) -> None:
    picture = client.get("/file/pictures/boat.png")
    assert (picture.content, picture.headers["content-type"]) == (b"\x89PNG boat", "image/png")
    assert "content-disposition" not in picture.headers
    table = client.get("/file/list.csv")
    assert table.headers["content-type"] == "application/octet-stream"
    assert table.headers["content-disposition"] == "attachment; filename*=UTF-8''list.csv"
    # A drawing opened by itself runs nothing.
    drawing = client.get("/file/pictures/boat.svg")
    assert drawing.headers["content-type"] == "image/svg+xml"
    policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    assert drawing.headers["content-security-policy"] == policy


@pytest.mark.parametrize(
    "path", [".hidden.png", ".obsidian/app.json", "pictures", "Plan.md", "pictures/../list.csv"]
)
def test_what_is_no_attachment_is_not_given(client: TestClient, path: str) -> None:
    assert client.get("/file/" + path.replace("..", "%2e%2e")).status_code == 404
