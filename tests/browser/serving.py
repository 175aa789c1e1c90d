"""A command that serves, in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit


@contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """Start `regreact …` on a free port and give its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "regreact", *arguments, "--port", "0"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": "."},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address
        _wait(address[0])
        yield address[0]
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
        process.stdout.close()


def _wait(address: str, seconds: float = 30) -> None:
    """Wait until the server takes connections: the address is told just before it listens."""
    end = time.monotonic() + seconds
    parts = urlsplit(address)
    while True:
        try:
            socket.create_connection((parts.hostname, parts.port), 1).close()
            return
        except OSError:
            assert time.monotonic() < end, f"{address} does not answer"
            time.sleep(0.05)
