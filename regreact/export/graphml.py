"""All criterion trees as one graph in GraphML: criteria of all units, and what they cite, joined by typed edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lxml import etree

from regreact.export.cells import clean
from regreact.phrases import logic_text, threshold_text
from regreact.schema import Criterion, Extraction

_NS = "http://graphml.graphdrawing.org/xmlns"
# Attribute name, what carries it.
_NODE_KEYS = (
    "name", "kind", "document", "unit", "criterion", "activity", "objective", "section", "text", "logic",
    "applicability", "category", "tags", "threshold",
)  # fmt: skip
Node = dict[str, str]


def graphml(extractions: Iterable[Extraction]) -> bytes:
    """Return the graph of extractions.

    Nodes have a `kind`: `criterion`, or `act`, `standard` or `unit` for what is cited and not exported. A criterion's
    `name` is `<document>|<unit>|<criterion>`. Edges keep their `type` (`hierarchy`, `depends_on`, `references` …); a
    reference to an exported unit of the same document ends in its ROOT.
    """
    root = etree.Element("graphml", nsmap={None: _NS})  # type: ignore[dict-item]  # the stubs know no default namespace
    for name in _NODE_KEYS:
        etree.SubElement(root, "key", {"id": name, "for": "node", "attr.name": name, "attr.type": "string"})
    etree.SubElement(root, "key", {"id": "type", "for": "edge", "attr.name": "type", "attr.type": "string"})
    graph = etree.SubElement(root, "graph", edgedefault="directed")
    extractions = list(extractions)
    ids: dict[str, str] = {}
    for node in (n for e in extractions for n in _criteria(e)):
        _add_node(graph, ids, node)
    for extraction in extractions:
        _add_edges(graph, ids, extraction)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def _criteria(extraction: Extraction) -> Iterator[Node]:
    for node in extraction.criteria.walk():
        yield {
            "name": _name(extraction, node.criterion_id), "kind": "criterion",
            "document": extraction.source.document, "unit": extraction.unit, "criterion": node.criterion_id,
            "activity": extraction.activity, "objective": extraction.objective, "section": extraction.section,
            **_said(node),
        }  # fmt: skip


def _said(node: Criterion) -> Node:
    return {
        "text": node.verbatim_text, "logic": logic_text(node), "applicability": node.applicability,
        "category": node.category, "tags": ", ".join(node.tags), "threshold": threshold_text(node.threshold),
    }  # fmt: skip


def _name(extraction: Extraction, criterion_id: str) -> str:
    return f"{extraction.source.document}|{extraction.unit}|{criterion_id}"


def _add_node(graph: etree._Element, ids: dict[str, str], node: Node) -> None:
    if node["name"] in ids:
        return
    ids[node["name"]] = f"n{len(ids)}"
    element = etree.SubElement(graph, "node", id=ids[node["name"]])
    for key in _NODE_KEYS:
        # Every node has every attribute: igraph reads a missing one as a number that is none.
        etree.SubElement(element, "data", key=key).text = clean(node.get(key, ""))


def _add_edges(graph: etree._Element, ids: dict[str, str], extraction: Extraction) -> None:
    for edge in extraction.edges:
        source, target = _name(extraction, edge.source), _name(extraction, edge.target)
        if edge.type == "references":
            target = f"{extraction.source.document}|{edge.target}|ROOT"
            if target not in ids:
                target = edge.target
                _add_node(graph, ids, {"name": target, "kind": _kind(target)})
        if source in ids and target in ids:
            element = etree.SubElement(graph, "edge", source=ids[source], target=ids[target])
            etree.SubElement(element, "data", key="type").text = edge.type


def _kind(target: str) -> str:
    return {"celex": "act", "standard": "standard"}.get(target.partition(":")[0], "unit")
