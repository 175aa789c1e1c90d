"""What a gold file must be, and how its errors name the place."""

import json
from pathlib import Path
from typing import Any

import pytest

from regreact.errors import GoldError
from regreact.evaluation.gold import GoldUnit, attach, load_gold, read_gold
from regreact.schema import Definition
from tests.evaluation.builders import UNIT, gold, gold_node


def write(path: Path, data: Any) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("node", "place"),
    [
        ({"category": "Quantitive"}, "X-1/SC: node 1 (7(a)): category"),
        ({"colour": "red"}, "X-1/SC: node 1 (7(a)): colour"),
        ({"blocks": ["first"]}, "X-1/SC: node 1 (7(a)): blocks.0"),
        ({"evaluation_logic": "N_OF_K"}, "X-1/SC: node 1 (7(a)): Value error, n_required"),
        ({"tags": ["Assessment", "BackgroundInformation"]}, "X-1/SC: node 1 (7(a)): Value error, Background"),
        ({"parent": "7"}, "X-1/SC: node 1 (7(a)): parent 7 does not exist"),
        ({"threshold": {"quantitative": None, "temporal": None}}, "X-1/SC: node 1 (7(a)): threshold"),
    ],
)  # fmt: skip
def test_an_error_names_file_unit_node_and_field(node: dict[str, Any], place: str, tmp_path: Path) -> None:
    path = write(tmp_path / "X-1__SC.json", gold({**gold_node("7(a)", "ROOT", 0), **node}))
    with pytest.raises(GoldError) as caught:
        read_gold(path)
    assert str(caught.value).startswith(f"{path}: {place}")


@pytest.mark.parametrize("data", [{}, {"unit": "X-1/SC"}, {"unit": "X-1/SC", "nodes": [5]}, gold(nodes=[])])
def test_a_file_of_another_shape_is_refused(data: Any, tmp_path: Path) -> None:
    with pytest.raises(GoldError, match=r"X-1__SC\.json"):
        read_gold(write(tmp_path / "X-1__SC.json", data))


def test_root_comes_first(tmp_path: Path) -> None:
    with pytest.raises(GoldError, match="not ROOT"):
        read_gold(write(tmp_path / "a.json", {**gold(), "nodes": [gold_node("1", None, 0)]}))


def test_a_unit_is_annotated_once(tmp_path: Path) -> None:
    write(tmp_path / "a.json", gold())
    write(tmp_path / "b.json", gold(source="doc-2"))
    assert len(load_gold(tmp_path)) == 2
    write(tmp_path / "c.json", gold())
    with pytest.raises(GoldError, match=r"c\.json: X-1/SC of doc-1 is annotated in a\.json already"):
        load_gold(tmp_path)


def test_texts_and_terms_come_from_the_source() -> None:
    note = {"id": "fn-1", "categories": ["Technical Definition"], "items": [], "terms": ["filter", {"term": "dust"}]}
    annotated = gold(gold_node("1", "ROOT", 0, 1, footnotes=[note], threshold_from="2"), gold_node("2", "ROOT"))
    tree = attach(GoldUnit.model_validate(annotated), UNIT)
    first, second = tree.root.sub_criteria
    assert first.verbatim_text == "\n".join(b.text for b in UNIT.blocks)
    assert second.verbatim_text == tree.root.verbatim_text == ""
    assert first.footnotes[0].verbatim == "See ISO 1:2018."
    assert first.footnotes[0].definitions == (
        Definition(term="filter", definition=""),
        Definition(term="dust", definition=""),
    )
    assert tree.threshold_from == {"1": "2"}


def test_a_contradiction_in_a_unit_built_by_hand_is_a_gold_error() -> None:
    contradictory = GoldUnit.model_validate(gold(gold_node("1", "ROOT", 0, n_required=2)))
    with pytest.raises(GoldError, match="X-1/SC: Value error, n_required"):
        attach(contradictory, UNIT)
