"""What `find` was asked, done in this process: the library that reads command lines is not needed for it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.bootstrap import configured, open_vaults, set_up_logging
from app.cli import output
from app.cli.ending import ended
from app.cli.secrets import person_asked
from app.errors import VaultNotFoundError
from app.search.forms import Form, widened
from app.search.request import parse_request, placed_from
from app.serving.printed import printed_results
from app.serving.wire import Frame
from app.vault.named import ALONE

if TYPE_CHECKING:
    from app.search.models import SearchRequest, SearchResults
    from app.search.view import View
    from app.vault.client import VaultClient


def found_plain(asked: Frame) -> int:
    """Do a search as it was read before the program was imported, and return the exit code."""
    set_up_logging()
    options = asked.pop("options")
    named = [options["vault"]] if "vault" in options else []
    config = Path(options["config"]) if "config" in options else None
    return ended(lambda: found(asked, named, config))


def found(asked: Frame, named: Sequence[str], config: Path | None, *, debug: bool = False) -> int:
    """Search, print what is found, and return the exit code.

    Args:
        asked: What is asked, as a resident is asked it; see `app.serving.front`.
        named: The vaults that were named.
        config: A configuration file that was named.
        debug: Whether the log is shown, so that no resident is asked.
    """
    request = parse_request(asked["parameters"], unlimited=asked["is_unlimited"])
    settings = configured(config).settings
    try:
        vaults = open_vaults(named, settings)
    except VaultNotFoundError:
        if request.operation != "keyword" or named or settings.vault is not None:
            raise
        return _around_here(request, config, asked["is_json"])
    if (opened := vaults.get(ALONE)) is None:
        return _in_several(vaults, asked)
    # What is done elsewhere is in no log here.
    options = (named[0] if named else None, config)
    if not debug and (code := output.shown_by_resident(opened, asked, options=options)) is not None:
        return code
    from app.cli.build import ready_searcher

    form = Form(**asked["form"])
    request = placed_from(request, opened.root, output.screen().folder)
    with person_asked(request.query):
        searcher = ready_searcher(opened, request.index)
        results, view = searcher.searched(widened(request, form))
    return _print(results, request, asked, view=view)


def _in_several(vaults: "Mapping[str, VaultClient]", asked: Frame) -> int:
    """Search several vaults, and print what is found as of one."""
    from app.cli.build import ready_vaults
    from app.search.several import search_several
    from app.vault.here import path_from
    from app.vault.named import choose, parted

    name, parameters = choose(vaults, asked["parameters"], "note_path")
    request = parse_request(parameters, unlimited=asked["is_unlimited"])
    form = Form(**asked["form"])
    with person_asked(request.query):
        searched = vaults if name is None else {name: vaults[name]}
        results = search_several(ready_vaults(searched, request.index), widened(request, form))

    def place(path: str) -> str:
        # Programs that are handed paths know nothing of names of vaults.
        vault, inside = parted(vaults, path)
        return path if vault is None else path_from(vaults[vault].root, screen.folder, inside)

    screen = output.screen()
    return _print(results, request, asked, place=place)


def _print(
    results: "SearchResults",
    request: "SearchRequest",
    asked: Frame,
    *,
    view: "View | None" = None,
    place: "Callable[[str], str] | None" = None,
) -> int:
    """Print results as was asked, and return the exit code; further arguments as of `printed_results`."""
    printed = printed_results(
        results,
        request,
        output.screen(),
        is_json=asked["is_json"],
        is_for_agent=asked["is_for_agent"],
        view=view,
        form=Form(**asked["form"]),
        place=place,
    )
    output.show_printed(printed.out, printed.err)
    return output.FOUND if printed.is_found else output.NOTHING


def _around_here(request: "SearchRequest", config: Path | None, as_json: bool) -> int:
    """Search the files around the working folder by keyword, where there is no vault."""
    from app.config.settings import load_settings
    from app.search.answer import keyword_search

    with person_asked(request.query):
        found = keyword_search(
            request.query,
            request.search_terms,
            folder=request.folder,
            scopes=request.scopes,
            settings=load_settings(config),
        )
    if as_json:
        from dataclasses import asdict

        output.show_json(asdict(found))
    else:
        output.show(found.text)
    return output.FOUND if found.files else output.NOTHING
