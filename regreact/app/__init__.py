"""Web applications on this machine: the review of extractions and the HTTP API. They need the extra `app`."""

from __future__ import annotations

from importlib.util import find_spec

from regreact.errors import ConfigError

NEEDED = ("fastapi", "jinja2", "uvicorn")


def need_extra() -> None:
    """Check that the packages of the extra are installed.

    Raises:
        ConfigError: One is not; the message says how to get it.
    """
    absent = [name for name in NEEDED if find_spec(name) is None]
    if absent:
        raise ConfigError(f"{', '.join(absent)} not installed: pip install 'regreact[app]'")
