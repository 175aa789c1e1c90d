"""Stage 2: quantitative and temporal thresholds (paper appendices D.2 and D.3)."""

import dspy

from signatures.types import CriterionView, ThresholdItem, UnitHeader


class ExtractThresholds(dspy.Signature):
    """Extract the numeric limits and the dates that each criterion states itself.

    1. Sort each number. If reaching it is the test, it is a limit. If it says to whom or what the rule applies (size,
       capacity, class), it is a condition: skip it, as well as numbers of acts and standards, levels of a scale (Euro
       V, class A, TRL 9), distances in definitions, and comparisons that print no number. Limits of another point or
       act that are only cited do not belong here.
    2. metric: a noun phrase with all qualifiers (life-cycle, direct, net, average annual). A change is named as such
       ("Capacity increase", "GHG emission reduction"); in "A leads to less B" the measured B. Put the case into the
       metric where one text has several. An item that prints only a value takes metric and operator from its chapeau.
    3. operator:

       | words | operator |
       |---|---|
       | below, lower than, less than | < |
       | at most, not exceeding, maximum; a listed value under "do not exceed:" | <= |
       | at least, minimum, not lower than | >= |
       | above, more than, exceeds | > |
       | equal to, is zero, "=" before a value | = |
       | x % lower than a reference: metric "… reduction" | >=, or > after "more than" |
       | nothing said | <= for emissions and costs, >= for shares and savings |

    4. value: 0,722 is 0.722; 10 000 is 10000; of "at least 10 to 30" take 10. A number that serves two alternatives at
       once makes one item, with both in the metric. "Zero emissions" of a thing is = 0, but a "zero-emission vehicle"
       is a class: skip.
    5. unit: as printed with its "per …" and flattened ("g CO2e/kWh", "tCO2e/t", "%"); "" for a bare index.
    6. period: {"type":"bounded","value":15,"unit":"years"} (or months, days) for "over 15 years" and "15-year mean",
       {"type":"lifetime"} for the whole lifetime, else null. Life-cycle names a method, no period.
    7. Durations to be reached ("kept for five years") are quantitative in years; so is "within two years of X": the
       interval as metric, <= 2.
    8. Dates go to temporal, also where they tell old cases from new ("built before …"):

       | words | item |
       |---|---|
       | by, before, not after | {"type":"deadline","date"} |
       | from, after | {"type":"effective_from","date"} |
       | until | {"type":"effective_until","date"} |
       | between A and B | {"type":"window","start","end"} |
       | every ten years, annually (1 years) | {"type":"recurring","interval_value","interval_unit"} |

       Dates read YYYY-MM-DD, as printed. A bare year means its first day in effective_from and start (the next year's
       after "after"), its last day elsewhere. Skip dates of acts and of their versions, and names of phases ("at
       construction").
    9. logic, in each part: null for one item, OR for "or" and "alternatively", else AND.

    Without limit and date, threshold is null; a part without items is null.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[ThresholdItem] = dspy.OutputField(desc="one item per criterion asked for")
