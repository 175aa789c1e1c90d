"""Statistics as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from regreact.dataset.statistics import PAPER_ACTIVITIES, PAPER_ACTS, PAPER_NODES, PAPER_PAIRS, Counts, Statistics

Column = tuple[str, Callable[[Counts], object]]

_SIZE: tuple[Column, ...] = (
    ("activities", lambda c: c.activities),
    ("with all six sections", lambda c: c.complete),
    ("sections", lambda c: c.sections),
    ("of these N/A", lambda c: c.not_applicable),
    ("nodes SC", lambda c: c.nodes_sc),
    ("nodes DNSH", lambda c: c.nodes_dnsh),
    ("nodes N/A", lambda c: c.nodes_not_applicable),
    ("nodes, all", lambda c: c.nodes_all),
    ("ROOT", lambda c: c.roots),
    ("depth, mean", lambda c: f"{c.depth_mean:.2f}"),
    ("depth, max", lambda c: c.depth_max),
)
_CONTENT: tuple[Column, ...] = (
    ("leaves", lambda c: c.leaves),
    ("OR", lambda c: c.alternatives),
    ("N of K", lambda c: c.n_of_k),
    ("inferred groups", lambda c: c.groups),
    ("background", lambda c: c.background),
    ("with threshold", lambda c: c.with_threshold),
    ("numeric limits", lambda c: c.quantities),
    ("dates, intervals", lambda c: c.times),
    ("inherited", lambda c: c.inherited),
    ("references", lambda c: c.references),
    ("with CELEX", lambda c: c.references_celex),
    ("footnotes", lambda c: c.footnotes),
    ("with dependencies", lambda c: c.with_dependencies),
    ("corrections", lambda c: c.corrections),
    ("review", lambda c: c.review),
)
_EXPLAINED = (
    "Nodes are criteria without ROOT, which every section has. `nodes SC` are those of substantial contribution, "
    '`nodes DNSH` those of sections that apply, `nodes N/A` those of sections that say no more than "N/A". Depth '
    "counts from 1 at the top level. `with threshold` includes inherited ones; `references` counts a source each time "
    "a criterion cites it; `footnotes` counts each once a section; `review` counts findings for a person to look at."
)


def render(statistics: Statistics, beside_paper: bool = True) -> str:
    """Return the tables of a dataset's statistics.

    Args:
        statistics: The counts.
        beside_paper: Add the paper's figures, which invented texts have nothing to do with.
    """
    rows = [(f"{document} {annex}".strip(), counts) for (document, annex), counts in statistics.groups.items()]
    rows.append(("**all activities**", statistics.total))
    rows += [(f"{document} appendices", counts) for document, counts in statistics.appendices.items()]
    parts = ["## Size", _table("act and objective", _SIZE, rows), "## Content"]
    parts += [_table("act and objective", _CONTENT, rows), _EXPLAINED]
    parts += ["## Beside the paper", _paper(statistics)] if beside_paper else []
    return "\n\n".join(parts) + "\n"


def _table(first: str, columns: Sequence[Column], rows: Sequence[tuple[str, Counts]]) -> str:
    lines = [f"| {first} | " + " | ".join(name for name, _ in columns) + " |", "|---|" + "---:|" * len(columns)]
    lines += [f"| {name} | " + " | ".join(str(value(counts)) for _, value in columns) + " |" for name, counts in rows]
    return "\n".join(lines)


def _paper(statistics: Statistics) -> str:
    """Return the comparison with the dataset of arXiv 2604.12054."""
    total = statistics.total
    rows = [
        ("activities", total.activities, PAPER_ACTIVITIES, "yes: activities under an objective, as the acts list them"),
        ("nodes SC + DNSH without ROOT and N/A", total.nodes, PAPER_NODES, "nearest in kind: what the sections say"),
        ("the same an activity", f"{total.nodes / max(1, total.activities):.1f}", "over 19.8", "as the line above"),
        ("nodes SC alone, without ROOT", total.nodes_sc, PAPER_NODES, "no: a part of the sections"),
        ("nodes SC alone, with ROOT", total.nodes_sc + total.activities, PAPER_NODES, "no: a part of the sections"),
        ("nodes SC + DNSH + N/A, without ROOT", total.nodes_all, PAPER_NODES, "upper bound without ROOT"),
        ("the same with ROOT", total.nodes_all + total.roots, PAPER_NODES, "upper bound"),
        ("criterion-source pairs to fetch, with CELEX", statistics.pairs, PAPER_PAIRS, "in kind; see below"),
        ("acts among them", statistics.acts, PAPER_ACTS, "in kind; see below"),
    ]
    lines = ["| count | here | paper | comparable |", "|---|---:|---:|---|"]
    lines += [f"| {name} | {here} | {paper} | {why} |" for name, here, paper, why in rows]
    return "\n".join(lines) + (
        "\n\nThe paper (arXiv 2604.12054) does not say whether its node count includes ROOT, DNSH sections or sections "
        "that do not apply, and its source is another one (the EU Taxonomy Compass, an earlier wording of the acts). "
        "So only the number of activities can be compared exactly. The paper's pairs are those that its retrieval was "
        "evaluated on, those here all that name an act."
    )
