"""Statements of passages with their addresses, and the extractive summary made of them."""

from __future__ import annotations

import random
import re

import pytest

from regreact.fastpath.retrieval.limits import Amount, directions, threshold_phrases
from regreact.fastpath.retrieval.statements import KIND_RULES, StatementKind, kind_of, statements
from regreact.fastpath.retrieval.summary import QUOTE, summarise_passages
from regreact.observers.base import observe
from signatures.passages import CitedSource, PassageView, SourceSummary
from tests.fastpath.kiln_act import ACT, CRITERION, LIMITS, PARAGRAPH, REPORTS, TERMS, WHOLE


def summarise(criterion: str, reference: CitedSource, *passages: PassageView) -> SourceSummary:
    """Return the summary; every check of the observers must pass."""
    (answer,) = summarise_passages(criterion, reference, passages)
    inputs = {"criterion": criterion, "reference": reference, "passages": passages}
    assert observe("SummarisePassages", inputs, [answer]) == []
    return answer.value


def texts(value: SourceSummary) -> str:
    return " | ".join([value.summary, *(f.text for f in value.key_facts), *(t.text for t in value.thresholds)])


def test_each_statement_has_the_address_of_its_line() -> None:
    found = [(s.address, s.text.split()[0]) for s in statements([LIMITS])]
    assert found == [
        ("art_4/par_1", "Operators"), ("art_4/par_2", "The"), ("art_4/par_2/pnt_a", "10"), ("art_4/par_2/pnt_b", "20"),
        ("art_4/par_3", "Paragraph"),
    ]  # fmt: skip


def test_an_item_has_its_chapeau_and_does_what_that_does() -> None:
    item = statements([LIMITS])[2]
    assert item.full == "The dust of lime kilns shall not exceed: 10 mg/Nm3 for kilns of more than 5 MW;"
    assert item.kind == "duty"


def test_a_line_without_label_behind_a_list_belongs_to_what_holds_the_list() -> None:
    passage = PassageView(
        id="p", addresses=("art_4/par_2", "art_4/par_2/pnt_a"), text="2. Kilns have:\n(a) a lid;\nLids shall be tight."
    )
    assert [(s.address, s.chapeau) for s in statements([passage])][-1] == ("art_4/par_2", "")


def test_items_of_items_keep_both_chapeaux() -> None:
    passage = PassageView(
        id="p", addresses=("art_1", "art_1/pnt_a", "art_1/pnt_a/pnt_i", "art_1/pnt_b"),
        text="Kilns have:\n(a) lids that are:\n(i) tight;\n(b) fans.",
    )  # fmt: skip
    found = {s.address: s.full for s in statements([passage])}
    assert found["art_1/pnt_a/pnt_i"] == "Kilns have: lids that are: tight;"
    assert found["art_1/pnt_b"] == "Kilns have: fans."


def test_cells_are_named_by_the_header_of_their_table() -> None:
    passage = PassageView(id="p", addresses=("anx_I",), text="Metal\tLimit (mg/kg)\nZinc\t90\nLead\t40")
    assert [s.text for s in statements([passage])] == ["Zinc; Limit (mg/kg): 90", "Lead; Limit (mg/kg): 40"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("90 MW are the limit.", ["90 MW are the limit."]),
        ("Article 5 shall apply to kilns.", ["Article 5 shall apply to kilns."]),
        ("Article 5 Water plans", []),
        ("Article 5 Targets for 2031", ["Targets for 2031"]),
        ("Part A. Substances that kilns may burn are these:", ["Substances that kilns may burn are these:"]),
        ("5.1 Kilns shall be tight.", ["Kilns shall be tight."]),
        ("— kilns shall be tight.", ["kilns shall be tight."]),
    ],
)
def test_labels_and_headings_are_no_statements(line: str, expected: list[str]) -> None:
    assert [s.text for s in statements([PassageView(id="p", addresses=("art_5",), text=line)])] == expected


def test_recitals_bind_nobody() -> None:
    found = statements([PassageView(id="p", addresses=("rec_9",), text="(9) Operators shall act with care.")])
    assert [(s.kind, s.address) for s in found] == [("guidance", "rec_9")]


def test_overlapping_chunks_say_a_thing_once() -> None:
    assert len(statements([LIMITS, LIMITS.model_copy(update={"id": "p9"})])) == len(statements([LIMITS]))


@pytest.mark.parametrize("rule", KIND_RULES, ids=lambda r: r.example)
def test_the_example_of_each_kind_is_of_it(rule: object) -> None:
    assert kind_of(rule.example) == rule.kind  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "kind"),
    [("Kilns shall apply lids.", "duty"), ("Lids are required.", "duty"), ("Lids may not leak.", "duty"),
     ("Kilns are exempted from it.", "exception"), ("Kilns have lids, unless they are small.", "exception"),
     ("in the case of gas, lids", "condition"), ("5 % of ash", "value"), ("ash of wood", "other"), ("Lids should fit.", "guidance")],
)  # fmt: skip
def test_kinds_of_statements(text: str, kind: StatementKind) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    ("text", "chapeau", "expected"),
    [
        ("20 mg/Nm3 for kilns", "Dust shall not exceed:", ("Dust shall not exceed: 20 mg/Nm3 for kilns",)),
        ("20 mg/Nm3 for kilns", "Values for dust:", ("Values for dust: 20 mg/Nm3 for kilns",)),
        ("The report is due by 31 March 2031.", "", ("The report is due by 31 March 2031",)),
        ("Kilns are clean.", "", ()),
    ],
)
def test_a_threshold_keeps_number_unit_and_comparison(text: str, chapeau: str, expected: tuple[str, ...]) -> None:
    assert threshold_phrases(text, chapeau) == expected


def test_of_a_long_sentence_subject_and_clause_of_the_number_are_kept() -> None:
    words = " ".join(["of ash"] * 20)
    (phrase,) = threshold_phrases(f"Kilns {words}, which burn lime, shall keep losses below 5 % per year, unless {words} {words}.")
    assert phrase.startswith("Kilns of ash") and phrase.endswith("losses below 5 % per year") and " … " in phrase
    assert len(phrase.split()) < 40


def test_directions_tell_upper_from_lower_bounds() -> None:
    # the denial belongs to the first number
    assert directions("not exceed 10 mg for kilns of more than 5 MW") == (Amount("10", "mg", -1), Amount("5", "mw", 1))
    assert directions("9 kW of heat", "The kiln gives not more than:") == (Amount("9", "kw", -1),)
    assert directions("at least 5 % and at most 9 kW") == (Amount("5", "%", 1), Amount("9", "kw", -1))


def test_every_number_and_date_of_a_short_cited_provision_is_told() -> None:
    told = texts(summarise(CRITERION, PARAGRAPH, LIMITS))
    for printed in ("10 mg/Nm3", "more than 5 MW", "20 mg/Nm3", "1 March 2031", "shall not exceed"):
        assert printed in told


def test_so_it_is_where_the_summary_is_full() -> None:
    # 290 words: above the budget of the summary, below the limit of what counts as short
    lines = [f"({c}) {n} mg/kg of metal number {n} in the ash of kilns and furnaces of all kinds of sites;" for n, c in enumerate("abcdefghijklmno", 11)]
    addresses = ("art_4/par_2", *(f"art_4/par_2/pnt_{c}" for c in "abcdefghijklmno"))
    passage = PassageView(id="p", addresses=addresses, text="\n".join(["2. Ash shall not hold more than:", *lines]))
    told = texts(summarise(CRITERION, PARAGRAPH, passage))
    assert all(f"{n} mg/kg" in told for n in range(11, 26))


FORMS = (
    # what binds nobody is left out of longer texts
    "Operators may keep {} t of ash in sheds, silos and other stores of the site near the furnace.",
    "Kilns of more than {} MW shall have a lid.", "The ash shall hold at most {} mg/kg of lead.", "By 3 May 20{}, operators shall report.",
    "Reports are kept for {} years.", "In 20{}, the Commission reviews the list of Table {}.", "Class {} lids leak {} %.",
    "Kilns built before 1 June 20{} are exempted until July 2099.", "Where {} kilns share a stack, dust is halved.",
    "Lids are tested {} times a year as laid down in Article {} of Directive 2097/{}/EU.",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(25))
def test_no_number_of_a_short_cited_provision_is_lost(seed: int) -> None:
    chance = random.Random(seed)
    lines, addresses, printed = [], ["art_4", "art_4/par_2"], []
    for n, letter in enumerate("abcdefghijklmnopqrst"[: chance.randint(1, 20)]):
        form = chance.choice(FORMS)
        numbers = [str(chance.randint(11, 98)) for _ in range(form.count("{}"))]
        text = form.format(*numbers)
        printed.extend(re.findall(r"\d+", text))
        lines.append(f"({letter}) {text}" if n % 3 else text)
        if n % 3:
            addresses.append(f"art_4/par_2/pnt_{letter}")
    passage = PassageView(id="p", addresses=tuple(addresses), text="\n".join(["2. These rules hold for kilns:", *lines]))
    told = set(re.findall(r"\d+", texts(summarise(CRITERION, PARAGRAPH, passage))))
    assert set(printed) <= told


def test_a_counted_subparagraph_is_looked_for_in_its_paragraph() -> None:
    place = CitedSource(text=f"Article 4(2), second subparagraph, of {ACT}", addresses=("art_4/par_2/sub_2",))
    value = summarise(f"The dust of lime kilns follows {place.text}.", place, LIMITS)
    assert value.confidence >= 0.9 and value.summary.startswith("Article 4(2)")


def test_the_summary_keeps_to_the_cited_provision_and_names_it() -> None:
    value = summarise(CRITERION, PARAGRAPH, LIMITS, REPORTS)
    assert value.summary.startswith("Article 4(2): ")
    assert "fisheries" not in texts(value) and "two years" not in texts(value)
    # paragraph 3 says to what paragraph 2 does not apply
    assert {t.address for t in value.thresholds} == {"art_4/par_2/pnt_a", "art_4/par_2/pnt_b", "art_4/par_3"}


def test_an_exception_of_another_article_is_not_one_from_the_cited_provision() -> None:
    other = PassageView(id="p4", addresses=("art_6", "art_6/par_3"), text="3. Paragraph 2 does not apply to small fans.")
    assert "fans" not in texts(summarise(CRITERION, PARAGRAPH, LIMITS, other))


def test_of_a_long_act_what_is_closest_to_the_criterion_comes_first() -> None:
    other = "".join(f"{n}. Operator {n} shall send the Commission a report of its pond.\n" for n in range(1, 60))
    long = PassageView(id="p1", addresses=("art_7", *(f"art_7/par_{n}" for n in range(1, 60))), text=other)
    value = summarise(f"Dust of lime kilns is measured under {ACT}.", WHOLE, long, LIMITS)
    assert "measure the dust of lime kilns" in value.summary
    assert "pond" not in value.summary


def test_a_definition_is_told_where_the_criterion_wants_one() -> None:
    value = summarise(f"The site burns lime in lime kilns as defined in {ACT}.", WHOLE, REPORTS, TERMS)
    assert "furnace that burns limestone" in value.summary
    assert any("900 °C" in t.text for t in value.thresholds)


def test_quotes_are_verbatim_and_below_100_words() -> None:
    value = summarise(CRITERION, PARAGRAPH, LIMITS)
    assert value.quotes
    for quote in value.quotes:
        assert quote.text in LIMITS.text and len(quote.text.split()) < QUOTE


def test_a_long_sentence_becomes_facts_below_100_words() -> None:
    clause = ", ".join(f"the dust of kiln {n} of the site at the river" for n in range(30))
    passage = PassageView(id="p", addresses=("art_4/par_2",), text=f"2. Operators shall measure {clause}.")
    value = summarise(CRITERION, PARAGRAPH, passage)
    assert value.key_facts or len(value.summary.split()) > 100
    assert all(len(f.text.split()) < QUOTE for f in (*value.key_facts, *value.quotes))


def test_without_passages_the_summary_says_so() -> None:
    value = summarise(CRITERION, PARAGRAPH)
    assert "state nothing" in value.summary and value.confidence == 0 and not value.key_facts


def test_the_confidence_is_that_of_the_passages() -> None:
    assert summarise(CRITERION, PARAGRAPH, LIMITS).confidence >= 0.9
    assert summarise(CRITERION, PARAGRAPH, REPORTS).confidence < 0.7
