"""What stands before every request: host, origin, token, size; and what goes with every answer."""

from __future__ import annotations

import asyncio
import json
import time
from http import HTTPStatus
from urllib.parse import parse_qsl, quote, urlsplit

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from regreact.app.access import Access, Session
from regreact.app.pages import render
from regreact.errors import RegReActError

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OPEN_PATHS = ("/login", "/health")
FORM_LIMIT = 2_000_000
LOGIN_DELAY_S = 0.5
# A client that sends its body more slowly holds a connection for nothing.
BODY_SECONDS = 60.0
PROBLEM = "application/problem+json"
# `same-origin`, since without a referrer browsers send no usable Origin with a form.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class RefusalError(RegReActError):
    """A request is refused.

    Args:
        status: HTTP status.
        detail: Why, and what to do.
    """

    def __init__(self, status: int, detail: str) -> None:
        self.status = status
        self.detail = detail
        super().__init__(detail)


def problem(status: int, detail: str, **more: object) -> Response:
    """Return an error as problem details (RFC 9457)."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **more}
    return Response(json.dumps(body, ensure_ascii=False), status, media_type=PROBLEM)


def session_of(request: Request) -> Session:
    """Return the session of a request that passed the guard."""
    found = request.scope["regreact.session"]
    assert isinstance(found, Session)
    return found


class Guard:
    """ASGI middleware that refuses what may not enter.

    Args:
        app: The application behind it.
        access: The rules.
        limit: Bytes that the body of a request may have.
    """

    def __init__(self, app: ASGIApp, access: Access, limit: int = FORM_LIMIT) -> None:
        self.app = app
        self.access = access
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with a refusal."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        known = self.access.open(cookie_parser(headers.get("cookie", "")).get(self.access.cookie))
        session = known or self.access.new_session()
        scope["regreact.session"] = session
        passing = _Passing(send, receive, self.limit, None if known else self._cookie(session))
        try:
            refusal = self._refusal(scope, headers, session)
            if refusal is not None:
                await refusal(scope, receive, passing.send)
                return
            await self.app(scope, passing.receive, passing.send)
        except RefusalError as error:
            if passing.started:
                raise
            await problem(error.status, error.detail)(scope, receive, passing.send)

    def _cookie(self, session: Session) -> str:
        return cookie_header(self.access, session)

    def _refusal(
        self, scope: Scope, headers: Headers, session: Session
    ) -> Response | None:
        if not self.access.serves(headers.get("host")):
            return problem(421, "this server does not answer to that host name (--allow-host NAME lets it)")
        if scope["method"] not in SAFE_METHODS and not same_origin(headers):
            return problem(403, "refused: the request comes from a page of another site")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.limit:
            return problem(413, f"the body is larger than {self.limit} bytes")
        is_open = scope["path"] in OPEN_PATHS or scope["path"].startswith("/static/")
        if is_open or session.allowed or self.access.knows(presented(headers)):
            return None
        if scope["method"] == "GET" and "text/html" in headers.get("accept", ""):
            return RedirectResponse(f"/login?next={quote(scope['path'])}", 303)
        return problem(401, "a token is needed: header `Authorization: Bearer TOKEN`, or log in at /login")


class _Passing:
    """The two directions of one request: counts what comes in, adds headers to what goes out."""

    def __init__(self, send: Send, receive: Receive, limit: int, cookie: str | None) -> None:
        self._send, self._receive = send, receive
        self._left = limit
        self._limit = limit
        self._cookie = cookie
        self._deadline: float | None = time.monotonic() + BODY_SECONDS
        self.started = False

    async def receive(self) -> Message:
        # After the body, waiting is for the client to go away and has no end.
        left = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        try:
            message = await asyncio.wait_for(self._receive(), left)
        except TimeoutError:
            raise RefusalError(408, f"the body did not arrive within {BODY_SECONDS:g} seconds") from None
        if not message.get("more_body", False):
            self._deadline = None
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise RefusalError(413, f"the body is larger than {self._limit} bytes")
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if self._cookie and "set-cookie" not in headers and "text/html" in headers.get("content-type", ""):
                headers.append("Set-Cookie", self._cookie)
        await self._send(message)


def cookie_header(access: Access, session: Session) -> str:
    """Return the Set-Cookie header of a session; without `Secure`, since the server itself speaks plain HTTP."""
    return f"{access.cookie}={access.seal(session)}; HttpOnly; SameSite=Strict; Path=/"


def same_origin(headers: Headers) -> bool:
    """Return whether a writing request comes from a page of this server, or from no page at all (curl)."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    # Pages of others cannot leave both out: browsers send an origin with what writes.
    for name in ("origin", "referer"):
        told = headers.get(name)
        if told is not None:
            return _netloc(told) == headers.get("host", "").lower() != ""
    return True


def _netloc(address: str) -> str:
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return ""


def presented(headers: Headers) -> str | None:
    """Return the token that a request carries in its headers."""
    scheme, _, word = headers.get("authorization", "").partition(" ")
    return word.strip() if scheme.lower() == "bearer" else headers.get("x-regreact-token")


async def read_form(request: Request) -> dict[str, list[str]]:
    """Return the fields of a form (URL-encoded) that comes from one of our own pages.

    Raises:
        RefusalError: It is no such form, or lacks the word that our pages carry.
    """
    access = request.app.state.access
    assert isinstance(access, Access)
    try:
        pairs = parse_qsl((await request.body()).decode(), keep_blank_values=True, max_num_fields=200)
    except ValueError:
        raise RefusalError(400, "no URL-encoded form") from None
    form: dict[str, list[str]] = {}
    for name, value in pairs:
        form.setdefault(name, []).append(value.replace("\r\n", "\n"))
    if not access.is_csrf(session_of(request), form.get("csrf", [""])[-1]):
        raise RefusalError(403, "refused: the form is of another session; go back, load the page again and repeat")
    return form


def last(form: dict[str, list[str]], name: str) -> str:
    """Return the last value of a field, "" if it is absent."""
    return form.get(name, [""])[-1]


def secure(app: FastAPI, access: Access, limit: int = FORM_LIMIT) -> None:
    """Put the guard before an application and give it a login page.

    Args:
        app: The application.
        access: The rules.
        limit: Bytes that the body of a request may have.
    """
    app.state.access = access
    app.add_middleware(Guard, access=access, limit=limit)

    @app.get("/login", include_in_schema=False)
    def ask(request: Request) -> Response:
        return render(request, "login.html", after=_inside(request.query_params.get("next", "/")))

    @app.post("/login", include_in_schema=False)
    async def enter(request: Request) -> Response:
        form = await read_form(request)
        after = _inside(last(form, "next"))
        if not access.knows(last(form, "token").strip()):
            await asyncio.sleep(LOGIN_DELAY_S)
            return render(request, "login.html", 401, after=after, wrong=True)
        name = session_of(request).reviewer
        fresh = access.new_session()
        session = Session(fresh.nonce, name, True, fresh.since)
        return RedirectResponse(after, 303, headers={"Set-Cookie": cookie_header(access, session)})


def _inside(path: str) -> str:
    """Return a path of this server; anything else becomes the start page."""
    plain = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if plain else "/"
