"""Numbers that decide nothing: conditions, citations, classes, methods (threshold-versus-condition test, D.2)."""

import pytest
from threshold_reading import answer, limits


@pytest.mark.parametrize(
    "text",
    [
        "Kilns with a total rated thermal input below 3 MW and using biogas are exempt.",
        "Points 1 and 2 do not apply to kilns with a rated thermal input below 3 MW.",
        "For mills with a rated output of 12 kW or below, noise is below the limit set in the act.",
        "For kilns with thermal input greater than 1 MW but below the thresholds for the large ones, the act applies.",
        "For mills treating over 90 tonnes per day and for kilns treating over 60 tonnes per day, the act applies.",
        "For sites larger than 4000 m2 (12), the work is checked.",
        "For shops with over 40 employees, one of the following holds:",
        "In the case of storage above four tonnes, the act applies.",
        "Where the mill has a capacity of 90000 p.e. or more, or of a daily load of more than 5000 kg, it digests its sludge.",
        "Where the flow has to be lower than 5 L/min, point 2 applies.",
        "lorries of category N2 with a laden mass not exceeding 7 tonnes that are clean lorries;",
        "transformers with highest voltage for equipment not exceeding 30 kV, with low losses;",
        "Where the mill is large (with an effective rated output of over 280 kW) it is monitored.",
        "Plastic parts > 20 g do not contain chlorine.",
        "kilns older than 12 years are replaced.",
        "Between 2029 and 2031, kilns that are older than 12 years are replaced.",
        "It is another pump that was on sale during last 4 years.",
        "Ores with slag (with tolerance level ±25 %) are reported.",
        "The reference temperature is 35 ± 1 °C.",
        "Unknown shares are to be counted as comprising 100 % primary ore.",
        "The operator shows compliance with the 80 % threshold by reporting.",
        "with a long term that corresponds to 90 years.",
        "The balance over a period of 25 years after the start is lower than the baseline.",
        "The ratio is averaged over the preceding 9 years.",
        "motors with a rated output between 0,2 kW and 900 kW, with 2, 4 or 6 poles;",
        "The impact of fields (0 Hz to 290 GHz) is limited.",
        "‘Small mill’ means a mill that employs fewer than 12 people.",
        "At least two of the following are met:",
        "The plan names at least 3 criteria.",
        "The share of slag is reported.",
    ],
)
def test_no_limits(text: str) -> None:
    assert limits(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "more than 60 % of the new power in the system is below the value of 90 g CO2e/kWh over a rolling five-year period;",
            60,
        ),
        ("at least 80 % of the straw comes from within 100 km of the works;", 80),
        (
            "closes the gap by at least 15 % either between the mean loss and an index of 1,5 or between the mean loss and X;",
            15,
        ),
        (
            "having a mass greater than 5 t and less than or equal to 50 t and a dust value of at least 9 % less than the limit;",
            9,
        ),
        ("Filters remove at least 70 % of grains > 4 μm.", 70),
        ("limit at 900 mg/kg dry matter the carbon content after a leaching test with L/S = 9 l/kg.", 900),
    ],
)
def test_comparators_and_bounds_belong_to_the_quantity(text: str, value: float) -> None:
    assert [item.value for item in limits(text)] == [value]


def test_a_size_that_is_all_an_item_says_is_its_test() -> None:
    assert [i.value for i in limits("chargers with a rated power of at least 40 kW;")] == [40]


def test_numbers_that_no_rule_accounts_for_lower_the_confidence() -> None:
    certain = answer("Losses are below 5 %.").confidence
    doubtful = answer("Losses are below 5 % in scheme 17.").confidence
    assert doubtful < certain
    assert answer("The scheme 17 applies.").confidence < answer("The scheme applies.").confidence


def test_containers_state_nothing_for_sure() -> None:
    from threshold_reading import UNIT  # noqa: PLC0415

    from regreact.fastpath.thresholds import extract_thresholds  # noqa: PLC0415
    from signatures.types import CriterionView  # noqa: PLC0415

    (only,) = extract_thresholds(UNIT, [CriterionView(criterion_id="1(a-e)", parent=None, block=None, text="")])
    assert (only.value, only.confidence) == (None, 1.0)


def test_evidence_covers_words_number_and_unit() -> None:
    text = "2. Losses are lower than 5(12) % until 2030."
    found = answer(text)
    spans = [text[start:end] for _, start, end in found.evidence]
    assert spans == ["lower than 5(12) %", "until 2030"]
