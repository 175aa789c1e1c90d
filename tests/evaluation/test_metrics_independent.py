"""The metrics of the package against an independent slow implementation on random trees, and against hand counts."""

from __future__ import annotations

import copy
import random
import statistics
from difflib import SequenceMatcher
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from regreact.evaluation.classification import LABELS
from regreact.evaluation.gold import GoldTree
from regreact.evaluation.score_report import ScoreReport, UnitScore
from regreact.evaluation.scoring import score_unit
from regreact.schema import CRITERION_FIELDS, Criterion
from tests.evaluation import slow_metrics as slow
from tests.evaluation.builders import limits, node

TEXTS = ("dust is low", "dust is low.", "dust is lower", "noise is low", "an auditor checks", " ", "", "dust dust low")
LOGIC = (("LEAF", None), ("AND", None), ("OR", None), ("N_OF_K", 1), ("N_OF_K", 2))
TAGS = ((), ("Verification",), ("Methodology", "Verification"), ("Verification", "Methodology"))
checked = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def labels(chance: random.Random) -> dict[str, Any]:
    logic, required = chance.choice(LOGIC)
    return {
        "category": chance.choice(("Quantitative", "Qualitative")),
        "applicability": chance.choice(("Mandatory", "Conditional")),
        "evaluation_logic": logic, "n_required": required, "tags": list(chance.choice(TAGS)),
        "verbatim_text": chance.choice(TEXTS),
    }  # fmt: skip


def random_tree(chance: random.Random, size: int, prefix: str = "") -> dict[str, Any]:
    """Return a tree with unique ids, each node below a random earlier one."""
    nodes = [{**node("ROOT"), **labels(chance), "rule_summary": "x"}]
    for number in range(size):
        below = chance.choice(nodes)
        added = {**node(f"{prefix}{number}"), **labels(chance), "rule_summary": "x"}
        below["sub_criteria"].append(added)
        nodes.append(added)
    return nodes[0]


def spoiled(chance: random.Random, tree: dict[str, Any], times: int) -> dict[str, Any]:
    """Return a copy with nodes dropped, moved, added, renamed (also to an id in use), relabelled or without fields."""
    found = copy.deepcopy(tree)
    for _ in range(times):
        pairs = slow.listed(found)
        one, above = chance.choice(pairs)
        other, _ = chance.choice(pairs)
        kind = chance.choice(("drop", "move", "add", "rename", "relabel", "fields"))
        if kind == "drop" and above is not None:
            above["sub_criteria"] = [c for c in above["sub_criteria"] if c is not one] + one["sub_criteria"]
        elif kind == "move" and above is not None and other not in [n for n, _ in slow.listed(one)]:
            above["sub_criteria"] = [c for c in above["sub_criteria"] if c is not one]
            other["sub_criteria"].append(one)
        elif kind == "add":
            one["sub_criteria"].append({**node(chance.choice(("0", "1", "new"))), **labels(chance)})
        elif kind == "rename":
            one["criterion_id"] = chance.choice(("0", "1", "2", "ROOT", "other"))
        elif kind == "relabel":
            one.update(labels(chance))
        elif kind == "fields":
            gone = chance.choice(("tags", "category", "n_required", "threshold", "footnotes"))
            one.pop(gone, None)
    return found


def scored(gold: dict[str, Any], system: dict[str, Any]) -> UnitScore:
    tree = GoldTree("X-1/SC", "doc-1", Criterion.model_validate(gold), {}, {})
    return score_unit(tree, {"criteria": system})


def test_the_thirteen_fields_are_the_same() -> None:
    assert tuple(slow.FIELDS) == CRITERION_FIELDS and set(slow.LABELS) == set(LABELS)


@given(st.integers(0, 2**32), st.integers(0, 9), st.integers(0, 8))
@example(0, 0, 0)
@checked
def test_structural_f1_and_accuracies_are_those_of_the_definitions(seed: int, size: int, faults: int) -> None:
    chance = random.Random(seed)
    gold = random_tree(chance, size)
    system = spoiled(chance, gold, faults)
    score = scored(gold, system)
    assert score.value("structural_f1") == pytest.approx(100 * float(slow.structural_f1(gold, system, False)))
    assert score.value("structural_f1_with_root") == pytest.approx(100 * float(slow.structural_f1(gold, system, True)))
    for name in LABELS:
        assert score.value(name) == pytest.approx(100 * float(slow.accuracy(gold, system, name))), name


@given(st.integers(0, 2**32), st.integers(0, 6), st.integers(0, 6))
@checked
def test_trees_that_share_texts_only(seed: int, size: int, other: int) -> None:
    chance = random.Random(seed)
    gold, system = random_tree(chance, size), random_tree(chance, other, "other-")
    score = scored(gold, system)
    assert score.value("structural_f1") == pytest.approx(100 * float(slow.structural_f1(gold, system, False)))
    assert score.value("tags") == pytest.approx(100 * float(slow.accuracy(gold, system, "tags")))


@given(st.text("ab ", max_size=14), st.text("ab ", max_size=14))
@checked
def test_the_ratio_is_that_of_the_standard_library(a: str, b: str) -> None:
    assert float(slow.ratio(a, b)) == pytest.approx(SequenceMatcher(None, a, b, autojunk=False).ratio())


def test_the_random_trees_reach_every_case() -> None:
    values, pairs_by_text, lost = [], 0, 0
    for seed in range(60):
        chance = random.Random(seed)
        gold = random_tree(chance, 6)
        system = spoiled(chance, gold, 5)
        values.append(slow.structural_f1(gold, system, False))
        pairs = slow.aligned(gold, system)
        pairs_by_text += sum(g[0]["criterion_id"] != s[0].get("criterion_id") for g, s in pairs)
        lost += len(slow.listed(gold)) - len(pairs)
    assert len(set(values)) > 40 and min(values) < 0.5
    assert pairs_by_text > 10 and lost > 10


# By hand

GOLD = node("ROOT", node("1", node("1(a)"), node("1(b)"), evaluation_logic="OR"), node("2"), text="", rule_summary="")
for _n, _ in slow.listed(GOLD):
    _n["rule_summary"] = "x"


def changed(by_id: dict[str, dict[str, Any]]) -> dict[str, Any]:
    found = copy.deepcopy(GOLD)
    for one, _ in slow.listed(found):
        one.update(by_id.get(one["criterion_id"], {}))
    return found


def test_accuracies_by_hand() -> None:
    system = changed({
        "1": {"evaluation_logic": "N_OF_K", "n_required": 1}, "2": {"category": "Quantitative", "tags": ["Commitment"]},
    })  # fmt: skip
    score = scored(GOLD, system)
    # Five gold nodes, ROOT included; OR is another logic than 1 of K.
    assert [score.value(n) for n in LABELS] == [80, 100, 80, 80]
    del system["sub_criteria"][0]["sub_criteria"][1]
    # 1(b) is missing: wrong in every label.
    assert [scored(GOLD, system).value(n) for n in LABELS] == [60, 80, 60, 60]


def test_order_of_tags_is_free_and_the_number_required_counts() -> None:
    gold = changed({"2": {"tags": ["Verification", "Methodology"], "evaluation_logic": "N_OF_K", "n_required": 2}})
    system = copy.deepcopy(gold)
    system["sub_criteria"][1].update(tags=["Methodology", "Verification"], n_required=1)
    score = scored(gold, system)
    assert score.value("tags") == 100 and score.value("logic") == 80


def test_two_of_thirteen_fields_absent() -> None:
    # Appendix E.3: 11/13 of the feature for the one node; three others are whole.
    system = copy.deepcopy(GOLD)
    for name in ("tags", "footnotes"):
        del system["sub_criteria"][1][name]
    assert scored(GOLD, system).value("structural_f1") == pytest.approx(100 * (3 + 0.8 + 0.2 * 11 / 13) / 4)


def test_siblings_a_b_c_against_a_b_d() -> None:
    def three(last: str) -> dict[str, Any]:
        listed = [node(i, text=f"{i * 9}", rule_summary="x") for i in ("1", "2", last)]
        return node("ROOT", *listed, text="", rule_summary="x")

    # 1 has {2, 3} against {2, 4}: Jaccard 1/3, so it loses 0.25 * 2/3; 2 alike; 3 and 4 differ in id and text.
    right = 2 * (1 - 0.25 * 2 / 3)
    assert scored(three("3"), three("4")).value("structural_f1") == pytest.approx(100 * right / 3)
    # With ROOT: it is whole, and counts on both sides.
    assert scored(three("3"), three("4")).value("structural_f1_with_root") == pytest.approx(100 * (right + 1) / 4)


def test_means_over_units_and_micro_by_hand() -> None:
    half = copy.deepcopy(GOLD)
    del half["sub_criteria"][0]
    lone = node("ROOT", text="", rule_summary="x")
    report = ScoreReport([scored(GOLD, GOLD), scored(GOLD, half), scored(lone, lone)])
    # Of five gold nodes two are left; the third unit has ROOT alone.
    found = report.statistic("category")
    assert found is not None
    assert found.mean == pytest.approx((100 + 40 + 100) / 3) and found.median == 100 and found.n == 3
    assert found.micro == pytest.approx(100 * (5 + 2 + 1) / 11)
    assert found.std == pytest.approx(statistics.stdev([100, 40, 100]))
    # Half: 2 loses its sibling (0.25); precision 0.75, recall 0.75 / 4.
    f1 = report.statistic("structural_f1")
    p, r = 0.75, 0.75 / 4
    assert f1 is not None and f1.mean == pytest.approx(100 * (1 + 2 * p * r / (p + r) + 1) / 3)
    p, r = 4.75 / 5, 4.75 / 8
    assert f1.micro == pytest.approx(100 * 2 * p * r / (p + r))


def test_semantic_means_leave_out_what_is_empty_on_both_sides() -> None:
    limit = limits({}).model_dump(mode="json")
    near = limits({"operator": "<="}).model_dump(mode="json")
    gold = changed({"1": {"threshold": limit}, "2": {"threshold": limit}})
    first = scored(gold, changed({"1": {"threshold": limit}, "2": {"threshold": near}}))
    second = scored(gold, changed({"1(a)": {"threshold": limit}}))
    report = ScoreReport([first, second, scored(GOLD, GOLD)])
    assert first.semantic["threshold"] == (5.0, 4.0)
    # 1 and 2 lack it, 1(a) has it too many.
    assert second.semantic["threshold"] == (1.0, 1.0, 1.0)
    found = report.statistic("threshold")
    assert found is not None and found.n == 2
    assert found.mean == pytest.approx((4.5 + 1) / 2) and found.micro == pytest.approx((5 + 4 + 3) / 5)
