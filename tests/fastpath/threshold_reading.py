"""Shorthand for tests of stage 2: the thresholds of one criterion, alone or below a chapeau."""

from typing import Any

from regreact.answers import Answer
from regreact.fastpath.thresholds import extract_thresholds
from regreact.schema import QuantitativeItem, Threshold
from signatures.types import CriterionView, UnitHeader

UNIT = UnitHeader(unit="X-1/SC", activity="Ore washing", objective="", section="SC")


def answer(text: str, *chapeaux: str) -> Answer[Threshold | None]:
    """Answer for one criterion; chapeaux from the outermost."""
    views = [CriterionView(criterion_id="ROOT", parent=None, block=None, text="")]
    for block, chapeau in enumerate(chapeaux):
        views.append(CriterionView(criterion_id=f"c{block}", parent=views[-1].criterion_id, block=block, text=chapeau))
    views.append(CriterionView(criterion_id="item", parent=views[-1].criterion_id, block=9, text=text))
    return {a.id: a for a in extract_thresholds(UNIT, views)}["item"]


def extract(text: str, *chapeaux: str) -> Threshold | None:
    """Thresholds of one criterion."""
    return answer(text, *chapeaux).value


def limits(text: str, *chapeaux: str) -> list[QuantitativeItem]:
    """Quantitative items of one criterion."""
    found = extract(text, *chapeaux)
    return list(found.quantitative.items) if found and found.quantitative else []


def times(text: str) -> list[dict[str, Any]]:
    """Temporal items of one criterion as plain data."""
    found = extract(text)
    return [i.model_dump() for i in found.temporal.items] if found and found.temporal else []
