"""The failure taxonomy for people: counts by stage, the rules, every wrong field with a link to its file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from regreact.evaluation.failure_rules import OWN_STAGE, RULES, STAGES
from regreact.evaluation.failures import Failure, counts
from regreact.files import write_whole

MARKDOWN, JSON_FILE, FIGURE = "failures.md", "failures.json", "failures.png"
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """All wrong fields of a folder of predictions.

    Attributes:
        units: Number of units with a usable prediction.
        failures: Their wrong fields.
        missing: Units without a usable prediction: nothing of them can be traced.
        files: Prediction file by document and unit.
    """

    units: int
    failures: tuple[Failure, ...]
    missing: tuple[str, ...]
    files: dict[tuple[str, str], Path]


def write(found: Taxonomy, folder: Path) -> None:
    """Write `failures.md`, `failures.json` and `failures.png`.

    Raises:
        OutputError: The folder cannot be written.
    """
    content = json.dumps(to_json(found), ensure_ascii=False, indent=1) + "\n"
    write_whole(folder / MARKDOWN, markdown(found, folder).encode())
    write_whole(folder / JSON_FILE, content.encode())
    draw(found, folder / FIGURE)


def to_json(found: Taxonomy) -> dict[str, Any]:
    """Return the taxonomy as JSON data."""
    return {
        "units": found.units,
        "missing": list(found.missing),
        "counts": {stage: dict(sorted(fields.items())) for stage, fields in counts(found.failures).items()},
        "failures": [asdict(f) for f in found.failures],
    }


def markdown(found: Taxonomy, folder: Path) -> str:
    """Return the report as Markdown; links are relative to the folder that it will lie in."""
    table = counts(found.failures)
    fields = [f for f in OWN_STAGE if any(c[f] for c in table.values())]
    units = {(f.document, f.unit) for f in found.failures}
    lines = [
        "# Failures by the first stage that erred",
        "",
        f"{len(found.failures)} wrong fields in {len(units)} of {found.units} units.",
        "",
        "| stage | wrong fields | units | " + " | ".join(fields) + " |",
        "|---|---:|---:|" + "---:|" * len(fields),
    ]
    for stage in STAGES:
        own = {(f.document, f.unit) for f in found.failures if f.stage == stage}
        cells = " | ".join(str(table[stage][f] or "") for f in fields)
        lines.append(f"| {stage} | {table[stage].total()} | {len(own)} | {cells} |")
    lines += ["", f"![Wrong fields by stage]({FIGURE})", "", "## Rules", ""]
    lines += ["Tried in this order; what none explains is the fault of the stage that fills the field.", ""]
    lines += [f"{n}. **{rule.name}**: {rule.says}." for n, rule in enumerate(RULES, 1)]
    if found.missing:
        lines += ["", "## Units without a usable prediction", "", *(f"* {m}" for m in found.missing)]
    return "\n".join([*lines, "", *_listed(found, folder)]) + "\n"


def _listed(found: Taxonomy, folder: Path) -> Iterable[str]:
    for stage in STAGES:
        own = [f for f in found.failures if f.stage == stage]
        if not own:
            continue
        yield from (f"## {stage}", "", "| unit | criterion | field | rule | gold | predicted |")
        yield "|---|---|---|---|---|---|"
        for f in own:
            unit = f"[{f.unit}]({_link(found.files.get((f.document, f.unit)), folder)})"
            yield f"| {unit} | {f.criterion_id} | {f.field} | {f.rule} | {_cell(f.gold)} | {_cell(f.predicted)} |"
        yield ""


def _link(path: Path | None, folder: Path) -> str:
    return "" if path is None else Path(os.path.relpath(path, folder)).as_posix()


def _cell(text: str) -> str:
    folded = " ".join(text.split()).replace("|", "\\|")
    return folded if len(folded) <= _SHOWN else folded[: _SHOWN - 1] + "…"


def draw(found: Taxonomy, path: Path) -> None:
    """Write a bar chart of wrong fields by stage."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  heavy
    from matplotlib.figure import Figure  # noqa: PLC0415
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

    table = counts(found.failures)
    totals = [table[stage].total() for stage in STAGES]
    figure = Figure(figsize=(7, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    bars = axes.barh(STAGES, totals, color="#0072B2")
    axes.bar_label(bars, padding=3)
    axes.invert_yaxis()
    axes.set_xlim(0, max(1, *totals) * 1.1)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("wrong fields")
    axes.set_title(f"First stage that erred: {sum(totals)} wrong fields, {found.units} units")
    write_whole(path, lambda file: figure.savefig(file, format="png", dpi=150))


