"""Tables, linked data, flowcharts and graphs: they parse, keep what they hold, and run nothing."""

from __future__ import annotations

import csv
import json
import re
import sys
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import igraph
import pyarrow.parquet as pq
import pytest

from regreact import cli
from regreact.config import Settings
from regreact.dataset.build import Request, build
from regreact.export.cells import clean
from regreact.export.commands import ENDINGS, render
from regreact.export.graphml import graphml
from regreact.export.json_ld import CONTEXT, VOCABULARY, json_ld
from regreact.export.mermaid import flowchart, mermaid
from regreact.export.tables import csv_table, jsonl_table, parquet_table
from regreact.extractions import read_extractions
from regreact.schema import Edge, Extraction
from tests.dataset.builders import criterion
from tests.export.cases import HOSTILE, extraction


@pytest.fixture(scope="session")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of some sample units, in Compass and in Formex, one with footnotes."""
    out = tmp_path_factory.mktemp("export") / "dataset"
    assert (
        build(Request(("samples",), out, units=("CCM-21.2/SC", "CCM-31.1/*", "CE-32.1/SC")), Settings()).exit_code == 0
    )
    return out


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    monkeypatch.setattr(sys, "argv", ["regreact", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    return int(stop.value.code or 0)


def csv_rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(content.decode("utf-8-sig"), newline="")))


def test_csv_keeps_numbers_and_marks_what_could_be_a_formula(hostile: Extraction) -> None:
    rows = csv_rows(csv_table([hostile]))[1:]
    assert {row["Value"] for row in rows} == {"-5"} and {row["Operator"] for row in rows} == {"="}
    for row, text in zip(rows, HOSTILE, strict=True):
        told = clean(text)
        assert row["Text"] == (f"'{told}" if told.strip()[:1] in ("=", "+", "-", "@") and told else told)
    assert not any(re.match(r"\s*[=+\-@].", cell) for row in rows for name, cell in row.items() if name != "Value")


def test_csv_of_a_date_and_two_limits(washing: Extraction) -> None:
    row = csv_rows(csv_table([washing]))[2]
    assert (row["Value"], row["Until"], row["Limits"], row["Joined by"]) == ("5", "2031-12-31", "3", "AND")


def test_jsonl_and_parquet_hold_the_dataset_s_flat_rows(dataset: Path) -> None:
    (work,) = (dataset.parent / f"{dataset.name}.build").iterdir()
    extractions = read_extractions(work).extractions
    assert jsonl_table(extractions) == (dataset / "flat.jsonl").read_bytes()
    ours = pq.read_table(BytesIO(parquet_table(extractions)))
    assert ours.equals(pq.read_table(dataset / "flat.parquet"))


def linked(extractions: list[Extraction]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json_ld(extractions))
    return found


def terms(data: Any) -> set[str]:
    """Return all keys and types of a JSON-LD graph."""
    if isinstance(data, list):
        return set().union(*map(terms, data))
    if not isinstance(data, dict):
        return set()
    kinds = data.get("type", [])
    return set(data) | set([kinds] if isinstance(kinds, str) else kinds) | terms(list(data.values()))


def test_json_ld_uses_only_terms_that_its_context_or_vocabulary_explains(washing: Extraction) -> None:
    data = linked([washing])
    assert data["@context"] == CONTEXT
    for term in terms(data["@graph"]):
        prefix, colon, name = term.partition(":")
        assert term in CONTEXT if not colon else prefix in CONTEXT, term
        assert prefix != "rr" or name in VOCABULARY or name in {"sha256"}, term


def test_json_ld_tells_limits_citations_and_the_order_of_criteria(washing: Extraction) -> None:
    (section,) = [n for n in linked([washing])["@graph"] if n["type"] == "rr:CriterionSet"]
    (chapeau,) = section["hasPart"][0]["hasPart"]
    first, second = chapeau["hasPart"]
    assert (first["id"], second["id"]) == (
        "urn:regreact:act:CE-1.1%2FSC:1%28a%29",
        "urn:regreact:act:CE-1.1%2FSC:1%28b%29",
    )
    assert [(t.get("value"), t.get("unitText"), t.get("endDate")) for t in first["rr:threshold"]] == [
        (5.0, "%", None), (0.25, "l/kg", None), (None, None, "2031-12-31"),
    ]  # fmt: skip
    act = second["citation"][0]["schema:about"]
    assert act["id"] == "http://publications.europa.eu/resource/celex/32099L0001"
    assert second["dependsOn"][0]["criterion"] == second["inheritsThreshold"] == first["id"]


def test_json_ld_of_hostile_texts_has_safe_iris_and_links(hostile: Extraction) -> None:
    content = json_ld([hostile]).decode()
    assert "javascript:alert" not in content
    ids = [i for i in re.findall(r'"id": "([^"]*)"', content) if i != "@id"]
    assert ids and all(re.fullmatch(r"(?:urn:regreact:|rr:|http://)[\w.%:/()-]*", i) for i in ids)


def test_a_flowchart_draws_logic_by_shape(washing: Extraction) -> None:
    lines = flowchart(washing).splitlines()
    assert lines[0] == "flowchart TD"
    assert lines[1] == '  c0["CE-1.1/SC (AND)"]'
    assert lines[2] == '  c1{"1 (OR)<br/>1. Either is met#58;"}'
    assert lines[3].startswith('  c2("1(a)<br/>') and "Losses #8804; 5 #37;" in lines[3]
    assert "  c3 -. depends on .-> c2" in lines and "  c1 --> c3" in lines
    assert "  class c2 quantitative;" in lines and "  class c3 conditional;" in lines


def test_no_text_leaves_its_label_or_its_code_block(hostile: Extraction) -> None:
    content = mermaid([hostile]).decode()
    assert content.count("```") == 2
    for line in flowchart(hostile).splitlines():
        if line.strip().startswith("c") and '"' in line:
            assert re.fullmatch(r'  c\d+[\[({]+"(?:[\w .,()/-]|#\d+;|<br/>)*"[\])}]+', line), line


def loaded(tmp_path: Path, *extractions: Extraction) -> igraph.Graph:
    path = tmp_path / "g.graphml"
    path.write_bytes(graphml(extractions))
    return igraph.Graph.Read_GraphML(str(path))


def test_igraph_loads_the_graph_with_its_edge_types(washing: Extraction, tmp_path: Path) -> None:
    graph = loaded(tmp_path, washing)
    found = {(graph.vs[e.source]["name"], graph.vs[e.target]["name"], e["type"]) for e in graph.es}
    base = "act|CE-1.1/SC|"
    assert found == {
        (base + e.source, e.target if e.type == "references" else base + e.target, e.type) for e in washing.edges
    }
    (act,) = graph.vs.select(kind="act")
    assert act["name"] == "celex:32099L0001"
    assert graph.vs.find(criterion="1(a)")["threshold"].startswith("Losses ≤ 5 %")


def test_a_reference_to_an_exported_unit_ends_in_its_tree(washing: Extraction, tmp_path: Path) -> None:
    other = extraction(
        "CE-1.2/SC", criterion("1", "a"), edges=(Edge(source="1", target="CE-1.1/SC", type="references"),)
    )
    graph = loaded(tmp_path, other, washing)
    (edge,) = [e for e in graph.es if graph.vs[e.source]["unit"] == "CE-1.2/SC"]
    assert graph.vs[edge.target]["name"] == "act|CE-1.1/SC|ROOT"


def test_hostile_texts_load_in_igraph(hostile: Extraction, tmp_path: Path) -> None:
    graph = loaded(tmp_path, hostile)
    assert [v["text"] for v in graph.vs][1:] == [clean(text) for text in HOSTILE]


def test_the_command_writes_each_format_and_says_where(
    washing: Extraction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "act").mkdir()
    (tmp_path / "act/CE-1.1__SC.json").write_text(json.dumps(washing.to_json()), encoding="utf-8")
    for form, ending in ENDINGS.items():
        assert command(monkeypatch, "export", tmp_path, "--format", form) == 0
        path = tmp_path / "export" / f"criteria.{ending}"
        assert str(path) in capsys.readouterr().out
        if form not in ("xlsx",):
            assert path.read_bytes() == render([washing], form)
    # What was exported is not read back as an extraction.
    assert command(monkeypatch, "export", tmp_path, "--format", "csv", "--to", tmp_path / "x.csv", "-u", "CE-*/SC") == 0
    assert (tmp_path / "x.csv").read_bytes() == csv_table([washing])


def test_what_cannot_be_exported_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(monkeypatch, "export", tmp_path / "none") == 3
    assert "regreact extract" in capsys.readouterr().err
    (tmp_path / "act").mkdir()
    (tmp_path / "act/x.json").write_text("{}", encoding="utf-8")
    assert command(monkeypatch, "export", tmp_path) == 2
    assert "x.json" in capsys.readouterr().err
