"""Shared semantic memory: three typed registries (paper section 3.2), and what became of each CELEX id.

A stage sees only entries written by its declared predecessors, so results do not depend on timing. The registry
of activity facts is common to all sections of an activity.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from signatures.types import ActivityEntry, CelexEntry, CelexStatus, MappingEntry, ThresholdEntry

E = TypeVar("E", ThresholdEntry, MappingEntry, ActivityEntry, CelexEntry)
# Of several citations of one id, the one that is worst off speaks for it.
_WORST: tuple[CelexStatus, ...] = ("flagged", "corrected", "unverified", "verified")


@dataclass(frozen=True, slots=True)
class Written(Generic[E]):
    """A registry entry and the stage that wrote it."""

    stage: str
    entry: E


@dataclass(frozen=True, slots=True)
class Memory:
    """The registries. Immutable: writing returns a new memory.

    Example:
        >>> m = Memory().with_activity([ActivityEntry(key="name", value="Ore washing")], stage="source")
        >>> [e.value for e in m.visible_to({"source"}).activity_entries()]
        ['Ore washing']
    """

    thresholds: tuple[Written[ThresholdEntry], ...] = ()
    mappings: tuple[Written[MappingEntry], ...] = ()
    activity: tuple[Written[ActivityEntry], ...] = ()
    celex: tuple[Written[CelexEntry], ...] = ()

    def with_thresholds(self, entries: Iterable[ThresholdEntry], stage: str) -> Memory:
        """Return a memory in which `stage` has registered these thresholds, replacing its earlier ones."""
        return replace(self, thresholds=_rewritten(self.thresholds, entries, stage))

    def with_mappings(self, entries: Iterable[MappingEntry], stage: str) -> Memory:
        """Return a memory in which `stage` has registered these mappings, replacing its earlier ones."""
        return replace(self, mappings=_rewritten(self.mappings, entries, stage))

    def with_activity(self, entries: Iterable[ActivityEntry], stage: str) -> Memory:
        """Return a memory in which `stage` has registered these facts, replacing its earlier ones."""
        return replace(self, activity=_rewritten(self.activity, entries, stage))

    def with_celex(self, entries: Iterable[CelexEntry], stage: str) -> Memory:
        """Return a memory in which `stage` has registered these CELEX ids, replacing its earlier ones."""
        return replace(self, celex=_rewritten(self.celex, entries, stage))

    def visible_to(self, predecessors: set[str]) -> Memory:
        """Return the entries that these stages wrote."""
        return Memory(
            tuple(w for w in self.thresholds if w.stage in predecessors),
            tuple(w for w in self.mappings if w.stage in predecessors),
            tuple(w for w in self.activity if w.stage in predecessors),
            tuple(w for w in self.celex if w.stage in predecessors),
        )

    def merged(self, other: Memory) -> Memory:
        """Return this memory with the entries of another one that it does not have yet."""
        return Memory(
            self.thresholds + tuple(w for w in other.thresholds if w not in self.thresholds),
            self.mappings + tuple(w for w in other.mappings if w not in self.mappings),
            self.activity + tuple(w for w in other.activity if w not in self.activity),
            self.celex + tuple(w for w in other.celex if w not in self.celex),
        )

    def threshold_entries(self) -> list[ThresholdEntry]:
        """The registered thresholds, in order."""
        return [w.entry for w in self.thresholds]

    def mapping_entries(self) -> list[MappingEntry]:
        """The registered cross-reference mappings, in order."""
        return [w.entry for w in self.mappings]

    def activity_entries(self) -> list[ActivityEntry]:
        """The registered facts about the activity, in order."""
        return [w.entry for w in self.activity]

    def celex_entries(self) -> dict[str, CelexEntry]:
        """The CELEX ids as answered, each with the entry of the citation that is worst off."""
        worst: dict[str, CelexEntry] = {}
        for entry in (w.entry for w in self.celex):
            known = worst.setdefault(entry.answered, entry)
            if _WORST.index(entry.status) < _WORST.index(known.status):
                worst[entry.answered] = entry
        return worst

    def to_json(self) -> dict[str, Any]:
        """Return the registries as they are saved with the extraction: lists, and `celex` by id."""
        registries = {"thresholds": self.thresholds, "mappings": self.mappings, "activity": self.activity}
        lists = {
            name: [{"stage": w.stage, **w.entry.model_dump(mode="json")} for w in written]  # type: ignore[attr-defined]
            for name, written in registries.items()
        }
        celex = {i: e.model_dump(mode="json", exclude={"answered"}) for i, e in self.celex_entries().items()}
        return {**lists, "celex": dict(sorted(celex.items()))}


def _rewritten(written: tuple[Written[E], ...], entries: Iterable[E], stage: str) -> tuple[Written[E], ...]:
    """Return what other stages wrote, and what `stage` writes now."""
    return tuple(w for w in written if w.stage != stage) + tuple(Written(stage, e) for e in entries)
