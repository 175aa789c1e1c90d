"""How children combine: one test per rule, and the participation rule."""

from __future__ import annotations

import pytest

from regreact.answers import LogicValue
from regreact.fastpath.combination import LOGIC_RULES, LogicRule
from regreact.fastpath.logic import infer_logic
from signatures.types import CriterionFacts, CriterionView, UnitHeader

UNIT = UnitHeader(unit="KILN-1/SC", activity="Making bricks", objective="mitigation", section="SC")


def family(chapeau: str, children: tuple[str, ...], parent: str = "1") -> list[CriterionView]:
    """Criteria of a section with one family; without chapeau the children are the top level."""
    root = CriterionView(criterion_id="ROOT", parent=None, block=None, text="")
    if not chapeau:
        return [
            root,
            *(
                CriterionView(criterion_id=str(n + 1), parent="ROOT", block=n, text=text)
                for n, text in enumerate(children)
            ),
        ]
    above = CriterionView(criterion_id=parent, parent="ROOT", block=0, text=chapeau)
    items = [
        CriterionView(criterion_id=f"{parent}({'abcdefgh'[n]})", parent=parent, block=n + 1, text=text)
        for n, text in enumerate(children)
    ]
    return [root, above, *items]


def logic(criteria: list[CriterionView], background: tuple[str, ...] = ()) -> dict[str, LogicValue]:
    facts = [
        CriterionFacts(
            criterion_id=c.criterion_id, tags=("BackgroundInformation",) if c.criterion_id in background else ()
        )
        for c in criteria
    ]
    return {a.id: a.value for a in infer_logic(UNIT, criteria, facts)}


def combine(chapeau: str, *children: str) -> LogicValue:
    return logic(family(chapeau, children))["1" if chapeau else "ROOT"]


@pytest.mark.parametrize("rule", LOGIC_RULES, ids=lambda rule: rule.name)
def test_every_rule_decides_its_example(rule: LogicRule) -> None:
    chapeau, children = rule.example
    criteria = family(chapeau, children)
    answers = {a.id: a for a in infer_logic(UNIT, criteria, [])}
    assert answers["1" if chapeau else "ROOT"].confidence == rule.confidence


@pytest.mark.parametrize(
    ("chapeau", "expected"),
    [
        ("The kiln meets one of the following criteria:", LogicValue("OR")),
        ("The kiln meets one the following criteria:", LogicValue("OR")),
        ("The kiln meets the one of following criteria:", LogicValue("OR")),
        ("The account is ones of the following:", LogicValue("OR")),
        ("The kiln meets one or more of the following criteria:", LogicValue("OR")),
        ("The kiln meets one or both of the following criteria:", LogicValue("OR")),
        ("The kiln meets at least one of the two criteria listed below:", LogicValue("OR")),
        ("The kiln meets any of the following:", LogicValue("OR")),
        ("It is checked by either of the following:", LogicValue("OR")),
        ("The kiln is either :", LogicValue("OR")),
        ("It is done by choosing the most ambitious of the following ways:", LogicValue("OR")),
        ("The works use fittings such as:", LogicValue("OR")),
        ("The kiln meets all of the following:", LogicValue("AND")),
        ("Kilns are both of the following:", LogicValue("AND")),
        ("Kilns meet each of the following:", LogicValue("AND")),
        ("The kiln meets the following criteria:", LogicValue("AND")),
        ("The kiln meets at least two of the following:", LogicValue("N_OF_K", 2)),
        (
            "The kiln meets two of the following until 2025 and all of the following after 2025:",
            LogicValue("N_OF_K", 2),
        ),
        ("The kiln meets 2 of the following:", LogicValue("N_OF_K", 2)),
        ("Any two of the following hold:", LogicValue("N_OF_K", 2)),
        ("No fewer than two of the following hold:", LogicValue("N_OF_K", 2)),
        ("Not less than two (2) of the measures listed below are taken:", LogicValue("N_OF_K", 2)),
        ("A minimum of 2 out of the following three measures is taken:", LogicValue("N_OF_K", 2)),
        ("Two among the following are chosen:", LogicValue("N_OF_K", 2)),
        ("Two of the measures described in points (a) to (c) are taken:", LogicValue("N_OF_K", 2)),
        ("2 of the 3 conditions set out below are met:", LogicValue("N_OF_K", 2)),
        ("Two or more of the following hold:", LogicValue("N_OF_K", 2)),
        ("Any one of the following holds:", LogicValue("OR")),
        ("One of the measures listed in points (a) to (c) is taken:", LogicValue("OR")),
        ("The kiln meets one of these:", LogicValue("OR")),
        ("The kiln meets the following alternatives:", LogicValue("OR")),
        ("Every one of the following holds:", LogicValue("AND")),
        ("Each one of the following holds:", LogicValue("AND")),
        ("All three of the following hold:", LogicValue("AND")),
        ("The kiln is not built on one of the following:", LogicValue("AND")),
        ("Compliance may be checked:", LogicValue("OR")),
        # The list may stand "below", "hereafter" or "hereunder", with or without a participle, or come first.
        ("At least two of the three conditions which are set out hereafter are kept:", LogicValue("N_OF_K", 2)),
        ("Out of the conditions hereinafter mentioned, no fewer than 2 are met:", LogicValue("N_OF_K", 2)),
        ("Of the conditions below, two at the least are met:", LogicValue("N_OF_K", 2)),
        ("The kiln keeps to the following rules, of which at least two apply:", LogicValue("N_OF_K", 2)),
        ("The kiln meets two, as a minimum, of the conditions listed hereunder:", LogicValue("N_OF_K", 2)),
        ("Two of the conditions below are met until 2025 and all of them after 2025:", LogicValue("N_OF_K", 2)),
        ("At least one of the conditions mentioned below is met:", LogicValue("OR")),
        ("Bricks are dried by one or other of the following routes:", LogicValue("OR")),
        ("Any condition mentioned below is met:", LogicValue("OR")),
        ("Of the conditions below, one is met:", LogicValue("OR")),
        ("Not less than one of the following is met:", LogicValue("OR")),
        ("All three of the conditions enumerated hereafter are met:", LogicValue("AND")),
        # Numbers that count something else.
        ("One kiln meets the following conditions:", LogicValue("AND")),
        ("The plan covers one year and contains the following:", LogicValue("AND")),
        ("Two of the kilns keep to the following conditions:", LogicValue("AND")),
        ("One of the kilns below the roof has:", LogicValue("AND")),
        ("Each kiln has a power below 3 kW and:", LogicValue("AND")),
    ],
)
def test_words_that_say_it(chapeau: str, expected: LogicValue) -> None:
    assert combine(chapeau, "it is closed;", "it is cold;", "it is new.") == expected


def test_only_the_announcing_sentence_counts() -> None:
    assert combine("One of the following years is chosen. The plan contains:", "a map;", "a list.") == LogicValue("AND")


def test_a_negation_before_the_comma_does_not_turn_the_choice() -> None:
    chapeau = "Where no code exists, the kiln meets one of the following:"
    assert combine(chapeau, "it is closed;", "it is cold.") == LogicValue("OR")


def test_as_many_as_there_are_is_all() -> None:
    assert combine("The kiln meets at least two of the following:", "it is closed;", "it is cold.") == LogicValue("AND")


@pytest.mark.parametrize(
    ("chapeau", "children"),
    [
        ("The share is at least equivalent to:", ("1 % where one kiln is run;", "0,7 % where more are run.")),
        ("Heat losses are lower than:", ("for red bricks: 3 W;", "for blue bricks: 4 W.")),
        ("Heat losses are below the value given for the product:", ("for red bricks: 3 W;", "for blue bricks: 4 W.")),
        ("Heat losses keep to the limit laid down for the size:", ("3 W for small kilns;", "4 W for large kilns.")),
        ("Heat losses are within these limits:", ("for existing kilns: 3 W;", "for remaining kilns: 4 W.")),
        ("The kiln is run:", ("by day; or", "by night.")),
        ("The kiln is run:", ("by day;", "by night; or", "on Sundays.")),
        ("The ash content of the fuel is:", ("at most 70 % for clay;", "at most 90 % for sand.")),
        ("For carts:", ("until 31 December 2027, 50 g;", "from 1 January 2028, 0 g.")),
        ("carts that:", ("have no engine;", "until 31 December 2030, have a small engine.")),
        (
            "The study is such that:",
            ("for kilns that last less than 9 years, it is short;", "for all other kilns, it is long."),
        ),
        (
            "Kilns of the following sizes:",
            (
                "having a volume greater than 5 m3 and less than 9 m3, heat below 3 W;",
                "having a volume greater than 9 m3, heat below 4 W.",
            ),
        ),
        ("", ("For vehicles of category L, x.", "For vehicles of category N1, y.")),
        ("", ("In case of kilns connected to a flue, x.", "In case of kilns not connected to a flue, y.")),
    ],
)
def test_exclusive_cases_are_alternatives(chapeau: str, children: tuple[str, ...]) -> None:
    assert combine(chapeau, *children) == LogicValue("OR")


@pytest.mark.parametrize(
    ("chapeau", "children"),
    [
        (
            "Heat losses of the process steps do not exceed the following values:",
            ("for drying, 3 W;", "for firing, 9 W."),
        ),
        ("Emissions do not exceed:", ("5 mg of dust;", "9 mg of soot.")),
        ("Emissions do not exceed the following limits:", ("for dust: 5 mg;", "for mercury: 9 mg.")),
        ("Heat use is below these values:", ("for drying: 3 W;", "for firing of bricks: 4 W.")),
        ("The kiln does not stand:", ("on a dune; or", "in a marsh.")),
        ("The kiln is run:", ("by day; and", "by night.")),
        ("The plan includes the following:", ("for visits: guides are trained;", "for hunting: game is counted.")),
    ],
)
def test_values_and_cases_that_hold_together_are_cumulative(chapeau: str, children: tuple[str, ...]) -> None:
    assert combine(chapeau, *children) == LogicValue("AND")


def test_exclusive_cases_beside_a_cumulative_sibling_are_cumulative() -> None:
    opposed = ("For kilns built before 2020, x.", "For kilns built after 2020, y.")
    assert combine("", *opposed) == LogicValue("OR")
    assert combine("", *opposed, "Lead is not used.") == LogicValue("AND")


def test_kinds_of_thing_below_an_alternative_are_alternatives() -> None:
    criteria = family("The activity is one of the following:", ("repair;", "fitting of devices, including:"))
    criteria += [
        CriterionView(criterion_id=f"1(b)({label})", parent="1(b)", block=9 + n, text=text)
        for n, (label, text) in enumerate((("i", "sensors;"), ("ii", "fans.")))
    ]
    assert logic(criteria)["1(b)"] == LogicValue("OR")


@pytest.mark.parametrize(
    "chapeau",
    [
        "which reaches the following by 2031:",
        "it reaches the following by 2031:",
        "kilns that comply with the following criteria:",
    ],
)
def test_duties_below_an_alternative_are_cumulative(chapeau: str) -> None:
    criteria = family("The kiln meets one of the following:", ("it is closed;", chapeau))
    criteria += [
        CriterionView(criterion_id=f"1(b)({label})", parent="1(b)", block=9 + n, text=text)
        for n, (label, text) in enumerate((("i", "a yield of 70 %;"), ("ii", "a dust content below 8 mg.")))
    ]
    assert logic(criteria)["1(b)"] == LogicValue("AND")


def test_prohibited_things_are_cumulative() -> None:
    assert combine("The activity is not one of these kinds of work:", "felling;", "mining.") == LogicValue("AND")
    assert combine("The activity does not lead to the use of:", "lead;", "tin.") == LogicValue("AND")


def test_background_and_lonely_children() -> None:
    criteria = family("", ("Kilns are closed.", "Workshops are exempt."))
    assert logic(criteria)["ROOT"] == LogicValue("AND")
    assert logic(criteria, background=("2",))["ROOT"] == LogicValue("AND")
    assert logic(criteria, background=("1", "2"))["ROOT"] == LogicValue("LEAF")
    assert logic(criteria)["1"] == LogicValue("LEAF")


def test_anchored_paragraphs_do_not_decide() -> None:
    criteria = family("The kiln is at least two of the following:", ("closed;", "cold;", "new."))
    criteria.append(CriterionView(criterion_id="1(a).Methodology", parent="1", block=8, text="Heat is calculated."))
    assert logic(criteria)["1"] == LogicValue("N_OF_K", 2)
    alone = [
        CriterionView(criterion_id="ROOT", parent=None, block=None, text=""),
        CriterionView(criterion_id="1", parent="ROOT", block=0, text="1. Audit", heading=True),
        CriterionView(criterion_id="1.Verification", parent="1", block=1, text="Alternatively, x is verified."),
        CriterionView(criterion_id="1.Verification-2", parent="1", block=2, text="Alternatively, y is verified."),
    ]
    assert logic(alone)["1"] == LogicValue("AND")


def test_a_group_is_cumulative() -> None:
    criteria = family("The kiln is either:", ("closed;", "cold;", "new."))
    box = CriterionView(criterion_id="1(a-b)", parent="1", block=None, text="")
    moved = [c.model_copy(update={"parent": "1(a-b)"}) if c.criterion_id in ("1(a)", "1(b)") else c for c in criteria]
    result = logic([*moved, box])
    assert (result["1"], result["1(a-b)"]) == (LogicValue("OR"), LogicValue("AND"))


def test_the_evidence_is_the_words_that_say_it() -> None:
    text = "2. It is old. The kiln meets one of the following criteria:"
    answers = {a.id: a for a in infer_logic(UNIT, family(text, ("x;", "y.")), [])}
    ((block, start, end),) = answers["1"].evidence
    assert (block, text[start:end]) == (0, "one of the following")


def test_answers_come_in_the_order_of_the_criteria() -> None:
    criteria = family("The kiln is either:", ("closed;", "cold."))
    shuffled = [criteria[2], criteria[0], criteria[3], criteria[1]]
    assert [a.id for a in infer_logic(UNIT, shuffled, [])] == [c.criterion_id for c in shuffled]
