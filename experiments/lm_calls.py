"""Count requests and tokens per activity section in the log of a local OpenAI-compatible stub server.

The stub answers by the solvers, so no question has to be asked twice: these are the calls of a model that is right.
Per-node prompting is what the paper's prompts imply: its stage prompts once for each criterion (D.2 to D.6, D.9, D.10
and D.12 each; D.1 for those with children; D.11 for those with footnotes), each with the criterion's text.

How to run me:  python experiments/lm_calls.py > experiments/lm_calls.md
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from regreact.config import load
from regreact.errors import RegReActError
from regreact.evaluation.command import load_gold_for, source_units
from regreact.evaluation.gold import GoldUnit
from regreact.runner import Extractor
from regreact.sources.model import Unit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.stub_openai import StubServer

FEWEST_NODES = 8
VARIANTS = {
    "off, no ODR": ("fastpath=off", "+ablation=no_odr"),
    "off": ("fastpath=off",),
    "first": ("fastpath=first",),
    "single pass": ("+ablation=single_pass",),
}
# Prompts of the paper that every criterion with text is put: D.2, D.3, D.4, D.5, D.6, D.9, D.10, D.12.
PER_NODE = 8
# Size of such a prompt without the criterion, in tokens of four characters: about 1,600 characters.
PROMPT_TOKENS = 400


def counted(unit: Unit, overrides: Sequence[str]) -> tuple[int, int]:
    """Return requests and tokens that one unit takes, from the server's log."""
    with StubServer() as server:
        lm = ["lm=compatible", f"lm.api_base={server.url}", "lm.model=hosted_vllm/stub", "lm.cache=false"]
        try:
            Extractor(load([*lm, "lm.reasoning=false", *overrides])).extract(unit)
        except RegReActError as error:
            print(f"{unit.key}: {str(error)[:100]}", file=sys.stderr)
        return len(server.log), sum(e.prompt_tokens + e.completion_tokens for e in server.log)


def per_node(gold: GoldUnit, unit: Unit) -> tuple[int, int]:
    """Return requests and tokens of prompting each criterion by itself."""
    parents = {n.parent for n in gold.nodes}
    calls = tokens = 0
    for node in gold.nodes:
        own = PER_NODE * bool(node.blocks) + (node.criterion_id in parents) + bool(node.footnotes)
        calls += own
        tokens += own * (PROMPT_TOKENS + sum(len(unit.blocks[b].text) for b in node.blocks) // 4)
    return calls, tokens


def lines() -> Iterator[str]:
    """Yield the Markdown page."""
    gold = [g for g in load_gold_for("data/gold") if len(g.nodes) >= FEWEST_NODES]
    units = source_units(gold, None)
    pairs = [(g, units[g.source, g.unit]) for g in gold]
    yield "# Requests and tokens"
    yield ""
    yield f"Made by `python experiments/lm_calls.py`: median over the {len(gold)} units of `data/gold` with"
    yield f"{FEWEST_NODES} or more nodes, from the log of a stub server whose answers are those of the solvers. Tokens"
    yield "are characters over four, two worked examples in each request included. Per-node prompting is computed from"
    yield "the paper's prompts, not run. The stub cannot answer the single pass: that row shows its one request only."
    yield ""
    yield "| | requests, median | requests, most | tokens, median |"
    yield "|---|---:|---:|---:|"
    for name, overrides in VARIANTS.items():
        found = [counted(unit, overrides) for _, unit in pairs]
        yield _row(name, found)
        print(f"{name} done", file=sys.stderr)
    yield _row("per-node prompting", [per_node(g, u) for g, u in pairs])


def _row(name: str, found: Sequence[tuple[int, int]]) -> str:
    calls, tokens = [c for c, _ in found], [t for _, t in found]
    return f"| {name} | {statistics.median(calls):g} | {max(calls)} | {statistics.median(tokens):,.0f} |"


if __name__ == "__main__":
    print("\n".join(lines()))
