"""The page of one base: its views, each as a table."""

from starlette.requests import Request
from starlette.responses import Response

from app.search.results import uri
from app.search.searcher import searcher_for
from app.search.view import View as Index
from app.sentences import Language
from app.vault.client import VaultClient
from app.vault.files import read_file
from app.web.bases.content import Base, View, read_base
from app.web.bases.evaluate import Steps
from app.web.bases.files import VaultFile, all_files
from app.web.bases.show import MOST_BYTES, Shown, show_view
from app.web.files import missing, shown_file
from app.web.pages import context_of, page, reader_language
from app.web.render.targets import Targets, kind_of


def base_page(request: Request) -> Response:
    """Show a view of a base, by default the first; an excluded base is as one that is missing."""
    vault = context_of(request).vault
    asked: str = request.path_params["path"]
    if kind_of(asked) != "base":
        raise missing()
    path = shown_file(vault, asked)
    base = read_base(read_file(vault.root, path, MOST_BYTES).data.decode("utf-8-sig", "replace"))
    wanted = request.query_params.get("view", "")
    view = next((each for each in base.views if each.name == wanted), base.views[0] if base.views else None)
    return page(
        request,
        "base/page.html",
        path=path,
        title=path.rpartition("/")[2].rpartition(".")[0],
        uri=uri(vault, path),
        base=base,
        shown=_shown(vault, base, view, path, reader_language(request)) if view else None,
    )


def _shown(vault: VaultClient, base: Base, view: View, path: str, language: Language) -> Shown:
    def make(index: Index) -> Shown:
        targets = Targets(index, language)
        this = VaultFile(targets, path, None)
        return show_view(base, view, targets, list(all_files(targets)), this, Steps())

    return searcher_for(vault).ask(make)
