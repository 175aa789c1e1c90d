"""A folder of extractions with things to review, and clients of the two applications."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from regreact.app.access import access
from regreact.app.review.desk import Desk
from regreact.app.review.log import DecisionLog
from regreact.app.review.queue import Workspace
from regreact.app.review.texts import SourceTexts
from tests.app.browsing import Browser, make_extractions


@pytest.fixture(scope="session")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Extractions of three sample units, one of them with review items; not to be written to."""
    return make_extractions(tmp_path_factory.mktemp("review") / "out")


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
