"""Print the agreement of two independent first-pass annotations by dimension, before adjudication.

How to run me:  python experiments/agreement.py ../shared/gold/agreement/{a,b} > experiments/agreement.md
"""

from __future__ import annotations

import sys
from pathlib import Path

from regreact.evaluation.gold_tools.agreement import RESAMPLES, agree, markdown
from regreact.evaluation.gold_tools.annotations import paired, read_annotations

ROOT = Path(__file__).resolve().parents[1]


def page(first: Path, second: Path) -> str:
    """Return the Markdown page."""
    like = ROOT / "data/gold"
    pairs = paired(read_annotations(first, like), read_annotations(second, like))
    units = ", ".join(a.unit for a, _ in pairs)
    return f"""# Agreement of two annotations

Made by `python experiments/agreement.py A B`; A and B are first-pass annotations by two annotators (language models)
who did not see each other's work, before adjudication.
Units: {units}.

{markdown(agree(pairs))}

How to read it:

* An item of a label is a criterion that both have. An item of a list (thresholds, sources, dependencies, footnotes) is
  an entry of either side, paired with the closest of the other, or a criterion where both left the list empty.
* Structure compares the parent of each block; parents are named by their block, so other identifiers cost nothing.
* Labels are pooled over units, so that chance agreement is high and kappa rather too low than too high.
* kappa is not defined where both gave one and the same label to all items: nobody saw, for instance, any dependency.
* The interval is the percentile interval over {RESAMPLES} resamplings of whole units; with so few units it is a rough
  guide. Resamplings in which kappa is not defined are left out.
* The paper's figures (Table 8) are of two doctoral students on 15 activities of another gold set: they stand beside
  ours for orientation and compare nothing.
"""


if __name__ == "__main__":
    print(page(Path(sys.argv[1]), Path(sys.argv[2])), end="")
