"""The limits of a threshold as rows of a form."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, get_args

from regreact.app.review.fields import InvalidValueError, parse_json
from regreact.schema import Operator

OPERATORS = get_args(Operator)
BLANK_ROWS = 2
_COLUMNS = ("metric", "operator", "number", "unit", "period")


@dataclass(frozen=True, slots=True)
class Row:
    """One limit as typed; `period` is JSON that goes along unseen."""

    metric: str = ""
    operator: str = "<="
    number: str = ""
    unit: str = ""
    period: str = "null"

    @property
    def blank(self) -> bool:
        """Whether nothing was typed."""
        return not (self.metric.strip() or self.number.strip() or self.unit.strip())


def rows_of(threshold: Mapping[str, Any] | None) -> list[Row]:
    """Return the limits of a threshold as rows, with some to add more."""
    quantitative = (threshold or {}).get("quantitative") or {"items": []}
    rows = [
        Row(i["metric"], i["operator"], f"{i['value']:.15g}", i["unit"], json.dumps(i["period"]))
        for i in quantitative["items"]
    ]
    return [*rows, *[Row()] * BLANK_ROWS]


def rows_typed(form: Mapping[str, Sequence[str]]) -> list[Row]:
    """Return the rows of a form as they were typed."""
    columns = [form.get(name, ()) for name in _COLUMNS]
    return [Row(*cells) for cells in zip_longest(*columns, fillvalue="")]


def threshold_from_rows(form: Mapping[str, Sequence[str]]) -> Any:
    """Return the threshold that a form with rows gives, as JSON data; None if nothing was typed.

    Raises:
        InvalidValueError: A number is none, or the temporal part is no JSON.
    """
    items = [_item(n, row) for n, row in enumerate(rows_typed(form), 1) if not row.blank]
    logic = (form.get("logic") or [""])[-1] or None
    quantitative = {"logic": logic if len(items) > 1 else None, "items": items} if items else None
    temporal = parse_json("threshold", (form.get("temporal") or [""])[-1].strip() or "null")
    return None if quantitative is None and temporal is None else {"quantitative": quantitative, "temporal": temporal}


def _item(number: int, row: Row) -> dict[str, Any]:
    # Official texts write decimal commas, and spaces between thousands.
    digits = "".join(row.number.split())
    if digits.count(",") == 1 and "." not in digits:
        digits = digits.replace(",", ".")
    try:
        value = float(digits)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidValueError("threshold", (f"row {number}: {row.number!r} is no number",))
    period = parse_json("threshold", row.period or "null")
    metric, unit = row.metric.strip(), row.unit.strip()
    return {"metric": metric, "operator": row.operator, "value": value, "unit": unit, "period": period}
