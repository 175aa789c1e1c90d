"""Activity numbers of one document in terms of another's, joined by title.

The EU Taxonomy Compass numbers a few activities otherwise than the Official Journal (it gives an activity one
number for both climate objectives); the titles agree. Official numbers are those of the delegated acts under
Regulation (EU) 2020/852.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from regreact.sources.model import Document

_WORD = re.compile(r"[^\W_]+")
# Share of common words from which two titles of one annex count as the same activity, if no title is equal:
# consolidated versions reword titles ("commercial vehicles", "light commercial vehicles").
_SAME_ACTIVITY = 0.8


@dataclass(frozen=True, slots=True)
class ActivityMatch:
    """Activities of a document in terms of the acts.

    Attributes:
        numbers: Official activity key by the document's own, e.g. `CCA-9.4` to `CCA-9.1`.
        unmatched: The document's activities that no act has, in document order.
    """

    numbers: dict[str, str]
    unmatched: tuple[str, ...] = ()


def official_numbers(compass: Document, acts: Sequence[Document]) -> dict[str, str]:
    """Return the official activity key of each activity of the Compass (`match_activities` tells which lack one).

    Example:
        `official_numbers(compass, [climate_act])["CCA-9.4"]` is `"CCA-9.1"`.
    """
    return match_activities(compass, acts).numbers


def match_activities(compass: Document, acts: Sequence[Document]) -> ActivityMatch:
    """Match activities by annex and title.

    Args:
        compass: The document whose numbers are to be translated.
        acts: Documents with official numbers; where several have an activity, the first counts.

    Returns:
        The matches and what is left over. Each official activity is matched at most once: equal titles (case,
        punctuation and hyphens aside) first, then those that share at least 80 % of their words.
    """
    own = activity_titles([compass])
    official = activity_titles(acts)
    free = {(_annex(key), normal_title(title)): key for key, title in reversed(list(official.items()))}
    numbers: dict[str, str] = {}
    for key, title in own.items():
        found = free.pop((_annex(key), normal_title(title)), None)
        if found is not None:
            numbers[key] = found
    for key, title in own.items():
        if key not in numbers:
            wanted = (_annex(key), normal_title(title))
            best = max(free, key=lambda other: _similarity(wanted, other), default=None)
            if best is not None and _similarity(wanted, best) >= _SAME_ACTIVITY:
                numbers[key] = free.pop(best)
    return ActivityMatch(numbers, tuple(key for key in own if key not in numbers))


def activity_titles(documents: Iterable[Document]) -> dict[str, str]:
    """Return the title of each activity by its key (`CCM-4.29`); the first document that has it counts."""
    titles: dict[str, str] = {}
    for document in documents:
        for unit in document.units:
            if unit.section == "SC":
                titles.setdefault(unit.key.partition("/")[0], unit.activity)
    return titles


def normal_title(title: str) -> str:
    """Return a title for comparison: words in lower case, hyphens and punctuation as spaces.

    Example:
        >>> normal_title("Low-carbon  airport infrastructure")
        'low carbon airport infrastructure'
    """
    return " ".join(_WORD.findall(title.casefold()))


def _annex(key: str) -> str:
    return key.partition("-")[0]


def _similarity(a: tuple[str, str], b: tuple[str, str]) -> float:
    """Return the share of common words (Jaccard), 0 between annexes."""
    if a[0] != b[0]:
        return 0.0
    words_a, words_b = set(a[1].split()), set(b[1].split())
    return len(words_a & words_b) / max(1, len(words_a | words_b))
