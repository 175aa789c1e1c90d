"""Right answers to every question about a unit, for a model that is simulated.

They come from outside (an experiment makes them from gold) and are kept by place: block index, footnote id, or
criterion id where a criterion has no block. So they can be given whatever ids earlier stages have found.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from signatures.types import CriterionView


@dataclass(frozen=True, slots=True)
class Reference:
    """Right answers to all questions about one unit.

    Attributes:
        values: Value in reply form by signature and place.
        places: Place of each criterion by its right id.
    """

    values: Mapping[str, Mapping[str, Any]]
    places: Mapping[str, str]

    def answer(self, signature: str, place: str, criteria: Sequence[CriterionView]) -> Any:
        """Return the value for a place with right ids put into the ids that the criteria have; KeyError if none.

        Args:
            signature: Name of the question.
            place: Block index, footnote id or criterion id.
            criteria: The criteria as they stand in the prompt.
        """
        here = {place_of(c): c.criterion_id for c in criteria}

        def own(criterion_id: str) -> str:
            return here.get(self.places.get(criterion_id, ""), criterion_id)

        value: Any = copy.deepcopy(self.values[signature][place])
        if signature == "InheritThresholds" and value["threshold_from"]:
            value["threshold_from"] = own(value["threshold_from"])
        elif signature == "CorrectCrossReferences":
            value["corrections"] = [{**c, "to": own(c["to"])} for c in value["corrections"]]
        elif signature == "ResolveDependencies" and value["dependencies"]:
            for clause in value["dependencies"]["clauses"]:
                clause["criterion_id"] = own(clause["criterion_id"])
        elif signature == "DetectPathways":
            value["groups"] = [[own(member) for member in group] for group in value["groups"]]
        return value


def place_of(view: CriterionView) -> str:
    """Return what identifies a criterion whatever its id."""
    return str(view.block) if view.block is not None else view.criterion_id
