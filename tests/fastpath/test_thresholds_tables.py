"""Every row of the rule tables reads its own example."""

import doctest
import importlib
import pkgutil
import re

import pytest
from threshold_reading import extract, limits

from regreact.fastpath import thresholds
from regreact.fastpath.thresholds import conditions, durations, masking, naming, operators, shares, temporal
from regreact.fastpath.thresholds.naming import quantity
from regreact.fastpath.thresholds.reading import Reading
from regreact.legal.numbers import NUMBER
from regreact.schema import QuantitativeItem


@pytest.mark.parametrize("rule", shares.RULES, ids=lambda r: r.name)
def test_share_rules_name_their_example(rule: shares.ShareRule) -> None:
    amount = "5 %" if rule.operator else "at least 5 %"
    (item,) = limits(rule.example.replace("#", amount))
    assert item.metric == rule.result
    assert item.operator == (rule.operator or ">=")


@pytest.mark.parametrize("rule", naming.RULES, ids=lambda r: r.name)
def test_name_rules_name_their_example(rule: naming.NameRule) -> None:
    assert rule.pattern.search(rule.example)
    assert quantity(rule.example) == rule.result


@pytest.mark.parametrize("rule", durations.RULES, ids=lambda r: r.name)
def test_duration_rules_name_their_example(rule: durations.DurationRule) -> None:
    (item,) = limits(f"{rule.example} at least six years.")
    assert (item.metric, item.operator, item.value, item.unit) == (rule.result, ">=", 6, "years")


@pytest.mark.parametrize("rule", conditions.RULES, ids=lambda r: r.name)
def test_condition_rules_skip_their_example(rule: conditions.ConditionRule) -> None:
    numbers = {float(n.replace(",", ".")) for n in re.findall(r"\d+(?:,\d+)?", rule.example)}
    kept = {item.value for item in limits(rule.example)}
    assert numbers - kept, "the example has a number that is a condition"
    assert len(kept) < 2


@pytest.mark.parametrize("rule", masking.RULES, ids=lambda r: r.name)
def test_mask_rules_blank_their_example(rule: masking.MaskRule) -> None:
    assert rule.pattern.search(rule.example)
    masked = masking.mask(rule.example)
    assert len(masked) == len(rule.example)
    assert masked != rule.example


@pytest.mark.parametrize("rule", operators.BEFORE, ids=lambda r: r.words[:40])
def test_operator_rules_read_their_example(rule: operators.OperatorRule) -> None:
    number = next(re.finditer(NUMBER, rule.example))
    if rule.words.startswith(r"between \d"):
        number = list(re.finditer(NUMBER, rule.example))[-1]
    found = operators.comparison(rule.example, 0, number.start(), number.end())
    assert found is not None
    assert found.operator == rule.operator


@pytest.mark.parametrize("rule", temporal.RULES, ids=lambda r: r.name)
def test_temporal_rules_read_their_example(rule: temporal.TemporalRule) -> None:
    (found,) = temporal.find_temporal(Reading(rule.example).masked)
    match = rule.pattern.search(rule.example)
    assert match is not None
    assert found.item == rule.build(match)


def test_helpers_agree() -> None:
    found = extract("Losses are below 5 %.")
    assert found is not None and found.quantitative is not None
    assert found.quantitative.items == (QuantitativeItem(metric="Losses", operator="<", value=5, unit="%"),)


@pytest.mark.parametrize(
    "module",
    [f"{thresholds.__name__}.{m.name}" for m in pkgutil.iter_modules(thresholds.__path__)]
    + ["regreact.legal.units", "regreact.legal.numbers", "regreact.legal.dates"],
)
def test_examples_in_docstrings_hold(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module)).failed == 0
