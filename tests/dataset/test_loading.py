"""A build opens with the tools that its card names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.dataset.conftest import lines

FLAT, ACTIVITIES, APPENDICES = 304, 23, 2


def test_pandas(samples: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    flat = pandas.read_parquet(samples / "flat.parquet")
    assert len(flat) == len(pandas.read_json(samples / "flat.jsonl", lines=True)) == FLAT
    limits = flat["threshold"].dropna().map(json.loads)
    assert len(limits) == sum(row["threshold"] is not None for row in lines(samples / "flat.jsonl"))


def test_duckdb(samples: Path) -> None:
    """The query of the card, and the number of rows of each table."""
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    card = (samples / "README.md").read_text(encoding="utf-8")
    query = re.search(r"```sql\n(.*?)```", card, re.DOTALL)
    assert query is not None
    found = duckdb.sql(query[1].replace("DIR", str(samples))).fetchall()
    assert ("CCM-21.6/SC", "1(a)", "0.0") in found
    for table, count in (("flat", FLAT), ("nested", ACTIVITIES), ("appendices", APPENDICES)):
        for reader in (f"'{samples}/{table}.parquet'", f"read_json('{samples}/{table}.jsonl')"):
            assert duckdb.sql(f"SELECT count(*) FROM {reader}").fetchall() == [(count,)]


def test_datasets(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")

    def load(*what: str, **how: str) -> dict[str, int]:
        found = datasets.load_dataset(*what, **how, cache_dir=str(tmp_path / "cache"))
        return {split: table.num_rows for split, table in found.items()}

    assert load(str(samples)) == {"criteria": FLAT}
    assert load(str(samples), "nested") == {"activities": ACTIVITIES, "appendices": APPENDICES}
    for table, count in (("flat", FLAT), ("nested", ACTIVITIES), ("appendices", APPENDICES)):
        assert load("parquet", data_files=str(samples / f"{table}.parquet")) == {"train": count}
        assert load("json", data_files=str(samples / f"{table}.jsonl")) == {"train": count}
