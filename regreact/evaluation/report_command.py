"""What `regreact report tables` does: reads runs, makes the tables, writes Markdown, CSV and PNG."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from regreact.errors import RunError
from regreact.evaluation import table_makers as make
from regreact.evaluation.figures import draw
from regreact.evaluation.gold_tools.agreement import agree
from regreact.evaluation.gold_tools.annotations import paired, read_annotations
from regreact.evaluation.runs import Reading, Run, read_runs
from regreact.evaluation.tables import Table, page
from regreact.files import write_whole

FULL, FLOOR = "none", "markup"
BASELINES = ("gpt4o", "single_pass")


@dataclass(frozen=True, slots=True)
class Choice:
    """What is compared with what.

    Attributes:
        system: Variant of tables 2 to 5; None for the full program, else the first run.
        baseline: Variant of table 3; None for the single pass, if it was run.
        agreement: Two folders of annotations for table 8, and the gold of the same units.
        seed: Of the bootstrap and of random permutations.
    """

    system: str | None = None
    baseline: str | None = None
    agreement: tuple[Path, Path] | None = None
    like: Path | None = None
    seed: int = 0


def tables(names: Sequence[str], how: Reading, choice: Choice) -> tuple[list[Table], list[str]]:
    """Return the tables that the runs have figures for, and a line for each that is left out.

    Raises:
        RunError: A run is not there or holds no scores, or a variant that is asked for is not among them.
        GoldError: Gold or annotations cannot be used.
    """
    runs = read_runs(names, how)
    made: list[Table] = []
    left_out: list[str] = []
    if runs:
        system = _variant(runs, choice.system) if choice.system else _find(runs, (FULL,)) or runs[0]
        made += _of_quality(runs, system, choice, left_out)
        made += _of_retrieval(system, choice, left_out)
        if system.answers:
            made += make.reliability(system)
        else:
            left_out.append(f"reliability: {system.origin} keeps no confidences")
    if choice.agreement:
        first, second = (read_annotations(folder, choice.like) for folder in choice.agreement)
        made.append(make.table_8(agree(paired(first, second), choice.seed)))
    else:
        left_out.append("table 8: no annotations were given (--agreement A --agreement B)")
    return made, left_out


def _of_quality(runs: Sequence[Run], system: Run, choice: Choice, left_out: list[str]) -> Iterator[Table]:
    same = [r for r in runs if r.simulated == system.simulated] if choice.baseline is None else list(runs)
    yield make.table_2(system, _find(runs, (FLOOR,)), choice.seed)
    baseline = _variant(runs, choice.baseline) if choice.baseline else _find(same, BASELINES)
    if baseline is None or baseline is system:
        left_out.append("table 3: no single-pass baseline among the runs")
    else:
        yield make.table_3(system, baseline, choice.seed)
    if len(runs) > 1:
        yield from make.table_7(runs, system, choice.seed)
    else:
        left_out.append("table 7: a single variant")


def _of_retrieval(system: Run, choice: Choice, left_out: list[str]) -> Iterator[Table]:
    if system.pairs:
        yield make.table_4(system, choice.seed)
        yield make.table_5(system)
        yield make.figure_2(system)
    else:
        left_out.append(
            "tables 4 and 5, figure 2: "
            f"{system.origin} has no summaries of cited law whose acts are at hand (extract with rag=on; give --store)"
        )


def _find(runs: Sequence[Run], variants: Sequence[str]) -> Run | None:
    return next((r for v in variants for r in runs if r.variant == v), None)


def _variant(runs: Sequence[Run], name: str) -> Run:
    found = _find(runs, (name,))
    if found is None:
        raise RunError(f"{name}: no such variant among the runs; there are {', '.join(r.variant for r in runs)}")
    return found


def write(made: Sequence[Table], out: Path, title: str, head: Sequence[str] = ()) -> list[Path]:
    """Write each table as Markdown, CSV and, where it has a plot, PNG; and `tables.md` with all of them.

    Raises:
        OutputError: The folder cannot be written.
    """
    paths: list[Path] = []
    for table in made:
        for suffix, text in (("md", table.markdown()), ("csv", table.csv())):
            paths.append(out / f"{table.key}.{suffix}")
            write_whole(paths[-1], text.encode())
        if draw(table, out / f"{table.key}.png"):
            paths.append(out / f"{table.key}.png")
    paths.append(out / "tables.md")
    write_whole(paths[-1], page(made, title, head).encode())
    return paths


def run(names: Sequence[str], how: Reading, choice: Choice, out: Path) -> tuple[list[Path], list[str]]:
    """Make and write the tables.

    Returns:
        The files written, and a line for each table that is left out.

    Raises:
        RunError: See `tables`; also if not a single table can be made.
        OutputError: The folder cannot be written.
    """
    made, left_out = tables(names, how, choice)
    if not made:
        raise RunError("nothing to report on: " + "; ".join(left_out))
    command = f"Made by `regreact report tables {shlex.join(names)}`, seed {choice.seed}."
    return write(made, out, "Tables", [command]), left_out
