"""Accuracies of labels over all gold nodes, ROOT included; a node without partner is wrong (design, "Scores")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from regreact.evaluation.alignment import Alignment

LABELS = ("category", "applicability", "logic", "tags")


def label(data: Mapping[str, Any], name: str) -> Any:
    """Return a label in the form that is compared: logic with its count, tags as a set."""
    if name == "logic":
        return (data.get("evaluation_logic"), data.get("n_required"))
    if name == "tags":
        tags = data.get("tags")
        return frozenset(map(str, tags)) if isinstance(tags, (list, tuple)) else None
    return data.get(name)


def correct_labels(alignment: Alignment) -> dict[str, int]:
    """Return the number of gold nodes whose label is right, by label."""
    return {name: sum(label(g.data, name) == label(p.data, name) for g, p in alignment.pairs) for name in LABELS}
