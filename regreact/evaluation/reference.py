"""Right answers to the questions of all stages, from a gold tree: what a simulated model knows."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from regreact.evaluation.gold import GoldUnit
from regreact.evaluation.stage_gold import section_gold, stage_gold
from regreact.reference import Reference, place_of
from regreact.simulated import to_item
from regreact.sources.model import Unit

# Keys of a reply item that say which item it is, and what the model adds to it.
_FRAME = frozenset({"confidence", "quotes"})
_ID_KEYS = {"ParseStructure": "block", "ProcessFootnotes": "id"}


def reference_of(gold: GoldUnit, unit: Unit) -> Reference:
    """Return the right answer to every question about a unit.

    Args:
        gold: The annotation.
        unit: The unit it was made on.
    """
    values: dict[str, dict[str, Any]] = {}
    for question in stage_gold(gold, unit):
        name = question.signature.__name__
        # A place in the tree names its criterion: only the block is left out there.
        left_out = _FRAME | {_ID_KEYS.get(name, "criterion_id")}
        places = {c.criterion_id: place_of(c) for c in question.inputs.get("criteria", ())}
        for item_id, answer in question.answers.items():
            item = to_item(name, answer)
            place = item_id if name in _ID_KEYS else places[item_id]
            values.setdefault(name, {})[place] = {k: v for k, v in item.items() if k not in left_out}
    section = section_gold(gold, unit).answers.values()
    nodes = [TypeAdapter(Any).dump_python(a.value, mode="json", by_alias=True) for a in section]
    values["ExtractSection"] = {"nodes": nodes}
    ids = {n.criterion_id: str(n.blocks[0]) if n.blocks else n.criterion_id for n in gold.nodes}
    return Reference(values, ids)

