"""What the tables hold: the same rows in every form, each told by its schema, each text found again in its source."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow.parquet as pq
import pytest

from regreact import corpus
from regreact.dataset.rows import ROWS, ActivityRow
from regreact.dataset.standoff import blocks_of
from regreact.dataset.tables import arrow_schema, json_lines, parquet
from regreact.schema import CRITERION_FIELDS, Criterion
from regreact.sources.model import SECTIONS, Unit
from tests.dataset.builders import activity, criterion, section, unit_of
from tests.dataset.conftest import lines, trees

TABLES = ("nested", "flat", "appendices")


@pytest.fixture(scope="module")
def units() -> dict[tuple[str, str], Unit]:
    return {(d.document, u.key): u for d in corpus.load("samples").documents for u in d.units}


def test_every_unit_of_the_source_is_in_exactly_one_row(samples: Path, units: dict[tuple[str, str], Unit]) -> None:
    rows = lines(samples / "nested.jsonl") + lines(samples / "appendices.jsonl")
    found = [(row["document"], section["unit"]) for row in rows for section in row["sections"]]
    assert sorted(found) == sorted(units)
    ids = [(row["document"], row["activity_id"]) for row in rows]
    assert len(set(ids)) == len(ids)


def test_sections_stand_in_the_order_of_the_objectives(samples: Path) -> None:
    rows = {row["activity_id"]: row for row in lines(samples / "nested.jsonl")}
    others = [s for s in SECTIONS if s != "DNSH.circular"]
    assert [s["section"] for s in rows["CE-32.1"]["sections"]] == others
    assert (rows["CE-32.1"]["annex"], rows["CE-32.1"]["number"], rows["CE-32.1"]["objective"]) == ("CE", "32.1", "circular")


def test_flat_rows_are_the_criteria_of_the_trees(samples: Path) -> None:
    """Walking the trees by hand gives the flat table: same criteria, same order, parents, depths and fields."""
    rows = lines(samples / "nested.jsonl") + lines(samples / "appendices.jsonl")
    expected = list(trees(rows))
    flat = lines(samples / "flat.jsonl")
    in_order = {(f["unit"], f["criterion_id"]): f for f in flat}
    assert len(in_order) == len(flat) == len(expected) == 304
    for part, node in expected:
        row = in_order[part["unit"], node["criterion_id"]]
        assert set(CRITERION_FIELDS) <= set(row)
        for name in ("threshold", "references", "dependencies"):
            assert (None if row[name] is None else json.loads(row[name])) == node[name]
        assert json.loads(row["footnotes"]) == node["footnotes"]
        assert row["sub_criteria"] == [child["criterion_id"] for child in node["sub_criteria"]]
        for child in node["sub_criteria"]:
            below = in_order[part["unit"], child["criterion_id"]]
            assert (below["parent"], below["depth"]) == (node["criterion_id"], row["depth"] + 1)
        for name in ("category", "applicability", "tags", "verbatim_text", "rule_summary", "evaluation_logic", "n_required"):
            assert row[name] == node[name]
    roots = [f for f in flat if f["parent"] is None]
    assert {(f["criterion_id"], f["depth"], f["position"]) for f in roots} == {("ROOT", 0, 0)}
    assert len(roots) == 40


@pytest.mark.parametrize("table", TABLES)
def test_parquet_holds_the_rows_of_the_json_lines(samples: Path, table: str) -> None:
    rows = pq.read_table(samples / f"{table}.parquet").to_pylist()
    for part in (s for row in rows for s in row.get("sections", ())):
        part["criteria"] = json.loads(part["criteria"])
    assert rows == lines(samples / f"{table}.jsonl")


@pytest.mark.parametrize("table", TABLES)
def test_parquet_schema_is_that_of_the_rows(samples: Path, table: str) -> None:
    assert pq.read_schema(samples / f"{table}.parquet").equals(arrow_schema(ROWS[table]))  # type: ignore[index]


@pytest.mark.parametrize(("table", "schema"), [("nested", "nested"), ("appendices", "nested"), ("flat", "flat")])
def test_every_row_fits_its_json_schema(samples: Path, bare: Path, table: str, schema: str) -> None:
    for folder in (samples, bare):
        rule = json.loads((folder / f"{schema}.schema.json").read_text(encoding="utf-8"))
        check = jsonschema.Draft202012Validator(rule)
        rows = lines(folder / f"{table}.jsonl")
        assert rows
        for row in rows:
            check.validate(row)
            assert not check.is_valid({**row, "surplus": 1})


def test_text_is_found_again_by_block_and_digest(
    samples: Path, bare: Path, units: dict[tuple[str, str], Unit]
) -> None:
    """A reader of the build without text, who has the source, gets every text and can prove it."""
    whole = {(f["unit"], f["criterion_id"]): f["verbatim_text"] for f in lines(samples / "flat.jsonl")}
    seen = set()
    for row in lines(bare / "flat.jsonl"):
        unit = units[row["document"], row["unit"]]
        text = "" if row["block"] is None else unit.blocks[row["block"]].text
        assert text == whole[row["unit"], row["criterion_id"]]
        digest = hashlib.sha256(text.encode()).hexdigest() if text else None
        assert digest == row["text_sha256"]
        if row["block"] is not None:
            assert (row["unit"], row["block"]) not in seen
            seen.add((row["unit"], row["block"]))
        notes = [unit.footnotes[f["id"]] for f in json.loads(row["footnotes"])]
        assert [hashlib.sha256(note.encode()).hexdigest() for note in notes] == row["footnote_sha256"]
    assert len(seen) > 200


def test_a_build_without_text_repeats_no_sentence(bare: Path, units: dict[tuple[str, str], Unit]) -> None:
    """Citations, titles and metrics stay; what else the files say has no run of eight words of the source."""

    def runs(text: str) -> set[tuple[str, ...]]:
        words = re.findall(r"\w+", text.lower())
        return {tuple(words[i : i + 8]) for i in range(len(words) - 7)}

    source = set().union(*(runs(b.text) for u in units.values() for b in u.blocks))
    source |= set().union(*(runs(note) for u in units.values() for note in u.footnotes.values()))
    assert len(source) > 1000
    for name in ("nested.jsonl", "appendices.jsonl"):
        for path, text in _texts(lines(bare / name)):
            if path[-1] not in ("text", "title", "oj", "metric", "target", "activity"):
                assert not runs(text) & source, (path, text)
    assert not any(f["verbatim_text"] or f["rule_summary"] for f in lines(bare / "flat.jsonl"))


def _texts(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every text in JSON data with the keys that lead to it."""
    if isinstance(value, str):
        yield path, value
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield from _texts(inner, (*path, key))
    for inner in value if isinstance(value, list) else ():
        yield from _texts(inner, path)


def test_a_build_without_text_keeps_all_else(samples: Path, bare: Path) -> None:
    told = ("verbatim_text", "rule_summary", "references", "dependencies", "footnotes")
    for whole, less in zip(lines(samples / "flat.jsonl"), lines(bare / "flat.jsonl"), strict=True):
        assert {k: v for k, v in whole.items() if k not in told} == {k: v for k, v in less.items() if k not in told}
        if whole["dependencies"]:
            clauses = [json.loads(row["dependencies"])["clauses"] for row in (whole, less)]
            assert clauses[0] == clauses[1]
    assert (samples / "statistics.json").read_bytes() == (bare / "statistics.json").read_bytes()
    for row in lines(bare / "nested.jsonl"):
        for part in row["sections"]:
            Criterion.model_validate(part["criteria"])


def test_confidence_and_answerer_go_together(samples: Path) -> None:
    for row in lines(samples / "flat.jsonl"):
        sure = {name for name, value in row["confidence"].items() if value is not None}
        assert sure == {name for name, value in row["answered_by"].items() if value is not None}
        assert {"tags", "applicability", "evaluation_logic", "rule_summary"} <= sure
        assert ("footnotes" in sure) == bool(json.loads(row["footnotes"]))


def test_characters_that_end_lines_elsewhere_do_not_end_a_row() -> None:
    """A lone surrogate is no text and becomes a question mark; line separators are text."""
    odd = activity("CE-9.1", section("CE-9.1/SC", criterion("1", "low \u2028 losses \x85 here \ud800")))
    data = json_lines([odd, odd])
    rows = [json.loads(line) for line in data.split(b"\n")[:-1]]
    assert [r["sections"][0]["criteria"]["sub_criteria"][0]["verbatim_text"] for r in rows] == [
        "low \u2028 losses \x85 here ?"
    ] * 2
    assert pq.read_table(BytesIO(parquet(data, ActivityRow))).num_rows == 2


def test_equal_texts_get_blocks_of_their_own() -> None:
    """The block that the evidence names counts; without evidence equal texts take their blocks in order."""
    root = criterion("ROOT", "", criterion("1", "or"), criterion("2", "or"), criterion("3", "", criterion("3(a)", "or")))
    unit = unit_of(root, "CE-9.1/SC")
    assert blocks_of(unit, root, {}) == {"ROOT": None, "1": 0, "2": 1, "3": None, "3(a)": 2}
    named = {"1": {"tags": ((2, 0, 2),)}}
    assert blocks_of(unit, root, named) == {"ROOT": None, "1": 2, "2": 0, "3": None, "3(a)": 1}
