"""Score `fastpath=first` with a SIMULATED model that makes faults, beside `fastpath=only`: it must score no lower.

How to run me:  python experiments/first_mode.py > experiments/first_mode.md
"""

from __future__ import annotations

from collections.abc import Iterator

from regreact.evaluation.scoring import PERCENT, SEMANTIC
from regreact.experiment import score_variant

RATES = (0.0, 0.3, 0.9)


def metrics(*overrides: str) -> dict[str, float]:
    """Return the scores of one variant on the annotated units."""
    return score_variant("data=gold", *overrides).metrics()


def lines() -> Iterator[str]:
    """Yield the Markdown page."""
    yield "# fastpath=first with a faulty model"
    yield ""
    yield "Made by `python experiments/first_mode.py` on the 79 units of `data/gold`. The model is a simulation;"
    yield "at a rate of 0.9 nine of ten items are wrong. An answer of the model replaces a solver's only if the checks"
    yield "find it better."
    yield ""
    names = [*PERCENT, *SEMANTIC]
    yield "| variant | " + " | ".join(names) + " |"
    yield "|---|" + "---:|" * len(names)
    rows = {"only": metrics()}
    rows |= {f"first, faults {r:.0%}": metrics("lm=simulated", "fastpath=first", f"lm.faults.rate={r}") for r in RATES}
    for name, found in rows.items():
        yield f"| {name} | " + " | ".join(f"{found[n]:.2f}" for n in names) + " |"


if __name__ == "__main__":
    print("\n".join(lines()))
