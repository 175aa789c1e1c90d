"""What two annotators said about the same things: a pair of labels for each item that both had to decide on.

An item of a label (category, a tag) is a criterion that both have. An item of a list (threshold items, sources) is an
entry on either side, paired with the closest of the other side; a criterion where neither found one is an item too,
labelled `none` twice, because leaving it empty is a decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from regreact.evaluation.gold_tools.annotations import ROOT, Placed, Record
from regreact.evaluation.semantic.citations import citation, same_source
from regreact.evaluation.semantic.wording import plain_unit, same_quantity
from regreact.schema import TAG_ORDER

NONE = "none"
Pair = tuple[str, str]
Likeness = Callable[[Any, Any], int]

# Dimension -> title in tables.
DIMENSIONS: dict[str, str] = {
    "structure": "Hierarchical structure (parent of each block)",
    "identifier": "Identifier of each block",
    "logic": "Evaluation logic",
    "category": "Category",
    "applicability": "Applicability",
    "tags": "Tags (as a set)",
    **{f"tag:{tag}": f"Tag {tag}" for tag in TAG_ORDER},
    "threshold": "Threshold extraction (items)",
    "sources": "References: sources",
    "source type": "References: type",
    "dependency": "Dependencies (incl. cross-reference corrections and inheritance)",
    "footnote": "Footnotes: categories",
    "footnote documents": "Footnotes: documents",
}


def compare(first: Placed, second: Placed) -> dict[str, list[Pair]]:
    """Return the pairs of labels of one unit by dimension.

    Args:
        first: Criteria by place, by one annotator (`annotations.placed`).
        second: The same by the other.
    """
    found: dict[str, list[Pair]] = {name: [] for name in DIMENSIONS}
    blocks = sorted({b for side in (first, second) for r in side.values() for b in r["blocks"]})
    holders = [{b: r for r in side.values() for b in r["blocks"]} for side in (first, second)]
    for block in blocks:
        a, b = (side.get(block) for side in holders)
        found["structure"].append((_parent(a), _parent(b)))
        found["identifier"].append((_own_id(a), _own_id(b)))
    for at in (p for p in first if p in second):
        _compare_criterion(first[at], second[at], found)
    return found


def _parent(record: Record | None) -> str:
    return NONE if record is None else str(record["parent"] or ROOT)


def _own_id(record: Record | None) -> str:
    return NONE if record is None else str(record["criterion_id"])


def _compare_criterion(a: Record, b: Record, found: dict[str, list[Pair]]) -> None:
    found["logic"].append((_logic(a), _logic(b)))
    for name in ("category", "applicability"):
        found[name].append((a[name], b[name]))
    found["tags"].append((", ".join(sorted(a["tags"])), ", ".join(sorted(b["tags"]))))
    for tag in TAG_ORDER:
        found[f"tag:{tag}"].append((str(tag in a["tags"]), str(tag in b["tags"])))
    found["threshold"] += listed(limits(a), limits(b), _like_limits, _shown)
    sources_a, sources_b = _sources(a), _sources(b)
    found["sources"] += listed(sources_a, sources_b, _like_sources, lambda s: "source")
    both = pair_up(sources_a, sources_b, _like_sources)
    found["source type"] += [(x["type"], y["type"]) for x, y in both if x is not None and y is not None]
    found["dependency"] += listed(links(a), links(b), _like_links, _shown)
    notes_a, notes_b = a["footnotes"], b["footnotes"]
    found["footnote"] += listed(notes_a, notes_b, _same_id, lambda n: ", ".join(sorted(n["categories"])) or "neither")
    for x, y in pair_up(notes_a, notes_b, _same_id):
        if x is not None and y is not None:
            found["footnote documents"] += listed(x["items"], y["items"], _like_documents, _document)


def listed(a: Sequence[Any], b: Sequence[Any], like: Likeness, label: Callable[[Any], str]) -> list[Pair]:
    """Return the pairs of labels of two lists; one pair of `none` where both are empty."""
    pairs = [(NONE if x is None else label(x), NONE if y is None else label(y)) for x, y in pair_up(a, b, like)]
    return pairs or [(NONE, NONE)]


def pair_up(a: Sequence[Any], b: Sequence[Any], like: Likeness) -> list[tuple[Any, Any]]:
    """Pair the entries of two lists, the most alike first; None stands for an entry that the other side lacks.

    Args:
        a: Entries of one side.
        b: Entries of the other.
        like: How alike two entries are; 0 for two that speak of different things.
    """
    ranked = sorted((-like(x, y), i, j) for i, x in enumerate(a) for j, y in enumerate(b))
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for value, i, j in ranked:
        if value and i not in partner and j not in taken:
            partner[i] = j
            taken.add(j)
    pairs: list[tuple[Any, Any]] = [(x, b[partner[i]] if i in partner else None) for i, x in enumerate(a)]
    return pairs + [(None, y) for j, y in enumerate(b) if j not in taken]


def _logic(record: Record) -> str:
    count = record["n_required"]
    return record["evaluation_logic"] if count is None else f"{record['evaluation_logic']} {count}"


def limits(record: Record) -> list[tuple[str, ...]]:
    """Return the threshold items of a criterion as tuples of text; the wording of the metric is left out.

    Example:
        >>> item = {"metric": "Dust", "operator": "<", "value": 5.0, "unit": "kg/t", "period": None}
        >>> limits({"threshold": {"quantitative": {"logic": None, "items": [item]}, "temporal": None}})
        [('quantitative', '<', '5', 'kg/t')]
    """
    threshold = record["threshold"] or {}
    found: list[tuple[str, ...]] = []
    for item in (threshold.get("quantitative") or {}).get("items", ()):
        parts = (item["value"], plain_unit(item["unit"]), *(item["period"] or {}).values())
        found.append(("quantitative", item["operator"], *(f"{p:g}" if isinstance(p, float) else str(p) for p in parts)))
    for item in (threshold.get("temporal") or {}).get("items", ()):
        found.append(("temporal", *map(str, item.values())))
    return found


def _like_limits(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    """One number read in two ways is one item: same value, or the same operator and unit."""
    if a[0] != b[0]:
        return 0
    return sum(x == y for x, y in zip(a[1:], b[1:], strict=False))


def _sources(record: Record) -> list[Record]:
    return list(record["references"]["sources"]) if record["references"] else []


def _like_sources(a: Record, b: Record) -> int:
    one, other = citation(a["text"], a["celex_id"]), citation(b["text"], b["celex_id"])
    return int(same_source(one, other)) * (1 + (one.pins == other.pins))


def links(record: Record) -> list[tuple[str, str, str]]:
    """Return what a criterion depends on: kind, the other criterion's place, and how."""
    found = []
    for clause in (record["dependencies"] or {}).get("clauses", ()):
        found.append(("depends on", clause["criterion_id"], clause["status"]))
    if record["threshold_from"] is not None:
        found.append(("inherits from", record["threshold_from"], ""))
    return found + [("corrects", c["to"], c["from"]) for c in record["corrections"]]


def _like_links(a: tuple[str, str, str], b: tuple[str, str, str]) -> int:
    return (1 + (a[1] == b[1]) + (a[2] == b[2])) * (a[0] == b[0])


def _same_id(a: Record, b: Record) -> int:
    return int(a["id"] == b["id"])


def _like_documents(a: Record, b: Record) -> int:
    return int(same_source(citation(a["title"], a["celex_id"]), citation(b["title"], b["celex_id"])))


def _document(item: Record) -> str:
    return f"{item['kind']}, {item['type']}"


def _shown(parts: tuple[str, ...]) -> str:
    return " ".join(parts)


def same_thresholds(a: Record, b: Record) -> bool:
    """True if two criteria have the same limits on the same quantities, however these are worded."""
    if _joiners(a) != _joiners(b) or any(x != y for x, y in pair_up(limits(a), limits(b), _like_limits)):
        return False
    metrics_a, metrics_b = ({i["metric"] for i in _quantities(r)} for r in (a, b))
    return all(any(same_quantity(m, other) for other in metrics_b) for m in metrics_a)


def _quantities(record: Record) -> list[Record]:
    return list(((record["threshold"] or {}).get("quantitative") or {}).get("items", ()))


def _joiners(record: Record) -> list[Any]:
    return [((record["threshold"] or {}).get(part) or {}).get("logic") for part in ("quantitative", "temporal")]


def same_references(a: Record, b: Record) -> bool:
    """True if two criteria cite the same provisions with the same types, CELEX ids and logic."""
    if (a["references"] or {}).get("logic") != (b["references"] or {}).get("logic"):
        return False
    return all(x and y and _same_source(x, y) for x, y in pair_up(_sources(a), _sources(b), _like_sources))


def _same_source(a: Record, b: Record) -> bool:
    return (a["type"], a["celex_id"]) == (b["type"], b["celex_id"]) and _like_sources(a, b) == 2


def same_links(a: Record, b: Record) -> bool:
    """True if two criteria are gated by the same others, by as many of them."""
    one, other = (r["dependencies"] or {} for r in (a, b))
    clauses = [{(c["criterion_id"], c["status"]) for c in d.get("clauses", ())} for d in (one, other)]
    return clauses[0] == clauses[1] and one.get("min_conditions_to_meet") == other.get("min_conditions_to_meet")


def same_footnotes(a: Record, b: Record) -> bool:
    """True if two criteria have the same footnotes, of the same categories, with the same documents and terms."""
    return all(x and y and _same_footnote(x, y) for x, y in pair_up(a["footnotes"], b["footnotes"], _same_id))


def _same_footnote(a: Record, b: Record) -> bool:
    if set(a["categories"]) != set(b["categories"]) or _terms(a) != _terms(b):
        return False
    keys = ("kind", "type", "celex_id")
    pairs = pair_up(a["items"], b["items"], _like_documents)
    return all(x and y and [x[k] for k in keys] == [y[k] for k in keys] for x, y in pairs)


def _terms(note: Record) -> set[str]:
    return {t if isinstance(t, str) else t["term"] for t in note["terms"]}
