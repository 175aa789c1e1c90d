"""Points that the rubric of appendix D.19 takes off, and how they become a score.

D.19 states points per error ("rule") and describes what a score of 4, 3, 2 looks like ("level"). Where the two
disagree on a single error the level decides, since the score is defined by the levels; each further error of the
kind costs the points of the rule. Score 1 is for what is unjustified, overlooked or mostly absent (level 1), so
errors of detail alone never go below 2.

What D.19 leaves open is marked (+).
"""

from __future__ import annotations

# Threshold: items
OPERATOR_STRICTNESS = 1.0  # rule 3: "> against >=". Also "=" against the bound it lies on (+)
OPERATOR_DIRECTION = 2.0  # level 3: "operator direction wrong on one item"
WRONG_VALUE = 3.0  # level 2: "wrong numeric value"
WRONG_UNIT = 3.0  # level 2: "fundamentally different unit"; a date or interval of another kind of time (+)
UNIT_QUALIFIER = 1.0  # (+) the unit is right, what it counts is left out ("t" for "t of board")
VAGUE_METRIC = 1.0  # level 4: "vague metric label"
OTHER_METRIC = 2.0  # (+) not vague but another quantity: between levels 4 and 2
PERIOD_ON_ONE_SIDE = 1.0  # rule 7: "missing but inferable"
WRONG_PERIOD = 2.0  # rule 7: "wrong value or unit"
# Threshold: sets
ABSENT_ITEM = 2.0  # level 3: "one item entirely missing", "temporal condition absent"; a surplus one alike (+)
NEXT_ITEM = 1.0  # level 2: "only 1 of 3+ items"
JOINER_INVERTED = 3.0  # level 2: "AND/OR inverted" (rule 6: -2)
JOINER_NULL = 1.0  # level 4: "null logic with two or more correct items"

# References
TYPE_MISMATCH = 1.0  # rule: -1 each
WRONG_CELEX = 1.0  # (+) the act is recognisable by its number, its CELEX id is absent or wrong
OTHER_PINPOINT = 1.0  # (+) the act is right, the article or point is absent or another one
ABSENT_SOURCE = 2.0  # level 3: "one source missing or one false positive" (rule: -1)
NEXT_SOURCE = 1.0  # rule: -1 each; level 2: "two or more sources missing"
REFERENCE_JOINER = 1.0  # rule: -1; level 4 for a null one

# Footnotes
TRUNCATED = 2.0  # level 3: "truncated content", more than 20 % missing
OTHER_CONTENT = 3.0  # level 2: "fundamentally different verbatim content"
CATEGORY_BESIDE = 0.5  # rule: "extra secondary label"; a secondary one that is absent alike (+)
WRONG_CATEGORY = 1.0  # rule: "wrong primary category"
ITEMS_ABSENT = 2.0  # level 3: "items … array empty when clearly needed" (rule: -1)
ITEM_ABSENT = 1.0  # rule: "missing parsed items"; surplus ones alike (+)
ITEM_FIELD = 1.0  # level 4: "wrong item kind"; its type and CELEX id alike (+)
DEFINITIONS_ABSENT = 2.0  # level 3: "definitions array empty when clearly needed" (rule: -1)
DEFINITIONS_DIFFER = 1.0  # level 4: "slightly reworded definition"; other or surplus terms (+)
ABSENT_FOOTNOTE = 2.0  # level 3: "one footnote missing"
NEXT_FOOTNOTE = 1.0  # level 2: "two or more footnotes missing"

# Dependencies
STATUS_INVERTED = 3.0  # level 2: "status inverted" (rule: -2)
OTHER_CRITERION = 3.0  # level 2: "criterion_id points to wrong node"
ABSENT_CLAUSE = 2.0  # level 3: "one secondary clause missing"; a surplus one alike (+)
NEXT_CLAUSE = 1.0  # (+)
MINIMUM = 2.0  # rule and level 3: min_conditions_to_meet wrong with two or more clauses
MINIMUM_ONE_CLAUSE = 1.0  # level 4: "min_conditions differs with only 1 clause"
SUMMARY_CRITERION = 1.0  # rule: condition_summary with "wrong criterion reference"

BEST, RECOGNISED, WRONG, EMPTY = 5.0, 2.0, 1.0, 0.0

# "Most gold sources absent" (level 1): more than two thirds of them; "two or more" (level 2) is less.
MOST = 2 / 3


def one_sided(gold: object, found: object) -> float | None:
    """Return 0 if both sides are empty, 1 if one is, None if both have something."""
    if not gold and not found:
        return EMPTY
    return WRONG if not gold or not found else None


def series(count: int, first: float, following: float) -> float:
    """Return the points for `count` errors of a kind of which the first costs more."""
    return first + following * (count - 1) if count else 0.0


def graded(lost: float) -> float:
    """Return the score of a field that both sides have and that was recognised."""
    return max(RECOGNISED, BEST - lost)
