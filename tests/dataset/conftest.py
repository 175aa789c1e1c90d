"""A dataset of the samples, built once for the whole folder of tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from regreact.config import Settings
from regreact.dataset.build import Request, build

Row = dict[str, Any]


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset of the samples, with text."""
    out = tmp_path_factory.mktemp("samples") / "dataset"
    assert build(Request(("samples",), out), Settings()).exit_code == 0
    return out


@pytest.fixture(scope="session")
def bare(samples: Path) -> Path:
    """The same without text, from the same extraction files."""
    out = samples.with_name("bare")
    work = samples.with_name("dataset.build")
    outcome = build(Request(("samples",), out, work, with_text=False), Settings())
    assert {line.status for line in outcome.summary.lines} == {"kept"}
    return out


def lines(path: Path) -> list[Row]:
    """Return the rows of a JSON Lines file."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the content of each file of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def trees(rows: list[Row]) -> Iterator[tuple[Row, Row]]:
    """Yield each section of nested rows with each criterion of its tree, in document order."""
    for row in rows:
        for section in row["sections"]:
            stack = [section["criteria"]]
            while stack:
                node = stack.pop()
                yield section, node
                stack.extend(reversed(node["sub_criteria"]))
