"""Where a server of ours listens: its address, the names it answers to, and the socket."""

import socket
from dataclasses import dataclass

from app.errors import VaultError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
ANY = ("0.0.0.0", "::", "")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens, and the further names by which it may be called."""

    host: str = "127.0.0.1"
    port: int = 8766
    names: tuple[str, ...] = ()

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK

    @property
    def answers_to(self) -> frozenset[str]:
        """Every name a request may call it by, without the port, in lower case."""
        names = ["127.0.0.1", "localhost", "[::1]", *self.names]
        if self.host in ANY:
            names.append(socket.gethostname())
        elif not self.is_loopback:
            names.append(_bracketed(self.host))
        return frozenset(name.lower() for name in names)

    def url(self, port: int) -> str:
        """Return the address to open, for the port that was bound."""
        host = socket.gethostname() if self.host in ANY else _bracketed(self.host)
        return f"http://{host}:{port}"


def bind(address: Address) -> socket.socket:
    """Open the listening socket; port 0 takes any that is free.

    Raises:
        VaultError: the address cannot be listened on.
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    # Where the protocol is not named, asyncio leaves Nagle's algorithm on, which delays answers by 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address.host, address.port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        raise VaultError(
            "cannot listen on {host}:{port}: {reason}",
            "choose another --host or --port",
            host=address.host,
            port=address.port,
            reason=error,
        ) from error
    return listener


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
