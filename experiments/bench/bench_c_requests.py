"""(c) Requests and tokens of an activity section: fastpath off and first, per-node prompting, single pass.

How to run me:  python -m experiments.bench.bench_c_requests [--quick]
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

from experiments.bench.common import ACTS, SAMPLES, data_folder, main, prose, spread, told
from experiments.lm_calls import counted, per_node
from regreact import config
from regreact.evaluation.command import load_gold_for, source_units
from regreact.evaluation.gold import GoldUnit
from regreact.odr import Question
from regreact.runner import Extractor
from regreact.sources import read
from regreact.sources.model import Unit
from regreact.stages.base import Stage
from regreact.step import Step
from tests.stub_openai import StubServer

TITLE = "Requests and tokens"
AIM = 0.10
FEWEST_NODES, UNITS = 8, 10
EVERY = 20
ODR_OFF = "+ablation=no_odr"
FIRST, NODES, PAPER = "`fastpath=first`", "per-node, these prompts", "per-node, the paper's prompts (lower estimate)"

Count = tuple[int, int]


@contextmanager
def node_by_node() -> Iterator[None]:
    """Put each question to each criterion in a request of its own, whatever rules could tell of it."""

    def question(stage: Stage, signature: Any, default: Any, worth: Any = None) -> Question:
        s = stage.settings
        return Question(signature, default, s.fastpath.mode, s.lm, s.odr, None)

    def one_each(_: Step, inputs: object, asked: Sequence[str]) -> Iterator[list[str]]:
        return ([i] for i in asked)

    with mock.patch.object(Stage, "question", question), mock.patch.object(Step, "_batches", one_each):
        yield


def asked_by_node(unit: Unit) -> Count:
    """Return requests and tokens with a request for each question and criterion, without self-correction."""
    with node_by_node():
        return counted(unit, ("fastpath=off", ODR_OFF))


def single_pass(unit: Unit) -> Count:
    """Return the one request, and its tokens with a reply of the size of the tree that the rules make."""
    with StubServer() as server:
        lm = ["lm=compatible", f"lm.api_base={server.url}", "lm.model=hosted_vllm/stub", "lm.cache=false"]
        extractor = Extractor(config.load([*lm, "+ablation=single_pass"]))
        try:
            extractor.extract(unit)
        except Exception:  # the stub has no answer to this question; what was asked is in its log
            pass
        first = server.log[0]
    tree = Extractor(config.load([])).extract(unit).criteria
    reply = json.dumps(tree.model_dump(mode="json"), ensure_ascii=False)
    return 1, first.prompt_tokens + len(reply) // 4


def variants() -> dict[str, Callable[[GoldUnit, Unit], Count]]:
    """Return what is counted, by name."""
    return {
        FIRST: lambda _, u: counted(u, ("fastpath=first",)),
        "`fastpath=off`, no self-correction": lambda _, u: counted(u, ("fastpath=off", ODR_OFF)),
        "`fastpath=off`": lambda _, u: counted(u, ("fastpath=off",)),
        "single pass": lambda _, u: single_pass(u),
        NODES: lambda _, u: asked_by_node(u),
        PAPER: per_node,
    }


def chosen(quick: bool) -> list[tuple[GoldUnit, Unit]]:
    """Return gold and unit of every n-th annotated section in order of size."""
    gold = [g for g in load_gold_for("samples" if quick else "data/gold") if len(g.nodes) >= FEWEST_NODES]
    gold = sorted(gold, key=lambda g: (len(g.nodes), g.unit))
    wanted = 1 if quick else min(UNITS, len(gold))
    gold = gold[:1] if quick else [gold[round(n * (len(gold) - 1) / (wanted - 1))] for n in range(wanted)]
    units = source_units(gold, SAMPLES if quick else None)
    return [(g, units[g.source, g.unit]) for g in gold]


def lines(quick: bool) -> Iterator[str]:
    """Yield the section."""
    pairs = chosen(quick)
    found = {}
    for name, count in variants().items():
        found[name] = [count(gold, unit) for gold, unit in pairs]
        told(name)
    sizes = [len(g.nodes) for g, _ in pairs]
    yield from prose(
        f"{len(pairs)} annotated sections of {min(sizes)} to {max(sizes)} criteria, evenly by size, from those with "
        f"at least {FEWEST_NODES}. Counts are from the log of a stub server that answers as the rules do, so that no "
        "question has to be put twice; tokens, of prompts and replies, are characters over four. Share: of all "
        "requests or tokens of the first kind of per-node prompting."
    )
    yield ""
    yield "| | requests a section | all requests | share | tokens a section | all tokens | share |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    whole = _sums(found[NODES])
    for name, counts in found.items():
        sums = _sums(counts)
        calls, tokens = (spread([c[at] for c in counts], 0) for at in (0, 1))
        shares = [f"{100 * s / w:.1f} %" for s, w in zip(sums, whole, strict=True)]
        yield f"| {name} | {calls} | {sums[0]:,} | {shares[0]} | {tokens} | {sums[1]:,} | {shares[1]} |"
    yield ""
    yield from prose(
        "Per-node, these prompts: the program's own prompts, really sent, each question for each criterion in a "
        "request of its own, as the paper's stage prompts are put; nothing is left to rules, two worked examples "
        "and the criteria around it go with each. Lower estimate: not sent; the paper's prompts without examples or "
        "neighbours (400 tokens and the criterion's text), replies not counted. Single pass: the request as sent, "
        "with the rules' tree as the reply. A model that errs is asked more often in every row but the last."
    )
    lower = _sums(found[PAPER])
    ours = _sums(found[FIRST])
    yield ""
    yield from prose(
        f"`first` takes {_share(ours[0], whole[0])} of the requests and {_share(ours[1], whole[1])} of the tokens of "
        f"per-node prompting, {_share(ours[0], lower[0])} and {_share(ours[1], lower[1])} of the lower estimate; "
        f"aim: at most {AIM:.0%}."
    )
    if not quick:
        yield ""
        yield from whole_acts()


def whole_acts() -> Iterator[str]:
    """Yield what `first` takes of sections that nobody has annotated."""
    units = [u for name in ACTS for u in read(data_folder() / "taxonomy" / name).units][::EVERY]
    counts = [counted(unit, ("fastpath=first",)) for unit in units]
    calls, tokens = _sums(counts)
    yield from prose(
        "Annotated sections are those that the rules were made on. Of all sections of the two delegated acts, every "
        f"{EVERY}th ({len(units)}): `first` takes {calls} requests and {tokens:,} tokens in all, for "
        f"{sum(c > 0 for c, _ in counts)} of the sections any. What the solvers leave open, or the checks object to, "
        "is what it asks."
    )


def _sums(counts: Sequence[Count]) -> Count:
    return sum(c for c, _ in counts), sum(t for _, t in counts)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


if __name__ == "__main__":
    main(lines)
