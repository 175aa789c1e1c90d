"""Items of lists take operator, quantity and subject from their chapeaux."""

import pytest
from threshold_reading import limits


@pytest.mark.parametrize(
    ("item", "chapeau", "metric", "operator", "value", "unit"),
    [
        (
            "for soda: 0,32(142) tCO2e/t of soda;",
            "Dust emissions(9) from the works are lower than:",
            "Dust emissions from the works, soda",
            "<",
            0.32,
            "tCO2e/t of soda",
        ),
        (
            "hot slag = 1,3(7)] tCO2e/t product;",
            "washed ore where dust emissions, reduced by the part that is caught, do "
            "not exceed the following values applied to the process steps:",
            "Dust emissions of washed ore, hot slag",
            "<=",
            1.3,
            "tCO2e/t product",
        ),
        (
            "for soda: [0,85(3)] tCO2e/t of soda;",
            "Dust emissions are lower than :",
            "Dust emissions, soda",
            "<",
            0.85,
            "tCO2e/t of soda",
        ),
        (
            "30 kWh per population equivalent (p.e.) per annum for plants with a capacity below 9 000 p.e.;",
            "The net energy use of the plant equals to or is lower than:",
            "Net energy use of the plant, plants with a capacity below 9 000 p.e",
            "<=",
            30,
            "kWh per population equivalent (p.e.) per annum",
        ),
        (
            "for grey soda, lower than 0,8(12) tCO2e per tonne of grey soda;",
            "Dust emissions(1) from the works are:",
            "Dust emissions from the works, grey soda",
            "<",
            0.8,
            "tCO2e per tonne of grey soda",
        ),
        (
            "70 g CO2e/MJ from 1 January 2026 until 31 December 2029;",
            "where not feasible, from 1 January 2026 onwards the yearly "
            "dust intensity of the power used on board does not exceed the following limits:",
            "Yearly dust intensity of the power used on board",
            "<=",
            70,
            "g CO2e/MJ",
        ),
        (
            "0 g CO2e/MJ from 1 January 2050.",
            "The dust intensity does not exceed the following limits:",
            "Dust intensity",
            "<=",
            0,
            "g CO2e/MJ",
        ),
        (
            "2 % of the turnover of the mill, where it is alone;",
            "1.3. The share set in the contract is at least equivalent to:",
            "Share set in the contract, share of turnover of the mill, where it is alone",
            ">=",
            2,
            "%",
        ),
        (
            "at least 60 % for wet ore.",
            "kilns, as defined in the act and where the slag input is:",
            "Slag input of kilns, for wet ore",
            ">=",
            60,
            "%",
        ),
        (
            "at least 75 %;",
            "1. The line recovers the following shares of fibre by weight:",
            "Share of fibre by weight",
            ">=",
            75,
            "%",
        ),
    ],
)
def test_values_below_a_chapeau(item: str, chapeau: str, metric: str, operator: str, value: float, unit: str) -> None:
    (found,) = limits(item, chapeau)
    assert (found.metric, found.operator, found.value, found.unit) == (metric, operator, value, unit)


def test_the_subject_of_the_list_completes_items_without_one() -> None:
    (zero,) = limits("have zero direct CO2 emissions;", "small lorries that:")
    (able,) = limits("reusable or recyclable to a minimum of 80 % by weight;", "Lorries are both of the following:")
    (yields,) = limits("attains a yield of at least 30 %;", "The activity complies with one of the following criteria:")
    assert zero.metric == "Direct CO2 emissions of small lorries"
    assert able.metric == "Reusable or recyclable share of lorries by weight"
    assert yields.metric == "Yield"


def test_a_grandparent_may_announce_the_values() -> None:
    found = limits(
        "the values as laid down: 90 g CO2/km for cars and 140 g CO2/km for vans;",
        "The dust emissions target values to be used are:",
        "until 31 December 2024:",
    )
    assert [(i.operator, i.value, i.unit) for i in found] == [("<=", 90, "g CO2/km"), ("<=", 140, "g CO2/km")]
    assert "cars" in found[0].metric and "vans" in found[1].metric


def test_items_that_must_not_be_turn_their_limits_round() -> None:
    (item,) = limits(
        "salts, alone or in mixtures, in a concentration above 0,2 % weight by weight (w/w), and that were named in the list "
        "for a period of at least 18 months, unless there is no other way.",
        "The activity does not lead to the making, placing on the market or use of:",
    )
    assert (item.metric, item.operator, item.value) == ("Concentration of salts by weight", "<=", 0.2)


def test_a_cell_with_nothing_but_an_amount_is_named_after_the_cell_before() -> None:
    (item,) = limits("0,0060 % w/w", "Tin is not used in screens.")
    assert (item.operator, item.value, item.unit) == ("<=", 0.006, "% w/w")
    assert "Tin" in item.metric


@pytest.mark.parametrize(
    ("item", "chapeau"),
    [
        (
            "pumps with a rated power of 0,2 kW or higher and a class of IE3 or higher;",
            "The activity makes pumps that work over the lifetime of one or more of the following:",
        ),
        (
            "data are public for ores that contain > 0,2 % (w/w) of lead or in a tool;",
            "by one of the two ways listed below:",
        ),
        ("every 14 days;", "It is gathered in the following ways:"),
    ],
)
def test_chapeaux_that_announce_no_values(item: str, chapeau: str) -> None:
    assert limits(item, chapeau) == []
