"""Links that add the server to a client in one click, where the client knows such links."""

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode


def install_links(
    client: str, name: str, entry: Mapping[str, Any], inputs: Sequence[Mapping[str, Any]] = ()
) -> tuple[str, ...]:
    """Return the links that have a client add a server, which asks the person first.

    Args:
        client: As in `CLIENTS`.
        name: What the client calls the server.
        entry: What stands in its configuration.
        inputs: What VS Code asks for, as its ``inputs``; the entry names each as ``${input:id}``.

    Returns:
        The link that the program itself opens, then one to a web page that leads to it, for places where only
        such links can be followed; none where the client knows none.
    """
    if client == "cursor":
        config = base64.b64encode(_compact(entry).encode()).decode()
        asked = urlencode({"name": name, "config": config}, quote_via=quote)
        return (
            f"cursor://anysphere.cursor-deeplink/mcp/install?{asked}",
            f"https://cursor.com/en/install-mcp?{asked}",
        )
    if client == "vscode":
        asks = {"inputs": list(inputs)} if inputs else {}
        parts = {key: _compact(value) for key, value in {**asks, "config": entry}.items()}
        return (
            f"vscode:mcp/install?{quote(_compact({'name': name, **entry, **asks}), safe='')}",
            "https://insiders.vscode.dev/redirect/mcp/install?"
            + urlencode({"name": name, **parts}, quote_via=quote),
        )
    return ()


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
