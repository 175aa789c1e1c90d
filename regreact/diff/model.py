"""Differences as data."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

Change = Literal["added", "removed", "changed"]
# What may differ of a criterion that both sides have.
Aspect = Literal[
    "place", "text", "threshold", "applicability", "logic", "category", "tags", "references", "dependencies",
    "footnotes",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One difference of a field: what A says and what B says, in words; "" for nothing."""

    aspect: Aspect
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class CriterionChange:
    """One criterion that differs.

    Attributes:
        change: `added`, `removed` or `changed`; one that only moved is `changed` in its place.
        old_id: Id in A, None if added.
        new_id: Id in B, None if removed.
        text: Its text, of B unless removed.
        fields: Differences of a changed criterion.
    """

    change: Change
    old_id: str | None
    new_id: str | None
    text: str
    fields: tuple[FieldChange, ...] = ()

    @property
    def moved(self) -> bool:
        """Whether nothing but its place changed."""
        return self.change == "changed" and {f.aspect for f in self.fields} == {"place"}


@dataclass(frozen=True, slots=True)
class UnitChange:
    """One section that differs.

    Attributes:
        change: `added` or `removed` if only one side has it, else `changed`.
        unit: Unit key in B; in A if removed.
        old_unit: Unit key in A, None if added.
        activity: Title, of B unless removed.
        criteria: Its differences; of an added or removed section all criteria but ROOT.
    """

    change: Change
    unit: str
    old_unit: str | None
    activity: str
    criteria: tuple[CriterionChange, ...]


@dataclass(frozen=True, slots=True)
class ActivityChange:
    """An activity (or appendix) that only one side has, or whose number or title differs.

    Attributes:
        change: `added`, `removed` or `changed`.
        activity: Key in B; in A if removed.
        title: Title in B; in A if removed.
        old_activity: Key in A if `changed`.
        old_title: Title in A if `changed`.
    """

    change: Change
    activity: str
    title: str
    old_activity: str | None = None
    old_title: str | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """All differences of B from A.

    Attributes:
        a: Name of the older side.
        b: Name of the newer side.
        activities: Activities added, removed, renumbered or renamed.
        units: Sections that differ, those of added and removed activities included.
        same: Number of sections without any difference.
        failed: Sections that could not be extracted, with the reason.
    """

    a: str
    b: str
    activities: tuple[ActivityChange, ...]
    units: tuple[UnitChange, ...]
    same: int
    failed: tuple[str, ...] = field(default=())

    def summary(self) -> dict[str, dict[str, int]]:
        """Return counts of activities, sections, criteria and of fields that differ.

        Criteria of added and removed sections count as added and removed.
        """
        criteria = [c for u in self.units for c in u.criteria]
        moved = sum(c.moved for c in criteria)
        kinds: Counter[str] = Counter(c.change for c in criteria)
        kinds["moved"], kinds["changed"] = moved, kinds["changed"] - moved
        aspects = Counter(f.aspect for c in criteria for f in c.fields)
        return {
            "activities": _counts(Counter(a.change for a in self.activities), "added", "removed", "changed"),
            "sections": {
                **_counts(Counter(u.change for u in self.units), "added", "removed", "changed"),
                "same": self.same,
            },
            "criteria": _counts(kinds, "added", "removed", "changed", "moved"),
            "fields": dict(sorted(aspects.items())),
        }

    @property
    def is_empty(self) -> bool:
        """Whether the sides say the same."""
        return not self.activities and not self.units


def _counts(counter: Counter[Any], *names: str) -> dict[str, int]:
    return {name: counter[name] for name in names}
