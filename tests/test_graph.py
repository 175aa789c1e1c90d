"""Edges with target checks, repositioning, global validation."""

import pytest

from regreact.answers import LogicValue
from regreact.graph import CriterionGraph, parent_by_id, reposition, settle_logic
from regreact.schema import Edge, EdgeType
from signatures.types import CriterionView


def view(criterion_id: str, parent: str | None, block: int | None = 0) -> CriterionView:
    return CriterionView(criterion_id=criterion_id, parent=parent, block=block, text="x")


def graph(ids: str, *edges: tuple[str, str, EdgeType]) -> CriterionGraph:
    g = CriterionGraph(ids.split())
    assert g.add(Edge(source=s, target=t, type=k) for s, t, k in edges) == []
    return g


def test_edges_need_existing_ends_except_references() -> None:
    g = CriterionGraph(["ROOT", "1"])
    issues = g.add(
        [
            Edge(source="1", target="9", type="depends_on"),
            Edge(source="9", target="1", type="corrects"),
            Edge(source="1", target="celex:32010L0075", type="references"),
        ]
    )
    assert [i.item_id for i in issues] == ["1", "9"]
    assert [e.type for e in g.edges] == ["references"]


def test_without_checks_everything_is_kept() -> None:
    g = CriterionGraph(["ROOT"], checked=False)
    assert g.add([Edge(source="1", target="9", type="depends_on")]) == []
    assert len(g.edges) == 1


@pytest.mark.parametrize(
    ("criterion_id", "parent"),
    [("1(a)(i)", "1(a)"), ("2.1", "2"), ("1(f).Verification(a)", "1(f).Verification"), ("1(f).Verification", None),
     ("3", None), ("7(a)", None)],
)  # fmt: skip
def test_parents_are_read_from_identifiers(criterion_id: str, parent: str | None) -> None:
    known = {i: view(i, "ROOT") for i in ("1", "1(a)", "2", "1(f).Verification", "3")}
    assert parent_by_id(criterion_id, known) == parent


def test_mis_nested_criteria_move_and_members_of_containers_stay() -> None:
    tree = [view("ROOT", None, None), view("1", "ROOT"), view("1(a-b)", "1", None), view("1(a)", "1(a-b)"),
            view("2", "1"),
            view("2(a)", "1")]  # fmt: skip
    moved, issues = reposition(tree)
    parents = {c.criterion_id: c.parent for c in moved}
    assert parents == {"ROOT": None, "1": "ROOT", "1(a-b)": "1", "1(a)": "1(a-b)", "2": "1", "2(a)": "2"}
    assert [i.item_id for i in issues] == ["2(a)"]


def test_validation_finds_cycles_second_parents_and_stray_criteria() -> None:
    g = graph("ROOT 1 2 3", ("ROOT", "1", "hierarchy"), ("ROOT", "2", "hierarchy"), ("1", "2", "hierarchy"),
              ("1", "2", "depends_on"), ("2", "1", "depends_on"))  # fmt: skip
    found = {(i.item_id, i.description.split(":")[0]) for i in g.validate({})}
    assert ("2", "more than one parent") in found
    assert ("3", "not connected to ROOT") in found
    assert any(d == "depends_on runs in a circle" for _, d in found)


def test_a_sound_graph_has_no_issue() -> None:
    g = graph("ROOT 1 1(a) 1(b)", ("ROOT", "1", "hierarchy"), ("1", "1(a)", "hierarchy"), ("1", "1(b)", "hierarchy"),
              ("1(b)", "1(a)", "inherits_threshold"))  # fmt: skip
    logic = {
        "ROOT": LogicValue("AND"),
        "1": LogicValue("OR"),
        "1(a)": LogicValue("LEAF"),
        "1(b)": LogicValue("LEAF"),
    }
    assert g.validate(logic) == []


@pytest.mark.parametrize("value", [LogicValue("LEAF"), LogicValue("N_OF_K", 3), LogicValue("N_OF_K", None)])
def test_logic_must_fit_the_children(value: LogicValue) -> None:
    g = graph("ROOT 1 2", ("ROOT", "1", "hierarchy"), ("ROOT", "2", "hierarchy"))
    assert [i.item_id for i in g.validate({"ROOT": value})] == ["ROOT"]
    assert settle_logic({"ROOT": value}, {"ROOT": 2}) == {"ROOT": LogicValue("AND")}


def test_participation_rule() -> None:
    g = graph("ROOT 1 1(a) 1(b) 1.Verification", ("ROOT", "1", "hierarchy"), ("1", "1(a)", "hierarchy"),
              ("1", "1(b)", "hierarchy"), ("1", "1.Verification", "hierarchy"))  # fmt: skip
    for logic, counted in (("OR", 1), ("AND", 2)):
        values = {"1": LogicValue(logic)}  # type: ignore[arg-type]
        assert g.participants(values, {"1(b)"}, {"1.Verification"})["1"] == counted
    assert settle_logic({"1": LogicValue("OR")}, {"1": 0})["1"] == LogicValue("LEAF")
