"""Print how reliable the solvers' confidences are on annotated units: five bands, AUROC, calibration error.

How to run me:  python experiments/confidence.py test
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from regreact.evaluation.calibration import Calibration, calibrate, judged
from regreact.experiment import score_variant


def reliability(data: str) -> Calibration:
    """Extract a data set without a model and compare confidences with correctness."""
    report = score_variant(f"data={data}")
    return calibrate([a for u in report.units for a in judged(u.fields)])


def lines(data: str) -> Iterator[str]:
    """Yield a Markdown table of the bands."""
    found = reliability(data)
    auroc = "not defined: every answer is right" if found.auroc is None else f"{found.auroc:.3f}"
    yield f"{data}: {found.n} answers, AUROC {auroc}, expected calibration error {found.error:.3f}"
    yield ""
    yield "| confidence | answers | share | mean confidence | accuracy |"
    yield "|---|---:|---:|---:|---:|"
    for b in found.bands:
        yield f"| {b.low:.2f} to {b.high:.2f} | {b.n} | {b.share:.1%} | {b.confidence:.3f} | {b.accuracy:.3f} |"


if __name__ == "__main__":
    for name in sys.argv[1:] or ["gold"]:
        print("\n".join(lines(name)), "\n")
