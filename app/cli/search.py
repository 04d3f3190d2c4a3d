"""``search``: one named index, as a document that is the same over MCP."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from app.cli import options, output
from app.sentences import Sentence, said
from app.showing import ERROR, PATH, TITLE, Screen, in_line, showing

if TYPE_CHECKING:
    from app.search.named.models import SearchHit
    from app.vault.client import VaultClient

EXAMPLES = (
    "Examples:\n\n\b\n"
    "  vault-assistant search 'why was the larch late?'\n"
    "  vault-assistant search larch --index words --top 3 --display json\n"
    "  vault-assistant search --index photos --query-image ~/Pictures/larch.jpg\n\n"
    "Write -- before a query that starts with a dash."
)
BLOCK_WIDTH = 100


def search(
    call: options.Call,
    words: Annotated[list[str] | None, typer.Argument(metavar="QUERY", help="What to look for.")] = None,
    index: options.IndexOption = None,
    top: Annotated[int, typer.Option("--top", metavar="N", help="The most hits.")] = 5,
    query_image: Annotated[
        str | None, options.option("--query-image", "PATH", "An image to look for.")
    ] = None,
    display: Annotated[
        Literal["yaml", "json"] | None,
        typer.Option("--display", help="How to print; in a pipe yaml, else as people read."),
    ] = None,
) -> int:
    """Search a named index, by meaning or by words, as configured."""
    from app.errors import VaultError
    from app.search.named.search import refused_output, wksm_search

    query = " ".join(words) if words else None
    try:
        opened = call.open()
        _build_first(opened, index)
    except VaultError as error:
        found = refused_output(query, index, error)
    else:
        found = wksm_search(opened, query, index, top, query_image, any_image=True)
    screen = output.screen()
    # By its second name the program prints the document of the specification everywhere.
    is_plain = not screen.is_terminal or Path(sys.argv[0]).stem == "wksc"
    if call.as_json or display == "json":
        output.show_json(found.data())
    elif display == "yaml" or is_plain:
        output.show(as_yaml(found.data()))
    else:
        hits = (_shown(hit, opened, screen) for hit in found.hits)
        output.show_printed("\n".join(hits), "".join(f"{in_line(each)}\n" for each in found.warnings))
        if not (found.hits or found.errors):
            output.tell_notice(Sentence("Nothing found"))
    if found.errors:
        output.tell(output.filled(said(ERROR, screen.language) + found.wrong(screen.language)))
        return output.FAILED
    return output.FOUND if found.hits else output.NOTHING


def _shown(hit: "SearchHit", vault: "VaultClient", screen: Screen) -> str:
    """Return a hit as people read it: its title, which opens the note, its place and its lines."""
    place = f"{in_line(output.place_named(vault, hit.path), PATH)}:{hit.lines}"
    title = screen.bold(screen.link(in_line(hit.title, TITLE), hit.uri))
    lines = "".join(f"  {line}\n" for line in showing(hit.excerpt).splitlines())
    return f"{title}  {screen.dim(place)}\n{lines}"


def _build_first(vault: "VaultClient", index: str | None) -> None:
    """Build an index that holds nothing yet, with a bar, unless there is no such index."""
    from app.cli.build import ready_searcher

    indexes = vault.settings.index
    if (index or indexes.default) in indexes.indexes:
        ready_searcher(vault, index)


def as_yaml(data: dict[str, Any]) -> str:
    """Write a document as YAML; texts of several lines as blocks, where YAML allows it."""
    import yaml

    class Dumper(yaml.SafeDumper):
        pass

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)

    Dumper.add_representer(str, text)
    return yaml.dump(data, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=BLOCK_WIDTH)
