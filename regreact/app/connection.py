"""Connections that a slow client cannot hold: uvicorn waits for the head of a request without end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

# From the connection, or from the first byte of a further request, to the end of the head.
HEAD_SECONDS = 10.0
# A client that reads nothing of an answer for so long is gone.
WRITE_SECONDS = 60.0


class Timer:
    """Calls something once after a while, unless it is stopped.

    Args:
        loop: Event loop.
        seconds: How long.
        call: What to call.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float, call: Callable[[], None]) -> None:
        self._loop, self._seconds, self._call = loop, seconds, call
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin, unless it runs already."""
        if self._handle is None:
            self._handle = self._loop.call_later(self._seconds, self._call)

    def stop(self) -> None:
        """Forget it."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


class Connection(H11Protocol):
    """HTTP/1.1 with a deadline for the head of each request and for each wait of an answer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head = Timer(self.loop, HEAD_SECONDS, self._abort)
        self._write = Timer(self.loop, WRITE_SECONDS, self._abort)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._head.start()

    def data_received(self, data: bytes) -> None:
        """Take bytes; while a request is under way nothing is waited for here."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._head.stop()
        else:
            self._head.start()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may have begun already."""
        self._head.stop()
        super().on_response_complete()
        if self.cycle.response_complete and self.conn.trailing_data[0]:
            self._head.start()

    def pause_writing(self) -> None:
        """Give the client a while to read."""
        super().pause_writing()
        self._write.start()

    def resume_writing(self) -> None:
        """Go on writing."""
        self._write.stop()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget what was waited for."""
        self._head.stop()
        self._write.stop()
        super().connection_lost(exc)

    def _abort(self) -> None:
        self.transport.abort()
