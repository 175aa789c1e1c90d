"""A local stand-in for the Publications Office, SPARQL endpoint and documents, with its failures on demand."""

from __future__ import annotations

import gzip
import json
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

Behaviour = Callable[["Handler"], None]
_TYPE_URI = "http://publications.europa.eu/resource/authority/resource-type/"
_LETTERS = {"R": "REG", "L": "DIR", "D": "DEC", "H": "RECO", "F": "DEC_FRAMW"}
CHALLENGE = b"<!DOCTYPE html><html><head><script src='https://token.awswaf.com/challenge.js'></script></head></html>"


Documents = Mapping[tuple[str, str, str], Sequence[tuple[str, bytes]]]


class Stub:
    """What the server knows, what it is told to do next, and what it was asked.

    Args:
        works: Titles by CELEX id.
        script: What to do with the first requests; afterwards queries are answered.
        documents: Parts (media type and bytes) by CELEX id, media type asked for and three-letter language.
        versions: CELEX ids that the endpoint links to an act as consolidating it.
    """

    def __init__(
        self,
        works: dict[str, str],
        script: Sequence[Behaviour] = (),
        documents: Documents | None = None,
        versions: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.works = works
        self.documents = dict(documents or {})
        self.versions = dict(versions or {})
        # What was asked for by GET: path, Accept, Accept-Language.
        self.gets: list[tuple[str, str, str]] = []
        self.script = list(script)
        self.queries: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.lock = threading.Lock()
        self.url = ""

    def rows(self, query: str) -> list[dict[str, Any]]:
        """Answer a query: by the exact typed id, or by words of the title (Virtuoso's `bif:contains`)."""
        consolidates = re.search(
            r'resource_legal_id_celex "([^"]*)"\^\^xsd:string .\s*\?version cdm:act_consolidated_consolidates', query
        )
        if consolidates:
            return [{"celex": _literal(i)} for i in self.versions.get(consolidates[1], ())]
        exact = re.search(r'resource_legal_id_celex "((?:[^"\\]|\\.)*)"\^\^xsd:string', query)
        if exact:
            return [self._row(exact[1])] if exact[1] in self.works else []
        wanted = re.search(r'bif:contains "([^"]*)"', query)
        assert wanted, f"a query the endpoint does not know: {query}"
        words = re.findall(r"'(\w+)\*?'", wanted[1])
        hits = [i for i, title in self.works.items() if all(w in title.lower() for w in words)]
        return [{**self._row(i), "celex": _literal(i)} for i in hits if i.startswith("3")]

    def _row(self, celex: str) -> dict[str, Any]:
        kind = "CORRIGENDUM" if "R(" in celex else _LETTERS.get(celex[5:6], "OTHER")
        row = {"type": {"type": "uri", "value": _TYPE_URI + kind}, "date": _literal("2010-11-24")}
        return {**row, "title": _literal(self.works[celex])} if self.works[celex] else row


def _literal(value: str) -> dict[str, str]:
    return {"type": "literal", "value": value}


class Handler(BaseHTTPRequestHandler):
    """Answers requests for the stub of its server."""

    protocol_version = "HTTP/1.1"
    stub: Stub

    def do_POST(self) -> None:
        stub = self.stub
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        with stub.lock:
            stub.queries.append(form["query"][0])
            stub.headers.append({k.lower(): v for k, v in self.headers.items()})
            stub.times.append(time.monotonic())
            behaviour = stub.script.pop(0) if stub.script else answer
        assert self.path == "/webapi/rdf/sparql", self.path
        behaviour(self)

    def do_GET(self) -> None:
        stub = self.stub
        with stub.lock:
            stub.gets.append((self.path, self.headers["Accept"], self.headers.get("Accept-Language", "")))
            behaviour = stub.script.pop(0) if stub.script else negotiate
        behaviour(self)

    def reply(self, status: int, body: bytes, media_type: str = "text/plain", **headers: str) -> None:
        """Send a whole answer."""
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


def answer(handler: Handler) -> None:
    """Answer the query as documented: SPARQL 1.1 results in JSON."""
    rows = handler.stub.rows(handler.stub.queries[-1])
    document = {"head": {"link": [], "vars": ["celex", "title", "type", "date"]}, "results": {"bindings": rows}}
    handler.reply(200, json.dumps(document).encode(), "application/sparql-results+json")


def negotiate(handler: Handler) -> None:
    """Answer for a document as documented: 303 to it, 300 with a list of its parts, 406 without one, 404 without work."""
    stub, path = handler.stub, handler.path
    accept, language = handler.headers["Accept"], handler.headers.get("Accept-Language", "")
    if path.startswith("/resource/celex/"):
        wanted = path.rpartition("/")[2]
        if not re.fullmatch(r"[a-z]{3}", language):
            handler.reply(400, b"Accept-Language must be a three-letter code")
        elif not any(wanted == known for known, _, _ in stub.documents):
            handler.reply(404, b"no such work")
        elif (wanted, accept, language) not in stub.documents:
            handler.reply(406, b"no such representation")
        else:
            # Cellar names its own resources by http.
            host = handler.headers["Host"]
            handler.reply(303, b"", Location=f"http://{host}/resource/cellar/{wanted}.{language}")
        return
    place = re.fullmatch(r"/resource/cellar/([^/]+)\.([a-z]{3})(?:/DOC_(\d+))?", path)
    assert place, f"a path the server does not know: {path}"
    parts = stub.documents[place[1], accept, place[2]]
    if place[3] or len(parts) == 1:
        media_type, body = parts[int(place[3] or 1) - 1]
        handler.reply(200, gzip.compress(body), f"{media_type};charset=utf-8", Content_Encoding="gzip")
        return
    # Parts come in no order but have numbers.
    links = (f'<li><a href="{path}/DOC_{n}">part</a></li>' for n in range(len(parts), 0, -1))
    handler.reply(300, f"<html><body><ul>{''.join(links)}</ul></body></html>".encode(), "text/html")


def says(status: int, body: bytes = b"", media_type: str = "text/plain", **headers: str) -> Behaviour:
    """Give a fixed answer."""
    return lambda handler: handler.reply(status, body, media_type, **headers)


def reset(handler: Handler) -> None:
    """Break the connection."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def late(seconds: float) -> Behaviour:
    """Answer too late."""

    def wait(handler: Handler) -> None:
        time.sleep(seconds)
        with_suppressed(lambda: answer(handler))

    return wait


def drip(seconds: float) -> Behaviour:
    """Send a body byte by byte, each in time, the whole too late."""

    def send(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/sparql-results+json")
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        stop = time.monotonic() + seconds

        def body() -> None:
            while time.monotonic() < stop:
                handler.wfile.write(b" ")
                handler.wfile.flush()
                time.sleep(0.02)

        with_suppressed(body)
        handler.close_connection = True

    return send


def with_suppressed(action: Callable[[], None]) -> None:
    """Do something that a client may not wait for."""
    try:
        action()
    except OSError:
        return


@contextmanager
def serving(
    works: dict[str, str] | None = None,
    script: Sequence[Behaviour] = (),
    documents: Documents | None = None,
    versions: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[Stub]:
    """Run a stub server inside the block."""
    stub = Stub(works or {}, script, documents, versions)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("StubHandler", (Handler,), {"stub": stub}))
    stub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
