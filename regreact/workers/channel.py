"""JSON messages over pipes, one a line, and the gate of a run as seen from another process."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import IO, Any

from regreact.errors import LMStopError
from regreact.workers.results import revived

Message = dict[str, Any]


class Channel:
    """Two pipes to another process. Any thread may send; one reads.

    Args:
        reading: Where its messages come from.
        writing: Where messages for it go.
    """

    def __init__(self, reading: IO[bytes], writing: IO[bytes]) -> None:
        self._reading = reading
        self._writing = writing
        self._lock = threading.Lock()

    def send(self, message: Message) -> None:
        """Send a message.

        Raises:
            OSError: The other side is gone.
        """
        line = json.dumps(message).encode() + b"\n"
        with self._lock:
            self._writing.write(line)
            self._writing.flush()

    def __iter__(self) -> Iterator[Message]:
        """Yield messages until the other side is gone; a message that it could not finish is none."""
        try:
            for line in self._reading:
                if line.endswith(b"\n"):
                    yield json.loads(line)
        except (OSError, ValueError):
            return

    def close(self) -> None:
        """Close both pipes."""
        for pipe in (self._writing, self._reading):
            try:
                pipe.close()
            except OSError:
                pass


class RemoteDoor:
    """The gate of the run in the parent process.

    One request at a time asks for entry, the others line up here: so the parent needs one thread a worker for those
    who wait, however many requests a worker has under way. Whoever asks reads the answer itself, from a pipe of its
    own: handing it on from thread to thread would cost a busy worker some milliseconds a request.

    Args:
        channel: To the parent.
        answers: Where the parent's answers come from.
    """

    def __init__(self, channel: Channel, answers: IO[bytes]) -> None:
        self._channel = channel
        self._answers = answers
        self._asking = threading.Lock()

    def enter(self, tokens: int = 0) -> None:
        """Wait for the parent's leave to send a request.

        Raises:
            LMStopError: It must not be sent.
        """
        with self._asking:
            self._channel.send({"enter": tokens})
            line = self._answers.readline()
        answer = json.loads(line or b'{"error": "LMStopError", "message": "the run has ended"}')
        if "error" in answer:
            raise _stop(answer)

    def leave(self, tokens: int = 0, prompt_tokens: int = 0, completion_tokens: int = 0) -> None:
        """Tell that a request is over."""
        self._channel.send({"leave": [tokens, prompt_tokens, completion_tokens]})

    def hold(self, seconds: float) -> None:
        """Ask that nobody enters for a while."""
        self._channel.send({"hold": seconds})

    def stop(self, error: LMStopError) -> None:
        """Tell that no request can succeed any more."""
        self._channel.send({"stop": told(error)})


def told(error: Exception) -> Message:
    """Return an error as a message."""
    return {"error": type(error).__name__, "message": str(error)}


def _stop(message: Message) -> LMStopError:
    error = revived(message)
    return error if isinstance(error, LMStopError) else LMStopError(str(error))
