"""Files that are whole or absent at any moment."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from regreact.errors import OutputError


def write_whole(path: Path, content: bytes) -> None:
    """Write a file in one step, its folder too if it is missing; at any moment it is whole or absent.

    Raises:
        OutputError: It cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error
