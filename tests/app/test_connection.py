"""A real server against clients that hold connections, and what its processes may take and know."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi.testclient import TestClient

from regreact.app import connection, serving
from regreact.app.access import access
from regreact.app.api.catalogue import Catalogue
from regreact.app.api.jobs import Jobs, Limits
from regreact.app.api.web import create_app

FRAGMENT = "<p>1. Water losses are lower than 5 %.</p>"
ROOT = Path(__file__).resolve().parent.parent.parent


class Running:
    """A server on a free port of this machine."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.port = 0
        self.server: Any = None
        ready = threading.Event()
        plain = uvicorn.Server.run

        def run(server: Any, sockets: list[socket.socket]) -> None:
            self.server, self.port = server, sockets[0].getsockname()[1]
            ready.set()
            plain(server, sockets)

        monkeypatch.setattr(uvicorn.Server, "run", run)

        def build(port: int) -> Any:
            return create_app(Catalogue(), Jobs(limits=Limits(bytes=2_000_000)), access("127.0.0.1", port, None))

        self.thread = threading.Thread(target=serving.serve, args=("test", "127.0.0.1", 0, build), daemon=True)
        self.thread.start()
        assert ready.wait(20)

    def open(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def health(self) -> bytes:
        with self.open() as client:
            client.sendall(f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n\r\n".encode())
            return everything(client)


def everything(client: socket.socket) -> bytes:
    """What the server sends until it closes; a reset counts as an end."""
    parts = []
    try:
        while part := client.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.4)
    monkeypatch.setattr(connection, "WRITE_SECONDS", 0.4)
    running = Running(monkeypatch)
    yield running
    running.server.should_exit = True
    running.thread.join(10)


def test_clients_that_send_no_head_do_not_keep_others_out(server: Running) -> None:
    """As many as the server lets in at once: silent, or a byte now and then."""
    held = [server.open() for _ in range(serving.CONNECTIONS)]
    began = time.monotonic()
    for client in held[::2]:
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
    while (told := server.health()) and b"200 OK" not in told:
        for client in held[::2]:
            try:
                client.sendall(b"a")
            except OSError:
                pass
        time.sleep(0.05)
        assert time.monotonic() - began < 8
    assert time.monotonic() - began >= 0.3
    for client in held:
        assert everything(client) == b""
        client.close()


def test_a_second_request_of_a_connection_has_its_deadline_too(server: Running) -> None:
    with server.open() as client:
        head = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n".encode()
        client.sendall(head + b"\r\n" + head)
        began = time.monotonic()
        assert everything(client).count(b"200 OK") == 1
        assert time.monotonic() - began < 4, "sooner than an idle connection is closed"


def test_several_requests_of_a_connection_are_answered(server: Running) -> None:
    with server.open() as client:
        head = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        client.sendall(f"{head}\r\n{head}\r\n".encode())
        time.sleep(0.7)
        client.sendall(f"{head}Connection: close\r\n\r\n".encode())
        assert everything(client).count(b"200 OK") == 3


def test_a_client_that_reads_nothing_is_given_up() -> None:
    """Checked on the timer: how much a system buffers is its own affair."""
    class Loop:
        def call_later(self, seconds: float, call: Any) -> Any:
            told.append(seconds)
            return type("Handle", (), {"cancel": lambda self: told.append(0.0)})()

    told: list[float] = []
    timer = connection.Timer(Loop(), 60.0, lambda: None)  # type: ignore[arg-type]
    timer.start()
    timer.start()
    timer.stop()
    timer.stop()
    timer.start()
    assert told == [60.0, 0.0, 60.0]


def test_no_upgrade_of_the_connection(server: Running) -> None:
    with server.open() as client:
        client.sendall(
            f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        assert b"101" not in everything(client).split(b"\r\n")[0]


# --- the processes that extract -----------------------------------------------------------------------------------


def test_a_process_that_needs_too_much_memory_costs_its_job_only(tmp_path: Path) -> None:
    """The limit leaves room for the program and a little more."""
    limits = Limits(bytes=60_000_000, seconds=60, workers=1, memory=450_000_000)
    http = TestClient(
        create_app(Catalogue(), Jobs(limits=limits), access("127.0.0.1", 8322, None)), base_url="http://127.0.0.1:8322"
    )
    with http:
        big = "<p>1. Water losses are lower than 5 %.</p>" * 1_000_000
        reply = http.post("/extract", content=big)
        assert reply.status_code in (413, 422), reply.text[:300]
        # The parser's library may tell only that it cannot go on.
        assert re.search("memory|not readable as HTML: unknown error", reply.json()["detail"]), reply.text[:300]
        assert http.post("/extract", content=FRAGMENT).status_code == 200


def test_the_process_that_reads_documents_does_not_know_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGREACT_TOKEN", "0123456789abcdef-token")
    monkeypatch.setenv("ELSE", "kept")
    started: list[dict[str, str]] = []

    def popen(*_: Any, env: dict[str, str], **__: Any) -> Any:
        started.append(env)
        raise OSError("not started")

    monkeypatch.setattr(subprocess, "Popen", popen)
    with TestClient(
        create_app(Catalogue(), Jobs(), access("127.0.0.1", 8322, None)), base_url="http://127.0.0.1:8322"
    ) as http:
        assert http.post("/extract", content=FRAGMENT).status_code == 500
    assert started[0]["ELSE"] == "kept" and "REGREACT_TOKEN" not in started[0]


def test_the_limit_holds_in_the_process() -> None:
    code = (
        "import json, resource; from regreact.app.api.worker import limit_memory; limit_memory(3_000_000_000); "
        "print(json.dumps([resource.getrlimit(resource.RLIMIT_AS)[0], resource.getrlimit(resource.RLIMIT_CORE)[0]]))"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [3_000_000_000, 0]
