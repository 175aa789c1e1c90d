"""Observe and Diagnose (paper section 3.4, appendices C, D.13 and D.14). Repair re-asks the stage's own signature."""

import dspy

from signatures.types import Action, Diagnosis, IssueView

__all__ = ["Action", "DiagnoseIssues", "Diagnosis", "IssueView", "ObserveAnswers"]


class ObserveAnswers(dspy.Signature):
    """Compare the answers with the source text and list every discrepancy.

    `task` holds the rules the answers were made by; judge by them alone and not by taste. Go through the answers one
    by one, then through the source once more for what is missing.

    1. For each answer find the words of the source that it rests on and check every field against them: number, unit,
       operator, date, id, citation, actor, condition.
    2. For the source look for limits, dates, citations, conditions and criteria that no answer has.
    3. Compare the fields of an answer with each other, and answers that depend on each other.

    | type | what is wrong |
    |---|---|
    | structural | a field is missing or malformed: impossible id, unknown parent, value outside its list |
    | semantic | the words say otherwise: "at most" with operator >, a condition taken for a limit |
    | completeness | the source has it, the answers lack it |
    | consistency | two fields or answers cannot both be right: N_OF_K without count, logic without children |

    | severity | if |
    |---|---|
    | critical | the answer is wrong in what it decides, or invents something |
    | major | a part is wrong or missing, the rest can be used |
    | minor | wording, a qualifier, a doubt |

    Report an issue only if you can quote the source. item_id is the id of one of the answers (for something missing,
    the id where it belongs); field is the name of the field; description says what stands there and what should;
    source_evidence is copied exactly from the source, since an issue whose quote is not found there is dropped.

    Not an issue: another wording of a free text (metric, summary) that means the same, an empty answer where the rules
    say none, or what a later task decides. Do not repeat one issue in several guises. If all is right, issues is [].
    """

    task: str = dspy.InputField(desc="what was asked")
    source_text: str = dspy.InputField()
    answers: str = dspy.InputField(desc="JSON list of the answers, by id")
    issues: list[IssueView] = dspy.OutputField()


class DiagnoseIssues(dspy.Signature):
    """Find the root cause of the issues, given earlier attempts, and say what to do.

    1. Look for one cause behind several issues before naming many: a misread rule, a passage overlooked, a wrong
       neighbour's words, too many items at once, a reply in broken form, or a checker that errs.
    2. Compare with the history. What was advised before and did not help must not be advised again in the same words.
    3. Choose the action by the first line that fits:

       | situation | recommended_action |
       |---|---|
       | the issues contradict the task or the source: the answers are right | accept |
       | the source itself is unclear or contradicts itself, or attempts did not move anything | escalate |
       | no reply could be read, items are missing, answers of neighbours are mixed up | decompose |
       | the model keeps failing at what fixed rules do well: numbers, ids, markers | fallback |
       | a clear mistake that guidance can mend | retry_modified |

       decompose asks one item at a time, fallback takes the answer of the rules, accept keeps the answers as they are,
       escalate hands them to a person.
    4. Write specific_guidance for the next attempt, addressed to the one who answers. For each item id: the field to
       attend to, the mistake to avoid, the rule that was missed, and the decisive words of the source. State the rule,
       not merely that the answer was wrong; do not dictate a value that the source does not print. Leave out what was
       right.

    root_cause is one sentence. contributing_factors lists further causes, [] if there are none. specific_guidance is
    never empty with retry_modified and decompose; for the other actions it says why.
    """

    task: str = dspy.InputField(desc="what was asked")
    issues: list[IssueView] = dspy.InputField()
    history: list[str] = dspy.InputField(desc="earlier attempts, oldest first")
    diagnosis: Diagnosis = dspy.OutputField()
