"""Faults made, seen and mended with a SIMULATED model, for the program and its controls.

No model is measured here: the simulated one answers with the annotated values and makes seeded faults. What is
measured is what the checks see and what the loop and the graph mend.

How to run me:  python experiments/ablation_simulated.py > experiments/ablation_simulated.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from regreact.config import load
from regreact.errors import RegReActError
from regreact.evaluation.command import load_gold_for, source_units
from regreact.evaluation.reference import reference_of
from regreact.evaluation.repair import Balance, balance
from regreact.faults import KINDS, Injected
from regreact.runner import Extractor
from regreact.schema import Extraction
from regreact.sources.model import Unit

VARIANTS: dict[str, tuple[str, ...]] = {
    "full": (),
    "no_odr": ("+ablation=no_odr",),
    "no_graph": ("+ablation=no_graph",),
    "blank guidance": ("odr.guidance=blank",),
    "wrong guidance": ("odr.guidance=wrong",),
    "single_pass": ("+ablation=single_pass",),
}
RATES = (0.05, 0.15, 0.30)


@dataclass(frozen=True)
class Bench:
    """Units with the right answers to every question about them."""

    units: list[Unit]
    references: dict[str, Any]

    def extract(self, overrides: Sequence[str]) -> tuple[dict[str, Extraction | None], list[Injected]]:
        """Run a variant; a unit that fails as a whole has no extraction."""
        settings = load(["lm=simulated", "fastpath=off", "lm.reasoning=false", "tracking=off", *overrides])
        extractor = Extractor(settings, references=self.references)
        found: dict[str, Extraction | None] = {}
        for unit, result, _ in extractor.stream(self.units):
            found[unit.key] = None if isinstance(result, RegReActError) else result
        assert extractor.simulation is not None
        return found, extractor.simulation.plan.injected


def bench(data: str = "gold") -> Bench:
    """Return the annotated units."""
    settings = load([f"data={data}"])
    assert settings.data.gold is not None
    gold = load_gold_for(settings.data.gold)
    units = source_units(gold, settings.data.source)
    references = {g.unit: reference_of(g, units[g.source, g.unit]) for g in gold}
    return Bench([units[g.source, g.unit] for g in gold], references)


def run(on: Bench, overrides: Sequence[str], rate: float, clean: dict[str, Extraction | None]) -> Balance:
    """Return the balance of one variant at one rate, against the same variant without faults (`clean`)."""
    faulty, injected = on.extract([*overrides, f"lm.faults.rate={rate}"])
    total = Balance()
    for unit in on.units:
        right = clean[unit.key]
        assert right is not None
        own = [f for f in injected if f.unit == unit.key]
        one = balance(unit, right, faulty[unit.key], own)
        total.fields += one.fields
        total.broken += one.broken
        for kind, tally in one.kinds.items():
            total.kinds[kind] = total.kinds[kind] + tally if kind in total.kinds else tally
    return total


def lines() -> Iterator[str]:
    """Yield the Markdown page."""
    yield "# A simulated model with faults"
    yield ""
    yield "Made by `python experiments/ablation_simulated.py`. The model is a simulation: it knows the annotated"
    yield "answers of the 79 units of `data/gold` and spoils them at the given rate, by seed. A fault comes back on a"
    yield "re-ask with probability 0.9 unless the guidance names its item and field."
    yield ""
    named = [k.name for k in KINDS if k.detectable]
    yield f"Meant to be seen by a check, fixed before the run: {', '.join(named)}. All others may or may not be seen."
    on = bench()
    clean = {name: on.extract(overrides)[0] for name, overrides in VARIANTS.items()}
    for rate in RATES:
        yield ""
        yield f"## {rate:.0%} of the items spoiled"
        yield ""
        yield "| variant | faults | seen | mended | detectable | seen | mended | other fields broken |"
        yield "|---|---:|---:|---:|---:|---:|---:|---:|"
        balances = {}
        for name, overrides in VARIANTS.items():
            balances[name] = found = run(on, overrides, rate, clean[name])
            every, sure = found.total(), found.total(detectable=True)
            cells = [every.injected, _share(every.detected, every.injected), _share(every.repaired, every.injected)]
            cells += [sure.injected, _share(sure.detected, sure.injected), _share(sure.repaired, sure.injected)]
            yield f"| {name} | " + " | ".join(map(str, cells)) + f" | {_share(found.broken, found.fields)} |"
            print(f"{name} at {rate:.0%} done", file=sys.stderr)
        yield ""
        yield "| kind, full program | faults | seen | mended | mended without self-correction |"
        yield "|---|---:|---:|---:|---:|"
        for kind in KINDS:
            one, other = balances["full"].kinds.get(kind.name), balances["no_odr"].kinds.get(kind.name)
            if one is not None and one.injected:
                plain = _share(other.repaired, other.injected) if other and other.injected else "-"
                yield f"| {kind.name} | {one.injected} | {one.detected} | {one.repaired} | {plain} |"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


if __name__ == "__main__":
    print("\n".join(lines()))
