"""What options of several commands have in common."""

from __future__ import annotations

from pathlib import Path

import typer


def named_path(text: str | Path) -> Path:
    """Return the path that an option names; its default comes as a path.

    Raises:
        typer.BadParameter: It names none: as a path, an empty text would mean the current folder.
    """
    if not str(text).strip():
        raise typer.BadParameter("an empty name; give a path (. for the current folder) or leave the option out")
    return Path(text)
