"""The acts that the delegated acts cite, packaged: identifier, number and subject in a few words.

`experiments/build_register.py` writes `register.json`. It knows what exists, not what does not.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter

from regreact.legal.celex import parse
from regreact.legal.titles import content_words
from regreact.legal.works import Finding, Work

PATH = Path(__file__).with_name("register.json")


class Register:
    """Works by CELEX id.

    Example:
        >>> Register.packaged().lookup("32010L0075").work.title
        'Directive 2010/75/EU on industrial emissions'
        >>> Register.packaged().lookup("32010L7500").state
        'unknown'
    """

    def __init__(self, works: Sequence[Work]) -> None:
        self.works = {work.celex: work for work in works}
        self._words = {work.celex: set(content_words(work.title)) for work in works}

    @classmethod
    @functools.cache
    def packaged(cls) -> Register:
        """Return the register that ships with the package."""
        entries = TypeAdapter(dict[str, str]).validate_json(PATH.read_bytes())
        return cls([Work(i, title, act.type if (act := parse(i)) else None) for i, title in entries.items()])

    def lookup(self, celex_id: str) -> Finding:
        """Return the work with an id; an id that is not in the register may well exist."""
        work = self.works.get(celex_id)
        if work is None:
            return Finding("unknown", reason="not in the packaged register, and no service was asked")
        return Finding("found", work, "register")

    def search(self, words: Sequence[str]) -> list[Work]:
        """Return the acts whose title holds all of the words."""
        wanted = set(content_words(" ".join(words)))
        return [self.works[i] for i, there in self._words.items() if wanted and wanted <= there]
