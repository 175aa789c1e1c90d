"""What became of the faults that a simulated model made: seen, mended, or left, and what was broken on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from regreact.faults import BY_NAME, Injected
from regreact.schema import Criterion, Extraction
from regreact.sources.model import Unit

# Field of the final record that each question's answer ends in.
_FIELDS = {
    "ParseStructure": "parent",
    "ExtractThresholds": "threshold",
    "ExtractReferences": "references",
    "ProcessFootnotes": "footnotes",
    "InferLogic": "logic",
    "ClassifyApplicability": "applicability",
    "AssignTags": "tags",
    "ResolveDependencies": "dependencies",
    "InheritThresholds": "inherits",
}
_OF_KIND = {
    "parent": "parent",
    "evaluation_logic": "logic",
    "threshold": "threshold",
    "references": "references",
    "category": "category",
    "dependencies": "dependencies",
}
# Values that a missing answer takes anyway: leaving these out changes nothing.
_DEFAULTS: dict[str, tuple[Any, ...]] = {
    "threshold": (None,), "references": (None,), "footnotes": ((),), "logic": (("LEAF", None), ("AND", None)),
    "applicability": ("Mandatory",), "tags": ((),), "dependencies": (None,),
}  # fmt: skip
Record = dict[str, dict[str, Any]]


@dataclass
class Tally:
    """Counts of one kind of fault: made (and not harmless), seen by a check, mended in the end."""

    injected: int = 0
    detected: int = 0
    repaired: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.injected + other.injected, self.detected + other.detected, self.repaired + other.repaired
        )


@dataclass
class Balance:
    """The faults of one run.

    Attributes:
        kinds: Counts by kind of fault.
        fields: Number of compared fields without a fault.
        broken: How many of them differ from the run without faults.
    """

    kinds: dict[str, Tally] = field(default_factory=dict)
    fields: int = 0
    broken: int = 0

    def total(self, detectable: bool | None = None) -> Tally:
        """Return the sum over kinds, on request only over those that are (not) meant to be detectable."""
        wanted = [t for k, t in self.kinds.items() if detectable is None or BY_NAME[k].detectable == detectable]
        return sum(wanted, Tally())


def record(unit: Unit, extraction: Extraction) -> Record:
    """Return the compared fields of an extraction by place (block index, else criterion id)."""
    nodes = list(extraction.criteria.walk())
    place = _places(unit, nodes)
    parents = {c.criterion_id: n.criterion_id for n in nodes for c in n.sub_criteria}
    inherits = {e.source: e.target for e in extraction.edges if e.type == "inherits_threshold"}

    def at(criterion_id: str | None) -> str | None:
        return None if criterion_id is None else place.get(criterion_id, criterion_id)

    return {
        place[n.criterion_id]: {
            "parent": at(parents.get(n.criterion_id)),
            "logic": (n.evaluation_logic, n.n_required),
            "category": n.category,
            "applicability": n.applicability,
            "tags": n.tags,
            "threshold": n.threshold,
            "references": n.references and (n.references.logic, [(s.text, s.celex_id) for s in n.references.sources]),
            "footnotes": tuple((f.id, f.categories, f.items) for f in n.footnotes if f.items or f.categories),
            "dependencies": n.dependencies
            and (
                n.dependencies.min_conditions_to_meet,
                [(at(c.criterion_id), c.status) for c in n.dependencies.clauses],
            ),
            "inherits": at(inherits.get(n.criterion_id)),
        }
        for n in nodes
    }


def _places(unit: Unit, nodes: Iterable[Criterion]) -> dict[str, str]:
    """Return the block of each node by its text, the first free one; the id where it has none."""
    free: dict[str, list[int]] = {}
    for block in unit.blocks:
        free.setdefault(block.text, []).append(block.index)
    places = {}
    for node in nodes:
        blocks = free.get(node.verbatim_text)
        places[node.criterion_id] = str(blocks.pop(0)) if blocks else node.criterion_id
    return places


def balance(unit: Unit, clean: Extraction, faulty: Extraction | None, injected: Iterable[Injected]) -> Balance:
    """Compare a run with faults with the same run without.

    Args:
        unit: The unit.
        clean: Extraction without faults.
        faulty: Extraction with them; None if it failed as a whole.
        injected: The faults made on this unit.
    """
    wanted = record(unit, clean)
    have = record(unit, faulty) if faulty is not None else {}
    seen = _seen(faulty) if faulty is not None else set()
    nodes = list(faulty.criteria.walk()) if faulty is not None else []
    ids = {place: criterion_id for criterion_id, place in _places(unit, nodes).items()}
    result = Balance()
    spoiled: set[tuple[str, str]] = set()
    for fault in injected:
        kind = BY_NAME.get(fault.kind)
        owner = _owner(unit, clean, fault)
        name = _field(fault)
        if kind is None or owner not in wanted:
            continue
        spoiled.add((owner, name))
        if fault.attempt > 1 or _harmless(fault, name, wanted[owner]):
            continue
        tally = result.kinds.setdefault(fault.kind, Tally())
        tally.injected += 1
        by_graph = kind.cross_stage or kind.field == "parent"
        own = ids.get(owner, fault.item_id) if fault.signature == "ParseStructure" else fault.item_id
        tally.detected += (fault.signature, fault.item_id) in seen or (by_graph and ("graph", own) in seen)
        tally.repaired += have.get(owner, {}).get(name) == wanted[owner][name]
    for place, fields in wanted.items():
        for name, value in fields.items():
            if (place, name) not in spoiled and not _follows(place, name, spoiled):
                result.fields += 1
                result.broken += place not in have or have[place][name] != value
    return result


def _follows(place: str, name: str, spoiled: set[tuple[str, str]]) -> bool:
    """True for a field that is derived from a spoiled one, or decided on its grounds."""
    return (name == "category" and (place, "threshold") in spoiled) or (place, "inherits") in spoiled


def _field(fault: Injected) -> str:
    kind = BY_NAME.get(fault.kind)
    if kind is None or kind.field == "items" or fault.signature in ("ProcessFootnotes", "InheritThresholds"):
        return _FIELDS.get(fault.signature, "parent")
    return _OF_KIND[kind.field]


def _owner(unit: Unit, clean: Extraction, fault: Injected) -> str:
    """Return the place of the criterion that the fault is in; a footnote belongs to its first carrier."""
    if fault.signature != "ProcessFootnotes":
        return fault.place
    return next((str(b.index) for b in unit.blocks if fault.place in b.footnotes), "")


def _harmless(fault: Injected, name: str, right: Mapping[str, Any]) -> bool:
    return fault.kind == "dropped item" and right[name] in _DEFAULTS.get(name, ())


def _seen(extraction: Extraction) -> set[tuple[str, str]]:
    """Return question (or `graph`) and item of everything that some check found."""
    found = set(_in_history(extraction.memory.get("odr", ())))
    found |= {("graph", str(i["item_id"])) for i in extraction.memory.get("graph", ())}
    return found


def _in_history(history: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for loop in history:
        for turn in loop["rounds"]:
            yield from ((str(loop["question"]), str(i["item_id"])) for i in turn["issues"])
