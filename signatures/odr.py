"""Observe and Diagnose (paper section 3.4, appendices C, D.13 and D.14). Repair re-asks the stage's own signature."""

import dspy

from signatures.types import Action, Diagnosis, IssueView

__all__ = ["Action", "DiagnoseIssues", "Diagnosis", "IssueView", "ObserveAnswers"]


class ObserveAnswers(dspy.Signature):
    """Compare the answers with the source text and list every discrepancy.

    Structural: malformed or missing fields. Semantic: the words of the source say otherwise. Completeness: the
    source has something that the answers lack. Consistency: fields contradict each other. Quote the words of the
    source that prove each issue. An empty list means that all answers are right.
    """

    task: str = dspy.InputField(desc="what was asked")
    source_text: str = dspy.InputField()
    answers: str = dspy.InputField(desc="JSON list of the answers, by id")
    issues: list[IssueView] = dspy.OutputField()


class DiagnoseIssues(dspy.Signature):
    """Find the root cause of the issues, given earlier attempts, and say what to do.

    retry_modified: ask again with guidance. decompose: ask for fewer items at a time. fallback: take the rule-based
    answer. accept: the issues are no real errors. escalate: a person must look. Guidance names the fields to attend
    to, the mistakes to avoid and the words of the source that decide.
    """

    task: str = dspy.InputField(desc="what was asked")
    issues: list[IssueView] = dspy.InputField()
    history: list[str] = dspy.InputField(desc="earlier attempts, oldest first")
    diagnosis: Diagnosis = dspy.OutputField()
