"""Runs an application on a socket until it is interrupted."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable

from fastapi import FastAPI

from regreact.errors import ConfigError

# Connections at the same time; further ones get 503.
CONNECTIONS = 64


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address.

    Args:
        host: Address or name of this machine.
        port: 0 for any free one.

    Raises:
        ConfigError: The port is taken, or the address is none of this machine.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        # Who reads the address may come before the application is up; until then the system lets it wait.
        bound.listen()
    except (OSError, OverflowError) as error:
        raise ConfigError(f"cannot listen on {host} port {port}: {error}; give another --port or --host") from error
    return bound


def serve(what: str, host: str, port: int, build: Callable[[int], FastAPI]) -> None:
    """Serve an application and say on stdout where it is.

    Args:
        what: Name of the command, for the message.
        host: Address to bind to.
        port: Port, 0 for any free one.
        build: Makes the application when the port is known.
    """
    import uvicorn  # noqa: PLC0415  heavy

    from regreact.app.connection import Connection  # noqa: PLC0415

    bound = listen(host, port)
    number = bound.getsockname()[1]
    app = build(number)
    place = f"[{host}]" if ":" in host else host
    print(f"{what}: http://{place}:{number}/   (Ctrl-C stops)", flush=True)
    settings = uvicorn.Config(
        app, log_level="warning", server_header=False, timeout_keep_alive=5, limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=5, http=Connection, ws="none",
    )  # fmt: skip
    server = uvicorn.Server(settings)
    try:
        server.run(sockets=[bound])
    except KeyboardInterrupt:
        print(f"{what}: stopped", file=sys.stderr)
