"""The typed criterion graph of one unit: six kinds of edges, per-edge checks, repositioning, global validation.

Paper section 3.5. Vertices are criteria; `references` edges leave the unit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from regreact.answers import LogicValue
from regreact.identifiers import anchor_of
from regreact.observers.base import Issue
from regreact.schema import Edge, EdgeType
from signatures.types import CriterionView

if TYPE_CHECKING:
    import igraph

# Kinds whose edges point to another criterion of the same unit.
INTERNAL: tuple[EdgeType, ...] = ("hierarchy", "group_member", "inherits_threshold", "depends_on", "corrects")
# Kinds that must not run in circles.
ACYCLIC: tuple[EdgeType, ...] = ("hierarchy", "inherits_threshold", "depends_on")

_LAST_PART = re.compile(r"\([^()]*\)$")


def parent_by_id(criterion_id: str, known: Mapping[str, CriterionView]) -> str | None:
    """Return the parent that an identifier spells out, if that criterion exists.

    "1(a)(i)" belongs under "1(a)", "2.1" under "2", "1(f).Verification(a)" under "1(f).Verification". The place of
    an anchored paragraph itself depends on its anchor, so its id decides nothing.
    """
    if anchor_of(criterion_id) is not None:
        return None
    stem = _LAST_PART.sub("", criterion_id)
    if stem != criterion_id:
        return stem if stem in known else None
    head = criterion_id.rpartition(".")[0]
    return head if head in known else None


def reposition(criteria: Sequence[CriterionView]) -> tuple[tuple[CriterionView, ...], list[Issue]]:
    """Move criteria under the parent that their identifier names (flat markup nests them wrongly).

    A criterion below an inferred container of its parent ("1(a-e)" under "1") stays where it is.

    Returns:
        The criteria, and one minor issue for each that was moved.
    """
    known = {c.criterion_id: c for c in criteria}
    moved: list[CriterionView] = []
    issues: list[Issue] = []
    for c in criteria:
        wanted = parent_by_id(c.criterion_id, known)
        holder = known.get(c.parent or "")
        in_container = holder is not None and holder.block is None and holder.parent == wanted
        if wanted is None or wanted == c.parent or in_container or c.parent is None:
            moved.append(c)
            continue
        moved.append(c.model_copy(update={"parent": wanted}))
        issues.append(
            Issue(
                c.criterion_id,
                "structural",
                "minor",
                "parent",
                f"moved from {c.parent} to {wanted}",
                (),
                "reposition",
            )
        )
    return tuple(moved), issues


class CriterionGraph:
    """Criteria and typed edges of one unit.

    Args:
        criteria: Ids of the criteria, ROOT included.
        checked: Check the target of every edge (False for the no-graph ablation).

    Example:
        >>> g = CriterionGraph(["ROOT", "1"])
        >>> [i.description for i in g.add([Edge(source="1", target="7", type="depends_on")])]
        ['depends_on edge to 7, which does not exist']
    """

    def __init__(self, criteria: Iterable[str], checked: bool = True) -> None:
        self.criteria = list(dict.fromkeys(criteria))
        self.checked = checked
        self._edges: dict[tuple[str, str, str], Edge] = {}

    @property
    def edges(self) -> tuple[Edge, ...]:
        """All edges, in the order they were added."""
        return tuple(self._edges.values())

    def add(self, edges: Iterable[Edge]) -> list[Issue]:
        """Add edges as a stage ends.

        Returns:
            One major issue for each edge whose end is no criterion of the unit; such an edge is not added.
        """
        issues = []
        known = set(self.criteria)
        for edge in edges:
            ends = [edge.source] if edge.type == "references" else [edge.source, edge.target]
            missing = [e for e in ends if e not in known]
            if self.checked and missing:
                issues.append(
                    Issue(
                        edge.source,
                        "consistency",
                        "major",
                        edge.type,
                        f"{edge.type} edge to {missing[0]}, which does not exist",
                        (),
                        "edge_target",
                    )
                )
                continue
            self._edges[(edge.source, edge.target, edge.type)] = edge
        return issues

    def to_igraph(self, types: Iterable[EdgeType] = INTERNAL) -> igraph.Graph:
        """Return the graph of some edge kinds; vertices carry `name`, edges `type`; unknown ends are left out."""
        import igraph  # noqa: PLC0415  heavy: it looks for plotting libraries

        wanted = set(types)
        graph = igraph.Graph(directed=True)
        graph.add_vertices(self.criteria)
        index = {name: i for i, name in enumerate(self.criteria)}
        kept = [e for e in self._edges.values() if e.type in wanted and e.source in index and e.target in index]
        graph.add_edges([(index[e.source], index[e.target]) for e in kept])
        graph.es["type"] = [e.type for e in kept]
        return graph

    def validate(
        self, logic: Mapping[str, LogicValue], background: Iterable[str] = (), anchored: Iterable[str] = ()
    ) -> list[Issue]:
        """Check the whole graph (structure and participation rule).

        Args:
            logic: Evaluation logic by criterion id.
            background: Criteria tagged BackgroundInformation; they take no part.
            anchored: Anchored criteria; under an OR or N_OF_K parent they take no part.

        Returns:
            Issues: cycles, more than one parent, criteria not reached from ROOT, logic that does not fit the number
            of children that take part.
        """
        issues = self._cycles()
        children = self._targets("hierarchy")
        parents = Counter(child for below in children.values() for child in below)
        issues.extend(
            self._issue(name, "structural", "more than one parent") for name in self.criteria if parents[name] > 1
        )
        reached = _reachable("ROOT", children)
        issues.extend(
            self._issue(name, "structural", "not connected to ROOT") for name in self.criteria if name not in reached
        )
        counts = self.participants(logic, set(background), set(anchored))
        issues.extend(i for c in self.criteria if (i := self._logic_issue(c, logic.get(c), counts[c])))
        return issues

    def participants(self, logic: Mapping[str, LogicValue], background: set[str], anchored: set[str]) -> dict[str, int]:
        """Return how many children of each criterion take part in its evaluation (participation rule)."""
        counts = dict.fromkeys(self.criteria, 0)
        for edge in self._edges.values():
            if edge.type != "hierarchy" or edge.source not in counts or edge.target in background:
                continue
            if takes_part(logic.get(edge.source), anchored=edge.target in anchored):
                counts[edge.source] += 1
        return counts

    def _targets(self, kind: EdgeType) -> dict[str, list[str]]:
        """Return the targets of each criterion's edges of one kind; unknown ends are left out."""
        targets: dict[str, list[str]] = {name: [] for name in self.criteria}
        for edge in self._edges.values():
            if edge.type == kind and edge.source in targets and edge.target in targets:
                targets[edge.source].append(edge.target)
        return targets

    def _cycles(self) -> list[Issue]:
        issues = []
        for kind in ACYCLIC:
            if _is_acyclic(self._targets(kind)):
                continue
            graph = self.to_igraph((kind,))
            for component in graph.connected_components(mode="strong"):
                names = [graph.vs[i]["name"] for i in component]
                if len(names) > 1 or graph.are_adjacent(component[0], component[0]):
                    issues.append(self._issue(names[0], "structural", f"{kind} runs in a circle: {', '.join(names)}"))
        return issues

    def _logic_issue(self, criterion_id: str, value: LogicValue | None, count: int) -> Issue | None:
        problem = logic_problem(value, count)
        return self._issue(criterion_id, "consistency", problem) if problem else None

    @staticmethod
    def _issue(criterion_id: str, kind: str, description: str) -> Issue:
        assert kind in ("structural", "consistency")
        return Issue(criterion_id, kind, "critical", "graph", description, (), "graph")  # type: ignore[arg-type]


def _reachable(start: str, targets: Mapping[str, Sequence[str]]) -> set[str]:
    """Return what edges lead to from a vertex, itself included; nothing if there is no such vertex."""
    reached: set[str] = set()
    queue = [start] if start in targets else []
    while queue:
        name = queue.pop()
        if name not in reached:
            reached.add(name)
            queue.extend(targets[name])
    return reached


def _is_acyclic(targets: Mapping[str, Sequence[str]]) -> bool:
    """True if the vertices can be put in an order in which every edge leads onwards (Kahn's algorithm)."""
    incoming = Counter(target for ends in targets.values() for target in ends)
    queue = [name for name in targets if not incoming[name]]
    placed = 0
    while queue:
        placed += 1
        for target in targets[queue.pop()]:
            incoming[target] -= 1
            if not incoming[target]:
                queue.append(target)
    return placed == len(targets)


def takes_part(parent: LogicValue | None, *, background: bool = False, anchored: bool = False) -> bool:
    """Return whether a child counts in its parent's evaluation (participation rule, guidelines section 3).

    Args:
        parent: Logic of the parent.
        background: The child is tagged BackgroundInformation.
        anchored: The child is an anchored paragraph.
    """
    choice = parent is not None and parent.evaluation_logic in ("OR", "N_OF_K")
    return not background and not (choice and anchored)


def logic_problem(value: LogicValue | None, count: int) -> str:
    """Return what is wrong with a logic over so many children that take part, "" if nothing is."""
    if value is None:
        return ""
    logic, k = value.evaluation_logic, value.n_required
    if logic == "LEAF" and count:
        return f"LEAF, but {count} children take part"
    if logic != "LEAF" and not count:
        return f"{logic}, but no child takes part"
    if logic == "N_OF_K" and not 1 <= (k or 0) <= count:
        return f"{k} of {count} children are required"
    return ""


def settle_logic(logic: Mapping[str, LogicValue], counts: Mapping[str, int]) -> dict[str, LogicValue]:
    """Return logic that fits the children: no participating child means LEAF, some mean AND instead of LEAF.

    An N_OF_K whose number exceeds the children becomes AND; this is the conservative reading (guidelines section 3).
    """
    settled = dict(logic)
    for criterion_id, value in logic.items():
        count = counts.get(criterion_id, 0)
        if not count:
            settled[criterion_id] = LogicValue("LEAF")
        elif value.evaluation_logic == "LEAF" or (
            value.evaluation_logic == "N_OF_K" and not 1 <= (value.n_required or 0) <= count
        ):
            settled[criterion_id] = LogicValue("AND")
    return settled
