"""What clients are told of changes in the vault: that there are other notes now, or that one was written.

The SDK serves the streams of the newest protocol. It remembers no clients of the handshake protocols, and
tells everybody the same: both are done here.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio
from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ResourceUpdated,
)
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from app.config.settings import logger
from app.mcp.permission import Permission
from app.mcp.resources import SCHEME, address_of, path_of
from app.serving.keeper import Changes, Keeper
from app.vault.named import ALONE, named, parted

MOST_CLIENTS, MOST_NOTES = 200, 200
"""Most clients of the handshake protocols that are told, and most notes that each is told of."""
TELL_SECONDS = 5.0
"""How long a client of them may take to be told of a change; one that does not read is told no more."""
Context = ServerRequestContext[Any]


@dataclass(frozen=True, slots=True)
class _Told:
    """A client that is told, the vaults it may see, and the addresses of the notes that it subscribed to."""

    client: types.InitializeRequestParams
    session: ServerSession
    seen: frozenset[str]
    wanted: set[str] = field(default_factory=set)


class Teller:
    """Tells clients of changes that the keepers of the indexes see.

    Clients of the newest protocol listen on a stream of their own. The others are told from when they first
    listed the resources, or subscribed to one.
    """

    def __init__(self, permission: Permission, keepers: Mapping[str, Keeper]) -> None:
        self._permission = permission
        self._streams: dict[frozenset[str], tuple[InMemorySubscriptionBus, ListenHandler]] = {}
        self._clients: dict[int, _Told] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._running = 0
        for name, keeper in keepers.items():
            keeper.listen(partial(self._changed, name))

    @asynccontextmanager
    async def lifespan(self, server: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        """Tell of changes for as long as the server runs."""
        self._loop = asyncio.get_running_loop()
        self._running += 1
        try:
            yield {}
        finally:
            self._running -= 1
            if not self._running:
                self._loop = None
                for _, listening in self._streams.values():
                    listening.close()
                self._streams.clear()

    async def listen(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Serve one stream of a client of the newest protocol.

        Raises:
            MCPError: an address is of a vault that it may not see.
        """
        for address in params.notifications.resource_subscriptions or ():
            self._check(context, address)
        seen = frozenset(self._permission.visible(context))
        if seen not in self._streams:
            # Whoever may see other vaults hears of other changes.
            bus = InMemorySubscriptionBus()
            self._streams[seen] = bus, ListenHandler(bus)
        return await self._streams[seen][1](context, params)

    async def subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        """Tell a client from now on when a note is written; MCPError where the address is none of a note."""
        self._check(context, str(params.uri))
        wanted = self.remember(context)
        if len(wanted) < MOST_NOTES:
            wanted.add(address_of(path_of(str(params.uri))))
        return types.EmptyResult()

    async def unsubscribe(
        self, context: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Tell it of that note no more."""
        self.remember(context).discard(address_of(path_of(str(params.uri))))
        return types.EmptyResult()

    def remember(self, context: Context) -> set[str]:
        """Tell a client from now on that there are other notes; return the addresses that it subscribed to.

        A client of the newest protocol is told on its stream instead.
        """
        # What a client said of itself when it began is one object for as long as it is connected.
        client = context.session.client_params
        if client is None or context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return set()
        if id(client) not in self._clients:
            if len(self._clients) >= MOST_CLIENTS:
                # Most likely it is gone: nothing says when a client of HTTP is.
                self._clients.pop(next(iter(self._clients)))
            seen = frozenset(self._permission.visible(context))
            self._clients[id(client)] = _Told(client, context.session, seen)
        return self._clients[id(client)].wanted

    def _check(self, context: Context, address: str) -> None:
        """Refuse the address of a vault that a client may not see, which would tell when it is written."""
        seen = self._permission.visible(context)
        if address.startswith(SCHEME) and ALONE not in seen and parted(seen, path_of(address))[0] is None:
            raise MCPError(types.INVALID_PARAMS, f"'{address[:100]}' is in no vault", {"uri": address})

    def _changed(self, name: str, changes: Changes) -> None:
        """Hand changes of a vault from its keeper's thread to the server's loop."""
        if (loop := self._loop) is not None:
            written = [address_of(named(name, path)) for path in changes.written]
            asyncio.run_coroutine_threadsafe(self._tell(name, written, changes.listed), loop)

    async def _tell(self, name: str, written: Sequence[str], listed: bool) -> None:
        for bus in [bus for seen, (bus, _) in self._streams.items() if name in seen]:
            if listed:
                await bus.publish(ResourcesListChanged())
            for address in written:
                await bus.publish(ResourceUpdated(address))
        # All at once: one that does not read keeps no other waiting.
        async with anyio.create_task_group() as tasks:
            for key, told in [(key, told) for key, told in self._clients.items() if name in told.seen]:
                tasks.start_soon(self._tell_one, key, told, listed, written)

    async def _tell_one(self, key: int, told: _Told, listed: bool, written: Sequence[str]) -> None:
        """Tell a client; one that is gone, or does not read for too long, is forgotten."""
        try:
            with anyio.fail_after(TELL_SECONDS):
                if listed:
                    await told.session.send_resource_list_changed()
                for address in told.wanted.intersection(written):
                    await told.session.send_resource_updated(address)
        except Exception as error:  # noqa: BLE001 - what became of one client concerns no other
            reason = str(error) or f"it read nothing for {TELL_SECONDS:g} seconds"
            logger.info("client_not_told", extra={"error": reason})
            self._clients.pop(key, None)
