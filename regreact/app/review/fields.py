"""The fields that a reviewer may correct: their values as JSON, how they are checked, how a form gives them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError

from regreact.errors import RegReActError
from regreact.schema import (
    CRITERION_FIELDS,
    TAG_ORDER,
    Applicability,
    Criterion,
    Dependencies,
    Footnote,
    Logic,
    References,
    Threshold,
)

LOGIC = "evaluation_logic"
# What a stage's review items are about; structure, classification and graph concern several fields.
FIELD_OF_STAGE = {
    "s2": "threshold",
    "s4": "references",
    "s5": "dependencies",
    "s6": "footnotes",
    "s7": "rule_summary",
    "retrieval": "references",
}
STAGE_NAMES = {
    "source": "source text",
    "s1": "structure",
    "s2": "thresholds",
    "s3": "classification",
    "s4": "references",
    "s5": "dependencies",
    "s6": "footnotes",
    "s7": "assembly",
}
# `evaluation_logic` goes with `n_required`; the category follows from the threshold.
CORRECTABLE = (
    "applicability", "tags", LOGIC, "threshold", "references", "dependencies", "footnotes", "rule_summary",
)  # fmt: skip
CHOICES: dict[str, tuple[str, ...]] = {
    "applicability": get_args(Applicability),
    "tags": TAG_ORDER,
    LOGIC: get_args(Logic),
}
# Value of a field that holds nothing; fields without one cannot be emptied.
EMPTY: dict[str, Any] = {"threshold": None, "references": None, "dependencies": None, "footnotes": [], "tags": []}
PATTERNS: dict[str, Any] = {
    "threshold": {
        "quantitative": {
            "logic": None,
            "items": [{"metric": "…", "operator": "<=", "value": 100, "unit": "g CO2e/kWh", "period": None}],
        },
        "temporal": None,
    },
    "references": {"logic": None, "sources": [{"text": "…", "type": "must_be_fetched", "celex_id": None}]},
    "dependencies": {
        "condition_summary": "…",
        "min_conditions_to_meet": 1,
        "clauses": [{"criterion_id": "1(a)", "status": "Affirmation"}],
    },
    "footnotes": [{"id": "fn-1", "verbatim": "…", "categories": [], "items": [], "definitions": [], "notes": []}],
}
_ADAPTERS: dict[str, TypeAdapter[Any]] = {
    "applicability": TypeAdapter(Applicability),
    "threshold": TypeAdapter(Threshold | None),
    "references": TypeAdapter(References | None),
    "dependencies": TypeAdapter(Dependencies | None),
    "footnotes": TypeAdapter(tuple[Footnote, ...]),
    "rule_summary": TypeAdapter(str),
}
_MESSAGES_SHOWN = 5
LONGEST_VALUE = 200_000


class InvalidValueError(RegReActError):
    """A corrected value does not fit the schema or the tree.

    Args:
        field: The field.
        problems: What is wrong, a line each.
    """

    def __init__(self, field: str, problems: Sequence[str]) -> None:
        self.field = field
        self.problems = tuple(problems)
        super().__init__(f"{field}: {'; '.join(self.problems)}")


def value_of(criterion: Criterion, field: str) -> Any:
    """Return a field as JSON data; the logic with the number that it requires."""
    if field == LOGIC:
        return {LOGIC: criterion.evaluation_logic, "n_required": criterion.n_required}
    return criterion.model_dump(mode="json", include={field})[field]


def with_value(criterion: Criterion, field: str, value: Any) -> Criterion:
    """Return a criterion with a corrected field.

    Args:
        criterion: The criterion; those below it stay.
        field: One of `CORRECTABLE`.
        value: JSON data.

    Raises:
        InvalidValueError: The value does not fit the schema.
    """
    if field not in CORRECTABLE:
        raise InvalidValueError(field, (f"cannot be corrected here; correctable are {', '.join(CORRECTABLE)}",))
    try:
        changed = _checked(field, value)
        if field == "threshold":
            from regreact.stages.s7_assembly import category_of  # noqa: PLC0415  heavy

            changed["category"] = category_of(changed["threshold"])
        fields = {name: getattr(criterion, name) for name in CRITERION_FIELDS}
        return Criterion.model_validate({**fields, **changed})
    except ValidationError as error:
        raise InvalidValueError(field, _messages(error)) from None


def _checked(field: str, value: Any) -> dict[str, Any]:
    if field == LOGIC:
        if not isinstance(value, dict) or set(value) - {LOGIC, "n_required"}:
            raise InvalidValueError(field, ('give {"evaluation_logic": …, "n_required": …}',))
        return {LOGIC: value.get(LOGIC), "n_required": value.get("n_required")}
    if field == "rule_summary" and not (isinstance(value, str) and value.strip()):
        raise InvalidValueError(field, ("must not be empty",))
    adapter = _ADAPTERS.get(field)
    return {field: value if adapter is None else adapter.validate_python(value)}


def _messages(error: ValidationError) -> list[str]:
    found = []
    for e in error.errors(include_url=False)[:_MESSAGES_SHOWN]:
        place = ".".join(str(part) for part in e["loc"])
        message = str(e["msg"]).removeprefix("Value error, ")
        found.append(f"{place}: {message}" if place else message)
    more = error.error_count() - len(found)
    return [*found, f"and {more} more"] if more > 0 else found


def value_from_form(field: str, form: Mapping[str, Sequence[str]]) -> Any:
    """Return the value that a form gives for a field, as JSON data.

    Raises:
        InvalidValueError: The form has no such value, or it is no JSON.
    """
    given = form.get("value", [])
    if field == "tags":
        return [t for t in TAG_ORDER if t in given] + [t for t in given if t and t not in TAG_ORDER]
    text = given[-1] if given else ""
    if len(text) > LONGEST_VALUE:
        raise InvalidValueError(field, (f"longer than {LONGEST_VALUE} characters",))
    if field == LOGIC:
        number = (form.get("n_required") or [""])[-1].strip()
        if number and not (number.isascii() and number.isdigit() and len(number) < 5):
            raise InvalidValueError(field, ("n_required: give a whole number, or nothing",))
        return {LOGIC: text, "n_required": int(number) if number else None}
    if field in ("applicability", "rule_summary"):
        return text.strip()
    return parse_json(field, text)


def parse_json(field: str, text: str) -> Any:
    """Return JSON text as data; NaN and Infinity are no JSON.

    Raises:
        InvalidValueError: It is no JSON; the message says where.
    """

    def refuse(word: str) -> Any:
        raise InvalidValueError(field, (f"{word} is no number of JSON",))

    def finite(digits: str) -> float:
        return value if math.isfinite(value := float(digits)) else refuse(digits)

    try:
        return json.loads(text, parse_constant=refuse, parse_float=finite)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InvalidValueError(field, (f"no JSON: {error.msg} at {place}",)) from None
    except (RecursionError, ValueError):
        raise InvalidValueError(field, ("no JSON that can be read: nested too deeply, or a number too long",)) from None
