"""Every operation of the API as its description tells it, with values from anywhere: never an error of the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from regreact.app.access import access
from regreact.app.api.catalogue import Catalogue
from regreact.app.api.jobs import Job, Jobs, Limits, Worker
from regreact.app.api.web import create_app

SERVER = "http://127.0.0.1:8322"
NASTY = [
    "", " ", "\0", "\n", "%", "%00", "..", "../../etc/passwd", "/etc/passwd", "a" * 3000, "-1", "0", "1e309", "NaN", "[]",
    "{}", "null", "true", "9" * 400, "\ud800", "\u202e", "<script>alert(1)</script>", "' OR 1=1 --", "CCM-21.2/SC",
    "samples-compass", "Verification", "*", "[", "(" * 50, "é", "\U0001f600", "http://evil.example",
]  # fmt: skip
TEXT = st.one_of(st.sampled_from(NASTY), st.text(max_size=40), st.integers().map(str))
HEADERS = st.dictionaries(
    st.sampled_from(["Accept", "Content-Type", "Origin", "Referer", "Sec-Fetch-Site", "Authorization", "Cookie", "Range",
                     "X-Regreact-Token", "Host", "If-None-Match", "X-Forwarded-For", "Content-Encoding"]),
    st.sampled_from(["", "x", "*/*", "text/html", "gzip", "null", "same-origin", "http://[", "Bearer", "Bearer \xe9",
                     "regreact_8322=x.y", "regreact_8322=é".encode().decode("latin-1"), "bytes=0-", "a" * 3000]),
    max_size=2,
)  # fmt: skip
DOCUMENTS = st.one_of(
    st.binary(max_size=200),
    st.sampled_from([b"<p>1. Water losses are below 5 %.</p>", b"{}", b"[" * 5000, b"PK\x03\x04", b"%PDF-1.7", b"\xff\xfe",
                     b"<?xml version='1.0'?><ACT/>", b'{"a": 1e999}', b"\0" * 50]),
)  # fmt: skip


class Instant(Worker):
    """Answers at once, so that routes are tried instead of extraction."""

    def run(self, job: Job) -> None:
        job.take({"kind": "begin", "document": job.name, "total": 0})
        job.end("done")


@pytest.fixture(scope="module")
def app(extracted: Path) -> FastAPI:
    jobs = Jobs(limits=Limits(bytes=10_000, seconds=5, workers=1))
    jobs._workers = [Instant(())]
    return create_app(Catalogue(extracted, "samples"), jobs, access("127.0.0.1", 8322, None))


@pytest.fixture(scope="module")
def http(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url=SERVER, raise_server_exceptions=False) as client:
        yield client


def requests(described: dict[str, Any]) -> st.SearchStrategy[tuple[str, str, dict[str, Any]]]:
    """Draw method, path and query of one operation of a description; sometimes with what it does not name."""
    each = [(m, p, told) for p, methods in described["paths"].items() for m, told in methods.items()]
    return st.sampled_from(each).flatmap(lambda operation: _request(*operation))


def _request(method: str, path: str, told: dict[str, Any]) -> st.SearchStrategy[tuple[str, str, dict[str, Any]]]:
    named = told.get("parameters", [])
    places = {p["name"]: TEXT for p in named if p["in"] == "path"}
    query = {p["name"]: st.one_of(TEXT, st.lists(TEXT, max_size=3)) for p in named if p["in"] == "query"}
    also = st.sampled_from([method, method, method, "get", "put", "patch", "delete", "options", "head"])
    return st.tuples(
        also,
        st.fixed_dictionaries(places).map(lambda filled: _filled(path, filled)),
        st.fixed_dictionaries({}, optional={**query, "unknown": TEXT}),
    )


def _filled(path: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        written = quote(value.encode("utf-8", "surrogatepass"))
        path = path.replace("{" + name + "}", written).replace("{" + name + ":path}", written)
    return path


def encoded(query: dict[str, Any]) -> str:
    pairs = [(k, v) for k, values in query.items() for v in (values if isinstance(values, list) else [values])]
    return "&".join(f"{k}={quote(v.encode('utf-8', 'surrogatepass'))}" for k, v in pairs)


@settings(max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_every_operation_answers_or_says_what_is_wrong(data: st.DataObject, app: FastAPI, http: TestClient) -> None:
    method, path, query = data.draw(requests(app.openapi()))
    headers = {k: v.encode("latin-1") for k, v in data.draw(HEADERS).items()}
    body = data.draw(DOCUMENTS) if method in ("post", "put", "patch", "delete") else b""
    url = f"{path}?{encoded(query)}"
    reply = http.request(method, url, headers=headers, content=body, follow_redirects=False)
    told = (method, url, headers, body, reply.status_code, reply.text[:200])
    assert reply.status_code < 500 or reply.status_code == 503, told
    assert reply.headers["x-content-type-options"] == "nosniff", told
    assert "access-control-allow-origin" not in reply.headers, told
    if reply.status_code >= 400 and method != "head":
        assert reply.headers["content-type"] == "application/problem+json", told
        problem = reply.json()
        assert problem["status"] == reply.status_code and problem["detail"], told
        assert "Traceback" not in problem["detail"], told


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=TEXT, method=st.sampled_from(["GET", "POST", "DELETE", "OPTIONS", "TRACE", "x"]))
def test_so_does_every_other_path(path: str, method: str, http: TestClient) -> None:
    reply = http.request(method, "/" + quote(path.encode("utf-8", "surrogatepass")), follow_redirects=False)
    assert reply.status_code < 500, (path, reply.text[:200])
    if reply.status_code >= 400:
        assert reply.headers["content-type"] == "application/problem+json", (path, method, reply.text[:200])


def test_the_answers_fit_the_description(app: FastAPI, http: TestClient) -> None:
    """What is answered to a plain request holds what the description requires, under the names it gives."""
    described = app.openapi()
    for path, query in {"/health": "", "/units": "?limit=3", "/criteria": "?limit=3", "/search": "?q=water"}.items():
        schema = described["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        model = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        told = http.get(path + query).json()
        assert set(model.get("required", ())) <= told.keys() <= model["properties"].keys(), path
