"""Worked examples that a request carries ("few-shot" demonstrations), made from the samples and their gold.

`regreact.evaluation.example_choice` chooses them and writes `data/samples/examples.json`. The package only reads that
file, since gold is for evaluation and experiments. Nothing of `data/gold` is in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import dspy
from pydantic import TypeAdapter

from regreact.config import data_dir

FILE_NAME = "examples.json"


@cache
def _stored() -> dict[str, list[dict[str, Any]]]:
    stored: dict[str, list[dict[str, Any]]] = json.loads((data_dir("samples") / FILE_NAME).read_text(encoding="utf-8"))
    return stored


def examples(signature: type[dspy.Signature], count: int) -> list[dspy.Example]:
    """Return examples of a signature: all its fields, inputs typed as the stages give them, and `reasoning`.

    Args:
        signature: Asked of a model.
        count: How many; the first ones cover most. Fewer come back if there are fewer, none for a signature that has
            no gold in the samples.

    Example:
        >>> from signatures.thresholds import ExtractThresholds
        >>> (one,) = examples(ExtractThresholds, 1)
        >>> [a["criterion_id"] for a in one.answers] == one.asked
        True
    """
    if not count:
        return []
    return [_example(signature, fields) for fields in _stored().get(signature.__name__, [])[:count]]


def _example(signature: type[dspy.Signature], fields: Mapping[str, Any]) -> dspy.Example:
    inputs = {
        name: TypeAdapter(field.annotation).validate_python(fields[name])
        for name, field in signature.input_fields.items()
    }
    return dspy.Example(**{**fields, **inputs}).with_inputs(*inputs)


def of_other_units(demos: Iterable[Any], unit: str) -> list[Any]:
    """Return the demonstrations without those of the unit that is asked about: they would give the answer away."""
    return [demo for demo in demos if _unit(demo) != unit]


def _unit(demo: Any) -> str | None:
    """Return the key of a demonstration's unit; a loaded program holds it as plain data, a tuned one may lack it."""
    head = demo.get("unit")
    return head.get("unit") if isinstance(head, Mapping) else getattr(head, "unit", None)
