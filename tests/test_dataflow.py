"""Order, invalidation and parallelism derived from declarations."""

import threading
from typing import Any

import pytest

from regreact.config import Settings
from regreact.dataflow import Dataflow
from regreact.errors import ConfigError
from regreact.program import RegReAct


class Stage:
    """A stage made from a function; its parameters are its inputs."""

    def __init__(self, provides: str, function: Any) -> None:
        self.name = self.provides = provides
        self.forward = function


def diamond(log: list[str]) -> Dataflow:
    def top(source: int) -> int:
        log.append("top")
        return source + 1

    def left(top: int) -> int:
        log.append("left")
        return top * 10

    def right(top: int) -> int:
        log.append("right")
        return top * 100

    def bottom(left: int, right: int) -> int:
        log.append("bottom")
        return left + right

    stages = [Stage("bottom", bottom), Stage("right", right), Stage("left", left), Stage("top", top)]
    return Dataflow(stages, given=["source"])


def test_order_follows_inputs_not_listing() -> None:
    log: list[str] = []
    assert diamond(log).run({"source": 1})["bottom"] == 220
    assert log[0] == "top" and log[-1] == "bottom"


def test_a_changed_value_runs_exactly_its_dependants_again() -> None:
    log: list[str] = []
    flow = diamond(log)
    state = flow.run({"source": 1})
    log.clear()
    assert flow.rerun(state, {"left": 5})["bottom"] == 205
    assert log == ["bottom"]
    assert flow.dependants(["top"]) == ("right", "left", "bottom")


def test_independent_stages_overlap() -> None:
    barrier = threading.Barrier(2, timeout=5)

    def meet(source: int) -> int:
        barrier.wait()
        return source

    flow = Dataflow([Stage("a", meet), Stage("b", meet)], given=["source"])
    assert flow.run({"source": 3}, workers=2) == {"source": 3, "a": 3, "b": 3}


def test_a_stage_waits_for_its_own_inputs_only() -> None:
    reached = threading.Event()

    def slow(source: int) -> int:
        assert reached.wait(5), "the stage after the quick one had to wait for the slow one"
        return source

    def after(quick: int) -> int:
        reached.set()
        return quick + 1

    stages = [Stage("slow", slow), Stage("quick", lambda source: source), Stage("after", after)]
    found = Dataflow(stages, given=["source"]).run({"source": 1}, workers=2)
    assert list(found.items()) == [("source", 1), ("slow", 1), ("quick", 1), ("after", 2)]


def test_a_failing_stage_ends_the_run_whatever_else_runs() -> None:
    def fails(source: int) -> int:
        raise ValueError("no")

    flow = Dataflow([Stage("a", fails), Stage("b", lambda source: source), Stage("c", lambda a: a)], given=["source"])
    for workers in (1, 3):
        with pytest.raises(ValueError, match="no"):
            flow.run({"source": 1}, workers=workers)


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ([Stage("a", lambda nowhere: 1)], "nothing provides nowhere"),
        ([Stage("a", lambda b: b), Stage("b", lambda a: a)], "need each other"),
        ([Stage("a", lambda: 1), Stage("a", lambda: 2)], "same output"),
    ],
)
def test_impossible_flows_are_refused(stages: list[Stage], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Dataflow(stages, given=[])


def test_the_program_s_stages_need_what_the_design_says() -> None:
    flow = RegReAct(Settings()).flow
    assert set(flow.levels[1]) == {"thresholds", "references", "footnotes"}
    assert flow.dependants(["thresholds"]) == ("classification", "dependencies", "graph", "assembly")
    assert "footnotes" not in flow.predecessors("classification")
