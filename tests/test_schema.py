"""The 13 fields, their null rules, and the exported JSON Schema."""

import pytest
from pydantic import ValidationError

from regreact.config import data_dir
from regreact.schema import (
    CRITERION_FIELDS,
    Correction,
    Criterion,
    Enrichment,
    Quantitative,
    QuantitativeItem,
    Threshold,
)
from regreact.schema_export import rendered


def leaf(**changes: object) -> Criterion:
    values: dict[str, object] = {
        "criterion_id": "1",
        "category": "Qualitative",
        "applicability": "Mandatory",
        "tags": [],
        "verbatim_text": "1. Losses are low.",
        "rule_summary": "Losses must be low.",
        "evaluation_logic": "LEAF",
        "n_required": None,
        "threshold": None,
        "references": None,
        "dependencies": None,
        "sub_criteria": [],
        "footnotes": [],
    }
    return Criterion.model_validate({**values, **changes})


def test_thirteen_fields_in_the_order_of_appendix_f() -> None:
    assert CRITERION_FIELDS == (
        "criterion_id", "category", "applicability", "tags", "verbatim_text", "rule_summary", "evaluation_logic",
        "n_required", "threshold", "references", "dependencies", "sub_criteria", "footnotes",
    )  # fmt: skip
    assert list(leaf().model_dump()) == list(CRITERION_FIELDS)


@pytest.mark.parametrize("field", CRITERION_FIELDS)
def test_every_field_is_required(field: str) -> None:
    values = leaf().model_dump()
    del values[field]
    with pytest.raises(ValidationError):
        Criterion.model_validate(values)


@pytest.mark.parametrize(
    "changes",
    [
        {"extra": 1},
        {"category": "quantitative"},
        {"tags": ["Verification", "BackgroundInformation"]},
        {"tags": ["Verification", "Verification"]},
        {"tags": None},
        {"footnotes": None},
        {"evaluation_logic": "N_OF_K"},
        {"n_required": 2},
        {"threshold": {"quantitative": None, "temporal": None}},
        {"references": {"logic": None, "sources": []}},
    ],
)
def test_null_rules_and_enums_are_enforced(changes: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        leaf(**changes)


def test_a_joiner_needs_two_items() -> None:
    item = QuantitativeItem(metric="Losses", operator="<", value=5, unit="%")
    with pytest.raises(ValidationError):
        Quantitative(logic="OR", items=(item,))
    assert Threshold(quantitative=Quantitative(logic="OR", items=(item, item))).temporal is None


def test_enrichment_has_content_only_when_retrieved() -> None:
    assert Enrichment(status="paywalled").summary is None
    with pytest.raises(ValidationError):
        Enrichment(status="skipped", summary="x")


def test_corrections_are_written_with_the_contract_s_key() -> None:
    record = Correction.model_validate(
        {"criterion_id": "1", "from": "1(b)", "to": "1(f)", "reason": "crossref", "decided_by": "rule"}
    )
    assert record.model_dump(by_alias=True)["from"] == "1(b)"


def test_walk_goes_in_document_order() -> None:
    tree = leaf(
        criterion_id="ROOT",
        sub_criteria=[leaf(sub_criteria=[leaf(criterion_id="1(a)")]), leaf(criterion_id="2")],
    )
    assert [c.criterion_id for c in tree.walk()] == ["ROOT", "1", "1(a)", "2"]


def test_exported_schema_is_fresh() -> None:
    folder = data_dir("schema")
    stale = [n for n, text in rendered().items() if (folder / n).read_text(encoding="utf-8") != text]
    assert not stale, "run `make schema`"
