"""What the rules of failure tracing ask about a unit: gold, prediction and source side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from regreact.errors import PredictionError
from regreact.evaluation.alignment import MINIMUM_RATIO, Alignment, FlatNode, align, flatten
from regreact.evaluation.gold import GoldTree
from regreact.evaluation.predictions import Links, field_value, links
from regreact.evaluation.semantic import dependency_score, threshold_score
from regreact.evaluation.semantic.citations import citation, same_source
from regreact.evaluation.semantic.deductions import BEST, EMPTY
from regreact.sources.model import Unit

ROOT = "ROOT"


@dataclass(frozen=True, slots=True)
class Facts:
    """A scored unit.

    Attributes:
        tree: The gold tree.
        gold: Gold criteria by id.
        predicted: Predicted criteria by id, the first of each.
        pairs: Predicted partner by gold id.
        names: Gold id by predicted id, for partners.
        links: Inheritance and corrections that the prediction gives, by predicted id.
        blocks: Texts of the source's blocks.
        graph: What the graph noted, by predicted id.
    """

    tree: GoldTree
    gold: Mapping[str, FlatNode]
    predicted: Mapping[str, FlatNode]
    pairs: Mapping[str, FlatNode]
    names: Mapping[str, str]
    links: Mapping[str, Links]
    blocks: frozenset[str]
    graph: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, tree: GoldTree, prediction: Mapping[str, Any], unit: Unit) -> Facts:
        """Put a unit's gold, prediction and source side by side."""
        gold, predicted = flatten(tree.root), flatten(prediction["criteria"])
        found: Alignment = align(gold, predicted)
        first: dict[str, FlatNode] = {}
        for node in predicted:
            first.setdefault(node.criterion_id, node)
        return cls(
            tree=tree,
            gold={n.criterion_id: n for n in gold},
            predicted=first,
            pairs={g.criterion_id: p for g, p in found.pairs},
            names={p.criterion_id: g.criterion_id for g, p in found.pairs},
            links=links(prediction),
            blocks=frozenset(b.text for b in unit.blocks),
            graph=_notes(prediction),
        )

    def partner(self, gold: FlatNode) -> FlatNode | None:
        """Return the predicted partner of a gold criterion."""
        return self.pairs.get(gold.criterion_id)

    def is_foreign(self, found: FlatNode) -> bool:
        """True if a predicted text is not made of blocks of the source."""
        return any(line not in self.blocks for line in found.text.split("\n") if line.strip())

    def is_garbled(self, gold: FlatNode) -> bool:
        """True if the text of a missing criterion is in the prediction only within, or as, a foreign text."""
        text = gold.text.strip()
        if not text or any(text in n.text for n in self.predicted.values() if not self.is_foreign(n)):
            return False
        return any(_alike(text, n.text.strip()) for n in self.predicted.values() if self.is_foreign(n))

    def is_container(self, node: FlatNode) -> bool:
        """True for a criterion without text other than ROOT."""
        return not node.text.strip() and node.criterion_id != ROOT

    def is_disturbed(self, node: FlatNode) -> bool:
        """True if a criterion below the same one as `node`, containers left aside, is elsewhere or on one side only."""
        own = self.gold if self.gold.get(node.criterion_id) is node else self.predicted
        parent = self._above(node, own)
        parent = parent if own is self.gold or parent is None else self.names.get(parent, parent)
        below = [n for n in self.gold.values() if not self.is_container(n) and self._above(n, self.gold) == parent]
        if any(self.partner(n) is None or self.is_moved(n, self.pairs[n.criterion_id]) for n in below):
            return True
        given = [n for n in self.predicted.values() if not self.is_container(n)]
        return any(
            self._name(n) not in {g.criterion_id for g in below}
            for n in given
            if (above := self._above(n, self.predicted)) is not None and self.names.get(above, above) == parent
        )

    def is_moved(self, gold: FlatNode, found: FlatNode) -> bool:
        """True if the two stand below different criteria, containers left aside."""
        above = self._above(found, self.predicted)
        return self._above(gold, self.gold) != (self.names.get(above, above) if above is not None else None)

    def _above(self, node: FlatNode, nodes: Mapping[str, FlatNode]) -> str | None:
        seen: set[str] = set()
        parent = node.parent
        while parent is not None and parent in nodes and parent not in seen and self.is_container(nodes[parent]):
            seen.add(parent)
            parent = nodes[parent].parent
        return parent

    def children_differ(self, gold: FlatNode, found: FlatNode) -> list[FlatNode]:
        """Return the children that only one of the two has."""
        wanted = {n.criterion_id: n for n in self.gold.values() if n.parent == gold.criterion_id}
        given = {
            self._name(n): n for n in self.predicted.values() if n.parent == found.criterion_id
        }
        lost = [wanted.get(i) or given[i] for i in wanted.keys() ^ given.keys()]
        # Members of a container that one side lacks count as the container.
        boxes = [n for n in lost if self.is_container(n)]
        inside = {
            self._name(m)
            for box in boxes
            for m in (*self.gold.values(), *self.predicted.values())
            if m.parent == box.criterion_id
        }
        return boxes + [n for n in lost if n not in boxes and self._name(n) not in inside]

    def _name(self, node: FlatNode) -> str:
        return self.names.get(node.criterion_id, node.criterion_id)

    def participants_differ(self, gold: FlatNode) -> bool:
        """True if a child of a gold criterion is background on one side only."""
        children = [n for n in self.gold.values() if n.parent == gold.criterion_id and n.criterion_id in self.pairs]
        return any(_is_background(n) != _is_background(self.pairs[n.criterion_id]) for n in children)

    def follows_threshold(self, found: FlatNode) -> bool:
        """True if the predicted category is the one that the predicted threshold gives."""
        try:
            threshold = field_value(found.data, "threshold")
        except PredictionError:
            return False
        derived = "Quantitative" if threshold is not None and threshold.quantitative is not None else "Qualitative"
        return bool(found.data.get("category") == derived)

    def graph_said(self, found: FlatNode | None) -> tuple[str, ...]:
        """Return what the graph noted about a predicted criterion."""
        return self.graph.get(found.criterion_id, ()) if found is not None else ()

    def targets(self, gold: FlatNode) -> set[str]:
        """Return the criteria that a gold criterion depends on or inherits from, under their predicted ids too."""
        gating = gold.data.get("dependencies") or {}
        targets = {c["criterion_id"] for c in gating.get("clauses", ())}
        targets |= {self.tree.threshold_from.get(gold.criterion_id, ROOT)} - {ROOT}
        return targets | {self.pairs[t].criterion_id for t in targets if t in self.pairs}

    def lost_target(self, gold: FlatNode) -> FlatNode | None:
        """Return a criterion that a gold criterion depends on and the prediction lacks, renames or moves."""
        for target in sorted(self.targets(gold) & self.gold.keys()):
            node, found = self.gold[target], self.pairs.get(target)
            if found is None or found.criterion_id != target or self.is_moved(node, found):
                return node
        return None

    def inherits_otherwise(self, gold: FlatNode, found: FlatNode) -> bool:
        """True if the two inherit from different criteria, or only one inherits."""
        given = self._links(found).threshold_from
        return self.tree.threshold_from.get(gold.criterion_id) != (self.names.get(given, given) if given else None)

    def wrong_origin(self, gold: FlatNode, found: FlatNode) -> FlatNode | None:
        """Return the criterion with a wrong threshold that a gold criterion inherits from, or a child of it (C6).

        None if the prediction inherits from another criterion: then that is the error.
        """
        origin = self.tree.threshold_from.get(gold.criterion_id)
        given = self._links(found).threshold_from
        if origin is None or (given is not None and self.names.get(given, given) != origin):
            return None
        stated = [n for n in self.gold.values() if origin in (n.criterion_id, n.parent)]
        return next((n for n in stated if n is not gold and not self._same_threshold(n)), None)

    def _same_threshold(self, gold: FlatNode) -> bool:
        found = self.partner(gold)
        try:
            given = field_value(found.data, "threshold") if found is not None else None
        except PredictionError:
            return False
        return threshold_score(field_value(gold.data, "threshold"), given) in (EMPTY, BEST)

    def edge_lost(self, gold: FlatNode, found: FlatNode) -> bool:
        """True if the inherited threshold is right and the edge to its origin is not in the prediction."""
        if gold.criterion_id not in self.tree.threshold_from or self._links(found).threshold_from is not None:
            return False
        return self._same_threshold(gold)

    def right_but_for_names(self, gold: FlatNode, found: FlatNode) -> bool:
        """True if a dependency is right once every predicted id is read as its partner's."""
        own = self._links(found)
        try:
            gating = field_value(found.data, "dependencies")
        except PredictionError:
            return False
        if gating is not None:
            clauses = tuple(
                c.model_copy(update={"criterion_id": self.names.get(c.criterion_id, c.criterion_id)})
                for c in gating.clauses
            )
            # The summary names criteria by their predicted ids; what it says is compared by the clauses.
            gating = gating.model_copy(update={"clauses": clauses, "condition_summary": ""})
        given = own.threshold_from
        renamed = {
            "dependencies": gating,
            "threshold_from": self.names.get(given, given) if given else None,
            "corrections": frozenset((a, self.names.get(b, b)) for a, b in own.corrections),
        }
        wanted = {
            "dependencies": field_value(gold.data, "dependencies"),
            "threshold_from": self.tree.threshold_from.get(gold.criterion_id),
            "corrections": frozenset(self.tree.corrections.get(gold.criterion_id, ())),
        }
        return dependency_score(wanted, renamed) == BEST

    def _links(self, found: FlatNode) -> Links:
        return self.links.get(found.criterion_id, Links())

    def unresolved(self, prediction: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield gold id and phrase of citations that gold wants fetched and that were searched for in vain.

        What was never searched for (a standard that is sold, an act that is not in the store) is no error.
        """
        records = prediction.get("retrieval")
        for record in records if isinstance(records, list) else ():
            if not isinstance(record, dict) or record.get("addresses") or not record.get("queries"):
                continue
            own = self.names.get(str(record.get("criterion_id")))
            references = self.gold[own].data.get("references") if own is not None else None
            phrase = str(record.get("source", ""))
            wanted = [s for s in (references or {}).get("sources", ()) if s["type"] == "must_be_fetched"]
            if own is not None and any(same_source(citation(s["text"], None), citation(phrase, None)) for s in wanted):
                yield own, phrase


def _is_background(node: FlatNode) -> bool:
    return "BackgroundInformation" in (node.data.get("tags") or ())


def _alike(a: str, b: str) -> bool:
    return a in b or b in a or SequenceMatcher(None, a, b, autojunk=False).ratio() >= MINIMUM_RATIO


def _notes(prediction: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return what the graph noted by criterion; a prediction of other making has no such notes."""
    memory = prediction.get("memory")
    noted = memory.get("graph") if isinstance(memory, dict) else None
    found: dict[str, list[str]] = {}
    for note in noted if isinstance(noted, list) else ():
        if isinstance(note, dict):
            found.setdefault(str(note.get("item_id")), []).append(str(note.get("description", "")))
    return {i: tuple(said) for i, said in found.items()}
