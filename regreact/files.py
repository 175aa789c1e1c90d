"""Files that are whole or absent at any moment, and files that only their owner may read."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from regreact.errors import OutputError

# Absent on systems without it.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_LONGEST_NAME = 200


def write_whole(path: Path, content: bytes) -> None:
    """Write a file in one step, its folder too if it is missing; at any moment it is whole or absent.

    A link at its place is replaced, not followed. Permissions are those that the process gives new files (umask).

    Raises:
        OutputError: It cannot be written.
    """
    # Nobody can put a link there beforehand: the name cannot be foreseen, and O_EXCL takes none.
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK, 0o666), "wb") as file:
            file.write(content)
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error


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
    return not outside and len(part.encode("utf-8", "replace")) <= _LONGEST_NAME
