"""How much a dataset holds, by act and objective, beside what the paper reports of its own.

Nodes are counted without ROOT, which every section has, unless a count says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from regreact.dataset.making import APPENDIX, ROOT, placed
from regreact.dataset.rows import ActivityRow, Section
from regreact.schema import Criterion

# Abstract and section 4 of arXiv 2604.12054; 709 and 93 are those of section 6's retrieval evaluation.
PAPER_ACTIVITIES, PAPER_NODES, PAPER_PAIRS, PAPER_ACTS = "242", "over 4,800", "709", "93"


@dataclass
class Counts:
    """Counts of one group of activities; sums and maxima, so that groups add up.

    Attributes:
        activities: Activities under an objective (appendices in the group of appendices).
        complete: Those with substantial contribution and all five DNSH sections.
        sections: Sections that are there.
        not_applicable: DNSH sections that say no more than "N/A".
        nodes_sc: Criteria of substantial contribution (of appendices in their group).
        nodes_dnsh: Criteria of DNSH sections that apply.
        nodes_not_applicable: Criteria of sections that do not ("N/A" is one).
        roots: ROOT nodes, one a section.
        leaves: Criteria without children.
        alternatives: Criteria (ROOT included) that combine children by OR.
        n_of_k: Criteria (ROOT included) that ask for some of their children.
        groups: Inferred groups, criteria without a text of their own.
        background: Criteria tagged as background information, those of "N/A" sections included.
        with_threshold: Criteria with a threshold of their own or inherited.
        quantities: Numeric limits.
        times: Dates, windows and intervals.
        inherited: Thresholds inherited from another criterion.
        references: Cited sources of criteria, one each time.
        references_celex: Those with a CELEX id.
        footnotes: Footnotes, each once a section.
        with_dependencies: Criteria gated by others.
        clauses: Gating conditions.
        corrections: Citations that the source gets wrong.
        depth_sum: Sum of depths, 1 for the top level.
        depth_max: Deepest level.
        review: Findings for a person.
    """

    activities: int = 0
    complete: int = 0
    sections: int = 0
    not_applicable: int = 0
    nodes_sc: int = 0
    nodes_dnsh: int = 0
    nodes_not_applicable: int = 0
    roots: int = 0
    leaves: int = 0
    alternatives: int = 0
    n_of_k: int = 0
    groups: int = 0
    background: int = 0
    with_threshold: int = 0
    quantities: int = 0
    times: int = 0
    inherited: int = 0
    references: int = 0
    references_celex: int = 0
    footnotes: int = 0
    with_dependencies: int = 0
    clauses: int = 0
    corrections: int = 0
    depth_sum: int = 0
    depth_max: int = 0
    review: int = 0

    @property
    def nodes(self) -> int:
        """All criteria but ROOT and those of sections that do not apply."""
        return self.nodes_sc + self.nodes_dnsh

    @property
    def nodes_all(self) -> int:
        """All criteria but ROOT."""
        return self.nodes + self.nodes_not_applicable

    @property
    def depth_mean(self) -> float:
        """Mean depth of the criteria but ROOT, 0 without any."""
        return round(self.depth_sum / self.nodes_all, 2) if self.nodes_all else 0.0

    def add(self, other: Counts) -> None:
        """Take in the counts of another group."""
        for field in fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            setattr(self, field.name, max(mine, theirs) if field.name == "depth_max" else mine + theirs)

    def to_json(self) -> dict[str, Any]:
        """Return the counts and what follows from them."""
        derived = {"nodes": self.nodes, "nodes_all": self.nodes_all, "nodes_with_root": self.nodes_all + self.roots}
        return {**asdict(self), **derived, "depth_mean": self.depth_mean}


@dataclass(frozen=True)
class Statistics:
    """Counts by document and objective, of the appendices by document, and over all activities.

    Attributes:
        groups: Counts of activities by (document, annex), in order of appearance.
        appendices: Counts of appendices by document.
        pairs: Criterion-source pairs whose source is an act that must be fetched and has a CELEX id.
        acts: Different CELEX ids among these pairs.
    """

    groups: dict[tuple[str, str], Counts]
    appendices: dict[str, Counts]
    pairs: int
    acts: int

    @property
    def total(self) -> Counts:
        """Counts over all activities, appendices not included."""
        return added(self.groups.values())

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON data."""
        groups = [{"document": d, "annex": a, **c.to_json()} for (d, a), c in self.groups.items()]
        appendices = [{"document": d, **c.to_json()} for d, c in self.appendices.items()]
        pairs = {"to_fetch": self.pairs, "acts": self.acts}
        return {"total": self.total.to_json(), "groups": groups, "appendices": appendices, "pairs": pairs}


def added(counts: Iterable[Counts]) -> Counts:
    """Return the sum of counts."""
    total = Counts()
    for each in counts:
        total.add(each)
    return total


def statistics_of(rows: Sequence[ActivityRow]) -> Statistics:
    """Count activities and appendices."""
    groups: dict[tuple[str, str], Counts] = {}
    appendices: dict[str, Counts] = {}
    fetched: list[str] = []
    for row in rows:
        counts = count(row)
        if is_appendix(row):
            appendices.setdefault(row.document, Counts()).add(counts)
        else:
            groups.setdefault((row.document, row.annex), Counts()).add(counts)
            fetched.extend(id_ for section in row.sections for id_ in _to_fetch(section))
    return Statistics(groups, appendices, len(fetched), len(set(fetched)))


def is_appendix(row: ActivityRow) -> bool:
    """True for a row that is an appendix and no activity."""
    return all(section.section == APPENDIX for section in row.sections)


def count(row: ActivityRow) -> Counts:
    """Return the counts of one activity or appendix."""
    kinds = {section.section for section in row.sections}
    counts = Counts(activities=1, complete=int("SC" in kinds and len(kinds) == 6))
    for section in row.sections:
        counts.add(_of_section(section))
    return counts


def _of_section(section: Section) -> Counts:
    counts = Counts(
        sections=1,
        not_applicable=int(not section.applicable),
        roots=1,
        inherited=sum(edge.type == "inherits_threshold" for edge in section.edges),
        corrections=len(section.corrections),
        review=section.review,
        footnotes=len({footnote.id for node in section.criteria.walk() for footnote in node.footnotes}),
    )
    for node, _, depth in placed(section.criteria):
        counts.add(_of_node(node))
        if node.criterion_id != ROOT:
            counts.add(Counts(depth_sum=depth, depth_max=depth))
    nodes = sum(node.criterion_id != ROOT for node in section.criteria.walk())
    if not section.applicable:
        counts.nodes_not_applicable = nodes
    elif section.section.startswith("DNSH"):
        counts.nodes_dnsh = nodes
    else:
        counts.nodes_sc = nodes
    counts.groups = sum(n.block is None for n in section.nodes if n.criterion_id != ROOT)
    return counts


def _of_node(node: Criterion) -> Counts:
    threshold, references, dependencies = node.threshold, node.references, node.dependencies
    quantitative = threshold.quantitative if threshold else None
    temporal = threshold.temporal if threshold else None
    sources = references.sources if references else ()
    return Counts(
        leaves=int(not node.sub_criteria and node.criterion_id != ROOT),
        alternatives=int(node.evaluation_logic == "OR"),
        n_of_k=int(node.evaluation_logic == "N_OF_K"),
        background=int("BackgroundInformation" in node.tags),
        with_threshold=int(threshold is not None),
        quantities=len(quantitative.items) if quantitative else 0,
        times=len(temporal.items) if temporal else 0,
        references=len(sources),
        references_celex=sum(source.celex_id is not None for source in sources),
        with_dependencies=int(dependencies is not None),
        clauses=len(dependencies.clauses) if dependencies else 0,
    )


def _to_fetch(section: Section) -> Iterable[str]:
    for node in section.criteria.walk():
        for source in node.references.sources if node.references else ():
            if source.type == "must_be_fetched" and source.celex_id is not None:
                yield source.celex_id
