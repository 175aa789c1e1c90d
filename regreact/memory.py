"""Shared semantic memory: three typed registries (paper section 3.2).

A stage sees only entries written by its declared predecessors, so results do not depend on timing. The registry
of activity facts is common to all sections of an activity.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from signatures.types import ActivityEntry, MappingEntry, ThresholdEntry

E = TypeVar("E", ThresholdEntry, MappingEntry, ActivityEntry)


@dataclass(frozen=True, slots=True)
class Written(Generic[E]):
    """A registry entry and the stage that wrote it."""

    stage: str
    entry: E


@dataclass(frozen=True, slots=True)
class Memory:
    """The three registries. Immutable: writing returns a new memory.

    Example:
        >>> m = Memory().with_activity([ActivityEntry(key="name", value="Ore washing")], stage="source")
        >>> [e.value for e in m.visible_to({"source"}).activity_entries()]
        ['Ore washing']
    """

    thresholds: tuple[Written[ThresholdEntry], ...] = ()
    mappings: tuple[Written[MappingEntry], ...] = ()
    activity: tuple[Written[ActivityEntry], ...] = ()

    def with_thresholds(self, entries: Iterable[ThresholdEntry], stage: str) -> Memory:
        """Return a memory in which `stage` has registered these thresholds, replacing its earlier ones."""
        kept = tuple(w for w in self.thresholds if w.stage != stage)
        return Memory(kept + tuple(Written(stage, e) for e in entries), self.mappings, self.activity)

    def with_mappings(self, entries: Iterable[MappingEntry], stage: str) -> Memory:
        """Return a memory in which `stage` has registered these mappings, replacing its earlier ones."""
        kept = tuple(w for w in self.mappings if w.stage != stage)
        return Memory(self.thresholds, kept + tuple(Written(stage, e) for e in entries), self.activity)

    def with_activity(self, entries: Iterable[ActivityEntry], stage: str) -> Memory:
        """Return a memory in which `stage` has registered these facts, replacing its earlier ones."""
        kept = tuple(w for w in self.activity if w.stage != stage)
        return Memory(self.thresholds, self.mappings, kept + tuple(Written(stage, e) for e in entries))

    def visible_to(self, predecessors: set[str]) -> Memory:
        """Return the entries that these stages wrote."""
        return Memory(
            tuple(w for w in self.thresholds if w.stage in predecessors),
            tuple(w for w in self.mappings if w.stage in predecessors),
            tuple(w for w in self.activity if w.stage in predecessors),
        )

    def merged(self, other: Memory) -> Memory:
        """Return this memory with the entries of another one that it does not have yet."""
        return Memory(
            self.thresholds + tuple(w for w in other.thresholds if w not in self.thresholds),
            self.mappings + tuple(w for w in other.mappings if w not in self.mappings),
            self.activity + tuple(w for w in other.activity if w not in self.activity),
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

    def to_json(self) -> dict[str, Any]:
        """Return the registries as they are saved with the extraction."""
        registries = {"thresholds": self.thresholds, "mappings": self.mappings, "activity": self.activity}
        return {
            name: [{"stage": w.stage, **w.entry.model_dump(mode="json")} for w in written]  # type: ignore[attr-defined]
            for name, written in registries.items()
        }
