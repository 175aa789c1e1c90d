"""The rows that the exports share: the dataset's flat rows, and a flatter line a criterion for people's tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from regreact.dataset.making import activity_rows, criterion_rows, placed, section_of
from regreact.dataset.rows import CriterionRow
from regreact.export.cells import day
from regreact.phrases import (
    dependency_text,
    first_and_last_day,
    logic_text,
    period_text,
    reference_state,
    threshold_phrases,
    threshold_text,
)
from regreact.schema import Criterion, Extraction, ReferenceSource, ReviewItem
from regreact.sources.model import Block, Unit

Cell = str | float | int | object | None

# Heading of each column of `cells_of`, in order.
COLUMNS = (
    "No.", "Unit", "Criterion", "Text", "Level", "Logic", "Applies", "Category", "Tags",
    "Limits", "Joined by", "Metric", "Operator", "Value", "Unit of measure", "Period", "From", "Until",
    "All thresholds", "Inherits from", "References", "CELEX", "Reference status", "What the references require",
    "Depends on", "Footnotes", "Summary", "Confidence", "Least sure of", "Flags", "Review",
    "Activity", "Objective", "Section", "Document",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """One criterion with its place and what the extraction says about it outside the tree.

    Attributes:
        extraction: The extraction.
        node: The criterion.
        parent: Id of its parent, None for ROOT.
        depth: 0 for ROOT.
        position: Place in the unit, from 0.
        inherited: Criterion whose threshold it inherits, "" for none.
        review: Its review items.
    """

    extraction: Extraction
    node: Criterion
    parent: str | None
    depth: int
    position: int
    inherited: str
    review: tuple[ReviewItem, ...]

    @property
    def sources(self) -> tuple[ReferenceSource, ...]:
        """Cited sources."""
        return self.node.references.sources if self.node.references else ()

    @property
    def least_sure(self) -> tuple[str, float] | None:
        """The field with the lowest confidence, None if no field has any.

        The summary does not count: it is made of the other fields and decides nothing.
        """
        told = self.extraction.provenance.get(self.node.criterion_id, {})
        pairs = [(name, record.confidence) for name, record in told.items() if name != "rule_summary"]
        return min(pairs, key=lambda pair: pair[1]) if pairs else None


def lines_of(extraction: Extraction) -> Iterator[Line]:
    """Yield one line a criterion, ROOT first."""
    inherited = {e.source: e.target for e in extraction.edges if e.type == "inherits_threshold"}
    review: dict[str, list[ReviewItem]] = {}
    for item in extraction.review:
        review.setdefault(item.criterion_id, []).append(item)
    for position, (node, parent, depth) in enumerate(placed(extraction.criteria)):
        own = tuple(review.get(node.criterion_id, ()))
        yield Line(extraction, node, parent, depth, position, inherited.get(node.criterion_id, ""), own)


def cells_of(line: Line, number: int) -> dict[str, Cell]:
    """Return the cells of a line by column.

    The columns from Metric to Period hold the first limit, From and Until the first date; Limits counts all limits
    and dates, and All thresholds names them.

    Args:
        line: The criterion.
        number: Its number in the table, which restores the order of the source after sorting.
    """
    node, extraction, sure = line.node, line.extraction, line.least_sure
    values: tuple[Cell, ...] = (
        number, extraction.unit, node.criterion_id, node.verbatim_text, line.depth, logic_text(node),
        node.applicability, node.category, ", ".join(node.tags),
        *_limit_cells(node), threshold_text(node.threshold), line.inherited,
        "\n".join(s.text for s in line.sources), "\n".join(s.celex_id or "" for s in line.sources).strip("\n"),
        "\n".join(reference_state(s.type, s.enrichment) for s in line.sources), _required(line),
        dependency_text(node.dependencies), "\n".join(f"{f.id}: {f.verbatim}" for f in node.footnotes),
        node.rule_summary, sure[1] if sure else None, sure[0] if sure else "", len(line.review),
        "\n".join(f"{r.severity}: {r.reason}" for r in line.review),
        extraction.activity, extraction.objective, extraction.section, extraction.source.document,
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def _limit_cells(node: Criterion) -> tuple[Cell, ...]:
    """Return the cells from Limits to Until."""
    limits = node.threshold.quantitative if node.threshold else None
    dates = node.threshold.temporal if node.threshold else None
    first = limits.items[0] if limits else None
    start, end = first_and_last_day(dates.items[0]) if dates else (None, None)
    count = sum(1 for _ in threshold_phrases(node.threshold))
    joined = limits.logic if limits else dates.logic if dates else None
    number: tuple[Cell, ...] = (None, None, None, None, None)
    if first is not None:
        number = (first.metric, first.operator, first.value, first.unit, period_text(first.period))
    return (count or None, joined, *number, day(start), day(end))


def _required(line: Line) -> str:
    """Return what the retrieved references of a criterion require, one a line."""
    told = []
    for source in line.sources:
        found = source.enrichment
        if found is not None and found.status == "retrieved":
            told.append(f"{source.text}: {found.summary or '; '.join(found.key_facts or ())}")
    return "\n".join(told)


def flat_rows(extractions: Iterable[Extraction]) -> list[CriterionRow]:
    """Return the rows that `regreact dataset` gives for the same extractions."""
    sections = [(unit, section_of(e, unit)) for e in extractions for unit in [unit_of(e)]]
    return [row for activity in activity_rows(sections) for row in criterion_rows(activity)]


def unit_of(extraction: Extraction) -> Unit:
    """Return the unit of an extraction as far as the file tells it: the blocks that are criteria.

    The evidence of a summary made from a criterion covers its whole block, from the first character to the last; that
    tells which block the criterion is.
    """
    blocks: dict[int, str] = {}
    for node in extraction.criteria.walk():
        spans = extraction.evidence.get(node.criterion_id, {}).get("rule_summary", ())
        for block, start, end in spans:
            if node.verbatim_text and start == 0 and end == len(node.verbatim_text):
                blocks.setdefault(block, node.verbatim_text)
    return Unit(
        key=extraction.unit,
        activity=extraction.activity,
        objective=extraction.objective,
        section=extraction.section,
        document=extraction.source.document,
        sha256=extraction.source.sha256,
        format=extraction.source.format,  # type: ignore[arg-type]
        blocks=tuple(Block(index, "p", 0, None, text) for index, text in sorted(blocks.items())),
    )
