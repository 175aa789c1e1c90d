"""Fifty kills: whatever a command was doing, its files are whole, it completes, and nothing is paid for twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import regreact.evaluation.lm_judge  # noqa: F401  its solvers answer for the judge's model
from tests.robustness.kills import PLAIN, Command, series, tracked, tuned, with_judge, with_model
from tests.robustness.review_kills import review_series
from tests.robustness.runs import Nursery, nursery
from tests.stub_openai import StubServer

pytestmark = pytest.mark.slow

SEED = 8
KILLS = {
    "extract": 9, "extract, processes": 4, "dataset build": 6, "fetch --from": 4, "export": 3, "report": 3, "extract, model, 1 workers": 6,
    "extract, model, 4 workers": 9, "extract, model, 2 processes": 4, "score, judge": 3, "experiment": 4, "experiment, sweep": 3, "optimize": 3,
}  # fmt: skip
REVIEW = 5


@pytest.fixture(scope="module")
def server() -> Iterator[StubServer]:
    with StubServer(wait_s=0.01) as stub:
        yield stub


@pytest.fixture(scope="module")
def forks() -> Iterator[Nursery]:
    with nursery() as started:
        yield started


def commands(server: StubServer) -> list[Command]:
    models = [with_model(server, 1), with_model(server, 4), with_model(server, 2, "processes"), with_judge(server)]
    return [*PLAIN, *models, tracked(server, sweep=False), tracked(server, sweep=True), tuned()]


@pytest.mark.parametrize("name", KILLS)
def test_a_killed_command_loses_nothing(name: str, server: StubServer, forks: Nursery) -> None:
    command = next(c for c in commands(server) if c.name == name)
    tally = series(forks, command, KILLS[name], SEED)
    assert tally.problems == []
    assert tally.tried == tally.survived >= KILLS[name]


def test_a_killed_review_loses_no_decision(forks: Nursery) -> None:
    tally = review_series(forks, REVIEW, SEED)
    assert tally.problems == [] and tally.survived == REVIEW


def test_there_are_fifty() -> None:
    assert sum(KILLS.values()) + REVIEW >= 50
