"""Rounds of search: when they go on, what they ask, which one is kept, who answers."""

from __future__ import annotations

import dspy
import pytest

from regreact.errors import LMRequiredError
from regreact.fastpath.retrieval.query import invented
from regreact.rag.iterate import retrieve
from signatures.passages import CitedSource, PassageView
from tests.fastpath.kiln_act import ACT, CRITERION, LIMITS, PARAGRAPH, REPORTS, WHOLE
from tests.lm import scripted
from tests.rag.kiln_pair import ScriptedRetriever, pair, settings

TOPIC = PassageView(id="x", addresses=("art_7",), text="Dust of roads shall be swept.")
# The criterion wants a limit, which this passage does not state.
DUTY = PassageView(id="x", addresses=("art_8",), text="The dust of lime kilns shall be limited.")


def test_one_round_is_enough_where_the_cited_provision_is_found() -> None:
    retriever = ScriptedRetriever([REPORTS, LIMITS])
    found = retrieve(pair(), retriever, settings())
    assert len(found.iterations) == 1 and found.confidence >= 0.9 and found.gaps == ()
    assert [p.chunk.addresses[0] for p in found.passages] == ["art_4"]


def test_a_second_round_goes_for_the_gap() -> None:
    retriever = ScriptedRetriever([TOPIC], [LIMITS])
    found = retrieve(pair(), retriever, settings())
    assert len(found.iterations) == 2 and found.confidence >= 0.9
    assert "text of Article 4(2)" in retriever.queries[1]
    assert found.queries == tuple(retriever.queries)


def test_three_rounds_at_most_and_the_best_is_kept() -> None:
    criterion = f"The dust of lime kilns stays within the limits of {ACT}."
    retriever = ScriptedRetriever([REPORTS], [DUTY], [TOPIC], [LIMITS])
    found = retrieve(pair(criterion, WHOLE), retriever, settings(rag={"tau": 0.95}))
    confidences = [r.confidence for r in found.iterations]
    assert len(confidences) <= 3
    assert found.confidence == max(confidences) > confidences[0]
    assert [p.chunk.addresses for p in found.passages] == [("art_8",)]


def test_the_same_query_is_not_asked_twice() -> None:
    retriever = ScriptedRetriever([REPORTS], [REPORTS], [REPORTS])
    found = retrieve(pair(), retriever, settings())
    assert len(set(retriever.queries)) == len(retriever.queries) == len(found.iterations)


def test_no_passage_is_a_gap_and_no_failure() -> None:
    found = retrieve(pair(), ScriptedRetriever([], [], []), settings())
    assert found.passages == () and found.confidence == 0
    assert "Article 4(2) not among the passages" in [str(g) for g in found.gaps]


def test_no_query_of_any_round_names_what_the_criterion_does_not_print() -> None:
    retriever = ScriptedRetriever([REPORTS], [TOPIC], [DUTY])
    retrieve(pair(), retriever, settings())
    assert all(invented(q, [CRITERION], PARAGRAPH.addresses) == [] for q in retriever.queries)


def test_the_record_tells_queries_gaps_and_addresses() -> None:
    found = retrieve(pair(), ScriptedRetriever([TOPIC], [LIMITS]), settings())
    record = found.to_record("2", PARAGRAPH.text)
    assert (record.criterion_id, record.source, record.iterations) == ("2", PARAGRAPH.text, 2)
    assert record.queries == found.queries and record.addresses[0] == "art_4"


QUESTION = {"question": f"Which limits does Article 4(2) of {ACT} set for the dust of lime kilns?"}
GOOD = {"confidence": 0.95, "relevant": ["p1"], "gaps": []}
POOR = {"confidence": 0.4, "relevant": [], "gaps": [{"kind": "threshold", "wanted": "dust of lime kilns"}]}


def test_off_asks_the_model_for_everything() -> None:
    lm, engine = scripted([QUESTION, POOR, {"query": "limit value for the dust of lime kilns"}, GOOD])
    retriever = ScriptedRetriever([TOPIC], [LIMITS])
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        found = retrieve(pair(), retriever, settings("off", lm={"reasoning": False}))
    assert len(engine.prompts) == 4
    assert [(r.query_by, r.evaluated_by) for r in found.iterations] == [("lm", "lm")] * 2
    assert retriever.queries == [QUESTION["question"], "limit value for the dust of lime kilns"]
    assert found.confidence == 0.95


def test_a_query_that_invents_a_reference_is_asked_again_and_then_left_to_the_rules() -> None:
    wrong = {"question": "What does Article 6 of Directive 2090/1/EU require?"}
    lm, engine = scripted([wrong, wrong, wrong, GOOD])
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        found = retrieve(pair(), ScriptedRetriever([LIMITS]), settings("off", lm={"reasoning": False}))
    assert "not printed in the criterion" in engine.field(1, "guidance")
    assert found.iterations[0].query_by == "rule"
    assert "Article 6" not in found.queries[0]


def test_first_asks_no_model_where_the_rules_answer() -> None:
    lm, engine = scripted([])
    with dspy.context(lm=lm, adapter=dspy.ChatAdapter()):
        found = retrieve(pair(), ScriptedRetriever([LIMITS]), settings("first"))
    assert engine.prompts == [] and found.iterations[0].evaluated_by == "rule"


def test_without_a_model_the_error_names_the_setting() -> None:
    with dspy.context(lm=None), pytest.raises(LMRequiredError, match="fastpath=only"):
        retrieve(pair(), ScriptedRetriever([LIMITS]), settings("off"))


def test_the_chapeau_belongs_to_the_text_of_an_item() -> None:
    item = pair("the dust of lime kilns.", CitedSource(text=ACT))
    whole = type(item)(item.unit, item.criterion, item.reference, above=(f"The limits of {ACT} hold for:",))
    retriever = ScriptedRetriever([LIMITS])
    retrieve(whole, retriever, settings())
    assert ACT in retriever.queries[0]
