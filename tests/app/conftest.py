"""A folder of extractions with things to review, and clients of the two applications."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browsing import Browser

from regreact import config, corpus, runner
from regreact.app.access import access
from regreact.app.review.desk import Desk
from regreact.app.review.log import DecisionLog
from regreact.app.review.queue import Workspace
from regreact.app.review.texts import SourceTexts

UNITS = ("CCM-21.2/SC", "CCM-21.3/SC", "CCM-31.1/SC")
FLAGS = [
    {"criterion_id": "1(e)(a)", "stage": "s2", "severity": "minor", "reason": "two limits, one duty", "evidence": [[6, 25, 62]]},
    {"criterion_id": "1(b)", "stage": "s4", "severity": "critical", "reason": "the act is not known", "evidence": [[2, 91, 118]]},
    {"criterion_id": "1(e)", "stage": "graph", "severity": "major", "reason": "an option stands alone", "evidence": []},
]  # fmt: skip


@pytest.fixture(scope="session")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Extractions of three sample units, one of them with review items; not to be written to."""
    out = tmp_path_factory.mktemp("review") / "out"
    units = [u for d in corpus.load("samples").documents for u in d.units if u.key in UNITS]
    runner.Extractor(config.load(["tracking=off"])).extract_to(units, out)
    path = out / "samples-compass/CCM-21.2__SC.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["review"] = FLAGS
    path.write_text(json.dumps(data), encoding="utf-8")
    return out


@pytest.fixture
def out(extracted: Path, tmp_path: Path) -> Path:
    """A copy of the extractions."""
    folder = tmp_path / "out"
    for path in extracted.glob("*/*.json"):
        copy = folder / path.relative_to(extracted)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    return folder


@pytest.fixture
def desk(out: Path) -> Desk:
    return Desk(Workspace(out), DecisionLog(out), SourceTexts("samples"))


@pytest.fixture
def browser(desk: Desk) -> Callable[[str], Browser]:
    """Opens the review as a reviewer."""
    return lambda name: Browser(desk, access("127.0.0.1", 8321, None, reviewer=name))


@pytest.fixture
def ada(browser: Callable[[str], Browser]) -> Iterator[Browser]:
    yield browser("Ada")
