"""Stage 3: pathway groups, applicability, tags and evaluation logic (paper section 3.3).

The category is not decided here: it follows from the final threshold, after stage 5.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from regreact.answers import LogicValue
from regreact.config import Settings
from regreact.fastpath.tree import CriterionIndex
from regreact.memory import Memory
from regreact.schema import Edge
from regreact.sources.model import Unit
from regreact.stages.asking import has_children, may_hold_pathways
from regreact.stages.base import NO_REPORTS, Reports, Stage, StageOutput, header, ids
from signatures.classification import AssignTags, ClassifyApplicability, DetectPathways, InferLogic
from signatures.types import CriterionFacts, CriterionView


class ContentClassifier(Stage):
    """Groups joint pathways, then decides applicability, tags and logic of every criterion."""

    name = "s3"
    provides = "classification"

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.pathways = self.question(DetectPathways, lambda _: (), may_hold_pathways)
        self.applicability = self.question(ClassifyApplicability, lambda _: "Mandatory")
        self.tags = self.question(AssignTags, lambda _: ())
        self.logic = self.question(InferLogic, lambda _: LogicValue("AND"), has_children)

    def forward(
        self,
        unit: Unit,
        activity_memory: Memory,
        structure: StageOutput,
        thresholds: StageOutput,
        references: StageOutput,
        *,
        reports: Reports = NO_REPORTS,
    ) -> StageOutput:
        """Return the tree with inferred containers, and the four answers for each criterion."""
        head = header(unit)
        index = CriterionIndex(structure.criteria)
        parents = [c.criterion_id for c in structure.criteria if index.children(c.criterion_id)]
        pathways = self.ask(self.pathways, {"unit": head, "criteria": list(structure.criteria)}, parents, reports)
        criteria = insert_containers(structure.criteria, {i: a.value for i, a in pathways.answers.items() if a.value})
        asked = ids(criteria)
        applicability = self.ask(
            self.applicability,
            {"unit": head, "activity": activity_memory.activity_entries(), "criteria": list(criteria)},
            asked,
            reports,
        )
        facts = [
            CriterionFacts(
                criterion_id=i,
                threshold=thresholds.value("ExtractThresholds", i),
                references=references.value("ExtractReferences", i),
            )
            for i in asked
        ]
        tags = self.ask(self.tags, {"unit": head, "criteria": list(criteria), "facts": facts}, asked, reports)
        tagged = [f.model_copy(update={"tags": tags.value(f.criterion_id) or ()}) for f in facts]
        logic = self.ask(self.logic, {"unit": head, "criteria": list(criteria), "facts": tagged}, asked, reports)
        outcomes = {
            "DetectPathways": pathways,
            "ClassifyApplicability": applicability,
            "AssignTags": tags,
            "InferLogic": logic,
        }
        return StageOutput(self.name, outcomes, criteria, edges=_group_edges(criteria))


def container_id(parent: str, members: Sequence[str]) -> str:
    """Return the id of an inferred group: first and last label of its members under their parent.

    Example:
        >>> container_id("1", ["1(a)", "1(b)", "1(e)"]), container_id("ROOT", ["1", "2"])
        ('1(a-e)', '1-2')
    """
    labels = [re.sub(r"^.*\(|\)$", "", m.removeprefix(parent)).strip("().") for m in (members[0], members[-1])]
    joined = "-".join(labels)
    return joined if parent == "ROOT" else f"{parent}({joined})"


def insert_containers(
    criteria: Sequence[CriterionView], groups: Mapping[str, Sequence[Sequence[str]]]
) -> tuple[CriterionView, ...]:
    """Return the tree with a container before the first member of each group, and the members moved below it.

    Groups of fewer than two children, of criteria that are no children of the parent, or of all of its children are
    ignored: they would change nothing.
    """
    container_of: dict[str, CriterionView] = {}
    index = CriterionIndex(criteria)
    for parent, members_of in groups.items():
        children = {c.criterion_id for c in index.children(parent)}
        for members in members_of:
            valid = len(members) > 1 and children > set(members) and not set(members) & set(container_of)
            if not valid:
                continue
            box = CriterionView(criterion_id=container_id(parent, members), parent=parent, block=None, text="")
            container_of.update(dict.fromkeys(members, box))
    result: list[CriterionView] = []
    done: set[str] = set()
    for c in criteria:
        found = container_of.get(c.criterion_id)
        if found is None:
            result.append(c)
            continue
        if found.criterion_id not in done:
            done.add(found.criterion_id)
            result.append(found)
        result.append(c.model_copy(update={"parent": found.criterion_id}))
    return tuple(result)


def _group_edges(criteria: Sequence[CriterionView]) -> tuple[Edge, ...]:
    """Return an edge from each inferred container to each of its members."""
    boxes = {c.criterion_id for c in criteria if c.block is None and c.parent is not None}
    return tuple(
        Edge(source=c.parent, target=c.criterion_id, type="group_member") for c in criteria if c.parent in boxes
    )
