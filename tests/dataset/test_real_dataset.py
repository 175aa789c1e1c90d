"""The dataset of the delegated acts, read at test time from the real sources."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from regreact.config import Settings
from regreact.dataset.build import Request, build
from tests.dataset.conftest import contents, lines

pytestmark = pytest.mark.slow

ACTS = ("taxonomy/02021R2139-20250108.fmx.xml", "taxonomy/02023R2486-20260101.fmx.xml")


@pytest.fixture(scope="module")
def acts(data_root: Path) -> tuple[str, ...]:
    paths = [data_root / name for name in ACTS]
    for path in paths:
        if not path.is_file():
            pytest.skip(f"real source absent: {path}")
    return tuple(map(str, paths))


@pytest.fixture(scope="module")
def real(acts: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("real") / "dataset"
    outcome = build(Request(acts, out), Settings())
    assert outcome.exit_code == 0
    assert len(outcome.summary.lines) == 1474
    return out


def test_all_activities_with_all_sections(real: Path) -> None:
    """242 activities as the paper counts them, each with substantial contribution and five DNSH sections."""
    rows = lines(real / "nested.jsonl")
    assert Counter(row["annex"] for row in rows) == {"CCM": 101, "CCA": 106, "WTR": 6, "CE": 21, "PPC": 6, "BIO": 2}
    for row in rows:
        sections = [section["section"] for section in row["sections"]]
        assert sections[0] == "SC" and len(set(sections)) == 6
        assert f"DNSH.{row['objective']}" not in sections
    total = json.loads((real / "statistics.json").read_text(encoding="utf-8"))["total"]
    assert total["activities"] == total["complete"] == 242
    assert total["nodes"] > 4800


def test_a_second_build_gives_the_same_bytes(real: Path, acts: tuple[str, ...], tmp_path: Path) -> None:
    outcome = build(Request(acts, tmp_path / "again"), Settings())
    assert {line.status for line in outcome.summary.lines} == {"done"}
    assert contents(tmp_path / "again") == contents(real)
