"""The rubric of evaluation: confidence by bands, relevant passages, gaps by name."""

from __future__ import annotations

import pytest

from regreact.fastpath.retrieval.evaluation import defines, evaluate_passages
from signatures.passages import CitedSource, Evaluation, PassageView
from tests.fastpath.kiln_act import ACT, CRITERION, LIMITS, PARAGRAPH, REPORTS, TERMS, WHOLE


def evaluate(criterion: str, reference: CitedSource, *passages: PassageView) -> Evaluation:
    (answer,) = evaluate_passages(criterion, reference, passages)
    return answer.value


def test_the_cited_provision_is_the_rule_itself() -> None:
    found = evaluate(CRITERION, PARAGRAPH, REPORTS, LIMITS)
    assert found.confidence >= 0.9 and found.relevant == ("p1",) and found.gaps == ()


def test_a_passage_with_the_rule_needs_no_pinpoint() -> None:
    criterion = f"The dust of lime kilns stays within the limits of {ACT}."
    assert evaluate(criterion, WHOLE, LIMITS).confidence >= 0.9


def test_shared_words_alone_do_not_prove_the_rule() -> None:
    criterion = f"The dust of lime kilns is measured in accordance with {ACT}."
    assert 0.8 <= evaluate(criterion, WHOLE, LIMITS).confidence < 0.9


def test_confidence_falls_with_what_the_passages_lack() -> None:
    criterion = f"The dust of lime kilns stays within the limits of {ACT}."
    rule = evaluate(criterion, WHOLE, LIMITS)
    detail = evaluate(criterion, WHOLE, PassageView(id="x", text="The dust of lime kilns shall be limited."))
    topic = evaluate(criterion, WHOLE, PassageView(id="x", text="Dust on roads shall be swept."))
    nothing = evaluate(criterion, WHOLE, REPORTS)
    none = evaluate(criterion, WHOLE)
    assert rule.confidence >= 0.9 > detail.confidence >= 0.7 > topic.confidence >= 0.5 > nothing.confidence > none.confidence


@pytest.mark.parametrize(
    ("criterion", "reference", "passage", "named"),
    [
        (f"Dust of kilns is within the limits of {ACT}.", WHOLE, "The dust of kilns shall be low.",
         "threshold value not found: Dust of kilns is within the limits."),
        (f"Old kilns close by the date set in {ACT}.", WHOLE, "Old kilns shall close.", "date missing: Old kilns close by the date."),
        (f"The site has lime kilns as defined in {ACT}.", WHOLE, "The site has lime kilns.", "definition of lime kilns missing"),
        (CRITERION, PARAGRAPH, "The dust of lime kilns shall not exceed 5 mg/Nm3.", "Article 4(2) not among the passages"),
        (f"Noise of fans follows {ACT}.", WHOLE, "Fisheries shall report.", "nothing on Noise of fans follows."),
    ],
)  # fmt: skip
def test_a_gap_is_named(criterion: str, reference: CitedSource, passage: str, named: str) -> None:
    found = evaluate(criterion, reference, PassageView(id="x", addresses=("art_7",), text=passage))
    assert named in [str(g) for g in found.gaps]
    assert found.confidence < 0.9


def test_a_definition_found_is_no_gap() -> None:
    found = evaluate(f"The site has lime kilns as defined in {ACT}.", WHOLE, TERMS)
    assert found.gaps == () and found.confidence >= 0.9


def test_some_of_several_places_are_between_the_bands() -> None:
    both = CitedSource(text=f"Articles 4 and 7 of {ACT}", addresses=("art_4", "art_7"))
    found = evaluate(f"Kilns follow {both.text}.", both, LIMITS)
    assert 0.7 <= found.confidence < 0.9
    assert [str(g) for g in found.gaps] == ["Article 7 not among the passages"]


def test_a_criterion_without_subject_wants_the_act_as_a_whole() -> None:
    found = evaluate(f"The activity complies with {ACT}.", WHOLE, LIMITS, TERMS)
    assert found.relevant == ("p1", "p2") and found.gaps == () and 0.7 <= found.confidence < 0.9


def test_relevant_passages_come_best_first_and_the_cited_one_before_all() -> None:
    found = evaluate(CRITERION, PARAGRAPH, TERMS, REPORTS, LIMITS)
    assert found.relevant[0] == "p1" and "p3" not in found.relevant


def test_what_defines_a_term() -> None:
    assert defines("‘lime kiln’ means a furnace", "lime kilns")
    assert defines("‘kiln’ means a furnace", "lime kilns")
    assert not defines("‘fan’ means a wheel", "lime kilns")
    assert not defines("lime kilns are built by all means", "lime kilns")
