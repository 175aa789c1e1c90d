"""What an optimizer is told about wrong answers: gold, answer, words of the source and the rule of annotation.

Only units of the training part are spoken about: what validation and test expect never reaches a prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from regreact.evaluation.scoring import FieldResult
from regreact.tuning.scores import Judgement, Mistake

# Mistakes that one feedback names at most, the gravest first, and the length of a quoted text in characters.
NAMED = 8
QUOTED = 400

# The rule behind the answers of each question, from the annotation guidelines.
HINTS = {
    "ParseStructure": "A printed number or letter gives the id; a list belongs to the block that introduces it; an "
    "unnumbered paragraph that serves a criterion is anchored to it as <anchor>.<Type>, beside it under its parent.",
    "ExtractThresholds": "A number that decides pass or fail is a threshold; one that says who or what the rule is for "
    "is a condition. Metric is a noun phrase with all qualifiers, the unit is as printed, dates are temporal.",
    "ExtractReferences": "External acts, standards and sections outside the unit are sources, a pinpoint and its act "
    "one source; points of the unit itself and acts named only in a footnote are none.",
    "ProcessFootnotes": "One item for each act or standard named, with its number as title; Legal Reference only for "
    "binding acts; amending and repealing acts are citation_only.",
    "DetectPathways": "Group children of an OR parent only if they make sense as one joint way to comply; never all.",
    "ClassifyApplicability": "Conditional if two compliant instances can differ in whether the duty concerns them; "
    "wording that only changes how to comply leaves it Mandatory.",
    "AssignTags": "Tags say what the operator must do; a pure limit or an introducing chapeau has none; what no "
    "auditor can test is BackgroundInformation alone.",
    "InferLogic": "Can all children hold at once, is one enough, are all needed? Unclear is AND; anchored paragraphs "
    "and background take no part under OR.",
    "CorrectCrossReferences": "A correction names a printed point that does not exist or is plainly another one.",
    "InheritThresholds": "A threshold is inherited if the text refers to the limit that another criterion states.",
    "ResolveDependencies": "Only gating within the unit: the criterion applies if another one is chosen, met or not.",
    "SummariseRules": "One or two full sentences that stand alone: condition first, all numbers with units, standards "
    "by name, then the marks for inherited thresholds and corrections.",
}

# Which question decides a field of the whole tree.
FIELD_QUESTIONS = {
    "node": ("ParseStructure",),
    "parent": ("ParseStructure", "DetectPathways"),
    "criterion_id": ("ParseStructure",),
    "category": ("ExtractThresholds", "InheritThresholds"),
    "applicability": ("ClassifyApplicability",),
    "logic": ("InferLogic",),
    "tags": ("AssignTags",),
    "threshold": ("ExtractThresholds", "InheritThresholds"),
    "reference": ("ExtractReferences",),
    "footnote": ("ProcessFootnotes",),
    "dependency": ("ResolveDependencies", "InheritThresholds", "CorrectCrossReferences"),
}


def question_feedback(name: str, judgement: Judgement) -> str:
    """Return what is to be told about the answers to one question on one unit."""
    return _text(judgement.score, judgement.mistakes, HINTS[name])


def program_feedback(score: float, errors: Iterable[FieldResult], name: str | None) -> str:
    """Return what is to be told about a tree.

    Args:
        score: Score of the unit in [0, 1].
        errors: Wrong fields of the error report.
        name: The question that is rewritten; None for all.
    """
    mine = [e for e in errors if name is None or name in FIELD_QUESTIONS[e.field]]
    mistakes = [Mistake(f"{e.criterion_id} {e.field}", (e.score or 0) / 5, e.gold, e.predicted, e.source) for e in mine]
    return _text(score, mistakes, HINTS.get(name or "", ""))


def _text(score: float, mistakes: Sequence[Mistake], hint: str) -> str:
    if not mistakes:
        return f"Score {score:.2f} of 1: nothing is wrong here."
    lines = [f"Score {score:.2f} of 1, {len(mistakes)} wrong:"]
    for m in sorted(mistakes, key=lambda m: m.score)[:NAMED]:
        lines.append(f"- {m.item_id}: expected {_cut(m.wanted)}, given {_cut(m.given)}. Source: {_cut(m.source)}")
    return "\n".join([*lines, *([f"Rule: {hint}"] if hint else [])])


def _cut(text: str) -> str:
    return text if len(text) <= QUOTED else text[:QUOTED] + "…"
