"""Who may use the servers: addresses, names, origins, tokens, sessions."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from regreact.app import security
from regreact.app.access import Session, access
from regreact.app.review.desk import Desk
from regreact.app.review.web import create_app
from regreact.errors import ConfigError
from tests.app.browsing import Browser

TOKEN = "0123456789abcdef-token"


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.8.9.1"])
def test_this_machine_needs_no_token(host: str) -> None:
    assert access(host, 1, None).token is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", "127.0.0.1.example.org", ""])
def test_any_other_address_needs_one(host: str) -> None:
    with pytest.raises(ConfigError, match="--token"):
        access(host, 1, None)
    assert access(host, 1, TOKEN).token == TOKEN


def test_the_rules_do_not_show_what_is_secret() -> None:
    rules = access("0.0.0.0", 1, TOKEN)
    assert TOKEN not in repr(rules) and rules.secret.hex() not in repr(rules)


def test_a_short_token_is_refused() -> None:
    with pytest.raises(ConfigError, match="16 characters"):
        access("127.0.0.1", 1, "x" * 15)


@pytest.mark.parametrize(
    ("host", "header", "served"),
    [
        ("127.0.0.1", "127.0.0.1:8321", True),
        ("127.0.0.1", "localhost:8321", True),
        ("127.0.0.1", "LOCALHOST", True),
        ("127.0.0.1", "[::1]:8321", True),
        ("127.0.0.1", "evil.example:8321", False),
        ("127.0.0.1", "localhost.evil.example", False),
        ("127.0.0.1", "127.0.0.1@evil.example", False),
        ("127.0.0.1", "192.168.1.5", False),
        ("127.0.0.1", "[::1", False),
        ("127.0.0.1", "", False),
        ("0.0.0.0", "192.168.1.5:8321", True),
        ("0.0.0.0", "review.example", True),
        ("0.0.0.0", "evil.example", False),
    ],
)
def test_requests_must_name_this_server(host: str, header: str, served: bool) -> None:
    assert access(host, 8321, TOKEN, ["review.example"]).serves(header) is served


def test_a_session_cannot_be_made_up_or_kept_over_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, other = access("127.0.0.1", 1, TOKEN), access("127.0.0.1", 1, TOKEN)
    session = Session("n", "Ada", True, 2_000_000_000)
    sealed = rules.seal(session)
    assert rules.open(sealed) == session
    assert other.open(sealed) is None
    body, _, signature = sealed.partition(".")
    for forged in ("", "x", f"{body}.", f"{body}x.{signature}", f".{signature}", f"{body}.é"):
        assert rules.open(forged) is None
    monkeypatch.setattr("time.time", lambda: 2_000_000_000 + 13 * 3600)
    assert rules.open(sealed) is None


def test_cross_origin_writes_are_refused(ada: Browser, desk: Desk, out: Path) -> None:
    path = f"/item/{desk.workspace.items[0].id}"
    form = {"csrf": ada.csrf, "action": "accept"}
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Referer": "http://evil.example/page"},
        {"Referer": "http://[evil"},
        {"Origin": "http://127.0.0.1:8321", "Sec-Fetch-Site": "cross-site"},
    ):
        assert ada.http.post(path, data=form, headers=headers).status_code == 403, headers
    assert ada.http.post(path, data=form, headers={"Host": "evil.example"}).status_code == 421
    assert ada.http.get("/", headers={"Host": "evil.example"}).status_code == 421
    assert not (out / "review").exists()
    own = {"Origin": "http://127.0.0.1:8321", "Sec-Fetch-Site": "same-origin", "Referer": "http://127.0.0.1:8321/"}
    assert ada.http.post(path, data=form, headers=own).status_code == 200


def test_writes_without_the_word_of_the_session_are_refused(ada: Browser, desk: Desk, out: Path) -> None:
    for path in (f"/item/{desk.workspace.items[0].id}", "/undo", "/reviewer", "/export"):
        for form in ({}, {"csrf": ""}, {"csrf": "0" * 64}, {"csrf": "é"}):
            assert ada.http.post(path, data={**form, "action": "accept", "reviewer": "E"}).status_code == 403
    stranger = Browser(desk, ada.rules)
    assert stranger.http.post("/undo", data={"csrf": ada.csrf}).status_code == 403
    assert not (out / "review").exists()


def test_every_answer_carries_the_headers(ada: Browser) -> None:
    for reply in (ada.http.get("/"), ada.http.get("/static/app.css"), ada.http.get("/none"), ada.http.post("/undo")):
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in reply.headers
    cookie = TestClient(ada.http.app, base_url="http://127.0.0.1:8321").get("/").headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie


def test_with_a_token_nothing_is_shown_before_login(desk: Desk) -> None:
    http = TestClient(create_app(desk, access("0.0.0.0", 8321, TOKEN)), base_url="http://127.0.0.1:8321")
    html = {"Accept": "text/html"}
    assert http.get("/", headers=html, follow_redirects=False).headers["location"] == "/login?next=/"
    assert http.get("/").status_code == 401
    assert http.get(f"/item/{desk.workspace.items[0].id}", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert http.get("/", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert http.get("/", headers={"X-Regreact-Token": TOKEN}).status_code == 200


def test_login(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "LOGIN_DELAY_S", 0)
    http = TestClient(create_app(desk, access("0.0.0.0", 8321, TOKEN)), base_url="http://127.0.0.1:8321")

    def enter(token: str, after: str = "/") -> str:
        found = re.search(r'name="csrf" value="(\w+)"', http.get("/login").text)
        assert found
        form = {"csrf": found[1], "token": token, "next": after}
        reply = http.post("/login", data=form, follow_redirects=False)
        return reply.headers.get("location", str(reply.status_code))

    assert enter("wrong") == "401"
    assert enter("") == "401"
    assert http.get("/").status_code == 401
    for after in ("//evil.example", "http://evil.example", "/\\evil.example", "/x\r\nSet-Cookie: a=b"):
        assert enter(TOKEN, after) == "/"
    assert enter(TOKEN, "/item/1") == "/item/1"
    assert http.get("/").status_code == 200


def test_a_body_over_the_limit_is_refused_announced_or_not() -> None:
    app = FastAPI()
    security.secure(app, access("127.0.0.1", 8321, None), 1000)

    @app.post("/take")
    async def take(request: security.Request) -> int:
        return len(await request.body())

    http = TestClient(app, base_url="http://127.0.0.1:8321")
    assert http.post("/take", content=b"x" * 1000).text == "1000"
    assert http.post("/take", content=b"x" * 1001).status_code == 413
    assert http.post("/take", content=iter([b"x" * 600, b"x" * 600])).status_code == 413
    assert http.post("/take", content=b"x", headers={"Content-Length": "-1"}).status_code == 413


def test_a_body_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "BODY_SECONDS", 0.05)
    told: list[dict[str, object]] = []

    async def inner(scope: object, receive: security.Receive, send: object) -> None:
        while True:
            await receive()

    async def receive() -> dict[str, object]:
        if not told:
            told.append({})
            return {"type": "http.request", "body": b"x", "more_body": True}
        await asyncio.sleep(60)
        raise AssertionError

    async def send(message: object) -> None:
        assert isinstance(message, dict)
        told.append(message)

    guard = security.Guard(inner, access("127.0.0.1", 8321, None))
    scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"host", b"127.0.0.1:8321")]}
    asyncio.run(guard(scope, receive, send))
    assert told[1]["status"] == 408
