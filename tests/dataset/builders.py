"""Small trees, sections and activities for tests that count by hand."""

from __future__ import annotations

from typing import Any

from regreact.dataset.making import section_of
from regreact.dataset.rows import ActivityRow, Section
from regreact.schema import Criterion, Extraction, SourceInfo
from regreact.sources.model import Block, Unit


def criterion(criterion_id: str, text: str = "", *children: Criterion, **fields: Any) -> Criterion:
    """Return a criterion; what is not given is empty, its logic AND if it has children."""
    values = {
        "category": "Qualitative",
        "applicability": "Mandatory",
        "tags": (),
        "rule_summary": "",
        "evaluation_logic": "AND" if children else "LEAF",
        "n_required": None,
        "threshold": None,
        "references": None,
        "dependencies": None,
        "footnotes": (),
    }
    return Criterion(criterion_id=criterion_id, verbatim_text=text, sub_criteria=children, **{**values, **fields})


def unit_of(root: Criterion, key: str) -> Unit:
    """Return a unit whose blocks are the texts of a tree, in document order."""
    texts = [node.verbatim_text for node in root.walk() if node.verbatim_text]
    blocks = tuple(Block(i, "p", 0, None, text) for i, text in enumerate(texts))
    section = key.partition("/")[2] or "Appendix"
    return Unit(key, "Washing", "circular", section, "act", "0" * 64, "formex", blocks)


def section(key: str, *top: Criterion, **record: Any) -> Section:
    """Return the section of a unit; `record` goes into its extraction (edges, corrections …)."""
    root = criterion("ROOT", "", *top)
    unit = unit_of(root, key)
    source = SourceInfo(document=unit.document, sha256=unit.sha256, format=unit.format)
    extraction = Extraction(
        unit=key,
        activity=unit.activity,
        objective=unit.objective,
        section=unit.section,
        source=source,
        criteria=root,
        **record,
    )
    return section_of(extraction, unit)


def activity(activity_id: str, *sections: Section) -> ActivityRow:
    """Return a row of the document `act`."""
    annex, _, number = activity_id.partition("-")
    return ActivityRow(
        document="act",
        activity_id=activity_id,
        annex=annex,
        number=number,
        activity="Washing",
        objective="circular",
        sections=sections,
    )
