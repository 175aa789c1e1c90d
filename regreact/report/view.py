"""What a page shows of a unit, worked out before any markup is written."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from regreact.report import history, words
from regreact.report.reading import SourceText, own_block, with_depth
from regreact.schema import (
    Correction,
    Criterion,
    Enrichment,
    Extraction,
    FieldProvenance,
    FootnoteItem,
    ReferenceSource,
    RetrievalRecord,
    ReviewItem,
    Span,
)

# Fields of the detail panel and what they are called there.
FIELDS = {
    "rule_summary": "Rule in short",
    "threshold": "Thresholds",
    "references": "References",
    "footnotes": "Footnotes",
    "dependencies": "Dependencies",
    "evaluation_logic": "Evaluation logic",
    "category": "Category",
    "applicability": "Applicability",
    "tags": "Tags",
    "criterion_id": "Identifier",
}
_ANSWERED = {"rule": "rule", "lm": "language model", "default": "default"}


@dataclass(frozen=True, slots=True)
class Answer:
    """How a field was answered and what that rests on.

    Attributes:
        field: Name of the field.
        label: Its name on the page.
        by: `rule`, `language model`, `default`, or "" for a field that follows from others.
        rule: Names of the rules, "" for a model.
        confidence: In [0, 1], None where none is recorded.
        iterations: How often it was answered.
        spans: Evidence.
    """

    field: str
    label: str
    by: str = ""
    rule: str = ""
    confidence: float | None = None
    iterations: int = 1
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeLink:
    """A criterion that another one points to; `href` is "" if the unit does not hold it."""

    criterion_id: str
    href: str
    summary: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class SourceView:
    """A cited source with what is known of it.

    Attributes:
        text: Citation or title.
        fetched: Whether its content matters.
        link: https address, "" without one.
        refused: An address that is not linked to.
        celex_id: CELEX id, "" without one.
        celex: What is known of the id.
        enrichment: What retrieval found.
        addresses: Provisions meant, in words.
        records: How it was resolved.
        extra: Kind of document and Official Journal, for an item of a footnote.
    """

    text: str
    fetched: bool
    link: str
    refused: str
    celex_id: str
    celex: history.CelexFinding | None
    enrichment: Enrichment | None
    addresses: tuple[str, ...]
    records: tuple[RetrievalRecord, ...]
    extra: str = ""

    @property
    def status(self) -> str:
        """State of the reference in words."""
        if self.enrichment is not None:
            return self.enrichment.status
        return "not asked for" if self.fetched else "citation only"


@dataclass(frozen=True, slots=True)
class Node:
    """One criterion of the page, with all that concerns it."""

    criterion: Criterion
    anchor: str
    level: int
    position: int
    siblings: int
    block: int | None
    answers: dict[str, Answer]
    thresholds: tuple[words.Chips, ...]
    inherited: tuple[tuple[NodeLink, tuple[words.Chips, ...]], ...]
    references: tuple[SourceView, ...]
    footnote_items: dict[str, tuple[SourceView, ...]]
    conditions: tuple[NodeLink, ...]
    dependants: tuple[NodeLink, ...]
    corrections: tuple[tuple[Correction, NodeLink, NodeLink], ...]
    review: tuple[ReviewItem, ...]
    findings: tuple[history.Finding, ...]
    children: tuple[Node, ...]

    @property
    def href(self) -> str:
        """Link to it within the page."""
        return href_of(self.anchor)

    @property
    def join(self) -> str:
        """Label of the connector to its children."""
        return words.join_label(self.criterion)

    @property
    def logic(self) -> str:
        """Evaluation logic in words."""
        return words.logic_words(self.criterion)

    def holds(self, field: str) -> bool:
        """Return whether a field holds anything; fields that always do hold something."""
        if field == "threshold":
            return bool(self.thresholds or self.inherited)
        return bool(getattr(self.criterion, field, True))

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, in document order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


def href_of(anchor: str) -> str:
    """Return the link to an element of the page."""
    return "#" + quote(anchor, safe=":().,-~")


class UnitView:
    """A unit as its page shows it.

    Args:
        extraction: The extraction.
        text: Its source text.
    """

    def __init__(self, extraction: Extraction, text: SourceText) -> None:
        self.extraction = extraction
        self.text = text
        self.history = history.loops(extraction)
        self.graph_issues = history.graph_issues(extraction)
        self._celex = history.celex_findings(extraction)
        self._anchors = _anchors(extraction.criteria)
        self._by_id = {c.criterion_id: c for c in reversed(list(extraction.criteria.walk()))}
        self._targets: dict[tuple[str, str], list[str]] = defaultdict(list)
        for e in extraction.edges:
            self._targets[e.type, e.source].append(e.target)
        self._gated: dict[str, list[str]] = defaultdict(list)
        for c in extraction.criteria.walk():
            for clause in c.dependencies.clauses if c.dependencies else ():
                self._gated[clause.criterion_id].append(c.criterion_id)
        self.root = self._tree()
        self.nodes = tuple(self.root.walk())

    @cached_property
    def owner_of(self) -> dict[int, str]:
        """Anchor of the first criterion of each block."""
        return {n.block: n.anchor for n in reversed(self.nodes) if n.block is not None}

    @cached_property
    def confidence(self) -> tuple[float, float] | None:
        """Mean and lowest confidence of all answers, None if none is recorded."""
        given = [p.confidence for fields in self.extraction.provenance.values() for p in fields.values()]
        return (sum(given) / len(given), min(given)) if given else None

    @cached_property
    def states(self) -> Counter[str]:
        """Number of references, those of footnotes included, by state."""
        named = [s for n in self.nodes for s in n.references]
        noted = [s for n in self.nodes for items in n.footnote_items.values() for s in items]
        return Counter(s.status for s in (*named, *noted))

    def link(self, criterion_id: str, note: str = "") -> NodeLink:
        """Return the link to a criterion by its id."""
        target = self._by_id.get(criterion_id)
        if target is None:
            return NodeLink(criterion_id, "", "", note)
        summary = words.short(target.rule_summary or target.verbatim_text)
        return NodeLink(criterion_id, href_of(self._anchors[id(target)]), summary, note)

    def _tree(self) -> Node:
        """Build nodes from the leaves up."""
        made: dict[int, Node] = {}
        places = {id(self.extraction.criteria): (1, 1)}
        for c in self.extraction.criteria.walk():
            for at, child in enumerate(c.sub_criteria, start=1):
                places[id(child)] = (at, len(c.sub_criteria))
        for c, depth in reversed(list(with_depth(self.extraction.criteria))):
            children = tuple(made[id(child)] for child in c.sub_criteria)
            made[id(c)] = self._node(c, depth + 1, places[id(c)], children)
        return made[id(self.extraction.criteria)]

    def _node(self, c: Criterion, level: int, place: tuple[int, int], children: tuple[Node, ...]) -> Node:
        x, own = self.extraction, c.criterion_id
        block = own_block(c, x)
        names = frozenset({own, *(f.id for f in c.footnotes)} | ({str(block)} if block is not None else set()))
        gates = c.dependencies.clauses if c.dependencies else ()
        records = [r for r in x.retrieval if r.criterion_id == own]
        return Node(
            criterion=c,
            anchor=self._anchors[id(c)],
            level=level,
            position=place[0],
            siblings=place[1],
            block=block,
            answers=self._answers(own),
            thresholds=words.threshold_chips(c.threshold),
            inherited=tuple(self._inherited(own)),
            references=tuple(self._source(s, records) for s in (c.references.sources if c.references else ())),
            footnote_items={f.id: tuple(self._item(i, records) for i in f.items) for f in c.footnotes},
            conditions=tuple(self.link(k.criterion_id, k.status) for k in gates),
            dependants=tuple(self.link(d) for d in self._gated.get(own, ())),
            corrections=tuple((k, self.link(k.from_), self.link(k.to)) for k in x.corrections if k.criterion_id == own),
            review=tuple(r for r in x.review if r.criterion_id == own),
            findings=history.findings_for(self.history, names),
            children=children,
        )

    def _answers(self, criterion_id: str) -> dict[str, Answer]:
        given = self.extraction.provenance.get(criterion_id, {})
        spans = self.extraction.evidence.get(criterion_id, {})
        names = dict.fromkeys([*FIELDS, *given, *spans])
        return {name: _answer(name, given.get(name), spans.get(name, ())) for name in names}

    def _inherited(self, criterion_id: str) -> Iterator[tuple[NodeLink, tuple[words.Chips, ...]]]:
        for target in self._targets.get(("inherits_threshold", criterion_id), ()):
            holder = self._by_id.get(target)
            yield self.link(target), words.threshold_chips(holder.threshold if holder else None)

    def _source(self, s: ReferenceSource, records: Sequence[RetrievalRecord]) -> SourceView:
        return self._cited(s.text, s.type, s.link, s.celex_id, s.enrichment, records)

    def _item(self, i: FootnoteItem, records: Sequence[RetrievalRecord]) -> SourceView:
        extra = " · ".join(filter(None, (i.kind, i.oj)))
        return self._cited(i.title, i.type, None, i.celex_id, i.enrichment, records, extra)

    def _cited(
        self, text: str, kind: str, link: str | None, celex: str | None, enrichment: Enrichment | None,
        records: Sequence[RetrievalRecord], extra: str = "",
    ) -> SourceView:  # fmt: skip
        own = tuple(dict.fromkeys(r for r in records if r.source == text))
        own = own or tuple(dict.fromkeys(r for r in records if text in r.source))[:1]
        safe = words.safe_link(link)
        return SourceView(
            text=text,
            fetched=kind == "must_be_fetched",
            link=safe or words.celex_link(celex),
            refused=link or "" if link and not safe else "",
            celex_id=celex or "",
            celex=self._celex.get(celex or ""),
            enrichment=enrichment,
            addresses=tuple(dict.fromkeys(words.address_words(a) for r in own for a in r.addresses)),
            records=own,
            extra=extra,
        )


def _answer(name: str, given: FieldProvenance | None, spans: Sequence[Span]) -> Answer:
    label = FIELDS.get(name, name.replace("_", " ").capitalize())
    if given is None:
        return Answer(name, label, spans=tuple(spans))
    by = _ANSWERED[given.answered_by]
    return Answer(name, label, by, given.rule, given.confidence, given.iterations, tuple(spans))


def _anchors(root: Criterion) -> dict[int, str]:
    """Return the element id of every criterion: its own id, told apart where two are alike."""
    taken: Counter[str] = Counter()
    anchors = {}
    for c in root.walk():
        name = "c:" + ("_".join(c.criterion_id.split()) or "_")
        taken[name] += 1
        anchors[id(c)] = name if taken[name] == 1 else f"{name}~{taken[name]}"
    return anchors
