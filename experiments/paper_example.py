"""Compare the extraction of the paper's worked example with the paper's own tree, field by field.

How to run me:  python experiments/paper_example.py > experiments/paper_example.md
"""

from __future__ import annotations

from collections.abc import Iterator

from regreact.evaluation.score_report import FieldResult
from regreact.experiment import score_variant

# Differences that the annotation guidelines prescribe: criteria and fields they concern, and the rule.
GROUPING = "section 2: two background paragraphs are two anchored nodes; the paper groups them in a container"
PRESCRIBED: tuple[tuple[str, frozenset[str], str], ...] = (
    ("1(f).BackgroundInformation", frozenset({"logic", "dependency", "parent", "criterion_id", "node"}), GROUPING),
    ("1(f).BackgroundInformation(a)", frozenset({"node", "dependency"}), GROUPING),
    ("1(f).BackgroundInformation(b)", frozenset({"parent", "criterion_id"}), GROUPING),
    (
        "1(f).BackgroundInformation(b)",
        frozenset({"reference"}),
        "section 7: what the Commission reviews is background, hence citation_only",
    ),
    (
        "1(f).BackgroundInformation(b)",
        frozenset({"dependency"}),
        "section 2: an anchored node depends on its anchor where that is an alternative",
    ),
    (
        "1(f).Verification",
        frozenset({"threshold"}),
        "section 6: a yearly duty is a recurring temporal item",
    ),
    ("1(f)", frozenset({"threshold"}), "section 6 and D16: metrics with their qualifiers, units in the source's words"),
)


def reason(found: FieldResult) -> str:
    """Return the guideline that prescribes a difference, "none" if there is none."""
    for place, fields, rule in PRESCRIBED:
        same = found.criterion_id == place or (place == "1(f)" and found.criterion_id.startswith(place))
        if same and found.field in fields:
            return rule
    return "none"


def results() -> tuple[FieldResult, ...]:
    """Return every compared field of the example."""
    return score_variant("data=paper").units[0].fields


def lines(fields: tuple[FieldResult, ...]) -> Iterator[str]:
    """Yield the Markdown page."""
    wrong = [f for f in fields if not f.correct]
    explained = sum(reason(f) != "none" for f in wrong)
    yield "# The paper's worked example, field by field"
    yield ""
    yield "Made by `python experiments/paper_example.py`. A field is identifier, parent, a label or a semantic"
    yield "field of a criterion; a semantic field agrees if its rubric score is 5 or both sides are empty."
    yield ""
    yield f"{len(fields) - len(wrong)} of {len(fields)} fields agree ({1 - len(wrong) / len(fields):.1%}); "
    yield f"of the {len(wrong)} others our guidelines prescribe {explained}."
    yield ""
    yield "| criterion | field | why it differs |"
    yield "|---|---|---|"
    for f in wrong:
        score = "" if f.score is None else f" ({f.score:.0f} of 5)"
        yield f"| {f.criterion_id} | {f.field}{score} | {reason(f)} |"


if __name__ == "__main__":
    print("\n".join(lines(results())))
