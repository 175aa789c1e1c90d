"""What holds of every real unit, whatever its text: nothing fails, nothing is lost, every number and id is backed.

The default run takes every sixth unit, `make test-slow` all 2,572 of them and their time.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from regreact.config import Settings
from regreact.graph import CriterionGraph
from regreact.legal import celex
from regreact.legal.dates import DATE
from regreact.legal.numbers import FRACTION, NUMBER, parse_number
from regreact.program import RegReAct
from regreact.schema import Criterion, Extraction
from regreact.sources import read
from regreact.sources.model import Block, Unit

DOCUMENTS = {
    "compass/taxonomy-1.0.4.json": 1098,
    "taxonomy/02021R2139-20250108.fmx.xml": 1251,
    "taxonomy/02023R2486-20260101.fmx.xml": 223,
}
EVERY = 6
LAYOUT = re.compile(r"[\W_]*")


@pytest.fixture(scope="module", params=sorted(DOCUMENTS))
def units(request: pytest.FixtureRequest, data_root: Path) -> list[Unit]:
    path = data_root / request.param
    if not path.exists():
        pytest.skip(f"{request.param} is not there")
    found = read(path).units
    assert len(found) == DOCUMENTS[request.param]
    return list(found)


def numbers(text: str) -> Iterator[float]:
    """Every way to read the numbers of a text: whole, and without what stands before a date."""
    for match in re.finditer(f"{FRACTION}|{NUMBER}", text, re.IGNORECASE):
        yield parse_number(match[0])
    if re.search(r"\b(?:zero|no)\b", text, re.IGNORECASE):
        yield 0.0


def problems(unit: Unit, found: Extraction) -> Iterator[str]:
    nodes = list(found.criteria.walk())
    placed = Counter(n.verbatim_text for n in nodes if n.verbatim_text)
    printed = Counter(b.text for b in unit.blocks if not LAYOUT.fullmatch(b.text))
    if placed != printed:
        yield f"blocks: {list((printed - placed).keys())[:2]} missing, {list((placed - printed).keys())[:2]} invented"
    yield from graph_problems(found, nodes)
    inherits = {e.source for e in found.edges if e.type == "inherits_threshold"}
    for node in nodes:
        spans = found.evidence.get(node.criterion_id, {}).get("threshold", ())
        words = [unit.blocks[block].text[start:end] for block, start, end in spans]
        if node.threshold and node.threshold.quantitative and node.criterion_id not in inherits:
            read_off = {n for w in words for n in numbers(w)}
            for item in node.threshold.quantitative.items:
                if not any(abs(item.value - n) < 1e-9 for n in read_off):
                    yield f"{node.criterion_id}: {item.value} is not in {words}"
        if node.threshold and node.threshold.temporal and node.criterion_id not in inherits:
            for moment in node.threshold.temporal.items:
                backed = any(re.search(DATE, w) for w in words) or moment.type == "recurring"
                if not backed or not words:
                    yield f"{node.criterion_id}: {moment} is not in {words}"
        yield from bad_celex(node)


def graph_problems(found: Extraction, nodes: list[Criterion]) -> Iterator[str]:
    """One tree, no cycle, nothing disconnected; what is wrong must be on the review list."""
    ids = [n.criterion_id for n in nodes]
    if len(set(ids)) != len(ids):
        yield f"identifiers twice: {[i for i, n in Counter(ids).items() if n > 1]}"
    graph = CriterionGraph(ids)
    refused = graph.add(found.edges)
    flagged = {r.criterion_id for r in found.review}
    yield from (f"graph: {i.description}" for i in [*refused, *graph.validate({})] if i.item_id not in flagged)


def bad_celex(node: Criterion) -> Iterator[str]:
    cited = [s.celex_id for s in node.references.sources] if node.references else []
    cited += [i.celex_id for f in node.footnotes for i in f.items]
    yield from (f"{node.criterion_id}: CELEX {c}" for c in cited if c is not None and celex.parse(c) is None)


def check(units: list[Unit]) -> None:
    program = RegReAct(Settings())
    wrong = [f"{u.key}: {p}" for u in units for p in problems(u, program(unit=u))]
    assert wrong == []


def test_every_sixth_real_unit(units: list[Unit]) -> None:
    check(units[::EVERY])


@pytest.mark.slow
def test_every_real_unit(units: list[Unit]) -> None:
    check(units)


@pytest.mark.slow
def test_the_official_acts_take_less_than_a_minute(data_root: Path) -> None:
    program = RegReAct(Settings())
    found = [u for name in DOCUMENTS if name.endswith(".xml") for u in read(data_root / name).units]
    assert len(found) == 1474
    started = time.perf_counter()
    for unit in found:
        program(unit=unit)
    assert time.perf_counter() - started < 60


@pytest.mark.slow
def test_time_grows_in_proportion_to_the_number_of_criteria() -> None:
    program = RegReAct(Settings())

    def seconds(criteria: int) -> float:
        texts = [
            f"{n}. Where kiln {n} burns straw, dust emissions are lower than {n % 90 + 5} mg/Nm3, calculated using ISO 99999."
            for n in range(1, criteria + 1)
        ]
        blocks = tuple(Block(i, "p", 0, None, t) for i, t in enumerate(texts))
        unit = Unit("X-1/SC", "Firing of bricks", "", "SC", "x", "0" * 64, "html", blocks)
        started = time.perf_counter()
        assert len(list(program(unit=unit).criteria.walk())) == criteria + 1
        return time.perf_counter() - started

    seconds(50)
    small, large = (min(seconds(n) for _ in range(3)) for n in (60, 480))
    # Eight times the criteria; a quadratic step would take 64 times as long.
    assert large / small < 16
