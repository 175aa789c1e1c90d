"""Cuts secrets out of what is kept: a server may repeat the key it was sent, an address may hold a password."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

# Long enough to be no word of an answer: a dummy key such as "none" is no secret.
SHORTEST_KEY = 8
STANDS_FOR_KEY = "[key]"
_PASSWORD = re.compile(r"(://[^:/@\s]*):[^/\s]*@")

Value = TypeVar("Value")


def without_key(value: Value, key: str) -> Value:
    """Return a value in whose texts, however deep, the key is replaced; the same object if it holds none.

    Example:
        >>> without_key({"text": ["it is sk-12345678"]}, "sk-12345678")
        {'text': ['it is [key]']}
    """
    if len(key) < SHORTEST_KEY:
        return value
    cut: Value = _cut(value, key)
    return cut


def _cut(value: Any, key: str) -> Any:
    if isinstance(value, str):
        return value.replace(key, STANDS_FOR_KEY)
    if isinstance(value, dict):
        made: Any = {_cut(k, key): _cut(v, key) for k, v in value.items()}
    elif isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        made = type(value)(_cut(v, key) for v in value)
    elif is_dataclass(value) and not isinstance(value, type):
        changed = {f.name: _cut(getattr(value, f.name), key) for f in fields(value) if f.init}
        made = replace(value, **{n: v for n, v in changed.items() if v != getattr(value, n)})
    else:
        return value
    return made if made != value else value


def without_password(address: str) -> str:
    """Return an address without the password that it may hold.

    Example:
        >>> without_password("postgresql://ada:secret@localhost/runs")
        'postgresql://ada:***@localhost/runs'
    """
    return _PASSWORD.sub(r"\1:***@", address)
