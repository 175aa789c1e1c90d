"""Judges: of the fields of a criterion (paper appendix D.19), and of summaries of cited law (D.20).

Each lists its comparisons before it scores. A field that both sides leave empty scores 0, and nobody is asked.
"""

from typing import Literal

import dspy

from regreact.schema import Footnote, References, Threshold
from signatures.comparisons import DependencyFacts, FieldCheck
from signatures.passages import CitedSource, ClaimCheck, ClaimRelevance, ElementCheck, NeedCheck, PassageView

Score = Literal[1, 2, 3, 4, 5]


class JudgeThreshold(dspy.Signature):
    """Score how far the threshold that a system read from a criterion means what the gold threshold means.

    1. Pair the items of both sides by what they measure and when they apply, and list every pair and every item without
       partner. Intervals ("every five years") mean the same under quantitative and under temporal.
    2. Metric: names are free ("PED", "primary energy demand"), the quantity counts. Value: equal as numbers, 10 as
       10.0. Unit: equal once written alike ("%" and "percent", "g CO2e/kWh" and "gCO2eq/kWh"), "g" is not "kg".
    3. verdict: same; minor (> for >=, a vague metric, a period left out that the text makes plain, logic null with
       several right items); major (value, unit, direction of the operator, period, date or AND/OR wrong); missing (only
       gold has it); surplus (only the system has it).
    4. If one side is null, look in the text: does it state a limit or a date?

    | score | if |
    |---|---|
    | 5 | every item is the same |
    | 4 | one minor difference and nothing else |
    | 3 | the main item is right; one item is missing or surplus, one operator is turned round, or dates are absent |
    | 2 | recognised, but a value or unit is wrong, AND and OR are exchanged, or most items are missing |
    | 1 | one side is null, or nothing corresponds |
    """

    text: str = dspy.InputField(desc="the criterion as published")
    gold: Threshold | None = dspy.InputField()
    system: Threshold | None = dspy.InputField()
    comparisons: list[FieldCheck] = dspy.OutputField()
    score: Score = dspy.OutputField()
    reason: str = dspy.OutputField(desc="one sentence")


class JudgeReference(dspy.Signature):
    """Score how far a system found the references of a criterion that the gold has.

    1. Pair the sources of both sides by CELEX id, number of the act, or designation of the standard, never by wording.
       List every pair and every source without partner.
    2. verdict: same; minor (another type: must_be_fetched for citation_only or the reverse; another CELEX id or another
       article of the same act); major (another act under the same words); missing (only gold has it); surplus (only the
       system has it, and it does not stand in the text). A source that only the system has and that stands in the text
       is same.
    3. Compare logic, AND or OR, as one more item if both sides have several sources: minor if one side is null, else
       major.

    | score | if |
    |---|---|
    | 5 | every item is the same |
    | 4 | all sources are found, with one minor difference |
    | 3 | one source is missing or surplus, or several minor differences |
    | 2 | several sources are missing, or more than half of the types are wrong |
    | 1 | one side is null, most of the gold is missing, or the acts are others |
    """

    text: str = dspy.InputField(desc="the criterion as published")
    gold: References | None = dspy.InputField()
    system: References | None = dspy.InputField()
    comparisons: list[FieldCheck] = dspy.OutputField()
    score: Score = dspy.OutputField()
    reason: str = dspy.OutputField(desc="one sentence")


class JudgeFootnote(dspy.Signature):
    """Score how far the footnotes that a system took apart say what the gold footnotes say.

    1. Pair the footnotes of both sides by their verbatim text, not by id; spaces and encoding do not matter. List every
       pair with what differs first, and every footnote without partner.
    2. Within a pair look at the verbatim text (more than a fifth cut off is major), categories (one label too
       many, or another first label, is minor), items (the documents named, their kind, CELEX id and type; one wrong
       field is minor, an empty list although documents are named is major) and definitions (other words for a term are
       minor, an empty list although terms are defined is major).
    3. verdict: same, minor, major, missing (only gold has it), surplus (only the system has it).

    | score | if |
    |---|---|
    | 5 | every footnote is the same |
    | 4 | all are there, with one minor difference |
    | 3 | one is missing, cut off, or without its items or definitions |
    | 2 | several are missing, or the text of one is another |
    | 1 | one side is empty, or most are missing or wrong |
    """

    text: str = dspy.InputField(desc="the criterion as published")
    gold: list[Footnote] = dspy.InputField()
    system: list[Footnote] = dspy.InputField()
    comparisons: list[FieldCheck] = dspy.OutputField()
    score: Score = dspy.OutputField()
    reason: str = dspy.OutputField(desc="one sentence")


class JudgeDependency(dspy.Signature):
    """Score how far a system links a criterion to other criteria as the gold does.

    Three kinds of link count: dependencies (it applies only if others are met), threshold_from (it takes over the limit
    of another) and corrections (the text prints one point and plainly means another).

    1. Pair the clauses by criterion_id ("2.1" and "2.1." are one), and list every pair and every clause without
       partner; then threshold_from and each correction, where a side has them.
    2. Affirmation means that the criterion must be met, Negation that it must not. min_conditions_to_meet is 1 if any
       clause is enough and the number of clauses if all must hold. condition_summary counts by meaning.
    3. verdict: same; minor (a vague summary, another minimum for a single clause); major (status turned round, another
       criterion, another minimum for several clauses); missing (only gold has it); surplus (only the system has it).
    4. If one side has nothing, look in the text: does it set a condition on another criterion?

    | score | if |
    |---|---|
    | 5 | every link is the same |
    | 4 | one minor difference and nothing else |
    | 3 | the main link is right, but a further one is missing or surplus, or the minimum for several clauses is wrong |
    | 2 | recognised, but a status is turned round or a link leads to another criterion |
    | 1 | one side has nothing, or nothing corresponds |
    """

    text: str = dspy.InputField(desc="the criterion as published")
    gold: DependencyFacts = dspy.InputField()
    system: DependencyFacts = dspy.InputField()
    comparisons: list[FieldCheck] = dspy.OutputField()
    score: Score = dspy.OutputField()
    reason: str = dspy.OutputField(desc="one sentence")


class JudgeFaithfulness(dspy.Signature):
    """Score how far the passages bear out a summary of them.

    1. Take summary, key facts and thresholds apart into single claims and copy for each the words of a passage that
       say it.
    2. support: supported (said there, also in other words), partly (overstated, or two rules run together), unsupported
       (a number, date, provision or duty that no passage has, even if it is true).
    3. Leaving something out costs nothing here.

    | score | if |
    |---|---|
    | 5 | all claims are supported |
    | 4 | one minor detail is not |
    | 3 | one substantive claim is not, such as a value or a provision |
    | 2 | several are not, or a decisive value is invented |
    | 1 | most are not |
    """

    criterion: str = dspy.InputField()
    reference: CitedSource = dspy.InputField()
    passages: list[PassageView] = dspy.InputField()
    summary: str = dspy.InputField()
    key_facts: list[str] = dspy.InputField()
    thresholds: list[str] = dspy.InputField()
    comparisons: list[ClaimCheck] = dspy.OutputField()
    score: Score = dspy.OutputField()
    reason: str = dspy.OutputField(desc="one sentence")


class JudgeRelevance(dspy.Signature):
    """Score how far a summary keeps to what its criterion asks.

    1. Take summary and key facts apart into single claims and find for each the words of the criterion that it answers.
    2. tier: direct (answers a requirement of the criterion), contextual (background to it), unrelated. The criterion
       decides, not the passages: what they say truly may still be beside the point.

    | score | if |
    |---|---|
    | 5 | all claims are direct |
    | 4 | one is contextual |
    | 3 | several are contextual or one is unrelated |
    | 2 | much of it is off the subject |
    | 1 | it is about something else |
    """

    criterion: str = dspy.InputField()
    reference: CitedSource = dspy.InputField()
    passages: list[PassageView] = dspy.InputField()
    summary: str = dspy.InputField()
    key_facts: list[str] = dspy.InputField()
    thresholds: list[str] = dspy.InputField()
    comparisons: list[ClaimRelevance] = dspy.OutputField()
    score: Score = dspy.OutputField()
    reason: str = dspy.OutputField(desc="one sentence")


class JudgeCompleteness(dspy.Signature):
    """Score whether the output has all that matters for compliance in the passages.

    1. List the limit values, duties, conditions, deadlines and exceptions of the passages that bear on the criterion.
    2. weight: major for values, duties and binding conditions; minor for definitions, context and advice.
    3. captured: true if summary, key facts or thresholds have it.

    | score | if |
    |---|---|
    | 5 | all are captured |
    | 4 | one minor element is missing |
    | 3 | one major element is missing, or several minor ones |
    | 2 | two or more major ones are missing |
    | 1 | most are missing |
    """

    criterion: str = dspy.InputField()
    reference: CitedSource = dspy.InputField()
    passages: list[PassageView] = dspy.InputField()
    summary: str = dspy.InputField()
    key_facts: list[str] = dspy.InputField()
    thresholds: list[str] = dspy.InputField()
    comparisons: list[ElementCheck] = dspy.OutputField()
    score: Score = dspy.OutputField()
    reason: str = dspy.OutputField(desc="one sentence")


class JudgeCoverage(dspy.Signature):
    """Score whether the summary answers what the criterion needs from the source.

    1. List what the criterion needs: each place it cites, each value, date or definition it takes from there. Whoever
       cites an article wants its content, whoever cites a whole act wants its rules on the subject.
    2. priority: primary for what it names, secondary for what helps to read it.
    3. state: met, partly or unmet, whether retrieval or summary is to blame.

    | score | if |
    |---|---|
    | 5 | all needs are met |
    | 4 | one secondary need is unmet |
    | 3 | one primary need is only partly met, or several secondary ones are unmet |
    | 2 | the main need is poorly met: one has to look elsewhere |
    | 1 | the main need is unmet |
    """

    criterion: str = dspy.InputField()
    reference: CitedSource = dspy.InputField()
    passages: list[PassageView] = dspy.InputField()
    summary: str = dspy.InputField()
    key_facts: list[str] = dspy.InputField()
    thresholds: list[str] = dspy.InputField()
    comparisons: list[NeedCheck] = dspy.OutputField()
    score: Score = dspy.OutputField()
    reason: str = dspy.OutputField(desc="one sentence")
