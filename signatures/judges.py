"""Judges of summaries of cited law (paper appendix D.20). Each lists its comparisons before it scores."""

from typing import Literal

import dspy

from signatures.passages import CitedSource, ClaimCheck, ClaimRelevance, ElementCheck, NeedCheck, PassageView

Score = Literal[1, 2, 3, 4, 5]


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
