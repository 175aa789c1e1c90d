"""Stage 5: gating, inherited thresholds, wrong cross-references (paper appendices D.7 to D.10)."""

import dspy

from signatures.types import (
    CorrectionsItem,
    CriterionFacts,
    CriterionView,
    DependenciesItem,
    InheritanceItem,
    MappingEntry,
    ThresholdEntry,
    UnitHeader,
)


class CorrectCrossReferences(dspy.Signature):
    """Find citations of points of this section that name a wrong or missing criterion.

    For each criterion asked for:

    1. List the points of the section that its text cites ("point 1(b)", "criterion 2.1"). "point (c)" without number
       counts from the list it stands in. Acts, Sections and Annexes are no points.
    2. Note what the citing words are about: the quantity, period, deadline or duty just before "referred to in point
       …".
    3. If no criterion has that id, look for the one meant:
       a. Stem: if the cited criterion exists and has items, search those. Otherwise the criterion the text is anchored
          to (1(e) for 1(e).Verification(a)), else a sibling of the cited one whose list is long enough.
       b. Position: numerals and letters of equal rank stand for each other: (i) and (a) are first, (iv) and (d)
          fourth, (v) and (e) fifth.
       c. Topic: the candidate must be about what the citing words say. One with a threshold on just that topic in
          `thresholds` goes before one with a threshold of the same sort (limit, deadline), and that before mere
          position.
    4. If the id exists, accept it unless it plainly cannot be meant:

       | sign | meant |
       |---|---|
       | a paragraph anchored to X cites X's sibling Y, but the words describe X and not Y | X |
       | the same, speaking of the criteria of, or compliance with, Y that has no items while X has | X |

       A citation that fits, or fits both equally, stays.
    5. Never return the citing criterion, one above or one below it, nor the printed id itself. If nothing fits
       clearly, make no correction.

    One entry for each wrong citation: "from" is the printed id in full form ("1(b)(v)"), "to" the id of an existing
    criterion ("1(e)(e)"), reason "crossref". If all citations are right, or there are none, corrections is [].
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    thresholds: list[ThresholdEntry] = dspy.InputField(desc="registry of thresholds of the section")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[CorrectionsItem] = dspy.OutputField(desc="one item per criterion asked for")


class InheritThresholds(dspy.Signature):
    """Find criteria that point to a limit stated in another criterion and copy that limit.

    1. Does the text hand a limit over? It needs a point of the section and words that say so:

       | text | inherits |
       |---|---|
       | threshold, level, limit, value, margin "referred to", "set out", "specified" in point X | yes |
       | "the share (factor, emissions) referred to in point X is measured, certified", X limiting it | yes |
       | "on track to comply with point X", "the same limit as in point X" | yes |
       | a thing meeting or fulfilling the criteria of point X, if these are limits | yes |
       | "compliance with point X is verified"; "the criteria of this Section" | no |
       | plans, reports, equipment, instruments "referred to in point X" | no |
       | X cannot be met, or applies only if X | no: a dependency |

    2. Which criterion? The id as printed, unless `mappings` holds an entry for this criterion and phrase: then its
       target. Never itself, one above or one below it.
    3. Which items? Copy from `thresholds` and from nowhere else.

       | selector in the text | copy |
       |---|---|
       | "over 20 years", "the 15-year mean" | items with that period |
       | "instant", "at the point of generation" | items without period |
       | a case: "the winter value", "for class B", "from 2029" | items whose metric names it |
       | none | all |

       Keep metric, operator, value, unit and period unchanged. logic is that of the source if more than one item is
       left, else null.
    4. If X has no entry but its children have, copy theirs with logic AND and name the case in each metric that would
       otherwise repeat.
    5. If X has dates only, copy its temporal part; beside limits, dates are not copied.
    6. A criterion that prints all these values itself names threshold_from and leaves threshold null. Values of its
       own that differ, and its own dates, are no part of the answer.

    If nothing is handed over, or the source has no threshold, threshold_from and threshold are both null.

    The items keep their form. quantitative: logic AND, OR or null; operator >, <, >=, <= or =; period null, bounded
    (years, months, days) or lifetime. temporal: deadline, effective_from, effective_until, window or recurring.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    thresholds: list[ThresholdEntry] = dspy.InputField(desc="registry of thresholds of the section")
    mappings: list[MappingEntry] = dspy.InputField(desc="registry of what cited points stand for")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[InheritanceItem] = dspy.OutputField(desc="one item per criterion asked for")


class ResolveDependencies(dspy.Signature):
    """Find criteria that apply only if another criterion of the section is met, chosen or not met.

    The test: does this criterion concern only those who meet, choose or miss that other criterion? Only then it
    depends on it.

    | case | clause |
    |---|---|
    | opens with a condition on a point: "Where 1(b) or 1(c) is used, …" | Affirmation on each point |
    | anchored paragraph (1(f).Verification) on, or within, one of several alternatives | Affirmation on its anchor |
    | anchored paragraph that names the point it is anchored to | Affirmation on it |
    | duty for "aircraft under point 1(b)", 1(b) being an alternative | Affirmation on it |
    | what a certifier must be, one item of the list of checkers being a certifier | Affirmation on the item |
    | fallback: "where (a) is not feasible", "where this is not yet done" | Negation on (a) |
    | criterion that an exemption releases from ("small farms need not …") | Negation on the exemption |
    | criterion X with a derogation X.Requirement that sets a substitute duty | Negation on X.Requirement |

    No dependency, null:
    - documents, data or definitions taken from another criterion ("as defined in 2.1");
    - criteria of other Sections or acts: these are references;
    - conditions on dates, sizes, places or situations that name no criterion;
    - what another criterion finds out ("where assessed to be at risk");
    - anchored to a criterion that all must meet, though it is Conditional; items below an anchored paragraph, which
      share its gate without repeating it;
    - the exemption and the derogation themselves: never gate both ways, and never gate by itself.

    Steps
    1. Use `facts`: the logic of the parent tells alternatives, BackgroundInformation tells exemptions. An inferred
       container (1(a-d)) below OR is an alternative, and so are its members.
    2. Read cited points as `mappings` says where it has an entry.
    3. An exemption releases the points it names, else the siblings that lay down the duty it names (all of them, if
       the heading names that duty), else its anchor.
    4. clauses: one {criterion_id, status} for each criterion, status Affirmation or Negation. min_conditions_to_meet:
       1 if any of them is enough ("or"), their number if all must hold ("and", "both").
    5. condition_summary: one short sentence in your own words with the situation and the ids: "Applies to kilns that
       use route 1(b)."

    Without gate, dependencies is null.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    facts: list[CriterionFacts] = dspy.InputField(desc="logic, applicability and tags found before")
    mappings: list[MappingEntry] = dspy.InputField(desc="registry of what cited points stand for")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[DependenciesItem] = dspy.OutputField(desc="one item per criterion asked for")
