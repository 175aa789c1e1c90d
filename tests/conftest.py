"""Real sources for the whole run: read once, skipped with a reason where they are absent."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from regreact.sources import read
from regreact.sources.model import Document, Unit

# How long an example takes depends on what else the machine does.
settings.register_profile("regreact", deadline=None)
settings.load_profile("regreact")

ROOT = Path(__file__).resolve().parent.parent
DATA_PLACES = (ROOT / "data/raw", ROOT.parent / "shared/data")


@dataclass(frozen=True)
class DevBlocks:
    """What the blocks and footnotes of one unit of the development set must be, and in which document."""

    unit: str
    document: str
    blocks: list[dict[str, Any]]
    footnotes: dict[str, str]


@pytest.fixture(scope="session")
def data_root() -> Path:
    """Folder of the real sources."""
    named = os.environ.get("REGREACT_DATA")
    for place in ([Path(named)] if named else []) + list(DATA_PLACES):
        if place.is_dir():
            return place
    pytest.skip("real sources absent: set REGREACT_DATA to the folder that holds them")


def real_document(root: Path, name: str) -> Document:
    """Read a real source, or skip the test if the folder lacks it."""
    path = root / name
    if not path.is_file():
        pytest.skip(f"real source absent: {path}")
    return read(path)


@pytest.fixture(scope="session")
def compass(data_root: Path) -> Document:
    """The Compass dump."""
    return real_document(data_root, "compass/taxonomy-1.0.4.json")


@pytest.fixture(scope="session")
def formex_climate(data_root: Path) -> Document:
    """The Climate Delegated Act as of 8 January 2025."""
    return real_document(data_root, "taxonomy/02021R2139-20250108.fmx.xml")


@pytest.fixture(scope="session")
def formex_climate_2023(data_root: Path) -> Document:
    """The Climate Delegated Act as of 1 January 2023."""
    return real_document(data_root, "taxonomy/02021R2139-20230101.fmx.xml")


@pytest.fixture(scope="session")
def formex_environment(data_root: Path) -> Document:
    """The Environmental Delegated Act as of 1 January 2026."""
    return real_document(data_root, "taxonomy/02023R2486-20260101.fmx.xml")


@pytest.fixture(scope="session")
def real_units(
    compass: Document, formex_climate: Document, formex_environment: Document
) -> dict[tuple[str, str], Unit]:
    """Units of the three documents by document id and key."""
    documents = (compass, formex_climate, formex_environment)
    return {(d.document, unit.key): unit for d in documents for unit in d.units}


@pytest.fixture(scope="session")
def dev_blocks() -> dict[str, DevBlocks]:
    """Expected blocks of the development units, by unit key."""
    path = ROOT.parent / "shared/gold/dev-blocks.json"
    if not path.is_file():
        pytest.skip(f"expected blocks absent: {path}")
    expected: dict[str, DevBlocks] = {}
    for key, unit in json.loads(path.read_text(encoding="utf-8")).items():
        gold = json.loads((ROOT / "data/gold" / f"{key.replace('/', '__')}.json").read_text(encoding="utf-8"))
        expected[key] = DevBlocks(key, gold["source"], unit["blocks"], unit["footnotes"])
    return expected
