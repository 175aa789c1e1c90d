"""The rules by which a wrong field is traced to the first stage that erred.

Stages work on each other's answers, so one error shows in many fields. `RULES` say which of them follow from an
earlier stage; they are tried in order, and what none of them explains is the fault of the stage that fills the field.
A rule looks at gold, prediction and source only, never at who made the prediction: anybody's output can be traced.
What graph and retrieval did is read from the prediction's own record, where it has one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from regreact.evaluation.alignment import FlatNode
from regreact.evaluation.failure_facts import Facts
from regreact.evaluation.score_report import FieldResult

STAGES = (
    "parsing", "structure", "threshold", "classification", "reference", "dependency", "footnote", "assembly", "graph",
    "retrieval",
)  # fmt: skip
PLACE = ("node", "parent", "criterion_id")
# The stage that fills a field.
OWN_STAGE = {
    **dict.fromkeys(PLACE, "structure"),
    **dict.fromkeys(("logic", "applicability", "tags"), "classification"),
    "category": "assembly",
    "threshold": "threshold",
    "reference": "reference",
    "footnote": "footnote",
    "dependency": "dependency",
    "verbatim_text": "parsing",
    "enrichment": "retrieval",
}


@dataclass(frozen=True, slots=True)
class Case:
    """A wrong field with its criterion on both sides; None where a side lacks the criterion."""

    result: FieldResult
    gold: FlatNode | None
    found: FlatNode | None
    facts: Facts

    @property
    def field(self) -> str:
        """Name of the field."""
        return self.result.field


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of tracing: name, what it says, and the stage of a case that it explains (None for others)."""

    name: str
    says: str
    stage: Callable[[Case], str | None]


def _when(stage: str, holds: Callable[[Case], bool]) -> Callable[[Case], str | None]:
    return lambda case: stage if holds(case) else None


def _foreign_text(case: Case) -> bool:
    if case.found is not None:
        return case.facts.is_foreign(case.found)
    return case.gold is not None and case.facts.is_garbled(case.gold)


def _other_block(case: Case) -> bool:
    return case.gold is not None and case.found is not None and case.gold.text != case.found.text


def _container(case: Case) -> bool:
    """A container is on one side only, and the criteria around it stand where they belong otherwise."""
    if case.field not in ("node", "parent") or (case.gold is None and case.found is None):
        return False
    if case.gold is not None and case.found is not None:
        return not case.facts.is_moved(case.gold, case.found) and not case.facts.is_disturbed(case.gold)
    node = case.gold or case.found
    return node is not None and case.facts.is_container(node) and not case.facts.is_disturbed(node)


def _moved_by_graph(case: Case) -> bool:
    wanted = f"moved from {case.result.gold} to"
    return case.field == "parent" and any(wanted in said for said in case.facts.graph_said(case.found))


def _no_partner(case: Case) -> str | None:
    """A field of a criterion that one side lacks is wrong because the criterion is."""
    node = case.gold or case.found
    if (case.gold is not None and case.found is not None) or node is None or case.field == "node":
        return None
    return _stage_of("node", case.gold, case.found, case.facts)


def _unreadable(case: Case) -> bool:
    return case.result.predicted.startswith("unreadable:")


def _category(case: Case) -> str | None:
    """The category is derived from the final threshold: it is wrong with it, or was derived wrongly."""
    if case.field != "category" or case.gold is None or case.found is None:
        return None
    if not case.facts.follows_threshold(case.found):
        return None
    return _stage_of("threshold", case.gold, case.found, case.facts)


def _logic_by_graph(case: Case) -> bool:
    wanted = f"{case.result.gold.split(' ')[0]} became"
    return case.field == "logic" and any(said.startswith(wanted) for said in case.facts.graph_said(case.found))


def _logic_of_other_children(case: Case) -> str | None:
    """Logic joins children; of other children it is another question."""
    if case.field != "logic" or case.gold is None or case.found is None:
        return None
    lost = case.facts.children_differ(case.gold, case.found)
    if not lost:
        return None
    boxes = [n for n in lost if case.facts.is_container(n) and not case.facts.is_disturbed(n)]
    return "classification" if boxes == lost else "structure"


def _logic_of_other_participants(case: Case) -> bool:
    both = case.field == "logic" and case.gold is not None and case.found is not None
    return both and case.facts.participants_differ(case.gold)  # type: ignore[arg-type]


def _label_of_moved(case: Case) -> bool:
    labels = ("applicability", "tags")
    return case.field in labels and bool(case.gold and case.found and case.facts.is_moved(case.gold, case.found))


def _origin(case: Case) -> str | None:
    """What is inherited is wrong, or not inherited at all, because the origin's own threshold is wrong."""
    if case.field not in ("threshold", "dependency") or case.gold is None or case.found is None:
        return None
    wrong = case.facts.wrong_origin(case.gold, case.found)
    if wrong is None:
        return None
    return _stage_of("threshold", wrong, case.facts.partner(wrong), case.facts)


def _edge_refused(case: Case) -> bool:
    """The graph's notes read "inherits from 2, which has no threshold: …", "depends_on edge to 2, which …"."""
    if case.field not in ("threshold", "dependency") or case.gold is None:
        return False
    refused = [said for said in case.facts.graph_said(case.found) if "edge" in said]
    return any(f" {target}, which " in said for target in case.facts.targets(case.gold) for said in refused)


def _edge_lost(case: Case) -> bool:
    """The inherited limits are there, the edge that they came by is not."""
    return case.field == "dependency" and bool(case.gold and case.found and case.facts.edge_lost(case.gold, case.found))


def _renamed_target(case: Case) -> str | None:
    """A dependency on the right criterion under a wrong identifier, or on one that is missing or stands elsewhere."""
    if case.field != "dependency" or case.gold is None or case.found is None:
        return None
    if case.facts.right_but_for_names(case.gold, case.found):
        return "structure"
    lost = case.facts.lost_target(case.gold)
    if lost is None:
        return None
    found = case.facts.partner(lost)
    return _stage_of("node" if found is None else "parent", lost, found, case.facts)


def _inherited(case: Case) -> bool:
    both = case.field == "threshold" and case.gold is not None and case.found is not None
    return both and case.facts.inherits_otherwise(case.gold, case.found)  # type: ignore[arg-type]


RULES: tuple[Rule, ...] = (
    Rule(
        "foreign text",
        "the criterion's text is no block of the source, or the block is only there in another form",
        _when("parsing", _foreign_text),
    ),
    Rule(
        "container",
        "a container of joint pathways is missing or surplus while its members' places are right otherwise",
        _when("classification", _container),
    ),
    Rule(
        "moved by the graph",
        "the graph moved the criterion away from the right parent",
        _when("graph", _moved_by_graph),
    ),
    Rule(
        "criterion of one side",
        "fields of a criterion that is missing or surplus are wrong because it is",
        _no_partner,
    ),
    Rule(
        "other block",
        "the identifier stands for another block of the source",
        _when("structure", _other_block),
    ),
    Rule(
        "no record",
        "the field does not fit the schema",
        _when("assembly", _unreadable),
    ),
    Rule(
        "category by threshold",
        "the category fits the predicted threshold, so the threshold is at fault",
        _category,
    ),
    Rule(
        "logic of other children",
        "the criterion has other children than in gold",
        _logic_of_other_children,
    ),
    Rule(
        "logic of other participants",
        "a child is background on one side only, so other children take part",
        _when("classification", _logic_of_other_participants),
    ),
    Rule(
        "logic settled by the graph",
        "the graph replaced the right logic",
        _when("graph", _logic_by_graph),
    ),
    Rule(
        "label out of place",
        "the criterion stands below another one, whose words decide on its labels too",
        _when("structure", _label_of_moved),
    ),
    Rule(
        "inherited error",
        "the threshold that is or should be inherited is wrong where it is stated",
        _origin,
    ),
    Rule(
        "edge refused",
        "the graph refused an edge that gold has",
        _when("graph", _edge_refused),
    ),
    Rule(
        "edge lost",
        "inherited limits are right, the edge to their origin is not there",
        _when("graph", _edge_lost),
    ),
    Rule(
        "target of another place",
        "the criterion depended on has another identifier, stands elsewhere or is missing",
        _renamed_target,
    ),
    Rule(
        "inheritance",
        "the threshold is inherited on one side, or from another criterion",
        _when("dependency", _inherited),
    ),
)


def trace(case: Case) -> tuple[str, str]:
    """Return the first stage that erred in a case, and the rule that tells."""
    for rule in RULES:
        stage = rule.stage(case)
        if stage is not None:
            return stage, rule.name
    return OWN_STAGE[case.field], "own stage"


def _stage_of(field: str, gold: FlatNode | None, found: FlatNode | None, facts: Facts) -> str:
    """Return the stage that another wrong field is traced to."""
    node = gold or found
    criterion_id = node.criterion_id if node is not None else ""
    return trace(Case(FieldResult("", criterion_id, field, False, "", ""), gold, found, facts))[0]
