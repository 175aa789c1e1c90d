"""Mandatory or Conditional: every rule decides its example, and the passes are asked in their order."""

from __future__ import annotations

import pytest
from criteria_outline import (
    ROOT,
    SAMPLES,
    UNIT,
    criteria,
    gold_criteria,
    gold_header,
    gold_trees,
    sample_units,
    values,
)

from regreact.fastpath.classification import classify_applicability
from regreact.fastpath.classification.situations import SUBJECT_RULES, WORD_RULES, SubjectRule, WordRule
from regreact.fastpath.openings import OPENING_RULES, OpeningRule
from regreact.fastpath.wording import read_sentences
from regreact.sources.model import Unit
from signatures.types import ActivityEntry, CriterionView


def classified(outline: str, activity: str = "Making bricks") -> dict[str, str]:
    unit = UNIT.model_copy(update={"activity": activity})
    return values(classify_applicability(unit=unit, activity=[], criteria=criteria(outline)))


@pytest.mark.parametrize("rule", OPENING_RULES, ids=lambda rule: rule.name)
def test_every_opening_is_found_in_its_example(rule: OpeningRule) -> None:
    openings = read_sentences(rule.example)[0].openings
    assert openings[0].rule is rule
    assert openings[0].start == 0


@pytest.mark.parametrize("rule", OPENING_RULES, ids=lambda rule: rule.name)
def test_only_gates_make_a_criterion_conditional(rule: OpeningRule) -> None:
    expected = "Conditional" if rule.kind == "gate" else "Mandatory"
    assert classified(f"1 | {rule.example}")["1"] == expected


# One more text for each family of words of a pattern.
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("In order to spare the spring, the mill reuses water.", "purpose"),
        ("To avoid dust, the belt is covered.", "purpose"),
        ("For this bay, the gate is closed.", "every instance"),
        ("When the bricks are manufactured, the hall is aired.", "step of the process"),
        ("Based on the map, the owner marks the springs.", "conformity"),
        ("With respect to noise, the mill is closed at night.", "topic"),
        ("Apart from fines, all sand is sieved.", "exception"),
        ("As an alternative, the kiln burns straw.", "link"),
        ("By 31 March 2032, the pump is renewed.", "period"),
        ("Between 2031 and 2035, the pump is renewed.", "period"),
        ("At the end of the season, the pool is emptied.", "stage"),
        ("Prior to blasting, the area is searched.", "stage"),
        ("Following the survey, the map is published.", "stage"),
        ("In order that the spring be spared, the mill reuses water.", "purpose"),
        ("So that dust may settle, the bay is closed.", "purpose"),
        ("Provided that the ice holds, sledges are used.", "situation"),
        ("And where the hall is old, its roof is insulated.", "situation"),
        ("In the absence of a map, the owner draws one.", "case"),
        ("In third countries, the mill keeps to equal rules.", "part of the world"),
        ("After an accident, the owner informs the town.", "event"),
    ],
)
def test_openings_by_other_words(text: str, name: str) -> None:
    assert read_sentences(text)[0].openings[0].rule.name == name


def test_an_opening_ends_at_the_comma_that_a_clause_follows() -> None:
    text = "Where the kiln (3,5 m wide) is old, such as in museums, its walls are insulated."
    (sentence,) = read_sentences(text)
    assert text[sentence.main :] == "its walls are insulated."


@pytest.mark.parametrize(
    ("text", "main"),
    [
        ("Where a plan, log or map is in place, nets are hung.", "nets are hung."),
        ("Where the tested or proven pump, valve or gate leaks, work stops.", "work stops."),
        ("Where the kiln burns oil, soot is measured, too.", "soot is measured, too."),
        ("Where applicable, soot is measured.", "soot is measured."),
    ],
)
def test_an_opening_goes_on_until_its_subject_has_a_verb(text: str, main: str) -> None:
    (sentence,) = read_sentences(text)
    assert text[sentence.main :] == main


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("For quarries in the Union, Act 9 holds. For quarries in third countries, ISO 99999 is used.", "Mandatory"),
        ("In third countries, ISO 99999 is used. In the Union, Act 9 holds.", "Mandatory"),
        ("For kilns above 5 MW, soot is measured. For all other kilns, soot is estimated.", "Mandatory"),
        ("Where the kiln is old, its walls are insulated. Otherwise, its roof is insulated.", "Mandatory"),
        ("In the Union, Act 9 holds. The owner informs third countries.", "Conditional"),
        ("For kilns above 5 MW, soot is measured. For kilns of museums, soot is estimated.", "Conditional"),
    ],
)
def test_openings_that_leave_no_instance_out_gate_nothing(text: str, expected: str) -> None:
    assert classified(f"1 | {text}")["1"] == expected


def test_a_second_opening_gates_too() -> None:
    assert classified("1 | From 1 January 2031, where the ferry is old, its hull is painted.")["1"] == "Conditional"


def test_numbers_and_topics_stand_before_the_first_sentence() -> None:
    outline = """
    1 | 1.2. Where the kiln is old, its walls are insulated.
    2 | reuse of jars: where the jar is whole, it is refilled
    """
    assert classified(outline) == {"ROOT": "Mandatory", "1": "Conditional", "2": "Conditional"}


def test_only_the_first_sentence_decides() -> None:
    assert classified("1 | Dust is swept daily. Where it is wet, a pump is used.")["1"] == "Mandatory"


@pytest.mark.parametrize("rule", WORD_RULES, ids=lambda rule: rule.name)
def test_every_word_rule_decides_its_example(rule: WordRule) -> None:
    clause = rule.example
    assert next(r for r in WORD_RULES if r.pattern.search(clause)) is rule
    assert classified(f"1 | {clause}")["1"] == rule.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Point 1 does not apply to kilns of museums.", "Conditional"),
        ("No further noise survey is required for silent saws.", "Conditional"),
        ("Kilns of museums are exempt from this rule.", "Conditional"),
        ("It is possible to store glass outside.", "Conditional"),
        ("The hall may not be heated with coal.", "Mandatory"),
        ("Sand that may contain metal is sieved.", "Mandatory"),
        ("The pool is not emptied, unless the owner provides evidence of a leak.", "Mandatory"),
        ("The label is considered as evidence of compliance with the dust rule.", "Conditional"),
        ("Blasting takes place only if the sirens work.", "Conditional"),
        ("Tightness can alternatively be proven with a pressure log.", "Conditional"),
        ("Nets are hung where applicable.", "Mandatory"),
        ("Work listed in Section 9.9 is excluded from this point.", "Conditional"),
        ("Lids are excluded from the load.", "Mandatory"),
        ("It is possible for two mills to share a gate.", "Conditional"),
        ("Owners are encouraged to share gates.", "Conditional"),
        ("Ferries whose hull contains lead do not qualify.", "Conditional"),
        ("Work on kilns dedicated to oil is not considered as fulfilling the criteria.", "Conditional"),
        ("The following elements are not compliant:", "Mandatory"),
        ("Coal is not eligible.", "Mandatory"),
        # "May" in a clause of purpose or a relative clause permits nothing.
        ("The yard is parted, in order that fire may be stopped, by a wall.", "Mandatory"),
        ("The gate through which carts may leave is closed.", "Mandatory"),
        ("Heat, at whatever point it may be drawn, is metered.", "Mandatory"),
        ("The floor on which carts move may be left open.", "Conditional"),
        ("wood from hedges, where it is not practicable to rely on point 1(a);", "Conditional"),
        ("straw, if point (b) cannot be met under point (a);", "Conditional"),
        ("straw, where available;", "Mandatory"),
        ("The owner returns jars that are not compliant.", "Mandatory"),
    ],
)
def test_word_rules_by_other_words(text: str, expected: str) -> None:
    assert classified(f"1 | {text}")["1"] == expected


@pytest.mark.parametrize("rule", SUBJECT_RULES, ids=lambda rule: rule.name)
def test_every_subject_rule_decides_its_example(rule: SubjectRule) -> None:
    assert classified(f"1 | {rule.example}")["1"] == "Conditional"


@pytest.mark.parametrize(
    ("text", "activity"),
    [
        ("Recycling processes meet the conditions of Annex XX.", "Recycling of glass"),
        ("Tunnels, culverts and dams are inspected each year.", "Building of tunnels"),
        ("Agricultural biomass used for the kilns meets the criteria of Annex XX.", "Making biofuel"),
        ("Recreational diving activities end at dusk.", "Recreation at lakes"),
    ],
)
def test_a_subject_in_the_name_of_the_activity_is_one_that_every_instance_has(text: str, activity: str) -> None:
    assert classified(f"1 | {text}", activity)["1"] == "Mandatory"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Trams refurbished after 30 June 2027 keep a log.", "Conditional"),
        ("Vessels entered in the register on or after 1 March 2025 use nets.", "Conditional"),
        ("Data halls in operation before 1 January 2024 attain the value by 2029.", "Conditional"),
        ("Ferries put into service no later than 2030 carry a log.", "Conditional"),
        ("Boats longer than 12 m carry a raft.", "Conditional"),
        ("In newly built halls lamps are dim.", "Conditional"),
        ("In existing halls lamps are dim.", "Conditional"),
        # A quantity, an item that is a class itself, a predicate.
        ("Dust emitted from 2031 is below 3 mg.", "Mandatory"),
        ("The share of jars refilled from 2031 is at least 40 %.", "Mandatory"),
        ("the tram delivered before 11 December 2023, running on wires;", "Mandatory"),
        ("a patent not older than 10 years associated with the kiln;", "Mandatory"),
        ("Kilns are rebuilt before 31 December 2030.", "Mandatory"),
        ("in a hall which is kept under low pressure;", "Mandatory"),
        ("In existing and new halls lamps are dim.", "Mandatory"),
    ],
)
def test_classes_by_date_size_or_state(text: str, expected: str) -> None:
    assert classified(f"1 | {text}")["1"] == expected


def test_a_clause_that_begins_with_both_is_no_part_of_the_opening() -> None:
    text = "Where wool is washed for others, both limit values of point 1 are kept."
    assert classified(f"1 | {text}")["1"] == "Conditional"


def test_the_activity_registry_names_the_activity_too() -> None:
    views = criteria("1 | Recycling processes meet the conditions of Annex XX.")
    entry = ActivityEntry(key="name", value="Recycling of glass")
    assert values(classify_applicability(unit=UNIT, activity=[entry], criteria=views))["1"] == "Mandatory"


def test_root_containers_and_headings_are_mandatory() -> None:
    outline = """
    1 | # Where mills stand
      1(a-b)
        1(a) | where the mill burns straw, its ash is collected;
        1(b) | dust is swept.
    """
    expected = {"1": "Mandatory", "1(a-b)": "Mandatory", "1(a)": "Conditional", "1(b)": "Mandatory"}
    assert classified(outline) == {"ROOT": "Mandatory", **expected}


def test_periods_that_follow_each_other_are_cases() -> None:
    outline = """
    1 | The share of reused jars is:
      1(a) | until 31 December 2030, at least 40 %;
      1(b) | from 1 January 2031, at least 60 %.
    """
    found = classified(outline)
    assert (found["1"], found["1(a)"], found["1(b)"]) == ("Mandatory", "Conditional", "Conditional")


def test_a_period_beside_a_plain_item_is_none() -> None:
    outline = """
    1 | The share of reused jars is:
      1(a) | until 31 December 2030, at least 40 %;
      1(b) | at least 60 % of all lids.
    """
    assert classified(outline)["1(a)"] == "Mandatory"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("2 % of its heat, where the plant is small;", "1 % of its heat, where the plant is large."),
        ("9 kg for ferries below 40 m;", "12 kg for ferries above 40 m."),
        ("9 kg, having a width less than 4 m;", "12 kg, having a width greater than 4 m."),
    ],
)
def test_values_for_classes_are_cases(first: str, second: str) -> None:
    found = classified(f"1 | Losses are lower than:\n  1(a) | {first}\n  1(b) | {second}")
    assert (found["1"], found["1(a)"], found["1(b)"]) == ("Mandatory", "Conditional", "Conditional")


def test_values_of_different_quantities_are_no_cases() -> None:
    found = classified("1 | Losses are lower than:\n  1(a) | 2 % of heat;\n  1(b) | 1 % of water.")
    assert (found["1(a)"], found["1(b)"]) == ("Mandatory", "Mandatory")


def test_two_subjects_with_one_predicate_are_cases() -> None:
    outline = """
    1 | The renewal of a pump in halls saves at least 9 % of power.
    2 | The renewal of a pipe under streets saves at least 12 % of power.
    3 | Dust is swept.
    """
    found = classified(outline)
    assert (found["1"], found["2"], found["3"]) == ("Conditional", "Conditional", "Mandatory")


def test_items_of_an_exception_hold_only_if_it_is_used() -> None:
    outline = """
    1 | Blasting ends at dusk unless:
      1(a) | the town agrees;
      1(b) | the quarry lies offshore.
    """
    found = classified(outline)
    assert (found["1(a)"], found["1(b)"]) == ("Conditional", "Conditional")


def test_evidence_is_the_words_that_decide() -> None:
    views = criteria("1 | 1. Where the kiln is old, its walls are insulated.")
    answer = {a.id: a for a in classify_applicability(unit=UNIT, activity=[], criteria=views)}["1"]
    ((block, start, end),) = answer.evidence
    assert (block, views[1].text[start:end]) == (1, "Where the kiln is old,")


def test_a_word_of_situation_that_no_rule_reads_lowers_the_confidence() -> None:
    views = criteria("1 | Dust is swept.\n2 | Dust is swept only by day.")
    plain, doubtful = classify_applicability(unit=UNIT, activity=[], criteria=views)[1:]
    assert plain.confidence > doubtful.confidence


def _share_right(trees: list[dict], units: dict[tuple[str, str], Unit]) -> float:  # type: ignore[type-arg]
    right = total = 0
    for tree in trees:
        views: list[CriterionView] = gold_criteria(tree, units[tree["source"], tree["unit"]])
        found = values(classify_applicability(unit=gold_header(tree), activity=[], criteria=views))
        total += len(tree["nodes"])
        right += sum(found[n["criterion_id"]] == n["applicability"] for n in tree["nodes"])
    return right / total


def test_samples_are_classified_as_annotated() -> None:
    assert _share_right(gold_trees(SAMPLES / "gold"), sample_units()) >= 0.98


def test_gold_units_are_classified_as_annotated(real_units: dict[tuple[str, str], Unit]) -> None:
    assert _share_right(gold_trees(ROOT / "data/gold"), real_units) >= 0.98
