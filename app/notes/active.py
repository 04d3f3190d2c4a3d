"""What a note does by itself when it is opened: loads from the network, or runs code in Obsidian.

It is looked for to warn a person, so that too much is found rather than too little, in code blocks as well.
"""

import re
from collections.abc import Iterator
from html import unescape

from app.showing import in_line

URL = 200
"""Most characters of an address that are shown."""
REACH = 300
"""How much of a destination or a value, in characters, is read without its escapes and entities."""

_LOADING = (
    "img image video audio source track picture svg use input form base meta body table tr td th div span p q"
)
_RUNNING = "iframe frame embed object script link style webview portal"
_ADDRESS = r"""(?:(?:https?|wss?|ftp):|(?<![:\w])[/\\]{2})[^\s"'<>)\]]+"""
# Read once from the beginning to the end, so that no note takes long, however it is made.
_TOKEN = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<blank>\n[ \t]*\n)"
    r"|(?P<embed>!\[\[[^\]\n]{0,500}\]\](?!\())"
    r"|(?P<picture>!\[)|(?P<label>\[)|(?P<target>\]\(\s*+<?)|(?P<reference>\]\[)"
    rf"|(?P<running><(?:{_RUNNING.replace(' ', '|')})\b)"
    rf"|(?P<loading><(?:{_LOADING.replace(' ', '|')})\b)"
    r"""|(?P<value>=\s*+["']?)|(?P<quote>["'])|(?P<end>>)"""
    rf"|(?P<address>{_ADDRESS})",
    re.IGNORECASE,
)
_FOUND = re.compile(_ADDRESS, re.IGNORECASE)
_DEFINITION = re.compile(r"^[ >]{0,12}\[[^\]\n]{1,999}\]:[ \t]*+\n?[ \t]*+<?", re.MULTILINE)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_FENCE = re.compile(r"(?<![`~])(?:`{3,}+|~{3,}+)[ \t]*+\{?\.?(?P<language>[\w-]+)")
_LANGUAGES = {
    "dataviewjs": "Dataview",
    "datacorejs": "Datacore",
    "datacorejsx": "Datacore",
    "datacorets": "Datacore",
    "datacoretsx": "Datacore",
    "js-engine": "JS Engine",
    "meta-bind-js-view": "Meta Bind",
}


def acts(text: str) -> list[str]:
    """Say what a note does by itself: sentences without their subject, each once."""
    found = [f"loads from the network when it is opened: {in_line(url, URL)}" for url in _loaded(text)]
    found += [f"runs code in Obsidian with the plugin {plugin}" for plugin in _plugins(text)]
    return list(dict.fromkeys(found))


def _loaded(text: str) -> Iterator[str]:
    """Give the addresses that pictures and tags load, and the tags that need none."""
    brackets: list[bool] = []  # Those that are open; True where a picture's label begins.
    in_tag, quote, read_to = False, "", 0
    for token in _TOKEN.finditer(text):
        match token.lastgroup:
            case "blank":
                brackets, in_tag, quote = [], False, ""
            case "picture" | "label":
                brackets.append(token.lastgroup == "picture")
            case "target" | "reference":
                if token.lastgroup == "target" and any(brackets[-20:]):
                    yield from _first(text[token.end() : token.end() + REACH], at_start=True)
                brackets = brackets[:-1] if len(brackets) < 100 else brackets[-50:]
            case "running":
                in_tag, quote = True, ""
                yield token[0] + " …>"
            case "loading":
                in_tag, quote = True, ""
            case "value" if in_tag and not quote:
                quote = token[0][-1] if token[0][-1] in "\"'" else ""
                if token.end() >= read_to:
                    read_to = token.end() + REACH
                    value = text[token.end() : read_to]
                    yield from _first(value.partition(quote)[0] if quote else value.partition(">")[0])
            case "quote" if token[0] == quote:
                quote = ""
            case "end" if in_tag and not quote:
                in_tag = False
            case "address" if in_tag:
                yield token[0]
    if "![" in text:
        for match in _DEFINITION.finditer(text):
            yield from _first(text[match.end() : match.end() + REACH], at_start=True)


def _first(text: str, *, at_start: bool = False) -> Iterator[str]:
    """Give the first address of a text whose escapes and entities are undone, as a browser reads it."""
    plain = re.sub(r"[\t\r\n]", "", _ESCAPED.sub(r"\1", unescape(text)))
    if found := _FOUND.match(plain) if at_start else _FOUND.search(plain):
        yield found[0]


def _plugins(text: str) -> Iterator[str]:
    """Name the plugins for which a note holds code."""
    for match in _FENCE.finditer(text):
        if plugin := _LANGUAGES.get(match["language"].lower()):
            yield plugin
    if "`$=" in text:
        yield "Dataview"
    if "<%" in text:
        yield "Templater"
