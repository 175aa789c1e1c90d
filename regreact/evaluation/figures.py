"""Tables of a report as plots (matplotlib, loaded when the first one is drawn).

Series differ by colour and by marker, so that they can be told apart without colours: the palette of Okabe and Ito.
Filled marks are measured, hollow ones the paper's on its own gold set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from regreact.evaluation import paper
from regreact.evaluation.rag_pairs import SCORES
from regreact.evaluation.statistics import Interval
from regreact.evaluation.tables import Record, Table
from regreact.files import write_whole

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_WIDTH, _ROW, _DPI = 9.0, 0.36, 120
_INTERVAL = "95 % interval"


def draw(table: Table, path: Path) -> bool:
    """Write the plot of a table as PNG.

    Returns:
        False if tables of this kind have no plot.
    """
    plot = _PLOTS.get(table.key)
    if plot is None or not table.records:
        return False
    import matplotlib as mpl  # noqa: PLC0415  heavy

    mpl.use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415

    with mpl.rc_context({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False}):
        figure = plot(plt, table)
        figure.suptitle(table.title, fontsize=10)
        # Without the version of matplotlib in it, the same figures give the same file.
        write_whole(path, lambda file: figure.savefig(file, format="png", dpi=_DPI, metadata={"Software": None}))
        plt.close(figure)
    return True


def _panels(plt: Any, table: Table) -> tuple[Any, list[tuple[Any, list[Record]]]]:
    """Return a figure with a panel of percentages above one of scores, each with its rows."""
    groups = [[r for r in table.records if str(r["metric"]).endswith(unit)] for unit in ("%", "1-5")]
    groups = [g for g in groups if g]
    heights = [len({str(r["metric"]) for r in g}) for g in groups]
    size = (_WIDTH, 1.9 + _ROW * sum(heights) * max(1, len(groups[0]) / heights[0] * 0.6))
    figure, axes = plt.subplots(len(groups), 1, figsize=size, height_ratios=heights, layout="constrained")
    return figure, list(zip([axes] if len(groups) == 1 else list(axes), groups, strict=True))


def _label(metric: Any) -> str:
    return str(metric).removesuffix(", %").removesuffix(", 1-5")


def _dot(
    axes: Any, x: Any, y: float, interval: Any, series: int, hollow: bool = False, label: str | None = None
) -> None:
    """Draw a value at a height with its interval; nothing where there is no value."""
    if x is None:
        return
    colour = COLOURS[series % len(COLOURS)]
    if isinstance(interval, Interval):
        axes.plot([interval.low, interval.high], [y, y], color=colour, linewidth=1.6, solid_capstyle="butt")
    face = "none" if hollow else colour
    marker = MARKERS[series % len(MARKERS)]
    axes.plot([x], [y], marker, color=colour, markerfacecolor=face, markersize=6, linestyle="none", label=label)


def _rows(axes: Any, labels: Sequence[str], unit: str) -> None:
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlabel(unit)
    axes.grid(axis="x", color="#dddddd", linewidth=0.7)
    axes.set_axisbelow(True)


def _unit(rows: Sequence[Record]) -> str:
    return "%" if str(rows[0]["metric"]).endswith("%") else "score, 1 to 5"


def _step(rows: Sequence[Record]) -> str:
    return "percentage points" if str(rows[0]["metric"]).endswith("%") else "points of the scale from 1 to 5"


def _legend(figure: Any, axes: Any) -> None:
    """Put a legend below all panels, with every label once."""
    handles, labels = axes.get_legend_handles_labels()
    first = {label: handle for handle, label in reversed(list(zip(handles, labels, strict=True)))}
    names = list(dict.fromkeys(labels))
    figure.legend([first[n] for n in names], names, loc="outside lower center", ncols=min(4, len(names)), frameon=False)


def _quality(plt: Any, table: Table) -> Any:
    """Table 2: mean and interval by metric."""
    figure, panels = _panels(plt, table)
    for axes, rows in panels:
        for y, row in enumerate(rows):
            _dot(axes, row["mean"], y, row[_INTERVAL], 0, label=f"mean, {_INTERVAL}")
            _dot(axes, row.get("markup floor"), y, None, 4, label="markup floor")
            _dot(axes, row[paper.MARK], y, None, 1, hollow=True, label=paper.MARK)
        _rows(axes, [f"{_label(r['metric'])} (n {r['n']})" for r in rows], _unit(rows))
    _legend(figure, panels[0][0])
    return figure


def _differences(plt: Any, table: Table) -> Any:
    """Table 3: delta and interval by metric."""
    figure, panels = _panels(plt, table)
    for axes, rows in panels:
        axes.axvline(0, color="black", linewidth=0.8)
        for y, row in enumerate(rows):
            _dot(axes, row["delta"], y, row[_INTERVAL], 0, label=f"delta, {_INTERVAL}")
            _dot(axes, row["paper: delta"], y, None, 1, hollow=True, label=paper.MARK)
        _rows(axes, [f"{_label(r['metric'])} (n {r['n']})" for r in rows], f"difference, {_step(rows)}")
    _legend(figure, panels[0][0])
    return figure


def _ablations(plt: Any, table: Table) -> Any:
    """Table 7: difference of each variant from the full program, by metric."""
    figure, panels = _panels(plt, table)
    variants = list(dict.fromkeys(str(r["variant"]) for r in table.records))
    for axes, rows in panels:
        metrics = list(dict.fromkeys(str(r["metric"]) for r in rows))
        axes.axvline(0, color="black", linewidth=0.8)
        for row in rows:
            series = variants.index(str(row["variant"]))
            y = metrics.index(str(row["metric"])) + (series - (len(variants) - 1) / 2) * 0.7 / len(variants)
            _dot(axes, row["delta"], y, row[_INTERVAL], series, label=str(row["variant"]))
            _dot(axes, row[f"{paper.MARK}: delta"], y, None, series, hollow=True)
        _rows(axes, [_label(m) for m in metrics], f"difference from the full program, {_step(rows)}")
    axes = panels[0][0]
    axes.plot([], [], "o", color="black", markerfacecolor="none", linestyle="none", label=f"hollow: {paper.MARK}")
    _legend(figure, axes)
    return figure


def _summaries(plt: Any, table: Table) -> Any:
    """Table 4: mean and interval by score."""
    figure, axes = plt.subplots(figsize=(_WIDTH, 1.5 + _ROW * len(table.records)), layout="constrained")
    for y, row in enumerate(table.records):
        _dot(axes, row["mean"], y, row[_INTERVAL], 0, label=f"mean, {_INTERVAL}")
        _dot(axes, row[paper.MARK], y, None, 1, hollow=True, label=paper.MARK)
    _rows(axes, [str(r["score, 1-5"]) for r in table.records], f"score, 1 to 5 (n {table.records[0]['n']})")
    axes.set_xlim(1, 5.1)
    _legend(figure, axes)
    return figure


def _agreement(plt: Any, table: Table) -> Any:
    """Table 8: kappa and interval by dimension."""
    rows = [r for r in table.records if r["Cohen's kappa"] is not None]
    figure, axes = plt.subplots(figsize=(_WIDTH, 1.5 + _ROW * len(rows)), layout="constrained")
    for y, row in enumerate(rows):
        _dot(axes, row["Cohen's kappa"], y, row[_INTERVAL], 0, label=f"kappa, {_INTERVAL}")
        _dot(axes, row[paper.MARK], y, None, 1, hollow=True, label=paper.MARK)
    _rows(axes, [f"{str(r['dimension']).partition(' (')[0]} (n {r['n']})" for r in rows], "Cohen's kappa")
    _legend(figure, axes)
    return figure


def _by_group(plt: Any, table: Table, groups: str, count: str, title: str) -> Any:
    """Table 5 and figure 2: the four scores by group."""
    rows = [r for r in table.records if r[count]]
    figure, axes = plt.subplots(figsize=(_WIDTH, 4.2), layout="constrained")
    for series, name in enumerate(SCORES):
        offset = (series - 1.5) * 0.06
        colour = COLOURS[series]
        for x, row in enumerate(rows):
            interval = row.get(f"{name}, {_INTERVAL}")
            if isinstance(interval, Interval):
                axes.plot([x + offset] * 2, [interval.low, interval.high], color=colour, linewidth=1.3, alpha=0.6)
        values = [row[name] for row in rows]
        places = [x + offset for x in range(len(rows))]
        axes.plot(places, values, marker=MARKERS[series], color=colour, linewidth=1.4, label=name)
    axes.set_xticks(range(len(rows)), [f"{r[groups]}\nn {r[count]}" for r in rows])
    axes.set_xlim(-0.5, len(rows) - 0.5)
    axes.set_xlabel(title)
    axes.set_ylabel("mean score, 1 to 5")
    axes.set_ylim(1, 5.1)
    axes.grid(axis="y", color="#dddddd", linewidth=0.7)
    _legend(figure, axes)
    return figure


def _rounds(plt: Any, table: Table) -> Any:
    return _by_group(plt, table, "rounds", "count", "rounds of search")


def _confidence(plt: Any, table: Table) -> Any:
    return _by_group(plt, table, "confidence", "n", f"confidence of the retrieval (bars: {_INTERVAL})")


def _reliability(plt: Any, table: Table) -> Any:
    """Accuracy against confidence, with the line on which both are equal."""
    figure, axes = plt.subplots(figsize=(6.5, 5.2), layout="constrained")
    lows = [interval.low for r in table.records if isinstance(interval := r[_INTERVAL], Interval)]
    sure = [r["mean confidence"] for r in table.records if isinstance(r["mean confidence"], float)]
    bottom = max(0.0, min([*lows, *sure]) - 0.02)
    axes.plot([bottom, 1], [bottom, 1], color="#777777", linestyle="--", linewidth=1, label="confidence = accuracy")
    for row in table.records:
        x, interval = row["mean confidence"], row[_INTERVAL]
        if isinstance(interval, Interval):
            axes.plot([x, x], [interval.low, interval.high], color=COLOURS[0], linewidth=1.6)
        axes.annotate(
            f"n {row['n']}", (x, bottom), (0, 4), textcoords="offset points", ha="center", fontsize=7, rotation=90
        )
    axes.plot(sure, [r["accuracy"] for r in table.records], "o-", color=COLOURS[0], label=f"accuracy, {_INTERVAL}")
    axes.set_xlabel("mean confidence of the bin")
    axes.set_ylabel("share of right answers")
    axes.set_xlim(bottom, 1.002)
    axes.set_ylim(bottom, 1.004)
    axes.grid(color="#dddddd", linewidth=0.7)
    _legend(figure, axes)
    return figure


_PLOTS: dict[str, Callable[[Any, Table], Any]] = {
    "table2": _quality,
    "table3": _differences,
    "table4": _summaries,
    "table5": _rounds,
    "table7_detail": _ablations,
    "table8": _agreement,
    "figure2": _confidence,
    "reliability": _reliability,
}
