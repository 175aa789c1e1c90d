"""Which items are worth a model's time: the others have one answer by construction, and the rules give it.

A criterion without children is a LEAF, one that names no point cites none wrongly, one with two children has no group
among them. Asking a model for these would cost calls and could only add mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from regreact.fastpath.tree import CriterionIndex
from regreact.identifiers import anchor_above
from regreact.legal.citations import find_internal_points
from regreact.legal.numbers import FRACTION, NUMBER
from signatures.types import CriterionView

Worth = Callable[[Mapping[str, Any], str], bool]

# Words of a chapeau that offer a choice, and an "or" that ends an item; else the children hold together.
_CHOICE = re.compile(
    r"\b(?:either|one (?:or \w+ )?of|any(?: one)? of|at least one|alternatives?|options?|choose|choice)\b",
    re.IGNORECASE,
)
_OR_BEHIND = re.compile(r"\bor\s*$", re.IGNORECASE)
# Words that make a criterion hang on another one, or free one from another.
_GATES = re.compile(
    r"\b(?:unless|except|exempt\w*|derogation|not (?:required|apply|applicable|subject|feasible|possible|yet)|instead"
    r"|otherwise|fail\w*|(?:the|such|those|these) (?:verifier|certifier|auditor|reports?))\b",
    re.IGNORECASE,
)
# Periods that are no number in the text: "annually" is every year.
_PERIOD = re.compile(r"\b(?:annual|year|month|week|quarter|dai|day|decade|biennial)\w*", re.IGNORECASE)
# What citations are made of: numbers inside, capitals inside a sentence, words for documents.
_CITATION = re.compile(
    r"(?<=\w )\d|\d/\d|(?<=[a-z,] )[A-Z]\w|\b(?:law|act|rules?|standards?|guid\w+|norms?|convention|protocol|scheme"
    r"|label|code|strategy|plan|methodolog\w+|recommendations?|conclusions|requirements|criteria)\b"
)
# Words for a limit that stands elsewhere, found there or not.
_LIMIT = re.compile(r"\b(?:limits?|thresholds?|ceilings?|maximum|minimum|values?)\b", re.IGNORECASE)
_FEWEST_FOR_A_GROUP = 3


def _view(inputs: Mapping[str, Any], item_id: str) -> CriterionView | None:
    return next((c for c in inputs["criteria"] if c.criterion_id == item_id), None)


def may_state_a_number(inputs: Mapping[str, Any], item_id: str) -> bool:
    """True if the text holds a number, in digits or words, or names a period."""
    view = _view(inputs, item_id)
    if view is None:
        return False
    return re.search(rf"{FRACTION}|{NUMBER}|\bzero\b", view.text, re.IGNORECASE) is not None or bool(
        _PERIOD.search(view.text)
    )


def may_cite(inputs: Mapping[str, Any], item_id: str) -> bool:
    """True if the text names something by number or capitals, or has a word for a document or scheme."""
    view = _view(inputs, item_id)
    return view is not None and _CITATION.search(view.text) is not None


def has_children(inputs: Mapping[str, Any], item_id: str) -> bool:
    """True if there is something to combine."""
    return any(c.parent == item_id for c in inputs["criteria"])


def may_hold_pathways(inputs: Mapping[str, Any], item_id: str) -> bool:
    """True if some of several children could form a pathway beside another one."""
    children = CriterionIndex(inputs["criteria"]).children(item_id)
    if len(children) < _FEWEST_FOR_A_GROUP:
        return False
    view = _view(inputs, item_id)
    chosen = view is not None and _CHOICE.search(view.text) is not None
    return chosen or any(_OR_BEHIND.search(c.text) for c in children)


def may_cite_wrongly(inputs: Mapping[str, Any], item_id: str) -> bool:
    """True if the text names a point that the section does not have, or names any while it serves a criterion.

    Only a serving paragraph has a criterion that it may mean instead of an existing point (paper appendix D.7).
    """
    view = _view(inputs, item_id)
    if view is None:
        return False
    known = {c.criterion_id for c in inputs["criteria"]}
    serves = anchor_above(item_id) is not None
    return any(serves or p.relative or p.path not in known for p in find_internal_points(view.text))


def may_inherit(inputs: Mapping[str, Any], item_id: str) -> bool:
    """True if the text names a point with a threshold, or one to be looked for, or speaks of a limit there."""
    view = _view(inputs, item_id)
    if view is None:
        return False
    points = find_internal_points(view.text)
    registered = [e.criterion_id for e in inputs["thresholds"]]
    known = {c.criterion_id for c in inputs["criteria"]}
    has_limit = any(i.startswith(p.path) for p in points for i in registered)
    to_find = bool(registered) and any(p.relative or p.path not in known for p in points)
    return has_limit or to_find or (bool(points) and _LIMIT.search(view.text) is not None)


def may_be_gated(inputs: Mapping[str, Any], item_id: str) -> bool:
    """True for paragraphs that serve an alternative, texts that name a point, and words of exemption or fallback."""
    view = _view(inputs, item_id)
    if view is None:
        return False
    if _GATES.search(view.text) or find_internal_points(view.text):
        return True
    anchor = anchor_above(item_id)
    logic = {f.criterion_id: f.evaluation_logic for f in inputs["facts"]}
    parents = {c.criterion_id: c.parent for c in inputs["criteria"]}
    while anchor is not None and anchor in parents:
        anchor = parents[anchor]
        if logic.get(anchor or "") in ("OR", "N_OF_K"):
            return True
    return False
