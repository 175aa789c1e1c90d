"""The cases as fixtures."""

from __future__ import annotations

import pytest

from regreact.schema import Extraction
from tests.export import cases


@pytest.fixture
def washing() -> Extraction:
    """A section with something of everything."""
    return cases.washing()


@pytest.fixture
def hostile() -> Extraction:
    """A section in which every text is one that some program could run."""
    return cases.hostile()
