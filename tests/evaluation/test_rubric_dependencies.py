"""Dependencies: gating, inheritance and corrections of a node, each deduction of the table."""

from typing import Any

import pytest

from regreact.evaluation.semantic import dependency_score
from tests.evaluation.builders import NO, YES, facts

ONE, TWO = (("1(a)", YES),), (("1(a)", YES), ("1(b)", YES))
THREE = (*TWO, ("1(c)", YES))


@pytest.mark.parametrize(
    ("gold", "found", "score"),
    [
        (facts(*ONE), facts((" point 1(a)", YES)), 5.0),
        # one of two clauses absent or too many; two of three absent
        (facts(*TWO), facts(*ONE), 3.0),
        (facts(*ONE), facts(*TWO), 3.0),
        (facts(*THREE), facts(*ONE), 2.0),
        # "all of two" against "all of one": the absent clause is one gap, not two
        (facts(*TWO, minimum=2), facts(*ONE), 3.0),
        (facts(*TWO, minimum=2), facts(*TWO, minimum=1), 3.0),
        (facts(*ONE), facts(*ONE, minimum=2), 4.0),
        # status inverted, a clause on the wrong node
        (facts(*ONE), facts(("1(a)", NO)), 2.0),
        (facts(*TWO), facts(("1(a)", YES), ("1(b)", NO)), 2.0),
        (facts(*TWO), facts(("1(a)", YES), ("9", YES)), 2.0),
        # a gate that is not there, one that was overlooked
        (facts(), facts(*ONE), 1.0),
        (facts(*ONE), facts(), 1.0),
    ],
)
def test_gating(gold: dict[str, Any], found: dict[str, Any], score: float) -> None:
    assert dependency_score(gold, found) == score


@pytest.mark.parametrize(
    ("summary", "score"),
    [
        ("Applies where 1(a) is chosen.", 5.0),
        ("Applies where the kiln burns 1 to 3 t of dust in 2030.", 5.0),
        ("Applies where 1(b) is chosen.", 4.0),
        ("Applies where 4.Verification(b) is chosen.", 4.0),
    ],
)
def test_a_summary_that_names_another_criterion(summary: str, score: float) -> None:
    assert dependency_score(facts(*ONE), facts(*ONE, summary=summary)) == score


def test_an_anchored_criterion_in_a_summary_is_read_whole() -> None:
    clause = ("4.Verification-2(b)", YES)
    assert dependency_score(facts(clause), facts(clause, summary="Applies under 4.Verification-2(b).")) == 5.0


@pytest.mark.parametrize(
    ("gold", "found", "score"),
    [
        (facts(inherits="1(a)"), facts(inherits="1(a)"), 5.0),
        (facts(inherits="1(a)"), facts(inherits="1(b)"), 2.0),
        (facts(inherits="1(a)"), facts(), 1.0),
        (facts(fixed=[("1(b)", "1(f)")]), facts(fixed=[("1(b)", "1(f)")]), 5.0),
        (facts(fixed=[("1(b)", "1(f)")]), facts(fixed=[("point 1(b)", "1(f)")]), 5.0),
        (facts(fixed=[("1(b)", "1(f)")]), facts(fixed=[("1(b)", "1(e)")]), 2.0),
        # one of two: 1 + 4 x 1/2
        (facts(fixed=[("1(b)", "1(f)"), ("2", "3")]), facts(fixed=[("2", "3")]), 3.0),
        # the mean of the parts that either side has: (5 + 1) / 2, (2 + 5 + 5) / 3
        (facts(*ONE), facts(*ONE, inherits="1(a)"), 3.0),
        (facts(("1", YES), inherits="1", fixed=[("2", "3")]), facts(("1", NO), inherits="1", fixed=[("2", "3")]), 4.0),
    ],
)
def test_inheritance_and_corrections(gold: dict[str, Any], found: dict[str, Any], score: float) -> None:
    assert dependency_score(gold, found) == score
