"""Kills commands at seeded random points and counts what survives: `python experiments/kills.py [SEED] [COMMAND]`.

Prints a table of kills tried and survived by command, and every problem. Exit code 1 if there is one.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import regreact.evaluation.lm_judge  # noqa: F401  its solvers answer for the judge's model
from tests.robustness.kills import Tally, series
from tests.robustness.review_kills import review_series
from tests.robustness.runs import nursery
from tests.robustness.test_kills import KILLS, REVIEW, SEED, commands
from tests.stub_openai import StubServer


def main() -> int:
    """Run all series, or the one of a command, and print what came of them."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else SEED
    only = sys.argv[2] if len(sys.argv) > 2 else None
    started = time.monotonic()
    tallies: list[Tally] = []
    print("| command | kills | survived |\n|---|---:|---:|")
    with StubServer(wait_s=0.01) as server, nursery() as forks:
        for command in commands(server):
            if only in (None, command.name):
                _told(series(forks, command, KILLS[command.name], seed), tallies)
        if only in (None, "review"):
            _told(review_series(forks, REVIEW, seed), tallies)
    print(f"| all | {sum(t.tried for t in tallies)} | {sum(t.survived for t in tallies)} |")
    problems = [p for t in tallies for p in t.problems]
    print(f"\n{time.monotonic() - started:.0f} s, seed {seed}, {len(problems)} problems")
    for problem in problems:
        print(f"- {problem}")
    return 1 if problems else 0


def _told(tally: Tally, tallies: list[Tally]) -> None:
    tallies.append(tally)
    print(f"| {tally.name} | {tally.tried} | {tally.survived} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
