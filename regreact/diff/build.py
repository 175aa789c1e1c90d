"""Builds the difference of two sides: activities joined, sections paired, criteria compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from regreact.diff.compare import all_criteria, compare
from regreact.diff.model import ActivityChange, Difference, UnitChange
from regreact.diff.sides import Side, joined_activities, same_source
from regreact.errors import LMStopError, RegReActError
from regreact.legal.activities import normal_title

if TYPE_CHECKING:
    from regreact.runner import Extractor

# Old and new key of a section, None where a side lacks it.
_Pair = tuple[str | None, str | None]


def difference(a: Side, b: Side, extractor: Extractor, progress: Callable[[str], None] | None = None) -> Difference:
    """Return what differs between two sides.

    Args:
        a: The older one.
        b: The newer one.
        extractor: Extracts sections of source documents, only those that differ or that one side lacks.
        progress: Told the key of each section that was compared.

    Raises:
        LMStopError: The model cannot be used any more.
    """
    joined = joined_activities(a, b)
    units: list[UnitChange] = []
    failed = [*a.failed, *b.failed]
    same = 0
    for old, new in _paired(a, b, joined):
        try:
            change = _unit_change(a, b, old, new, extractor)
        except LMStopError:
            raise
        except RegReActError as error:
            failed.append(f"{new or old}: {error}")
            change = None
        else:
            same += change is None
        if change is not None:
            units.append(change)
        if progress:
            progress(new or old or "")
    return Difference(a.name, b.name, tuple(_activities(a, b, joined)), tuple(units), same, tuple(failed))


def count_pairs(a: Side, b: Side) -> int:
    """Return how many sections `difference` compares."""
    return len(list(_paired(a, b, joined_activities(a, b))))


def _paired(a: Side, b: Side, joined: dict[str, str]) -> Iterator[_Pair]:
    """Yield sections of both sides in the order of B, then those that only A has."""
    if len(a.keys) == len(b.keys) == 1:
        yield a.keys[0], b.keys[0]
        return
    in_b = {key: _translated(key, joined) for key in a.keys}
    in_a = {new: old for old, new in in_b.items() if new is not None}
    for key in b.keys:
        if key in in_a or key not in a.unreadable:
            yield in_a.get(key), key
    known = {*b.keys, *b.unreadable}
    yield from ((key, None) for key in a.keys if in_b[key] not in known and key not in b.unreadable)


def _translated(key: str, joined: dict[str, str]) -> str | None:
    activity, slash, section = key.partition("/")
    return f"{joined[activity]}{slash}{section}" if activity in joined else None


def _unit_change(a: Side, b: Side, old: str | None, new: str | None, extractor: Extractor) -> UnitChange | None:
    if old is None:
        assert new is not None
        return UnitChange("added", new, None, b.activity(new), all_criteria(b.extraction(new, extractor), "added"))
    if new is None:
        return UnitChange("removed", old, old, a.activity(old), all_criteria(a.extraction(old, extractor), "removed"))
    if old in a.units and new in b.units and same_source(a.units[old], b.units[new]):
        return None
    criteria = compare(a.extraction(old, extractor), b.extraction(new, extractor))
    return UnitChange("changed", new, old, b.activity(new), criteria) if criteria else None


def _activities(a: Side, b: Side, joined: dict[str, str]) -> Iterator[ActivityChange]:
    back = {new: old for old, new in joined.items()}
    for key, title in b.titles.items():
        old = back.get(key)
        if old is None:
            if key not in _activities_of(a.unreadable):
                yield ActivityChange("added", key, title)
        elif not title and not a.titles[old]:
            # Two fragments: their keys are the names of files.
            continue
        elif old != key or normal_title(a.titles[old]) != normal_title(title):
            yield ActivityChange("changed", key, title, old, a.titles[old])
    gone = {key: title for key, title in a.titles.items() if key not in joined}
    unknown = _activities_of(b.unreadable)
    yield from (ActivityChange("removed", key, title) for key, title in gone.items() if key not in unknown)


def _activities_of(units: frozenset[str]) -> set[str]:
    return {unit.partition("/")[0] for unit in units}
