"""Alignment and structural F1 on trees small enough to compute by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreact.evaluation.alignment import align, common_subsequence, flatten, similarity
from regreact.evaluation.classification import correct_labels
from regreact.evaluation.structural import context_quality, structural_score
from tests.evaluation.builders import node


def f1(gold: dict[str, Any], predicted: dict[str, Any], with_root: bool = False) -> float:
    return structural_score(align(flatten(gold), flatten(predicted)), with_root).f1


TREE = node("ROOT", node("1", node("1(a)"), node("1(b)")), node("2"), text="")


def test_equal_trees_score_one() -> None:
    assert f1(TREE, TREE) == pytest.approx(1.0)
    assert f1(TREE, TREE, with_root=True) == pytest.approx(1.0)


def test_a_missing_leaf() -> None:
    # Without 1(b): 1 has shape 1/2 (0.875); 1(a) has Jaccard 0/1 (0.75); 2 is whole (1). Quality 2.625 of 3 predicted
    # and 4 gold nodes: precision 0.875, recall 0.65625, F1 0.75.
    predicted = node("ROOT", node("1", node("1(a)")), node("2"), text="")
    assert f1(TREE, predicted) == pytest.approx(0.75)


def test_a_wrong_parent_gets_no_credit_for_placement() -> None:
    # 2 under 1: 2 loses parent 0.30 and siblings 0.25 * (1 - 0/3); 1 loses siblings 0.25 and shape 0.25 * 1/3;
    # 1(a) and 1(b) have siblings {b,2} or {a,2}: Jaccard 1/2, so they lose 0.125 each.
    predicted = node("ROOT", node("1", node("1(a)"), node("1(b)"), node("2")), text="")
    quality = (1 - 0.55) + (1 - 0.25 - 0.25 / 3) + 2 * (1 - 0.125)
    assert f1(TREE, predicted) == pytest.approx(quality / 4)


def test_missing_fields_lower_the_quality() -> None:
    gold = flatten(node("1"))[0]
    lacking = node("1")
    del lacking["tags"], lacking["threshold"]
    assert context_quality(gold, flatten(lacking)[0]) == pytest.approx(1 - 0.20 * 2 / 13)


def test_nodes_pair_by_text_when_ids_differ() -> None:
    gold = node("ROOT", node("1", text="the mill is cleaned every year"), text="")
    predicted = node("ROOT", node("A", text="the mill is cleaned every  year"), text="")
    assert len(align(flatten(gold), flatten(predicted)).pairs) == 2


def test_the_most_similar_text_wins() -> None:
    gold = node("ROOT", node("1", text="the mill is cleaned every year"), text="")
    close, closer = "the mill is cleaned every month", "the mill is cleaned every year."
    predicted = node("ROOT", node("A", text=close), node("B", text=closer), text="")
    pairs = {g.criterion_id: p.criterion_id for g, p in align(flatten(gold), flatten(predicted)).pairs}
    assert pairs["1"] == "B"


def test_texts_below_080_and_empty_texts_do_not_pair() -> None:
    gold = node("ROOT", node("1", text="the mill is cleaned"), node("1-2", text=""), text="")
    predicted = node("ROOT", node("A", text="an auditor visits"), node("B", text=""), text="")
    assert len(align(flatten(gold), flatten(predicted)).pairs) == 1


@pytest.mark.parametrize(("text", "paired"), [("abcdefghXX", True), ("abcdefgXXX", False)])
def test_080_itself_pairs(text: str, paired: bool) -> None:
    # 8 of 10 letters each: ratio 2 * 8 / 20 = 0.80; 7 of 10: 0.70.
    gold = node("ROOT", node("1", text="abcdefghij"), text="")
    predicted = node("ROOT", node("A", text=text), text="")
    assert (len(align(flatten(gold), flatten(predicted)).pairs) == 2) is paired


def test_equal_texts_pair_in_document_order_before_similar_ones() -> None:
    same, near = "the mill is cleaned every year", "the mill is cleaned every year."
    gold = node("ROOT", node("1", text=near), node("2", text=same), node("3", text=same), text="")
    predicted = node("ROOT", node("A", text=same), node("B", text=same), node("C", text=same), text="")
    pairs = {g.criterion_id: p.criterion_id for g, p in align(flatten(gold), flatten(predicted)).pairs}
    assert pairs == {"ROOT": "ROOT", "2": "A", "3": "B", "1": "C"}


@given(st.text("abc ", max_size=30), st.text("abc ", max_size=30))
def test_the_common_subsequence_is_the_longest(a: str, b: str) -> None:
    row = [0] * (len(b) + 1)
    for letter in a:
        diagonal = 0
        for j, other in enumerate(b, 1):
            diagonal, row[j] = row[j], diagonal + 1 if letter == other else max(row[j], row[j - 1])
    assert common_subsequence(a, b) == row[-1]


def test_what_is_no_list_of_children_is_left_out() -> None:
    for children in (5, "ab", {"a": 1}, [None, 3, {"criterion_id": "1"}]):
        ids = [n.criterion_id for n in flatten({"criterion_id": "ROOT", "sub_criteria": children})]
        assert ids == (["ROOT", "1"] if isinstance(children, list) else ["ROOT"])


def test_a_prediction_without_root_does_not_crash() -> None:
    assert f1(TREE, {}) == 0.0


@given(st.text("abc ", max_size=40), st.text("abc ", max_size=40))
def test_bounds_never_hide_a_similar_pair(a: str, b: str) -> None:
    from difflib import SequenceMatcher  # noqa: PLC0415  the definition that the bounds must respect

    ratio = SequenceMatcher(None, a, b, autojunk=False).ratio()
    assert similarity(a, b) == (ratio if ratio >= 0.80 else similarity(a, b))
    assert ratio >= 0.80 or similarity(a, b) < 0.80


trees = st.recursive(
    st.just([]), lambda below: st.lists(below, max_size=3), max_leaves=12
)  # shapes only; ids follow from positions


def build(shape: list[Any], criterion_id: str = "ROOT") -> dict[str, Any]:
    prefix = "" if criterion_id == "ROOT" else f"{criterion_id}."
    return node(criterion_id, *(build(s, f"{prefix}{i}") for i, s in enumerate(shape, 1)))


@given(trees, trees)
def test_scores_stay_between_zero_and_one(a: list[Any], b: list[Any]) -> None:
    assert 0.0 <= f1(build(a), build(b), with_root=True) <= 1.0
    assert f1(build(a), build(a), with_root=True) == pytest.approx(1.0)


def test_labels_count_all_gold_nodes_and_a_missing_node_is_wrong() -> None:
    gold = node("ROOT", node("1", tags=["Verification", "Methodology"]), node("2"), text="")
    predicted = node("ROOT", node("1", tags=["Methodology", "Verification"], applicability="Conditional"), text="")
    correct = correct_labels(align(flatten(gold), flatten(predicted)))
    assert correct == {"category": 2, "applicability": 1, "logic": 2, "tags": 2}


def test_logic_includes_the_number_required() -> None:
    gold = node("ROOT", evaluation_logic="N_OF_K", n_required=2)
    predicted = node("ROOT", evaluation_logic="N_OF_K", n_required=3)
    assert correct_labels(align(flatten(gold), flatten(predicted)))["logic"] == 0
