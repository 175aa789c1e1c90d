"""What is known of a work of the Union's law, and who can be asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from regreact.legal.celex import ActType

AuthorityName = Literal["register", "cellar"]


@dataclass(frozen=True, slots=True)
class Work:
    """A work that exists.

    Attributes:
        celex: CELEX id.
        title: Title, "" if none is known in the language asked for.
        type: Type of an act, None for other works or where it is not known.
        corrigendum: True for a correction, a work of its own.
        date: Day of the document (YYYY-MM-DD), None if it is not known.
    """

    celex: str
    title: str = ""
    type: ActType | None = None
    corrigendum: bool = False
    date: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What an authority says about one CELEX id.

    Attributes:
        state: `found`; `absent`: no work has this id; `unknown`: the authority cannot tell.
        work: The work found.
        authority: Who said so, None where nobody could.
        reason: Why it is unknown.
    """

    state: Literal["found", "absent", "unknown"]
    work: Work | None = None
    authority: AuthorityName | None = None
    reason: str = ""


class Authority(Protocol):
    """Who knows which works exist."""

    def lookup(self, celex_id: str) -> Finding:
        """Return what is known of an id; failures of a service are findings of state `unknown`."""

    def search(self, words: Sequence[str]) -> Sequence[Work]:
        """Return acts whose title holds all of the words; none if nobody can be asked."""
