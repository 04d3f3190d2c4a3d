"""What a note would do by itself is found, in the forms in which Obsidian and browsers take it."""

import pytest

from app.notes.gate import acts

NETWORK = "loads from the network when it is opened: "
CODE = "runs code in Obsidian with the plugin "


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("![](http://x.y/z)", "http://x.y/z"),
        ("![a [b]](<https://x.y> 't')", "https://x.y"),
        ("![a [b](c)](https://x.y)", "https://x.y"),
        ("![](//x.y/z)", "//x.y/z"),
        ("![](<\\\\\\\\x.y/z>)", "\\\\x.y/z"),
        ("> > - > - ![](https://x.y)", "https://x.y"),
        ("| a |\n| - |\n| ![](https://x.y) |", "https://x.y"),
        ("![r][1]\n\n[1]: https://x.y", "https://x.y"),
        ("<img src='https://x.y'>", "https://x.y"),
        ('<img alt=">" src="https://x.y">', "https://x.y"),
        ('<IMG SRC="ht\ntps://x.y">', "https://x.y"),
        ("<img srcset='a 1x, https://x.y/c 2x'>", "https://x.y/c"),
        ("<div style='background:url(https://x.y)'>", "https://x.y"),
        ("<iframe src=local>", "<iframe …>"),
    ],
)
def test_what_loads_from_elsewhere_is_found(text: str, url: str) -> None:
    assert acts(text) == [NETWORK + url]


@pytest.mark.parametrize(
    ("text", "plugin"),
    [
        ("```dataviewjs\nx\n```", "Dataview"),
        ("> ~~~ DataviewJS\n> x", "Dataview"),
        ("`$= dv.current()`", "Dataview"),
        ("<%* tp.file.move() %>", "Templater"),
        ("```js-engine\nx\n```", "JS Engine"),
    ],
)
def test_what_runs_code_is_found(text: str, plugin: str) -> None:
    assert acts(text) == [CODE + plugin]


@pytest.mark.parametrize(
    "text",
    [
        "[a link](https://x.y) and https://x.y and <https://x.y>",
        "![](boat.png) and [a link](https://x.y)",
        "[![boat](boat.png)](https://x.y)",
        "![[boat.png]] [a link](https://x.y)",
        "<img src=boat.png>",
        "<p>see https://x.y</p>",
        "`![](https://x.y)` and <a href='https://x.y'>",
        "```dataview\nlist\n```",
    ],
)
def test_what_waits_for_a_click_is_not(text: str) -> None:
    assert acts(text) == []
