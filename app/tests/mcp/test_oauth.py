"""Tokens of an authorization server: a real one, with real keys, at a real address."""

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import jwt
import pytest
import uvicorn
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.config.settings import OAuthSettings
from app.mcp.http import http_app
from app.mcp.oauth import TokenChecker
from app.mcp.start import serve_vaults
from app.serving.address import Address, bind
from app.tests.conftest import MakeVault
from app.tests.mcp.conftest import EVERY_TOOL, LEXICAL, MODES, age, said
from app.tests.mcp.test_http import ACCEPT, INITIALIZE
from app.vault.client import VaultClient

pytestmark = pytest.mark.asyncio

RESOURCE = "http://127.0.0.1:8765/mcp"
METADATA = "http://127.0.0.1:8765/.well-known/oauth-protected-resource/mcp"


class Issuer:
    """A little authorization server: it publishes its metadata and keys, and signs tokens."""

    def __init__(self) -> None:
        self.keys = {"first": rsa.generate_private_key(public_exponent=65537, key_size=2048)}
        self.asked: list[str] = []
        self.metadata: dict[str, Any] = {}
        self.said: Response | None = None
        """What it gives instead of its keys."""
        self._listener = bind(Address("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        app = Starlette(
            routes=[
                Route("/.well-known/oauth-authorization-server", self._metadata),
                Route("/keys", self._jwks),
            ]
        )
        self._server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._listener]})
        self._thread.start()

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._listener.close()

    async def _metadata(self, request: Request) -> Response:
        self.asked.append("metadata")
        return JSONResponse({"issuer": self.url, "jwks_uri": f"{self.url}/keys", **self.metadata})

    async def _jwks(self, request: Request) -> Response:
        self.asked.append("keys")
        if self.said is not None:
            return self.said
        made = [
            {**json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key())), "kid": name, "use": "sig"}
            for name, key in self.keys.items()
        ]
        return JSONResponse({"keys": made})

    def claims(self, **claims: Any) -> dict[str, Any]:
        now = int(time.time())
        standard = {"iss": self.url, "aud": RESOURCE, "sub": "ada", "iat": now, "exp": now + 600}
        given = {**standard, "scope": "vault:read vault:write", **claims}
        return {name: value for name, value in given.items() if value is not None}

    def token(self, *, by: Any = None, kid: str = "first", **claims: Any) -> str:
        return jwt.encode(self.claims(**claims), by or self.keys[kid], "RS256", headers={"kid": kid})


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    made = Issuer()
    yield made
    made.close()


@pytest.fixture
def home(tiny_vault: MakeVault) -> VaultClient:
    made = tiny_vault({"Hut.md": "# Hut\n\nThe heating of the hut.\n"}, name="home", index=LEXICAL)
    age(made)
    return made


@asynccontextmanager
async def serving(issuer: Issuer, vaults: dict[str, VaultClient], **settings: Any) -> AsyncIterator[Any]:
    """The application, as a transport that needs no socket."""
    server, _ = serve_vaults(vaults, by_token=True)
    names = [vault.name if name == "" else name for name, vault in vaults.items()]
    checker = TokenChecker(OAuthSettings(issuer=issuer.url, **settings), RESOURCE, names)
    app = http_app(server, Address(port=8765), None, checker)
    async with app.router.lifespan_context(app):
        yield httpx2.ASGITransport(app)


@asynccontextmanager
async def connected(transport: Any, token: str, mode: str = MODES[0]) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(transport=transport, headers=headers, timeout=300) as http,
        Client(streamable_http_client(RESOURCE, http_client=http), mode=mode) as client,
    ):
        yield client


async def post(transport: Any, token: str | None, message: Any = INITIALIZE) -> httpx2.Response:
    headers = ACCEPT if token is None else {**ACCEPT, "Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(transport=transport, timeout=300) as client:
        return await client.post(RESOURCE, json=message, headers=headers)


def unsigned(claims: dict[str, Any]) -> str:
    return jwt.encode(claims, "", "none", headers={"kid": "first"})


def with_algorithm(issuer: Issuer, name: str) -> str:
    """Signed by nobody, and naming another kind of signature than the key is for."""
    parts = ({"alg": name, "typ": "JWT", "kid": "first"}, issuer.claims())
    head, body = (base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts)
    return f"{head}.{body}.{'A' * 86}"


def by_public_key(issuer: Issuer) -> str:
    """Signed with the public key as if it were a shared secret."""
    public = issuer.keys["first"].public_key()
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    head, body = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in ({"alg": "HS256", "typ": "JWT", "kid": "first"}, issuer.claims())
    )
    signature = base64.urlsafe_b64encode(hmac.digest(pem, head + b"." + body, hashlib.sha256)).rstrip(b"=")
    return b".".join((head, body, signature)).decode()


async def test_a_client_without_a_token_is_told_where_to_get_one(issuer: Issuer, vault: VaultClient) -> None:
    async with serving(issuer, {"": vault}) as transport:
        for message in (INITIALIZE, "no message"):
            refused = await post(transport, None, message)
            assert refused.status_code == 401
            assert f'resource_metadata="{METADATA}"' in refused.headers["www-authenticate"]
        async with httpx2.AsyncClient(transport=transport, timeout=300) as client:
            told = (await client.get(METADATA)).json()
        assert told["resource"] == RESOURCE
        assert [address.rstrip("/") for address in told["authorization_servers"]] == [issuer.url]
        assert told["scopes_supported"] == ["vault:read", "vault:write"]
    assert issuer.asked == []


async def test_the_right_token_sees_all_tools(issuer: Issuer, vault: VaultClient, mode: str) -> None:
    async with serving(issuer, {"": vault}) as transport:
        async with connected(transport, issuer.token(), mode) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == list(EVERY_TOOL)
            assert "Greenhouse" in said(await client.call_tool("search", {"query": "heating"}))
        listed = await post(transport, issuer.token(aud=["other", RESOURCE], scope=None, scp=["vault:read"]))
        assert listed.status_code == 200
        # Whoever is known is told what is wrong with a message.
        assert (await post(transport, issuer.token(), "no message")).status_code == 400
    # The keys are fetched once.
    assert issuer.asked == ["metadata", "keys"]


@pytest.mark.parametrize(
    ("claims", "status"),
    [
        ({"exp": 1_600_000_000}, 401),
        ({"exp": None}, 401),
        ({"nbf": 4_000_000_000}, 401),
        ({"aud": "http://127.0.0.1:9999/mcp"}, 401),
        ({"aud": None}, 401),
        ({"iss": "http://127.0.0.1:1"}, 401),
        ({"iss": None}, 401),
        ({"scope": "vault:write"}, 403),
        ({"scope": None}, 403),
        ({"scope": "vault:reader"}, 403),
        ({}, 200),
    ],
    ids=str,
)
async def test_what_a_token_must_say(
    issuer: Issuer, vault: VaultClient, claims: dict[str, Any], status: int
) -> None:
    async with serving(issuer, {"": vault}) as transport:
        assert (await post(transport, issuer.token(**claims))).status_code == status


async def test_who_must_have_signed_it(issuer: Issuer, vault: VaultClient) -> None:
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    forged = [
        unsigned(issuer.claims()),
        by_public_key(issuer),
        issuer.token(by=stranger),
        issuer.token(by=stranger, kid="second"),
        issuer.token()[:-4] + "AAAA",
        *(with_algorithm(issuer, name) for name in ("ES256", "ES384", "PS256", "EdDSA")),
        "no.token.at-all",
        "",
    ]
    async with serving(issuer, {"": vault}) as transport:
        for token in forged:
            assert (await post(transport, token)).status_code == 401, token
        # A key that is new with the issuer is found, though not as often as somebody asks.
        assert issuer.asked == ["metadata", "keys"]
        assert (await post(transport, issuer.token())).status_code == 200


@pytest.mark.parametrize(
    "said",
    [
        Response("<html>", media_type="text/html"),
        Response(b"\xff\xfe", media_type="application/json"),
        JSONResponse({"keys": []}),
        JSONResponse([]),
        Response(status_code=302, headers={"Location": "/.well-known/oauth-authorization-server"}),
    ],
    ids=["page", "bytes", "none", "list", "elsewhere"],
)
async def test_keys_that_cannot_be_read_let_nobody_in_and_are_left_alone(
    issuer: Issuer, vault: VaultClient, said: Response
) -> None:
    issuer.said = said
    async with serving(issuer, {"": vault}) as transport:
        for _ in range(3):
            assert (await post(transport, issuer.token())).status_code == 401
    assert issuer.asked == ["metadata", "keys"]


async def test_keys_are_taken_from_the_issuer_alone(issuer: Issuer, vault: VaultClient) -> None:
    other = Issuer()
    try:
        issuer.metadata = {"jwks_uri": f"{other.url}/keys"}
        async with serving(issuer, {"": vault}) as transport:
            assert (await post(transport, issuer.token())).status_code == 401
            # It is not asked again at once.
            assert (await post(transport, issuer.token())).status_code == 401
        assert (issuer.asked, other.asked) == (["metadata"], [])
        issuer.metadata = {"issuer": other.url}
        async with serving(issuer, {"": vault}) as transport:
            assert (await post(transport, issuer.token())).status_code == 401
        async with serving(issuer, {"": vault}, keys=f"{issuer.url}/keys") as transport:
            assert (await post(transport, issuer.token())).status_code == 200
    finally:
        other.close()


async def test_a_token_that_only_reads_sees_nothing_that_writes(
    issuer: Issuer, vault: VaultClient, mode: str
) -> None:
    before = (vault.root / "Home.md").read_text()
    async with (
        serving(issuer, {"": vault}) as transport,
        connected(transport, issuer.token(scope="vault:read"), mode) as client,
    ):
        assert "write" not in [tool.name for tool in (await client.list_tools()).tools]
        change = {"operation": "append", "path": "Home", "content": "x"}
        with pytest.raises(MCPError, match="unknown tool 'write'; valid: pack, search, read, ask"):
            await client.call_tool("write", change)
    assert (vault.root / "Home.md").read_text() == before


async def test_a_token_shows_the_vaults_that_it_names(
    issuer: Issuer, vault: VaultClient, home: VaultClient, mode: str
) -> None:
    token = issuer.token(notes=["work", "attic"], aud="notes")
    settings = {"vaults_claim": "notes", "audience": "notes"}
    async with serving(issuer, {"work": vault, "home": home}, **settings) as transport:
        async with connected(transport, token, mode) as client:
            [search] = [tool for tool in (await client.list_tools()).tools if tool.name == "search"]
            assert search.input_schema["properties"]["vault"]["enum"] == ["work"]
            found = await client.call_tool("search", {"query": "heating"})
            assert "work:Work/Greenhouse.md" in said(found)
            assert "Hut" not in said(found)
            for tool, arguments in (
                ("search", {"query": "heating", "vault": "home"}),
                ("read", {"path": "home:Hut.md"}),
                ("pack", {"question": "heating of the hut", "vault": "home"}),
                ("read", {"path": "Hut", "vault": "home"}),
            ):
                answer = await client.call_tool(tool, arguments)
                assert answer.is_error, arguments
                assert "The heating of the hut" not in said(answer)
            listed = [str(one.uri) for one in (await client.list_resources()).resources]
            assert listed
            assert not any("home" in uri for uri in listed)
            with pytest.raises(MCPError):
                await client.read_resource("note:///home%3AHut.md")
        # A claim that names none of them shows nothing, nor does one that is missing.
        for claims in ({"notes": ["attic"]}, {"notes": "attic"}, {}):
            refused = await post(transport, issuer.token(aud="notes", **claims))
            assert refused.status_code == 403
        both = issuer.token(aud="notes", notes="work home")
        async with connected(transport, both, mode) as client:
            assert "home:Hut.md" in said(await client.call_tool("search", {"query": "hut"}))


async def test_each_request_of_a_session_is_held_against_its_own_token(
    issuer: Issuer, vault: VaultClient
) -> None:
    async with serving(issuer, {"": vault}) as transport:
        begun = await post(transport, issuer.token())
        session = {"mcp-session-id": begun.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
        change = {"operation": "append", "path": "Home", "content": "x"}
        call = {
            "jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": "write", "arguments": change},
        }  # fmt: skip
        async with httpx2.AsyncClient(transport=transport, timeout=300) as client:
            lesser = {"Authorization": f"Bearer {issuer.token(scope='vault:read')}"}
            told = await client.post(RESOURCE, json=call, headers={**ACCEPT, **session, **lesser})
            assert "unknown tool 'write'; valid: pack, search" in told.text
            # Nor is it somebody else's.
            other = {"Authorization": f"Bearer {issuer.token(sub='eve')}"}
            assert (await client.post(RESOURCE, json=call, headers={**ACCEPT, **session, **other})).is_error


async def test_an_issuer_is_reached_over_a_safe_way() -> None:
    for address in ("http://issuer.example", "ftp://127.0.0.1", "issuer.example", "https://"):
        with pytest.raises(ValueError, match="should be an https:// address"):
            OAuthSettings(issuer=address)
    assert OAuthSettings(issuer="https://issuer.example/realm").issuer == "https://issuer.example/realm"
