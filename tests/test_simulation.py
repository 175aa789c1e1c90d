"""A simulated model that knows the answers and makes faults: what the checks see and the loop mends.

Nothing here measures a model. The units are samples; the same on annotated units is `experiments/ablation_simulated.py`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from regreact.config import FaultSettings, load
from regreact.corpus import load as load_corpus
from regreact.corpus import select
from regreact.evaluation.command import load_gold_for, source_units
from regreact.evaluation.reference import reference_of
from regreact.evaluation.repair import Balance, balance, record
from regreact.evaluation.scoring import score_folder
from regreact.faults import KINDS, FaultPlan, NotHere, Scene
from regreact.runner import Extractor
from regreact.schema import Extraction
from regreact.sources.model import Unit

GOLD = load_gold_for("samples")
UNITS = source_units(GOLD, "samples")
REFERENCES = {g.unit: reference_of(g, UNITS[g.source, g.unit]) for g in GOLD}
# Units with something to spoil, few enough for a test.
CHOSEN = sorted(UNITS.values(), key=lambda u: (-len(u.blocks), u.key))[:10]
PLAIN = ("lm=simulated", "fastpath=off", "lm.reasoning=false", "lm.examples=0")


def run(*overrides: str) -> tuple[dict[str, Extraction], Extractor]:
    extractor = Extractor(load([*PLAIN, *overrides]), references=REFERENCES)
    found = {}
    for unit, result, _ in extractor.stream(CHOSEN):
        assert isinstance(result, Extraction), result
        found[unit.key] = result
    return found, extractor


@pytest.fixture(scope="module")
def clean() -> dict[str, Extraction]:
    return run()[0]


def mended(clean: Mapping[str, Extraction], *overrides: str, rate: float = 0.15) -> Balance:
    found, extractor = run(f"lm.faults.rate={rate}", *overrides)
    assert extractor.simulation is not None
    total = Balance()
    for unit in CHOSEN:
        own = [f for f in extractor.simulation.plan.injected if f.unit == unit.key]
        one = balance(unit, clean[unit.key], found[unit.key], own)
        total.fields += one.fields
        total.broken += one.broken
        for kind, tally in one.kinds.items():
            total.kinds[kind] = total.kinds[kind] + tally if kind in total.kinds else tally
    return total


def test_without_faults_the_model_path_returns_the_reference(tmp_path: Any) -> None:
    units = [UNITS[g.source, g.unit] for g in GOLD]
    Extractor(load(list(PLAIN)), references=REFERENCES).extract_to(units, tmp_path)
    metrics = score_folder(tmp_path, GOLD, UNITS).metrics()
    assert {k: v for k, v in metrics.items() if k not in ("units", "missing")} == pytest.approx(
        {"structural_f1": 100, "structural_f1_with_root": 100, "category": 100, "applicability": 100, "logic": 100,
         "tags": 100, "threshold": 5, "reference": 5, "footnote": 5, "dependency": 5},
    )  # fmt: skip


def test_guidance_mends_and_blank_guidance_does_not(clean: dict[str, Extraction]) -> None:
    full, blank = mended(clean).total(detectable=True), mended(clean, "odr.guidance=blank").total(detectable=True)
    # What goes wrong first can change what is asked later, and so what can be spoiled there.
    assert full.injected > 50 and abs(full.injected - blank.injected) <= 5
    assert full.detected == full.injected
    assert full.repaired >= 0.9 * full.injected
    assert blank.repaired < 0.5 * blank.injected


def test_almost_nothing_else_is_broken(clean: dict[str, Extraction]) -> None:
    found = mended(clean)
    assert found.fields > 500
    # A place that stays wrong moves what is decided on the tree, pathways among it.
    assert found.broken <= 0.02 * found.fields


def test_without_self_correction_the_graph_still_finds_what_several_stages_show(clean: dict[str, Extraction]) -> None:
    kinds = mended(clean, "+ablation=no_odr", rate=0.3).kinds
    for kind in (k for k in KINDS if k.cross_stage and k.name in kinds):
        assert kinds[kind.name].detected >= 0.8 * kinds[kind.name].injected, kind.name
    assert {k.name for k in KINDS if k.cross_stage} <= set(kinds)


def test_two_runs_make_the_same_faults_and_another_seed_makes_others() -> None:
    def faults(*overrides: str) -> list[tuple[str, str, str, str]]:
        plan = run("lm.faults.rate=0.2", *overrides)[1].simulation
        assert plan is not None
        return sorted((f.unit, f.signature, f.place, f.kind) for f in plan.plan.injected)

    assert faults() == faults("runner.workers=3")
    assert faults() != faults("lm.faults.seed=1")


@pytest.mark.parametrize("kind", ["prose around JSON", "truncated JSON", "empty reply"])
def test_a_reply_that_cannot_be_read_is_asked_for_again(kind: str, clean: dict[str, Extraction]) -> None:
    found, extractor = run("lm.faults.reply_rate=0.3", f"lm.faults.kinds=[{kind}]", "odr.k_max=6")
    assert extractor.simulation is not None and extractor.simulation.plan.injected
    same = [record(u, found[u.key]) == record(u, clean[u.key]) for u in CHOSEN]
    assert sum(same) >= 0.8 * len(same)


def test_the_solvers_answers_are_never_made_worse_by_a_faulty_model() -> None:
    only = Extractor(load([]))
    first = Extractor(load(["lm=simulated", "fastpath=first", "lm.faults.rate=0.9", "lm.examples=0"]))
    selection = select(load_corpus("samples").documents, ["CCM-2*"])
    for unit in selection.units:
        assert record(unit, first.extract(unit)) == record(unit, only.extract(unit)), unit.key


def scene(ids: Sequence[str] = ("1", "1(a)", "2"), others: Sequence[dict[str, Any]] = ()) -> Scene:
    return Scene(random.Random(0), ids, others)


def test_a_fault_comes_back_unless_the_guidance_names_item_and_field() -> None:
    item = {"criterion_id": "1", "evaluation_logic": "AND", "n_required": None}
    back = {"blank": 0, "named": 0}
    for seed in range(200):
        for name, guidance in (("blank", ""), ("named", "1: field evaluation_logic against the words")):
            plan = FaultPlan(FaultSettings(rate=1.0, seed=seed, kinds=("flipped logic",)))
            assert plan.spoil("u", "InferLogic", "0", "1", item, "", scene()) != item
            again = plan.spoil("u", "InferLogic", "0", "1", item, guidance, scene())
            back[name] += again != item
    assert back["named"] == 0
    assert 160 < back["blank"] < 200


def test_every_kind_spoils_something_and_leaves_the_answer_itself_alone() -> None:
    limit = {"quantitative": {"logic": None, "items": [{"metric": "Dust", "operator": "<", "value": 5, "unit": "%"}]},
             "temporal": None}  # fmt: skip
    source = {"text": "Directive 2008/98/EC", "type": "must_be_fetched", "celex_id": "32008L0098"}
    footnote = {"id": "fn-2", "footnote": {"items": [{"title": "Directive 2008/98/EC"}]}}
    item = {"id": "fn-1", "criterion_id": "1(a)", "parent": "1", "evaluation_logic": "AND", "threshold": limit,
            "references": {"logic": None, "sources": [source]}, "footnote": {"items": []}, "category": "Quantitative",
            "dependencies": None, "threshold_from": None}  # fmt: skip
    for kind in KINDS:
        before = repr(item)
        copy = FaultPlan(FaultSettings(rate=1.0, kinds=(kind.name,)))
        spoiled = copy.spoil("u", kind.signatures[0], "0", "1(a)", item, "", scene(others=[footnote]))
        assert spoiled != item, kind.name
        assert repr(item) == before
    with pytest.raises(NotHere):
        next(k for k in KINDS if k.name == "altered value").make({"threshold": None}, scene())


def test_the_balance_counts_what_is_left_and_what_is_broken(clean: dict[str, Extraction]) -> None:
    unit: Unit = CHOSEN[0]
    right = clean[unit.key]
    node = right.criteria.sub_criteria[0]
    other = "Conditional" if node.applicability == "Mandatory" else "Mandatory"
    changed = node.model_copy(update={"applicability": other})
    root = right.criteria.model_copy(update={"sub_criteria": (changed, *right.criteria.sub_criteria[1:])})
    wrong = right.model_copy(update={"criteria": root})
    assert balance(unit, right, right, []).broken == 0
    assert balance(unit, right, wrong, []).broken == 1
    assert balance(unit, right, None, []).broken == balance(unit, right, None, []).fields


def test_solvers_in_the_place_of_the_model_answer_as_they_do_alone() -> None:
    """What a request shows is all that an answer needs, also where the answer is another criterion."""
    model, alone = Extractor(load([*PLAIN])), Extractor(load([]))
    chosen = [u for u in CHOSEN if any(c.dependencies for c in alone.extract(u).criteria.walk())][:6]
    assert len(chosen) >= 3
    for unit in chosen:
        assert model.extract(unit).criteria == alone.extract(unit).criteria, unit.key
