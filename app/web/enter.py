"""The way in: the token of the opened address becomes a cookie."""

from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response

from app.web.context import context_of
from app.web.guard import cookie_name
from app.web.pages import page


async def enter(request: Request) -> Response:
    """Exchange a token, from the address or from the form, for a session; else show the form."""
    if request.method == "POST":
        fields = parse_qs((await request.body()).decode("utf-8", "replace"), max_num_fields=10)
        token = fields.get("token", [""])[0].strip().rpartition("token=")[2]
    else:
        token = request.query_params.get("token", "")
    session = context_of(request).door.enter(token) if token else None
    if session is None:
        return page(request, "enter.html", status=401 if token else 200, wrong=bool(token))
    # Not a redirect: opened from another site's page, it would not bring a SameSite=Strict cookie along.
    answer = page(request, "entered.html")
    answer.set_cookie(
        cookie_name(request.scope), session.key, path="/", httponly=True, samesite="strict", secure=False
    )
    return answer
