"""Fast path of `signatures.odr.DiagnoseIssues`: what to do about issues, by rule (paper appendix D.14)."""

from __future__ import annotations

from collections.abc import Sequence

from signatures.types import Action, Diagnosis, IssueView

# Guidance names at most this many issues, the gravest first.
_NAMED = 40
_ORDER = {"critical": 0, "major": 1, "minor": 2}
_CAUSES = {
    "structural": "the reply is not of the form that was asked for",
    "semantic": "the answer contradicts the words of the source",
    "completeness": "the answer lacks something that the source states",
    "consistency": "fields of the answer, or answers of several stages, contradict each other",
}


def diagnose(task: str, issues: Sequence[IssueView], history: Sequence[str]) -> Diagnosis:
    """Return cause, action and guidance that names every criterion and field concerned.

    The first attempt is repeated with guidance; what has failed twice is asked for in parts, so that each item gets
    more attention.

    Args:
        task: Not used: the issues say what is wrong.
        issues: What the observers found.
        history: Earlier attempts.
    """
    ordered = sorted(issues, key=lambda i: _ORDER[i.severity])
    kinds = list(dict.fromkeys(i.type for i in ordered))
    action: Action = "decompose" if len(history) > 1 else "retry_modified"
    lines = [f"- {i.item_id or 'all items'}, field {i.field}: {i.description}" for i in ordered[:_NAMED]]
    return Diagnosis(
        root_cause=_CAUSES[kinds[0]] if kinds else "no issue",
        contributing_factors=[_CAUSES[k] for k in kinds[1:]],
        recommended_action=action if issues else "accept",
        specific_guidance="Answer these again, each from the words of the source alone:\n" + "\n".join(lines),
    )
