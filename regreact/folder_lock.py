"""One writer at a time in a folder.

A writer holds a lock on `FOLDER/.lock` while it works. The system frees the lock when the process ends, however it
ends; the file itself may stay behind then and does no harm. Who only reads needs no lock.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from regreact.errors import OutputError
from regreact.files import reason

try:
    import fcntl
except ImportError:  # pragma: no cover - no such locks on this system: its users see to it that one process writes
    fcntl = None  # type: ignore[assignment]

NAME = ".lock"
_SCRATCH = "regreact-scratch-"
_STEP_S = 0.05
_HELD = (errno.EAGAIN, errno.EACCES)
# Handles of the locks that this process holds: a forked child must not keep them alive.
_held: set[int] = set()


def _forget() -> None:
    for handle in _held:
        with suppress(OSError):
            os.close(handle)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


@contextmanager
def folder_lock(folder: Path, doing: str, *, name: str = NAME, wait_s: float = 0.0) -> Iterator[None]:
    """Hold a folder against other writers while a block lasts; the folder is made if it is missing.

    Args:
        folder: The folder.
        doing: What is done, in words that the other process shows to its user.
        name: Name of the lock file.
        wait_s: Seconds to wait for the other writer; 0 to give up at once.

    Raises:
        OutputError: Another process (or another part of this one) holds the folder; the message says which. Or the
            folder cannot be written.
    """
    if fcntl is None:  # pragma: no cover
        yield
        return
    path = folder / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = _acquire(path, time.monotonic() + wait_s)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written: {reason(error)}") from error
    if handle is None:
        raise OutputError(f"{folder}: {_holder(path)}; wait until it has ended, stop it, or name another folder")
    _held.add(handle)
    try:
        with suppress(OSError):
            os.pwrite(handle, _card(doing), 0)
        yield
    finally:
        _held.discard(handle)
        # Unlinked while it is held: who waits for it notices (see _acquire).
        with suppress(OSError):
            path.unlink()
        os.close(handle)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Give an empty folder for a block and remove it then, and those of processes that died in such a block.

    Meanwhile, what libraries put where temporary files belong goes beside it, and goes with it.
    """
    place = Path(tempfile.gettempdir())
    _remove_abandoned(place)
    name = f"{_SCRATCH}{secrets.token_hex(6)}"
    # The lock is there before the folder, and after it: a folder without one is nobody's.
    with folder_lock(place, "an experiment", name=f"{name}{NAME}"):
        before, tempfile.tempdir = tempfile.tempdir, str(place / name / "tmp")
        try:
            for part in ("tmp", "out"):
                (place / name / part).mkdir(mode=0o700, parents=True)
            yield place / name / "out"
        finally:
            tempfile.tempdir = before
            shutil.rmtree(place / name, ignore_errors=True)


def _remove_abandoned(place: Path) -> None:
    if fcntl is None:  # pragma: no cover - nothing tells which are in use
        return
    for name in {path.name.removesuffix(NAME) for path in place.glob(f"{_SCRATCH}*")}:
        with suppress(OSError, OutputError):
            folder = place / name
            if not folder.exists() or (not folder.is_symlink() and folder.stat().st_uid == os.geteuid()):
                with folder_lock(place, "a removal", name=f"{name}{NAME}"):
                    shutil.rmtree(folder, ignore_errors=True)


def _acquire(path: Path, until: float) -> int | None:
    """Return the handle of the locked file, None if another process holds it until the deadline."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(handle).st_nlink:
                os.ftruncate(handle, 0)
                return handle
        except OSError as error:
            if error.errno not in _HELD:
                # A network folder without locks: better unprotected than unusable.
                return handle
            if time.monotonic() >= until:
                os.close(handle)
                return None
            time.sleep(_STEP_S)
        # Of two that waited, the first has removed the file.
        os.close(handle)


def _card(doing: str) -> bytes:
    since = datetime.now(UTC).isoformat(timespec="seconds")
    return json.dumps({"doing": doing, "pid": os.getpid(), "host": socket.gethostname(), "since": since}).encode()


def _holder(path: Path) -> str:
    """Return who holds a lock, as far as its file tells."""
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        return f"{card['doing']} writes here (process {card['pid']} on {card['host']}, since {card['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process writes here"
