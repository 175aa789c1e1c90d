"""Footnotes: each deduction of the table, and how deductions add up."""

from typing import Any

import pytest

from regreact.evaluation.semantic import footnote_deduction, footnote_score
from regreact.schema import Footnote
from tests.evaluation.builders import ITEM, note

LEGAL, TERM, GUIDE, EXPLAINS = (
    "Legal Reference",
    "Technical Definition",
    "Official Guideline/Standard",
    "Explanatory Note",
)
SECOND = {**ITEM, "title": "ISO 22:2019"}
THIRD = {**ITEM, "title": "ISO 333:2020"}
SLAG = {"term": "slag", "definition": "what remains"}
TEXT = "The share of slag is measured over a year."


@pytest.mark.parametrize(
    ("gold", "found", "lost"),
    [
        ({}, {}, 0),
        ({"verbatim": TEXT}, {"verbatim": TEXT.replace(" ", "\u00a0 ")}, 0),
        # 25 of 35 letters are left, and 32
        ({"verbatim": TEXT}, {"verbatim": TEXT[:30]}, 2),
        ({"verbatim": TEXT}, {"verbatim": TEXT[:-4]}, 0),
        ({"verbatim": TEXT}, {"verbatim": ""}, 2),
        ({"verbatim": TEXT}, {"verbatim": "Nobody knows who was the first of them all."}, 3),
        ({"categories": [LEGAL]}, {"categories": [LEGAL, EXPLAINS]}, 0.5),
        ({"categories": [LEGAL, EXPLAINS]}, {"categories": [LEGAL]}, 0.5),
        ({"categories": [LEGAL, EXPLAINS]}, {"categories": [EXPLAINS, LEGAL]}, 0),
        ({"categories": [LEGAL, EXPLAINS]}, {"categories": [EXPLAINS]}, 1),
        ({}, {"items": []}, 2),
        ({"items": []}, {}, 1),
        ({"items": [ITEM, SECOND]}, {}, 1),
        ({"items": [ITEM]}, {"items": [{**ITEM, "title": "ISO 1"}]}, 0),
        ({"items": [ITEM]}, {"items": [{**ITEM, "kind": "Other"}]}, 1),
        ({"items": [ITEM]}, {"items": [{**ITEM, "type": "citation_only"}]}, 1),
        ({"items": [ITEM]}, {"items": [{**ITEM, "kind": "Other", "type": "citation_only"}]}, 1),
        # however many items are wrong, it is no worse than having none
        ({"items": [ITEM, SECOND, THIRD]}, {"items": [{**i, "kind": "Other"} for i in (ITEM, SECOND, THIRD)]}, 2),
        ({"definitions": [SLAG]}, {}, 2),
        ({"definitions": [SLAG]}, {"definitions": [{"term": "the slag", "definition": ""}]}, 0),
        ({"definitions": [SLAG]}, {"definitions": [{"term": "dross", "definition": ""}]}, 1),
    ],
)
def test_a_footnote_loses(gold: dict[str, Any], found: dict[str, Any], lost: float) -> None:
    assert footnote_deduction(note(**gold), note(**found)) == lost


def numbered(*numbers: int, **changes: Any) -> tuple[Footnote, ...]:
    return tuple(note(id=f"fn-{n}", **changes) for n in numbers)


@pytest.mark.parametrize(
    ("gold", "found", "score"),
    [
        # absent: one, two of three, three of four; surplus: one
        (numbered(1, 2), numbered(1), 3.0),
        (numbered(1, 2, 3), numbered(1), 2.0),
        (numbered(1, 2, 3, 4), numbered(1), 1.0),
        (numbered(1), numbered(1, 2), 3.0),
        # the points of all notes add up: 2 x 0.5, 2 x 1
        (numbered(1, 2), numbered(1, 2, categories=[GUIDE, TERM]), 4.0),
        (numbered(1, 2), numbered(1, 2, categories=[TERM]), 3.0),
        # errors of detail alone do not go below 2
        (numbered(1, 2, 3, 4), numbered(1, 2, 3, 4, categories=[TERM]), 2.0),
    ],
)
def test_sets_of_footnotes(gold: tuple[Footnote, ...], found: tuple[Footnote, ...], score: float) -> None:
    assert footnote_score(gold, found) == score
