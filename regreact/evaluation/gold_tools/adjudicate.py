"""Every disagreement of two annotations as a list to be decided, and the gold that the decisions give.

Free text (rule summaries, the wording of metrics and conditions) is no disagreement: there is no right wording. The
merged gold has it from the first annotation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from regreact.errors import GoldError
from regreact.evaluation.gold import GoldUnit
from regreact.evaluation.gold_tools.annotations import Placed, Record, checked, placed, places, text_of, with_ids
from regreact.evaluation.gold_tools.compare import same_footnotes, same_links, same_references, same_thresholds

NODE, LOGIC = "node", "evaluation_logic"
# Field of a record -> test whether two records agree in it.
FIELDS = {
    "criterion_id": None,
    "parent": None,
    "blocks": None,
    "category": None,
    "applicability": None,
    "tags": lambda a, b: set(a["tags"]) == set(b["tags"]),
    LOGIC: lambda a, b: (a[LOGIC], a["n_required"]) == (b[LOGIC], b["n_required"]),
    "threshold": same_thresholds,
    "threshold_from": None,
    "references": same_references,
    "dependencies": same_links,
    "corrections": None,
    "footnotes": same_footnotes,
}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One field of one criterion that two annotators filled otherwise.

    Attributes:
        id: Unit, place and field: what a decision names.
        unit: Unit key.
        criterion_id: As the first annotator calls the criterion, the second if the first lacks it.
        field: Field of the stand-off record; `node` if only one annotator has the criterion.
        a: Value by the first annotator, with criteria under their own ids; null also if the criterion is not there.
        b: Value by the second.
        source: Text of the criterion's blocks.
        decision: `a`, `b`, or `{"value": …}`; null while it is open.
    """

    id: str
    unit: str
    criterion_id: str
    field: str
    a: Any
    b: Any
    source: str
    decision: Any = None


def disagreements(first: GoldUnit, second: GoldUnit, texts: Sequence[str]) -> Iterator[Disagreement]:
    """Yield what two annotations of one unit fill otherwise, in document order.

    Args:
        first: One annotation.
        second: The other.
        texts: Texts of the unit's blocks.
    """
    sides = (placed(first), placed(second))
    own = [{n.criterion_id: n.model_dump(mode="json", by_alias=True) for n in u.nodes} for u in (first, second)]
    for at in _order(*sides):
        a, b = (side.get(at) for side in sides)
        shown = [None if r is None else ids[r["criterion_id"]] for r, ids in zip((a, b), own, strict=True)]
        for name in _differing(a, b):
            record = a or b or {}
            one, other = (None if r is None else _value(r, name) for r in shown)
            source = text_of(record["blocks"], texts)
            key = f"{first.unit}|{at}|{name}"
            yield Disagreement(key, first.unit, record["criterion_id"], name, one, other, source)


def _order(first: Placed, second: Placed) -> list[str]:
    """Return the places of both sides: those of the first, each other one after what precedes it in the second."""
    order = list(first)
    previous = None
    for at in second:
        if at not in first:
            order.insert(0 if previous is None else order.index(previous) + 1, at)
        previous = at
    return order


def _differing(a: Record | None, b: Record | None) -> Iterator[str]:
    if a is None or b is None:
        yield NODE
        return
    for name, same in FIELDS.items():
        if not (same(a, b) if same else a[name] == b[name]):
            yield name


def _value(record: Record, name: str) -> Any:
    if name == NODE:
        return record
    return {LOGIC: record[LOGIC], "n_required": record["n_required"]} if name == LOGIC else record[name]


def to_jsonl(found: Sequence[Disagreement]) -> str:
    """Return the list as JSON lines: fill in `decision` and hand the file back."""
    return "".join(json.dumps(asdict(d), ensure_ascii=False) + "\n" for d in found)


def to_markdown(found: Sequence[Disagreement]) -> str:
    """Return the list for reading."""
    lines = [f"# {len(found)} disagreements", ""]
    for d in found:
        lines += [f"## {d.unit} {d.criterion_id}: {d.field}", "", *(f"> {line}" for line in d.source.splitlines()), ""]
        lines += [f"* a: `{json.dumps(d.a, ensure_ascii=False)}`", f"* b: `{json.dumps(d.b, ensure_ascii=False)}`"]
        lines += [f"* id: `{d.id}`", ""]
    return "\n".join(lines)


def read_decisions(path: Path) -> dict[str, Any]:
    """Read decisions by disagreement id from JSON lines with `id` and `decision`; open ones are left out.

    Raises:
        GoldError: The file cannot be read, or a line is no decision; the message names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise GoldError(f"{path}: cannot be read: {error}") from error
    found: dict[str, Any] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            key, decision = str(data["id"]), data["decision"]
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise GoldError(f"{path}: line {number}: no JSON object with id and decision") from error
        if decision is None:
            continue
        if decision not in ("a", "b") and not (isinstance(decision, dict) and decision.keys() == {"value"}):
            raise GoldError(f'{path}: line {number}: decision is "a", "b" or {{"value": …}}, not {decision!r}')
        if key in found:
            raise GoldError(f"{path}: line {number}: {key} is decided already (remove one)")
        found[key] = decision
    return found


def merge(first: GoldUnit, second: GoldUnit, decisions: Mapping[str, Any]) -> GoldUnit:
    """Return the gold of one unit: what both agree on, and the decisions on the rest.

    Args:
        first: One annotation.
        second: The other.
        decisions: By id of the disagreement; ids of other units are left alone.

    Raises:
        GoldError: A disagreement is open, a decision fits none, or the decided tree is broken.
    """
    sides = (placed(first), placed(second))
    names = {**places(second), **places(first)}
    asked = {d.id: d for d in disagreements(first, second, ())}
    left = [key for key in asked if key not in decisions]
    if left:
        raise GoldError(f"{first.unit}: {len(left)} disagreements are open, {left[0]} first (fill in their decision)")
    strange = [k for k in decisions if k.startswith(f"{first.unit}|") and k not in asked]
    if strange:
        raise GoldError(f"{first.unit}: {strange[0]} is decided, but both annotations agree there (another folder?)")
    merged = {at: dict(sides[0].get(at) or sides[1][at]) for at in _order(*sides)}
    for key, d in asked.items():
        _decide(merged, sides, key.split("|")[-2], d, decisions[key], names)
    return _unplaced(first, merged, names)


def _decide(
    merged: dict[str, Record], sides: tuple[Placed, Placed], at: str, asked: Disagreement, decision: Any,
    names: Mapping[str, str],
) -> None:  # fmt: skip
    side = {"a": 0, "b": 1}.get(decision) if isinstance(decision, str) else None
    chosen = None if side is None else sides[side].get(at)
    if asked.field == NODE:
        if side is None:
            raise GoldError(f'{asked.id}: whether a criterion is there is decided by "a" or "b"')
        if chosen is None:
            del merged[at]
        return
    if chosen is None:
        value = decision["value"]
        given = {**merged[at], **(value if asked.field == LOGIC and isinstance(value, dict) else {asked.field: value})}
        try:
            chosen = with_ids(given, lambda i: names.get(i, i))
        except (KeyError, TypeError, AttributeError) as error:
            raise GoldError(f"{asked.id}: the decided value has not the form of {asked.field}") from error
    keys = (LOGIC, "n_required") if asked.field == LOGIC else (asked.field,)
    merged[at].update({key: chosen[key] for key in keys})


def _unplaced(unit: GoldUnit, merged: Mapping[str, Record], names: Mapping[str, str]) -> GoldUnit:
    """Return the merged criteria under the ids decided on."""
    ids = {at: str(record["criterion_id"]) for at, record in merged.items()}
    gone = {at: name for name, at in names.items() if at not in merged}

    def name(at: str) -> str:
        if at in gone:
            raise GoldError(f"{unit.unit}: the decided tree has no {gone[at]}, but another criterion names it")
        return ids.get(at, at)

    nodes = [with_ids(record, name) for record in merged.values()]
    frame = unit.model_dump(mode="json", include={"unit", "source", "activity", "objective", "section"})
    return checked({**frame, "nodes": nodes}, f"{unit.unit} as decided")
