"""Files that are whole or absent at any moment, logs that lose no line, and nothing left of processes that died."""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from regreact.errors import OutputError

try:
    import fcntl
except ImportError:  # pragma: no cover - no such locks on this system: nothing tells which temporary files are in use
    fcntl = None  # type: ignore[assignment]

Content = bytes | Callable[[BinaryIO], object]

# Absent on systems without it.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_LONGEST_NAME = 200
# Temporary files of write_whole. Longest part of the file's own name that goes into that of a temporary one, in bytes.
_TEMPORARY = re.compile(r"\..+\.\d+(?:-[0-9a-f]{8})?\.tmp")
_NAME_BYTES = 160
# Errors that say that there is no room.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_CLOSED = (errno.EACCES, errno.EPERM, errno.EROFS)
# Folders that this process has cleared of what dead processes left.
_tidied: set[str] = set()


def write_whole(path: Path, content: Content, *, durable: bool = False, private: bool = False) -> None:
    """Write a file in one step, its folder too if it is missing; at any moment it is whole or absent.

    Args:
        path: The file.
        content: Its bytes, or what writes them into an open file.
        durable: Wait until it is on the disk, so that not even a power failure loses it.
        private: Nobody but the user may read it, nor a folder that is made for it.

    Raises:
        OutputError: It cannot be written.
    """
    try:
        path.parent.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
        if str(path.parent) not in _tidied:
            _tidied.add(str(path.parent))
            remove_leftovers(path.parent)
        _replace(path, content, durable, 0o600 if private else 0o666)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {reason(error)}") from error


def append_line(path: Path, line: bytes, *, durable: bool = False, private: bool = False) -> None:
    """Append a line to a file of lines; it is there whole or not at all, and so are those before it.

    The line goes out in one write, so that lines of several processes never mix. Where an earlier line was cut off, it
    begins with a line break, so that only that one is lost.

    Args:
        path: The file; it is made where it is missing, its folder too.
        line: The line, without its end.
        durable: Wait until it is on the disk.
        private: Nobody but the user may read the file, nor a folder that is made for it.

    Raises:
        OutputError: It cannot be written.
    """
    try:
        handle = open_append(path, private=private)
        try:
            _lock(handle)
            size = os.fstat(handle).st_size
            _append(handle, size, line, durable)
        finally:
            os.close(handle)
        if durable and size == 0:
            _sync_folder(path.parent)
            _sync_folder(path.parent.parent)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {reason(error)}") from error


def open_append(path: Path, *, private: bool = False) -> int:
    """Open a file for reading and appending, its folder made if it is missing, and return the descriptor.

    Args:
        path: The file; a link is refused, since appending would change what it leads to.
        private: Whether a new file, and its folder where that is new, are for the owner alone.

    Raises:
        OSError: It cannot be opened, or is a link (ELOOP).
    """
    path.parent.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
    return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _NO_LINK, 0o600 if private else 0o666)


def real(path: Path) -> Path:
    """Return a path without links and "..", as `Path.resolve`, which fails on links that lead in a circle."""
    return Path(os.path.realpath(path))


def is_file_name(part: str) -> bool:
    """Return whether a text can be the name of a file or folder within another: no way out, not empty, not too long."""
    outside = part.strip(".") == "" or any(c in part for c in {"/", os.sep, "\0"})
    try:
        return not outside and len(part.encode()) <= _LONGEST_NAME
    except UnicodeEncodeError:
        return False


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files in a folder whose writers are dead; those of living ones stay."""
    if fcntl is None:  # pragma: no cover
        return
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _TEMPORARY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _remove_unlocked(entry.path)


def reason(error: OSError) -> str:
    """Return what the system says of a failed write, and what helps."""
    told = error.strerror or str(error)
    if error.errno in NO_ROOM:
        return f"{told} (make room, then run the same command again)"
    if error.errno in _CLOSED:
        return f"{told} (change its permissions, or name another place)"
    return told


def refused_write(error: OSError) -> OutputError | None:
    """Return what a disk that is full or closed is told as, None if the error is of another kind."""
    if error.errno not in (*NO_ROOM, *_CLOSED):
        return None
    return OutputError(f"{error.filename or 'a file'}: cannot be written: {reason(error)}")


def _replace(path: Path, content: Content, durable: bool, mode: int) -> None:
    name, handle = _temporary(path, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            if isinstance(content, bytes):
                file.write(content)
            else:
                content(file)
            file.flush()
            if durable:
                os.fsync(file.fileno())
            if fcntl is None:  # pragma: no cover - such systems replace no open file
                file.close()
            # The lock is held until the file has its name.
            os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    if durable:
        _sync_folder(path.parent)


def _temporary(path: Path, mode: int) -> tuple[str, int]:
    """Return name and handle of a new file beside another, locked while its writer lives."""
    stem = path.name.encode("utf-8", "replace")[:_NAME_BYTES].decode("utf-8", "ignore")
    while True:
        name = str(path.with_name(f".{stem}.{os.getpid()}-{secrets.token_hex(4)}.tmp"))
        handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | _NO_LINK, mode)
        _lock(handle)
        if os.fstat(handle).st_nlink:
            return name, handle
        # Another process took it for a leftover before it was locked.
        os.close(handle)


def _append(handle: int, size: int, line: bytes, durable: bool) -> None:
    data = (b"\n" if size and os.pread(handle, 1, size - 1) != b"\n" else b"") + line + b"\n"
    try:
        if os.write(handle, data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if durable:
            os.fsync(handle)
    except OSError:
        with suppress(OSError):
            os.ftruncate(handle, size)
        raise


def _lock(handle: int) -> None:
    # Some network folders have no locks; there, only the protection against a second writer is missing.
    if fcntl is not None:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)


def _remove_unlocked(path: str) -> None:
    handle = os.open(path, os.O_RDONLY | _NO_LINK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(path)
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Put the names in a folder on the disk, as far as the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
