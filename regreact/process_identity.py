"""Which process did something, so that a later one can tell whether it still lives."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path


def identity() -> str:
    """Return a name of this process that no other has: host, number and, where the system tells it, time of start."""
    return f"{socket.gethostname()} {os.getpid()} {_start(os.getpid())}"


def is_dead(name: str) -> bool:
    """Return whether the process of that name has ended; False where that cannot be known from this machine."""
    host, _, rest = name.rpartition(" ")[0].rpartition(" ")
    start = name.rpartition(" ")[2]
    if host != socket.gethostname() or not rest.isdecimal():
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    # Its number may be that of another process by now.
    return start != _start(int(rest)) if start != "-" else False


def _start(pid: int) -> str:
    """Return the time at which a process started, in the ticks of the system; "-" where that is not told."""
    with suppress(OSError, IndexError):
        # The name of the command, in parentheses, may hold anything.
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    return "-"
