"""What must hold for any text: numbers come from the source, evidence lies in it, every criterion is answered."""

from hypothesis import given, settings
from hypothesis import strategies as st
from threshold_reading import UNIT, answer, limits

from regreact.fastpath.thresholds import extract_thresholds
from regreact.observers.thresholds import numbers_in
from signatures.types import CriterionView

WORDS = (
    "the losses of mill are is below at least more than 5 % 0,7 12 000 kg CO2e/t every two years by 2030 where for within zero "
    "direct CO2 emissions and or , . ; : ( ) in mass from kilns not exceed has a maximum flow of reduction relative to"
).split(" ")
sentences = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)


@given(sentences)
@settings(max_examples=100, deadline=None)
def test_every_value_stands_in_the_text(text: str) -> None:
    stated = numbers_in(text)
    for item in limits(text):
        assert item.value in stated


@given(sentences)
@settings(max_examples=60, deadline=None)
def test_evidence_lies_in_the_text(text: str) -> None:
    found = answer(text)
    assert 0 <= found.confidence <= 1
    for block, start, end in found.evidence:
        assert block == 9 and 0 <= start < end <= len(text)
    if found.value is not None:
        assert found.evidence


@given(st.lists(st.text(max_size=60), max_size=6))
@settings(deadline=None)
def test_every_criterion_gets_one_answer(texts: list[str]) -> None:
    views = [CriterionView(criterion_id=str(i), parent=None, block=i, text=t) for i, t in enumerate(texts)]
    assert [a.id for a in extract_thresholds(UNIT, views)] == [v.criterion_id for v in views]


@given(
    st.integers(1, 10**6), st.sampled_from([" ", "\u00a0", "\u2009", "\u202f"]), st.sampled_from(["kg", "m3", "kWh"])
)
@settings(deadline=None)
def test_spaced_thousands_are_one_number(value: int, space: str, unit: str) -> None:
    printed = f"{value:,}".replace(",", space)
    (item,) = limits(f"The losses of the mill do not exceed {printed} {unit}.")
    assert (item.value, item.unit) == (value, unit)


@given(st.decimals(0, 999, places=3), st.booleans())
@settings(deadline=None)
def test_decimal_comma_and_point_mean_the_same(value: object, comma: bool) -> None:
    printed = f"{value:.3f}"
    (item,) = limits(f"The losses of the mill are below {printed.replace('.', ',') if comma else printed} mg/m3.")
    assert item.value == float(printed)
