"""The cache of model replies on disk: in a folder of its own that belongs to the user alone, read without running code.

DSPy keeps replies with pickle, which runs whatever a prepared file says. Replies are lists and dictionaries of text, so
that its restricted reader, which knows no other types, is enough; what it cannot read counts as absent.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import stat
from pathlib import Path

import dspy
from dspy.utils.caching import default_cache_dir

from regreact.errors import ConfigError

# Within DSPy's own folder, which other programs share.
FOLDER = "regreact"
SIZE_LIMIT = 3e10

_log = logging.getLogger(__name__)


def use_private_cache() -> None:
    """Let DSPy keep replies in `$DSPY_CACHEDIR/regreact`, else `~/.dspy_cache/regreact`, unless it has a cache already.

    Where the folder cannot be written, replies are kept in memory alone.

    Raises:
        ConfigError: The folder belongs to another user or others may write to it.
    """
    # Reading `dspy.cache` would build DSPy's default one.
    if "cache" in vars(dspy):
        return
    folder = Path(default_cache_dir()) / FOLDER
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        check_private(folder)
        limit = int(os.environ.get("DSPY_CACHE_LIMIT", SIZE_LIMIT))
        dspy.configure_cache(disk_cache_dir=str(folder), disk_size_limit_bytes=limit, restrict_pickle=True)
    except (OSError, sqlite3.Error) as error:
        _log.warning("%s: cannot be used (%s); replies are kept in memory alone", folder, error)
        dspy.configure_cache(enable_disk_cache=False, disk_cache_dir=None)


def check_private(folder: Path) -> None:
    """Refuse a folder into which others could put replies.

    Raises:
        ConfigError: It belongs to another user, or others may write to it.
    """
    if not hasattr(os, "geteuid"):  # pragma: no cover - no such rights on this system
        return
    found = folder.stat()
    if found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise ConfigError(
            f"{folder}: others may put replies there: make it your own (chmod 700), name another folder with "
            "DSPY_CACHEDIR, or set lm.cache=false"
        )
