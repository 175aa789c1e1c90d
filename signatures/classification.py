"""Stage 3: pathways, evaluation logic, applicability and tags (paper appendices D.1, D.4, D.5)."""

import dspy

from signatures.types import (
    ActivityEntry,
    ApplicabilityItem,
    CriterionFacts,
    CriterionView,
    LogicItem,
    PathwayItem,
    TagsItem,
    UnitHeader,
)


class DetectPathways(dspy.Signature):
    """Find joint pathways among the children of criteria that offer alternatives.

    A pathway is one way to comply. Its conditions may be printed as separate items of the list of alternatives
    although none of them is a way to comply by itself. Those items are one group; the program wraps it in a container
    such as 1(a-d).

    For each criterion asked for:

    1. Does it let the operator choose ("one of", "either", "any of", routes, pathways)? If all children are required
       together, or only a number of them, groups is [].
    2. Take the children in order. A child joins the one before it if it makes no sense alone:

       | the child | example |
       |---|---|
       | says how the other's quantity is worked out | "those emissions are calculated with …" |
       | says who checks it | "an independent body verifies the emissions so calculated" |
       | takes up its words | "that waste paper", "the pump referred to in point (b)" |
       | opens with the same scope | "on the passive approach, …" in both |
       | adds a condition to a pathway already begun | "where the plant draws on stored gas, …" |

    3. A child is an alternative by itself if it could be met alone, if it has items of its own that complete it, or if
       it is a fallback ("where (a) is not feasible"). It stays outside, and the next child starts afresh.
    4. A group holds at least two children and never all of them: at least one child, or another group, remains as the
       alternative. No child is in two groups. Keep document order.
    5. Anchored paragraphs ("1(d).Methodology") whose anchor is in a group belong to that group as well. List them
       right after its first member, so that list items are first and last.
    6. Kinds of thing, size classes and product types are alternatives each by itself: no group. Without certainty,
       return no group.

    Write groups as lists of criterion ids, one list for each pathway of several conditions: [["1(a)", "1(b)"]].
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[PathwayItem] = dspy.OutputField(desc="one item per criterion asked for")


class InferLogic(dspy.Signature):
    """Determine how the children of each criterion combine.

    1. Who takes part? Leave out children whose facts carry the tag BackgroundInformation; under OR and N_OF_K also
       anchored ones (1(f).Verification). If nobody is left, or there are no children, the answer is LEAF. With one
       participant it is AND.
    2. Fixed cases: containers (block null, such as 1(a-d)) are AND. Headings and ROOT are AND unless words say
       otherwise.
    3. Read the words of the criterion:

       | words | answer |
       |---|---|
       | one of, either, any of, at least one, one or both, the most ambitious of | OR |
       | all, both, each, "the following" before duties that add up | AND |
       | at least two of, two of | N_OF_K, n_required 2 |
       | two of them until a date and all afterwards | N_OF_K with the first count |
       | examples only: "such as", "including but not limited to" | OR |
       | in line with the relevant documents, including: (of which those that apply count) | OR |

       A child that opens with "alternatively" speaks for OR too. Wording like "at least equivalent to" is a benchmark
       and a date or place only a scope: neither is a choice.
    4. If the words leave it open, ask in turn:
       a. Can all children hold at once? If they are cases that shut each other out (size class, grade, product type,
          vehicle category), each instance falls into one: OR. Values for steps of a process that can all take place:
          AND.
       b. Is one enough to comply? Lists of what the activity can be, or of things to do in place of each other, even
          without "or": OR.
       c. Are all needed, or is it unclear? AND.
    5. Exclusive cases that stand beside duties for everybody do not change the parent: AND.

    n_required is a number with N_OF_K and null with AND, OR and LEAF.
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    facts: list[CriterionFacts] = dspy.InputField(desc="tags of the criteria, for the participation rule")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[LogicItem] = dspy.OutputField(desc="one item per criterion asked for")


class ClassifyApplicability(dspy.Signature):
    """Decide whether each criterion is Mandatory or Conditional.

    The test: can two instances of the activity, both compliant, differ in whether this duty concerns them? If so it is
    Conditional. If not, or in doubt, it is Mandatory.

    | words of the criterion | answer |
    |---|---|
    | opens with a situation: "Where the plant burns …", "If …", "In case of …", "For existing plants" | Conditional |
    | opens with "Where applicable", "relevant", "appropriate", "installed" | Conditional |
    | the same in the middle or at the end; data or means "where available", "where feasible" | Mandatory |
    | size, capacity, date or class that says whom it concerns | Conditional |
    | performance to be reached | Mandatory |
    | a subject only some instances have, even without "where" (bridges, recycling, optional biomass) | Conditional |
    | a subject every instance has | Mandatory |
    | "may" for an act at discretion; exemption; derogation | Conditional |
    | "When undertaking …", "at commissioning": a step that everybody takes | Mandatory |
    | "unless" and a property of the asset | Conditional |
    | "unless" and something done or proved | Mandatory |
    | cases in one block that cover everybody together (in the Union, elsewhere) | Mandatory |
    | prohibition or duty without any of this | Mandatory |

    Steps
    1. ROOT and containers (block null) are Mandatory.
    2. Judge a criterion by the words of its own block. A condition of the chapeau is not repeated on the items, nor
       one of the anchor on an anchored paragraph; a criterion that is exempted elsewhere keeps what its own text says.
    3. For a qualifier ask three things: does it touch every instance, does it change how and not whether to comply,
       would the duty stand with the qualifier struck out? Three times yes is Mandatory.
    4. Lists of alternatives: an item that names a kind of thing or a way to comply is Mandatory unless its own words
       gate it. Cases that exclude each other ("for fine grade, …"), and values of process steps of which some may be
       absent, are Conditional one by one while their chapeau is Mandatory. A fallback ("where (a) is not feasible") is
       Conditional.
    5. CO2 captured for underground storage is a situation: a criterion on it is Conditional. As part of an alternative
       that uses capture it changes nothing.
    """

    unit: UnitHeader = dspy.InputField()
    activity: list[ActivityEntry] = dspy.InputField(desc="what is known of the activity")
    criteria: list[CriterionView] = dspy.InputField()
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[ApplicabilityItem] = dspy.OutputField(desc="one item per criterion asked for")


class AssignTags(dspy.Signature):
    """Give each criterion zero to three tags by what the operator must do.

    1. Ask of each criterion: could an auditor tick pass or fail? Is it the operator who must act? Does ignoring it
       mean failing? If one answer is no, the tags are ["BackgroundInformation"] alone: definitions, scope, "N/A",
       exemptions, what a verifier weighs or the Commission does, bare permissions. A permission with conditions that
       can be audited gets the tag of those conditions, and so do its items.
    2. Otherwise take every tag that fits what the operator must do:
       - Verification: be checked, certified, audited or inspected by outsiders; hold a permit, label or approval.
       - Methodology: follow a method or standard; install equipment; take measures; meet criteria, a class, a limit or
         a benchmark set elsewhere (act, Section, Annex), even inside a prohibition; comply with a plan of others; use
         inputs that meet criteria of others.
       - Commitment: have a plan, declaration, contract, guarantee or public report, or put something into it; be
         included in a plan of others; monitor without indicators.
       - Assessment: study, compare, analyse risks, consult, consider; track by indicators.
       - Replacement: replace what exists, as the point of the sentence and not to explain a metric.

       A limit, its calculation method and its check in one block give both tags. Finding risks and dealing with them
       under a management plan is Assessment and Commitment. A "verifiable plan" is Commitment only.
    3. No tag, [], for: ROOT, containers, headings; a chapeau that only introduces; a limit printed in full; what the
       activity is, makes or uses, and what is prohibited; design and features of products or services; an outcome in
       nature, even "in accordance with" an act; an act that only defines the quantity.
    4. A chapeau with a verb of duty ("a plan contains:", "information is given on:") is tagged, with two tags for two
       duties. Its items take over its tags, also those that name mere kinds or limits, except:
       - worded as study, consultation or consideration: Assessment instead;
       - naming a method themselves: Methodology beside;
       - only replacing: Replacement instead ("installation and replacement": beside).
    """

    unit: UnitHeader = dspy.InputField()
    criteria: list[CriterionView] = dspy.InputField()
    facts: list[CriterionFacts] = dspy.InputField(desc="thresholds and references found before")
    asked: list[str] = dspy.InputField(desc="ids to answer, and no others")
    guidance: str = dspy.InputField(desc="what to do differently from the last attempt; may be empty")
    answers: list[TagsItem] = dspy.OutputField(desc="one item per criterion asked for")
