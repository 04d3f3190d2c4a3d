"""Answers of tools in the protocol's form, each within its budget."""

import json
from typing import Any

from mcp.types import CallToolResult, TextContent

from app.showing import cut

ERROR_CHARS = 1000


def text_result(text: str, *, failed: bool | None = None) -> CallToolResult:
    """Give a text; unless ``failed`` says whether it is one, what starts with ``Error:`` is an error."""
    if failed is None:
        failed = text.startswith("Error:")
    shown = cut(text, ERROR_CHARS) if failed else text
    return CallToolResult(content=[TextContent(text=shown)], is_error=failed)


def data_result(data: dict[str, Any], text: str | None = None, *, failed: bool = False) -> CallToolResult:
    """Give data, and the same as text for clients that do not read data."""
    shown = json.dumps(data, ensure_ascii=False) if text is None else text
    return CallToolResult(content=[TextContent(text=shown)], structured_content=data, is_error=failed)
