"""Faults that a simulated model makes: what can go wrong with an answer, how often, and whether it comes back.

Faults are drawn from a seed, the unit, the question and the item, so that two runs make the same ones. A fault comes
back on a re-ask nine times in ten, unless the guidance names the item and the field it is in.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from regreact.config import FaultSettings

# Chance that an uncorrected fault is made again.
STUBBORN = 0.9
Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scene:
    """What a fault may use: the chance that decides, the criteria of the section, and the other items of the reply."""

    rng: random.Random
    ids: Sequence[str]
    others: Sequence[Item]


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One kind of fault.

    Attributes:
        name: Name in tables.
        signatures: Questions whose answers it can spoil.
        field: Field of the item, as observers name it.
        detectable: True if some deterministic check is meant to see it, always; what is only sometimes visible (a
            flipped logic under a chapeau without a cue) counts as not detectable.
        make: Returns the spoiled item, None to leave it out, or raises `NotHere` if the item offers nothing to spoil.
        cross_stage: True if no check within the stage is meant to see it.
    """

    name: str
    signatures: tuple[str, ...]
    field: str
    detectable: bool
    make: Callable[[Item, Scene], Item | None]
    cross_stage: bool = False


class NotHere(Exception):  # noqa: N818
    """The item has nothing that this kind of fault could spoil."""


def _first_quantity(item: Item) -> Item:
    threshold = item.get("threshold") or {}
    items = (threshold.get("quantitative") or {}).get("items") or []
    if not items:
        raise NotHere
    first: Item = items[0]
    return first


def _dropped(item: Item, scene: Scene) -> None:
    return None


def _wrong_parent(item: Item, scene: Scene) -> Item:
    own = item.get("criterion_id", "")
    wrong = [i for i in scene.ids if i not in (own, item.get("parent")) and not i.startswith(own)]
    if own in ("", "ROOT") or not wrong:
        raise NotHere
    return {**item, "parent": scene.rng.choice(wrong)}


def _unknown_parent(item: Item, scene: Scene) -> Item:
    if item.get("criterion_id") in ("", "ROOT"):
        raise NotHere
    return {**item, "parent": "99"}


def _flipped_logic(item: Item, scene: Scene) -> Item:
    flipped = {"AND": "OR", "OR": "AND"}.get(str(item.get("evaluation_logic")))
    if flipped is None:
        raise NotHere
    return {**item, "evaluation_logic": flipped}


def _altered_value(item: Item, scene: Scene) -> Item:
    quantity = _first_quantity(item)
    quantity["value"] = round(quantity["value"] * 7 + 0.37, 4)
    return item


def _flipped_operator(item: Item, scene: Scene) -> Item:
    quantity = _first_quantity(item)
    quantity["operator"] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": ">"}[quantity["operator"]]
    return item


def _wrong_unit(item: Item, scene: Scene) -> Item:
    _first_quantity(item)["unit"] = "furlongs"
    return item


def _invented_reference(item: Item, scene: Scene) -> Item:
    references = item.get("references") or {"logic": None, "sources": []}
    invented = {"text": "Directive 2041/17/EU", "type": "must_be_fetched", "celex_id": "32041L0017"}
    sources = [*references["sources"], invented]
    logic = references["logic"] or ("AND" if len(sources) > 1 else None)
    return {**item, "references": {"logic": logic, "sources": sources}}


def _wrong_celex_type(item: Item, scene: Scene) -> Item:
    for source in (item.get("references") or {}).get("sources", []):
        match = re.fullmatch(r"3(\d{4})([RLD])(\d{4})", source.get("celex_id") or "")
        printed = re.search(r"\b(?:Regulation|Directive|Decision)\b.*\d+/\d+", source.get("text", ""))
        if match and printed:
            source["celex_id"] = f"3{match[1]}{'L' if match[2] != 'L' else 'R'}{match[3]}"
            return item
    raise NotHere


def _swapped_footnote(item: Item, scene: Scene) -> Item:
    titled = [o for o in scene.others if o["id"] != item["id"] and _numbered_title(o)]
    if not titled:
        raise NotHere
    return {**item, "footnote": scene.rng.choice(titled)["footnote"]}


def _numbered_title(item: Item) -> bool:
    return any(re.search(r"\d", i["title"]) for i in item["footnote"]["items"])


def _category_against_threshold(item: Item, scene: Scene) -> Item:
    return {**item, "category": "Qualitative" if item.get("category") == "Quantitative" else "Quantitative"}


def _leaf_with_children(item: Item, scene: Scene) -> Item:
    if item.get("evaluation_logic") == "LEAF":
        raise NotHere
    return {**item, "evaluation_logic": "LEAF", "n_required": None}


def _dependency_on_nothing(item: Item, scene: Scene) -> Item:
    clause = {"criterion_id": "99(z)", "status": "Affirmation"}
    value = {"condition_summary": "Applies only where 99(z) is met.", "min_conditions_to_meet": 1, "clauses": [clause]}
    return {**item, "dependencies": value}


def _inherits_from_nothing(item: Item, scene: Scene) -> Item:
    if item.get("threshold_from"):
        raise NotHere
    return {**item, "threshold_from": "ROOT", "threshold": None}


_SINGLE = "ExtractSection"
KINDS: tuple[FaultKind, ...] = (
    FaultKind(
        "dropped item",
        ("ParseStructure", "ExtractThresholds", "ExtractReferences", "ProcessFootnotes", "InferLogic",
         "ClassifyApplicability", "AssignTags", "ResolveDependencies", _SINGLE),
        "items", True, _dropped,
    ),
    FaultKind("wrong parent", ("ParseStructure", _SINGLE), "parent", False, _wrong_parent),
    FaultKind("unknown parent", ("ParseStructure",), "parent", True, _unknown_parent),
    FaultKind("flipped logic", ("InferLogic", _SINGLE), "evaluation_logic", False, _flipped_logic),
    FaultKind("altered value", ("ExtractThresholds", _SINGLE), "threshold", True, _altered_value),
    FaultKind("flipped operator", ("ExtractThresholds", _SINGLE), "threshold", False, _flipped_operator),
    FaultKind("wrong unit", ("ExtractThresholds", _SINGLE), "threshold", True, _wrong_unit),
    FaultKind("invented reference", ("ExtractReferences", _SINGLE), "references", True, _invented_reference),
    FaultKind("wrong CELEX type", ("ExtractReferences", _SINGLE), "references", True, _wrong_celex_type),
    FaultKind("swapped footnote", ("ProcessFootnotes",), "footnotes", True, _swapped_footnote),
    FaultKind("category against threshold", (_SINGLE,), "category", False, _category_against_threshold),
    FaultKind(
        "logic against children", ("InferLogic", _SINGLE), "evaluation_logic", True, _leaf_with_children, True
    ),
    FaultKind(
        "dependency on nothing", ("ResolveDependencies", _SINGLE), "dependencies", True, _dependency_on_nothing, True
    ),
    FaultKind(
        "inheritance from nothing", ("InheritThresholds", _SINGLE), "threshold", True, _inherits_from_nothing, True
    ),
)  # fmt: skip
BY_NAME = {k.name: k for k in KINDS}
# Faults of a whole reply.
PROSE, TRUNCATED, EMPTY = "prose around JSON", "truncated JSON", "empty reply"
TIMEOUT, BUSY = "time-out", "429"
REPLY_KINDS = (PROSE, TRUNCATED, EMPTY, TIMEOUT, BUSY)


@dataclass(frozen=True, slots=True)
class Injected:
    """One fault that was made.

    Attributes:
        unit: Unit key.
        signature: The question.
        place: Block index or footnote id (criterion id where there is no block); "" for a whole reply.
        item_id: Id of the item as asked.
        kind: Name of the kind.
        field: Field that it spoils.
        attempt: 1 for the first answer.
    """

    unit: str
    signature: str
    place: str
    item_id: str
    kind: str
    field: str
    attempt: int


@dataclass
class FaultPlan:
    """Decides on faults and keeps the account of them. Safe to share between threads."""

    settings: FaultSettings
    injected: list[Injected] = field(default_factory=list)
    _asks: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    _last: dict[tuple[str, str, str], str | None] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def spoil(
        self, unit: str, signature: str, place: str, item_id: str, item: Item, guidance: str, scene: Scene
    ) -> Item | None:
        """Return the item as the simulated model gives it: right, spoiled, or None if it is left out.

        Args:
            unit: Unit key.
            signature: The question.
            place: What identifies the item whatever its id.
            item_id: Its id as asked.
            item: The right answer; not changed.
            guidance: Guidance of the re-ask.
            scene: What faults may use; its `rng` is replaced.
        """
        key = (unit, signature, place)
        with self._lock:
            self._asks[key] += 1
            attempt, before = self._asks[key], self._last.get(key)
        rng = random.Random(f"{self.settings.seed}|{unit}|{signature}|{place}|{attempt}")
        kinds = self._kinds(signature)
        if before is not None:
            kind = BY_NAME[before]
            named = item_id in guidance and (kind.field in guidance or kind.field == "items")
            kinds = [] if named or rng.random() >= STUBBORN else [kind]
        elif rng.random() >= self.settings.rate:
            kinds = []
        rng.shuffle(kinds)
        for kind in kinds:
            try:
                spoiled = kind.make(_copy(item), Scene(rng, scene.ids, scene.others))
            except NotHere:
                continue
            with self._lock:
                self._last[key] = kind.name
                self.injected.append(Injected(unit, signature, place, item_id, kind.name, kind.field, attempt))
            return spoiled
        with self._lock:
            self._last[key] = None
        return item

    def spoil_reply(self, unit: str, signature: str) -> str:
        """Return the kind of fault of a whole reply, "" for none; every reply is drawn anew."""
        wanted = [k for k in REPLY_KINDS if not self.settings.kinds or k in self.settings.kinds]
        key = (unit, signature, "")
        with self._lock:
            self._asks[key] += 1
            attempt = self._asks[key]
        rng = random.Random(f"{self.settings.seed}|{unit}|{signature}|reply|{attempt}")
        if not wanted or rng.random() >= self.settings.reply_rate:
            return ""
        kind = rng.choice(wanted)
        with self._lock:
            self.injected.append(Injected(unit, signature, "", "", kind, "items", attempt))
        return kind

    def _kinds(self, signature: str) -> list[FaultKind]:
        wanted = self.settings.kinds
        return [k for k in KINDS if signature in k.signatures and (not wanted or k.name in wanted)]


def _copy(item: Any) -> Any:
    if isinstance(item, dict):
        return {k: _copy(v) for k, v in item.items()}
    return [_copy(v) for v in item] if isinstance(item, list) else item
