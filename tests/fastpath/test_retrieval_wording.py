"""What makes a summary readable: sentences with what they refer to, whom they bind, no footnote markers or bare labels."""

from __future__ import annotations

import pytest

from regreact.fastpath.retrieval.evaluation import evaluate_passages
from regreact.fastpath.retrieval.limits import threshold_phrases
from regreact.fastpath.retrieval.needs import needs_of
from regreact.fastpath.retrieval.statements import chapeau_of, statements
from regreact.fastpath.retrieval.summary import summarise_passages
from regreact.fastpath.retrieval.wording import (
    ACTOR_RULES,
    ActorRule,
    actor_of,
    actor_weight,
    is_legend,
    opens_definitions,
    refers_back,
    without_markers,
)
from signatures.passages import CitedSource, PassageView, SourceSummary
from tests.fastpath.kiln_act import ACT, CRITERION, PARAGRAPH, WHOLE


def summary(text: str, *addresses: str, criterion: str = CRITERION, reference: CitedSource = PARAGRAPH, context: str = "") -> SourceSummary:
    passage = PassageView(id="p", addresses=addresses or ("art_4/par_2",), context=context, text=text)
    return summarise_passages(criterion, reference, [passage])[0].value


@pytest.mark.parametrize(
    ("sentence", "back"),
    [("Such lids shall fit.", True), ("Those lids fit.", True), ("These lids fit.", True), ("That lid shall fit.", True),
     ("It shall fit.", True), ("They fit.", True), ("To that end, lids fit.", True), ("For those purposes, lids fit.", True),
     ("In such cases, lids fit.", True), ("In doing so, lids fit.", True), ("However, lids fit.", True), ("The latter fit.", True),
     ("This Directive is on lids.", False), ("This Annex lists lids.", False), ("Lids shall fit.", False), ("Italy has lids.", False)],
)  # fmt: skip
def test_sentences_that_refer_back(sentence: str, back: bool) -> None:
    assert refers_back(sentence) is back


def test_a_sentence_that_refers_back_stays_with_the_one_before_it() -> None:
    passage = PassageView(id="p", addresses=("art_4",), text="Kilns shall have lids. Such lids shall fit. Ash is wet.")
    assert [s.text for s in statements([passage])] == ["Kilns shall have lids. Such lids shall fit.", "Ash is wet."]


def test_a_summary_does_not_begin_with_what_refers_back() -> None:
    text = "Those limits of dust of lime kilns shall be public.\nThe dust of lime kilns shall be filtered."
    value = summary(text, criterion=f"Dust of lime kilns is filtered under {ACT}.", reference=WHOLE)
    assert value.summary == "Article 4(2): The dust of lime kilns shall be filtered."


@pytest.mark.parametrize("rule", ACTOR_RULES, ids=lambda r: r.example)
def test_the_example_of_each_actor(rule: ActorRule) -> None:
    found = actor_of(rule.example)
    assert found is not None and found.name == rule.name


@pytest.mark.parametrize(
    "text",
    ["Operators shall report.", "Member States shall ensure that dust is low.", "Member States shall require lids.",
     "Member States shall prohibit open kilns.", "Member States shall take the measures necessary to ensure that kilns close.",
     "The operator shall tell the competent authority.", "The plan that the Commission has read shall be public."],
)  # fmt: skip
def test_what_binds_operators_is_no_duty_of_a_public_body(text: str) -> None:
    assert actor_of(text) is None


def test_duties_of_public_bodies_come_last_unless_the_criterion_is_about_them() -> None:
    duty = "The Commission shall report on the dust of lime kilns."
    assert actor_weight(duty, "dust of lime kilns") < 1 == actor_weight(duty, "the report of the Commission on dust")
    long = "\n".join(f"The Commission shall report on the dust of lime kilns of region {n} and of its lakes." for n in range(30))
    value = summary(f"{long}\nOperators shall filter the dust of lime kilns.", criterion=f"Dust of lime kilns is filtered under {ACT}.", reference=WHOLE)
    assert "Operators shall filter" in value.summary


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("of the Council (16) and", "of the Council and"),
        ("‘Ash’ (14) and ‘wet ash’ (15) are", "‘Ash’ and ‘wet ash’ are"),
        ("the plan(7) is", "the plan is"),
        ("CO2(225) is", "CO2 is"),
        ("Regulation (EU) 2097/5 (3) is", "Regulation (EU) 2097/5 is"),
        ("Article 29(2) to (7) and (10) are", "Article 29(2) to (7) and (10) are"),
        ("points (1) and (2)", "points (1) and (2)"),
        ("Article 9a(3) is", "Article 9a(3) is"),
        ("kept for ten (10) years", "kept for ten (10) years"),
        ("(Equation 17) or equation (18)", "(Equation 17) or equation (18)"),
        ("Kilns have: (1) lids; (2) fans", "Kilns have: (1) lids; (2) fans"),
    ],
)
def test_footnote_markers_go_and_labels_stay(text: str, bare: str) -> None:
    assert without_markers(text) == bare


@pytest.mark.parametrize(
    ("text", "legend"),
    [("eB = bonus for ash", True), ("E = a + b", True), ("e ash = 5 g", True), ("The bonus of ash is = 5 g", False)],
)
def test_formulas_and_their_symbols(text: str, legend: bool) -> None:
    assert is_legend(text) is legend


def test_rows_that_explain_symbols_are_no_table() -> None:
    passage = PassageView(id="p", addresses=("anx_V",), text="E\t=\tall emissions;\neB\t=\tbonus of 29 g for ash")
    assert [s.text for s in statements([passage])] == ["E = all emissions;", "eB = bonus of 29 g for ash"]


def test_the_number_of_a_row_is_a_label() -> None:
    passage = PassageView(id="p", addresses=("anx_V",), text="No\tItem\tText\n3.2.\tlids\t5 mm thick.\n3.3.\tfans;\t9 kW")
    assert [s.text for s in statements([passage])] == ["Item: lids; Text: 5 mm thick", "Item: fans; Text: 9 kW"]


@pytest.mark.parametrize("label", ["3.", "12.", "(b)", "(12)", "—"])
def test_a_label_alone_is_no_statement(label: str) -> None:
    passage = PassageView(id="p", addresses=("art_4",), text=f"{label}\nKilns are shut.")
    assert [s.text for s in statements([passage])] == ["Kilns are shut."]


def test_a_passage_that_begins_in_a_list_has_the_chapeau_of_its_context() -> None:
    value = summary("(b) 9 mg of dust;", "art_4/par_2/pnt_b", context="Article 4 Limits\n2. Dust shall not exceed:")
    assert value.summary == "Article 4(2): Dust shall not exceed: (b) 9 mg of dust."
    assert [t.text for t in value.thresholds] == ["Dust shall not exceed: 9 mg of dust"]
    assert chapeau_of("Article 4 Limits") == ""


def test_a_chapeau_is_told_with_its_items_and_not_by_itself() -> None:
    text = "2. From 1 March 2031, lime kilns shall have:\n(a) a lid of 3 mm;\n(b) a fan of 9 kW."
    value = summary(text, "art_4/par_2", "art_4/par_2/pnt_a", "art_4/par_2/pnt_b")
    told = [value.summary, *(f.text for f in value.key_facts)]
    assert all(not t.endswith(":") for t in told)
    assert value.summary == "Article 4(2): From 1 March 2031, lime kilns shall have: (a) a lid of 3 mm; (b) a fan of 9 kW."


def test_the_same_item_of_two_lists_is_told_once() -> None:
    text = "2. Old lime kilns shall have:\n(a) dust lids;\n3. New lime kilns shall have:\n(a) dust lids;"
    addresses = ("art_4/par_2", "art_4/par_2/pnt_a", "art_4/par_3", "art_4/par_3/pnt_a")
    value = summary(text, *addresses, reference=WHOLE, criterion=f"Lime kilns have dust lids under {ACT}.")
    assert value.summary.count("dust lids") == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a date comes with what must happen
        ("By 1 January 2031, the Commission shall adopt an act on lids.", ("By 1 January 2031, the Commission shall adopt an act on lids",)),
        # numbers of places, things counted and standards set no limit
        ("Lids follow Article 29(2) to (7) and (10).", ()),
        ("Kilns meet one of the following criteria.", ()),
        ("Lids follow ISO 14067:2018.", ()),
        # semicolons divide
        ("Dust is below 5 mg; lids fit.", ("Dust is below 5 mg",)),
    ],
)
def test_a_threshold_stands_alone(text: str, expected: tuple[str, ...]) -> None:
    assert threshold_phrases(text) == expected


def test_a_row_states_what_its_first_cell_names() -> None:
    long = "Kiln bricks of all kinds " * 15
    assert threshold_phrases("", "", ("Bricks", long, "Benchmark: 0,5")) == ("Bricks; Benchmark: 0,5",)


@pytest.mark.parametrize(
    ("chapeau", "empty"),
    [("For the purposes of this Directive:", True), ("The following definitions shall apply:", True),
     ("For the purpose of Article 3, the following terms mean:", True), ("Kilns shall have:", False)],
)  # fmt: skip
def test_chapeaux_that_add_nothing_to_definitions(chapeau: str, empty: bool) -> None:
    assert opens_definitions(chapeau) is empty


def test_other_citations_are_no_subject() -> None:
    criterion = f"Emissions of kilns are counted using {ACT} or, alternatively, using ISO 14067:2018."
    assert not {"iso"} & needs_of(criterion, WHOLE).subject


def test_words_scattered_over_sentences_are_a_subject_and_no_rule() -> None:
    criterion = f"The noise of old lime kilns near lakes is measured under {ACT}."
    scattered = "Lakes shall be clean. Kilns shall be shut. Lime shall be dry. Old fans shall go. Noise shall be low."
    whole = "Operators shall measure the noise of old lime kilns near lakes."
    low, high = (
        evaluate_passages(criterion, WHOLE, [PassageView(id="p", addresses=("art_4",), text=t)])[0].value.confidence
        for t in (scattered, whole)
    )
    assert low < high < 0.9


def test_a_duty_of_the_commission_is_not_the_rule_for_an_activity() -> None:
    criterion = f"The noise of lime kilns is measured under {ACT}."
    text = "The Commission shall measure the noise of lime kilns."
    assert evaluate_passages(criterion, WHOLE, [PassageView(id="p", text=text)])[0].value.confidence < 0.9
