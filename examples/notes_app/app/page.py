"""The page, made of data: a search box, the hits, and a change that waits for a yes."""

from collections.abc import Sequence
from html import escape

from vault_assistant import Hit, Proposal

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Notes</title>
<style>
  body {{ font: 16px/1.5 system-ui; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }}
  pre {{ white-space: pre-wrap; background: #f4f4f4; padding: .5rem }}
  small {{ color: #555 }}
</style>
<h1>Notes</h1>
<form><input name="q" value="{query}" aria-label="Search" autofocus> <button>Search</button></form>
{hits}
<h2>Add to a note</h2>
<form method="post" action="/append">
  <p><input name="path" placeholder="Path or name" aria-label="Path or name" required></p>
  <p><textarea name="content" rows="3" cols="60" aria-label="Text" required></textarea></p>
  <button>Show the change</button>
</form>
{waiting}
</html>
"""
HIT = """<article>
  <h3>{title} <small>{place} · {score:.0%}</small></h3>
  <small>{about}</small>
  <pre>{text}</pre>
</article>"""
WAITING = """<h2>This would change</h2>
<pre>{diff}</pre>
<form method="post" action="/agree">
  <input type="hidden" name="token" value="{token}"><button>Do it</button>
</form>"""


def render(*, query: str = "", hits: Sequence[Hit] = (), waiting: Proposal | None = None) -> str:
    """Write the page; nothing of a note is taken for HTML."""
    return PAGE.format(
        query=escape(query),
        hits="\n".join(map(hit_of, hits)),
        waiting=WAITING.format(diff=escape(waiting.diff), token=escape(waiting.token)) if waiting else "",
    )


def hit_of(hit: Hit) -> str:
    """Write one hit."""
    about = " · ".join(filter(None, [hit.heading, hit.date, " ".join(f"#{tag}" for tag in hit.tags)]))
    return HIT.format(
        title=escape(hit.title),
        place=escape(f"{hit.path}:{hit.lines}"),
        score=hit.score,
        about=escape(about),
        text=escape(hit.chunk_with_context),
    )
