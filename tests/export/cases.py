"""Extractions whose content a reader can check by eye."""

from __future__ import annotations

from typing import Any

from regreact.schema import (
    Clause,
    Criterion,
    Dependencies,
    Edge,
    Enrichment,
    Extraction,
    FieldProvenance,
    Footnote,
    References,
    ReferenceSource,
    ReviewItem,
    SourceInfo,
    Threshold,
)
from tests.dataset.builders import criterion


def extraction(key: str, *top: Criterion, objective: str = "circular", **record: Any) -> Extraction:
    """Return the extraction of a section of the invented act `act`."""
    source = SourceInfo(document="act", sha256="0" * 64, format="formex")
    section = key.partition("/")[2] or "Appendix"
    head = {"unit": key, "activity": "Washing", "objective": objective, "section": section, "source": source}
    return Extraction(criteria=criterion("ROOT", "", *top), **{**head, **record})


def limits(
    *items: tuple[str, str, float, str], logic: str | None = None, dates: list[dict[str, Any]] | None = None
) -> Threshold:
    """Return a threshold of limits (metric, operator, value, unit), joined by `logic`, and of dates."""
    found: dict[str, Any] = {"quantitative": None, "temporal": None}
    if items:
        keys = ("metric", "operator", "value", "unit")
        found["quantitative"] = {"logic": logic, "items": [dict(zip(keys, i, strict=True)) for i in items]}
    if dates:
        found["temporal"] = {"logic": logic if len(dates) > 1 else None, "items": dates}
    return Threshold.model_validate(found)


def washing() -> Extraction:
    """A section with two limits, a date, a retrieved act, a dependency, a footnote and a review flag."""
    summary = Enrichment(
        status="retrieved", summary="Rinsing water is filtered.", key_facts=(), thresholds=(), confidence=0.9
    )
    act = ReferenceSource(
        text="Directive (EU) 2099/1", type="must_be_fetched", link="https://example.org/act", link_status="provided",
        celex_id="32099L0001", enrichment=summary,
    )  # fmt: skip
    gate = Dependencies(
        condition_summary="Where steam is not used", min_conditions_to_meet=1,
        clauses=(Clause(criterion_id="1(a)", status="Negation"),),
    )  # fmt: skip
    first = criterion(
        "1(a)", "losses are at most 5 % and 0,25 l/kg by 2031;", category="Quantitative",
        threshold=limits(("Losses", "<=", 5.0, "%"), ("Losses", "<", 0.25, "l/kg"), logic="AND",
                         dates=[{"type": "deadline", "date": "2031-12-31"}]),
    )  # fmt: skip
    second = criterion(
        "1(b)", "water is treated as in Directive (EU) 2099/1(1).", applicability="Conditional", dependencies=gate,
        references=References(sources=(act,)), footnotes=(Footnote(id="fn-1", verbatim="Steam above 2 bar."),),
    )  # fmt: skip
    chapeau = criterion("1", "1. Either is met:", first, second, evaluation_logic="OR")
    told = {"1(b)": {"tags": FieldProvenance(answered_by="rule", confidence=0.4, rule="no words")}}
    flag = ReviewItem(criterion_id="1(b)", stage="s3", severity="major", reason="tags are unsure")
    edges = [
        Edge(source="ROOT", target="1", type="hierarchy"), Edge(source="1", target="1(a)", type="hierarchy"),
        Edge(source="1", target="1(b)", type="hierarchy"), Edge(source="1(b)", target="celex:32099L0001", type="references"),
        Edge(source="1(b)", target="1(a)", type="depends_on"), Edge(source="1(b)", target="1(a)", type="inherits_threshold"),
    ]  # fmt: skip
    return extraction("CE-1.1/SC", chapeau, provenance=told, review=(flag,), edges=tuple(edges))


HOSTILE = (
    "=HYPERLINK(\"https://evil.example\",\"x\")", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "#N/A", "  =1+1",
    "a\x00\x07b\ufffe", "<script>alert(1)</script>", "\"]; click c0 href \"javascript:1\"", "`}\n```\n# x",
)  # fmt: skip


def hostile() -> Extraction:
    """A section in which every text is one that some program could run."""
    nodes = []
    for at, text in enumerate(HOSTILE):
        source = ReferenceSource(text=text, type="citation_only", link="javascript:alert(1)")
        nodes.append(
            criterion(
                str(at + 1), text, rule_summary=text, threshold=limits((text, "=", -5.0, text)),
                references=References(sources=(source,)), footnotes=(Footnote(id="fn-1", verbatim=text),),
            )
        )  # fmt: skip
    flags = tuple(ReviewItem(criterion_id="1", stage="s3", severity="minor", reason=text) for text in HOSTILE)
    return extraction("CE-1.2/SC", *nodes, activity="=1+1", objective="=[evil]*/'" + "x" * 40, review=flags)
