"""From extractions to rows: sections of one activity side by side, and each tree as a list of criteria."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from pydantic import BaseModel

from regreact.dataset.rows import ActivityRow, Confidence, CriterionRow, Node, Provenance, Section
from regreact.dataset.standoff import blocks_of, sha256, without_text
from regreact.schema import Criterion, Extraction
from regreact.sources.model import OBJECTIVES, SECTIONS, Unit

ROOT = "ROOT"
APPENDIX = "Appendix"
_COMPLEX = {"threshold", "references", "dependencies", "sub_criteria", "footnotes"}
# A DNSH cell that sets nothing says so in these words, with a footnote at most: "N/A", "N/A.", "Not applicable (3)".
_NOT_APPLICABLE = re.compile(r"\W*(?:N/A|not applicable)\W*(?:\(\d+\)\W*)?", re.IGNORECASE)


def is_applicable(root: Criterion) -> bool:
    """Return False if a section says no more than that it does not apply.

    Example:
        A tree whose only criterion reads "N/A" is not applicable; one that goes on after it is.
    """
    texts = [node.verbatim_text for node in root.walk() if node.verbatim_text.strip()]
    return not texts or not all(_NOT_APPLICABLE.fullmatch(text) for text in texts)


def section_of(extraction: Extraction, unit: Unit, with_text: bool = True) -> Section:
    """Return the section that an extraction fills.

    Args:
        extraction: The extraction.
        unit: Its source.
        with_text: Keep the official text; else blocks and digests alone tell it.
    """
    root = extraction.criteria
    return Section(
        section=extraction.section,
        unit=extraction.unit,
        applicable=is_applicable(root),
        criteria=root if with_text else without_text(root),
        nodes=tuple(_nodes(extraction, unit)),
        edges=extraction.edges,
        corrections=extraction.corrections,
        review=len(extraction.review),
    )


def _nodes(extraction: Extraction, unit: Unit) -> Iterator[Node]:
    blocks = blocks_of(unit, extraction.criteria, extraction.evidence)
    for node, parent, depth in placed(extraction.criteria):
        told = extraction.provenance.get(node.criterion_id, {})
        yield Node(
            criterion_id=node.criterion_id,
            parent=parent,
            depth=depth,
            block=blocks[node.criterion_id],
            text_sha256=sha256(node.verbatim_text) if node.verbatim_text else None,
            footnote_sha256=tuple(sha256(footnote.verbatim) for footnote in node.footnotes),
            confidence=Confidence(**{f: told[f].confidence for f in Confidence.model_fields if f in told}),
            answered_by=Provenance(**{f: told[f].answered_by for f in Provenance.model_fields if f in told}),
        )


def placed(root: Criterion) -> Iterator[tuple[Criterion, str | None, int]]:
    """Yield each criterion with the id of its parent and its depth (ROOT 0), in document order."""
    stack: list[tuple[Criterion, str | None, int]] = [(root, None, 0)]
    while stack:
        node, parent, depth = stack.pop()
        yield node, parent, depth
        stack.extend((child, node.criterion_id, depth + 1) for child in reversed(node.sub_criteria))


def activity_rows(sections: Iterable[tuple[Unit, Section]]) -> list[ActivityRow]:
    """Return one row an activity (or appendix) of a document, in order of first appearance, sections in fixed order."""
    groups: dict[tuple[str, str], list[tuple[Unit, Section]]] = {}
    for unit, section in sections:
        groups.setdefault((unit.document, unit.key.partition("/")[0]), []).append((unit, section))
    return [_activity_row(activity_id, group) for (_, activity_id), group in groups.items()]


def _activity_row(activity_id: str, group: list[tuple[Unit, Section]]) -> ActivityRow:
    first = group[0][0]
    annex, _, number = activity_id.partition("-")
    known = annex in OBJECTIVES
    return ActivityRow(
        document=first.document,
        activity_id=activity_id,
        annex=annex if known else "",
        number=number if known else "",
        activity=first.activity,
        objective=first.objective,
        sections=tuple(sorted((section for _, section in group), key=_section_order)),
    )


def _section_order(section: Section) -> int:
    return SECTIONS.index(section.section) if section.section in SECTIONS else len(SECTIONS)


def criterion_rows(row: ActivityRow) -> Iterator[CriterionRow]:
    """Yield the criteria of an activity, section by section, ROOT first."""
    for section in row.sections:
        inherited = {e.source: e.target for e in section.edges if e.type == "inherits_threshold"}
        cited: dict[str, list[str]] = {}
        for edge in section.edges:
            if edge.type == "references":
                cited.setdefault(edge.source, []).append(edge.target)
        for position, (criterion, node) in enumerate(zip(section.criteria.walk(), section.nodes, strict=True)):
            yield CriterionRow(
                **row.model_dump(exclude={"sections"}),
                **criterion.model_dump(exclude=_COMPLEX),
                unit=section.unit,
                section=section.section,
                applicable=section.applicable,
                position=position,
                parent=node.parent,
                depth=node.depth,
                threshold=_json(criterion.threshold),
                references=_json(criterion.references),
                dependencies=_json(criterion.dependencies),
                sub_criteria=tuple(child.criterion_id for child in criterion.sub_criteria),
                footnotes=json.dumps([f.model_dump(mode="json") for f in criterion.footnotes], ensure_ascii=False),
                threshold_from=inherited.get(criterion.criterion_id),
                reference_targets=tuple(cited.get(criterion.criterion_id, ())),
                block=node.block,
                text_sha256=node.text_sha256,
                footnote_sha256=node.footnote_sha256,
                confidence=node.confidence,
                answered_by=node.answered_by,
            )


def _json(value: BaseModel | None) -> str | None:
    return None if value is None else json.dumps(value.model_dump(mode="json"), ensure_ascii=False)
