"""The criterion that carries a footnote: what it cites, and the words around the marker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from regreact.fastpath.footnotes.fetching import designation
from regreact.fastpath.references import sources_of
from regreact.legal.citations import Citation
from regreact.schema import FetchType, Span
from signatures.types import CriterionView


@dataclass(frozen=True, slots=True)
class Carrier:
    """The criterion whose text carries the footnote's marker.

    Attributes:
        before: Its text up to the marker, "" if unknown.
        after: Its text from the marker on.
        source: The source that it names at the marker, None if none.
        background: Designations of the sources that it cites as background.
        named: Phrases and designations of all its sources.
        spans: Where the marker stands.
    """

    before: str = ""
    after: str = ""
    source: Citation | None = None
    background: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    spans: tuple[Span, ...] = ()


def find_carrier(criterion: CriterionView | None, footnote_id: str) -> Carrier:
    """Return what a criterion says around the marker of a footnote; empty if it is unknown or has no marker."""
    if criterion is None or criterion.block is None:
        return Carrier()
    marker = f"({footnote_id.removeprefix('fn-')})"
    sources = _sources(criterion.text)
    at = _marker_place(criterion, marker, [c for c, _ in sources])
    if at < 0:
        return Carrier()
    source = next((c for c, _ in sources if c.start < at <= c.end + 1), None)
    return Carrier(
        before=criterion.text[:at],
        after=criterion.text[at:],
        source=source or _quoted_behind(criterion.text, at, [c for c, _ in sources]),
        background=frozenset(x for c, fetch in sources if fetch == "citation_only" for x in names_of(c)),
        named=frozenset(x for c, _ in sources for x in names_of(c)),
        spans=((criterion.block, at, at + len(marker)),),
    )


@lru_cache(maxsize=16)
def _sources(text: str) -> tuple[tuple[Citation, FetchType], ...]:
    """Return the sources of a criterion; the footnotes of one criterion follow each other."""
    return tuple(sources_of(text))


def _marker_place(criterion: CriterionView, marker: str, sources: Sequence[Citation]) -> int:
    """Return where a marker stands; a number in brackets within a pinpoint ("Article 4(1)") is none."""
    places = [m.start() for m in re.finditer(re.escape(marker), criterion.text)]
    outside = [p for p in places if not any(c.start < p < c.end and marker in c.phrase for c in sources)]
    return (outside or places or [-1])[0]


def _quoted_behind(text: str, at: int, sources: Sequence[Citation]) -> Citation | None:
    """Return the source whose title in quotes ends at the marker: `CLC TR 12345 "Lakes"(12)`."""
    for citation in sources:
        if re.fullmatch(r"[’”\"]|\s[\"“‘][^\"”’]+[\"”’]", text[citation.end : at]):
            return citation
    return None


def names_of(citation: Citation) -> Iterator[str]:
    """Yield what identifies a source, and its phrase."""
    yield designation(citation.celex or citation.title)
    yield citation.phrase
