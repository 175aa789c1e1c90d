"""How the children of a criterion combine: a table of named rules.

The three questions are those of appendix D.1 of arXiv 2604.12054 and section 3 of the annotation guidelines: can
all children hold at once, is one enough, are all needed? Where no rule applies the children are cumulative.
"""

from __future__ import annotations

from dataclasses import dataclass

from regreact.fastpath.combination import cases, connectives, kinds, words
from regreact.fastpath.combination.family import AND, OR, Decide, Decision, Family, family_of

__all__ = ["AND", "LOGIC_RULES", "OR", "Decision", "Family", "LogicRule", "family_of"]


@dataclass(frozen=True, slots=True)
class LogicRule:
    """One way to recognise how children combine.

    Attributes:
        name: Name of the rule.
        decide: Returns the decision, or None if the rule does not apply.
        confidence: How sure the rule is.
        source: Guideline or paper section that the rule follows.
        example: Chapeau and children that the rule decides.
    """

    name: str
    decide: Decide
    confidence: float
    source: str
    example: tuple[str, tuple[str, ...]]


LOGIC_RULES: tuple[LogicRule, ...] = (
    LogicRule(
        "negated choice",
        words.negated_choice,
        0.85,
        "guidelines 3",
        ("The kiln is not built on one of the following:", ("a dune;", "a marsh.")),
    ),
    LogicRule(
        "count",
        words.count,
        0.97,
        "guidelines 3; R14",
        ("At least two of the following measures are taken:", ("a lid;", "a fan;", "a hood.")),
    ),
    LogicRule(
        "all",
        words.all,
        0.97,
        "paper D.1, B",
        ("The kiln complies with all of the following:", ("it is closed;", "it is cooled.")),
    ),
    LogicRule(
        "one",
        words.one,
        0.97,
        "paper D.1, A and D",
        ("The kiln complies with one of the following criteria:", ("it is closed;", "it is cooled.")),
    ),
    LogicRule(
        "options",
        words.options,
        0.9,
        "D1",
        ("Compliance may be checked:", ("at the level of the yard;", "at the level of the village.")),
    ),
    LogicRule(
        "alternatively",
        words.alternatively,
        0.95,
        "guidelines 3",
        ("", ("The roof meets the code.", "Alternatively, it saves 30 % of the heat.")),
    ),
    LogicRule(
        "or between the items",
        connectives.alternatives,
        0.85,
        "guidelines 3",
        ("The kiln is built so that:", ("it is closed; or", "it is cooled.")),
    ),
    LogicRule(
        "fallback",
        words.fallback,
        0.75,
        "D11",
        ("Records:", ("Records are kept.", "Where records are not yet kept, they are announced.")),
    ),
    LogicRule(
        "vehicle categories",
        cases.kinds_of_vehicle,
        0.9,
        "guidelines 3",
        ("", ("for vehicles of category L, x;", "for vehicles of category M1, y.")),
    ),
    LogicRule(
        "periods",
        cases.times,
        0.85,
        "paper D.1",
        ("For carts:", ("until 31 December 2027, 50 g;", "from 1 January 2028, 0 g.")),
    ),
    LogicRule(
        "a value per case",
        cases.values_per_case,
        0.85,
        "paper D.1, F; R17",
        ("Heat losses are lower than:", ("3 W for kilns below 1 m3;", "5 W for kilns above 1 m3.")),
    ),
    LogicRule(
        "exclusive cases",
        cases.exclusive_cases,
        0.8,
        "paper D.1, conditional tiering",
        ("", ("In case of kilns connected to a flue, x.", "In case of kilns not connected to a flue, y.")),
    ),
    LogicRule(
        "a set of criteria per kind",
        cases.set_per_kind,
        0.7,
        "guidelines 3",
        (
            "",
            (
                "For making bricks, the activity complies with the following criteria:",
                "For making tiles, the activity complies with the following criteria:",
            ),
        ),
    ),
    LogicRule(
        "documents",
        kinds.documents,
        0.85,
        "R18",
        (
            "Dust is within the ranges of the relevant conclusions, including:",
            ("the kiln conclusions;", "the brick conclusions."),
        ),
    ),
    LogicRule(
        "kinds of thing",
        kinds.kinds_of_thing,
        0.8,
        "guidelines 3",
        ("The activity manufactures:", ("clay bricks;", "roof tiles.")),
    ),
    LogicRule(
        "what the activity does",
        kinds.what_the_activity_does,
        0.8,
        "R9",
        ("", ("The activity manufactures bricks.", "The activity recycles old bricks.")),
    ),
)
"""Asked in this order; where none applies the children are cumulative."""
