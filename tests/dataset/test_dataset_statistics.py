"""Counts, on trees that a reader can count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from regreact.dataset.making import is_applicable
from regreact.dataset.overview import render
from regreact.dataset.statistics import statistics_of
from regreact.schema import (
    BoundedPeriod,
    Clause,
    Correction,
    Deadline,
    Dependencies,
    Edge,
    Footnote,
    Quantitative,
    QuantitativeItem,
    References,
    ReferenceSource,
    Temporal,
    Threshold,
)
from tests.dataset.builders import activity, criterion, section
from tests.dataset.conftest import lines, trees

LIMIT = QuantitativeItem(metric="Losses", operator="<", value=5, unit="%", period=BoundedPeriod(value=2, unit="years"))
LIMITS = Threshold(
    quantitative=Quantitative(logic="AND", items=(LIMIT, LIMIT)),
    temporal=Temporal(items=(Deadline(date="2030-12-31"),)),
)
CITED = References(
    logic="AND",
    sources=(
        ReferenceSource(text="Directive 2098/1/EC", type="must_be_fetched", celex_id="32098L0001"),
        ReferenceSource(text="Directive 2098/2/EC", type="citation_only", celex_id="32098L0002"),
        ReferenceSource(text="ISO 1", type="must_be_fetched"),
    ),
)
GATED = Dependencies(
    condition_summary="Only if 1(a) is met.",
    min_conditions_to_meet=1,
    clauses=(Clause(criterion_id="1(a)", status="Affirmation"), Clause(criterion_id="1(b)", status="Negation")),
)
NOTE = Footnote(id="fn-1", verbatim="A note.")


def washing() -> list:  # type: ignore[type-arg]
    """One activity with two sections that apply and one that does not, and an appendix.

    SC: ROOT > 1 (OR) > 1(a) > 1(a)(i), and 1(b); 2, a group without text, > 2(a): six criteria, depths 1 2 3 2 1 2.
    """
    sc = section(
        "CE-9.1/SC",
        criterion(
            "1",
            "1. One of:",
            criterion("1(a)", "low losses:", criterion("1(a)(i)", "below 5 %", threshold=LIMITS, footnotes=(NOTE,))),
            criterion("1(b)", "no losses", references=CITED, footnotes=(NOTE,)),
            evaluation_logic="OR",
        ),
        criterion("2", "", criterion("2(a)", "a plan", dependencies=GATED, threshold=LIMITS)),
        edges=(Edge(source="2(a)", target="1(a)(i)", type="inherits_threshold"),),
        corrections=(Correction(criterion_id="2(a)", from_="1(c)", to="1(b)", reason="no such point", decided_by="rule"),),
    )
    dnsh = section("CE-9.1/DNSH.water", criterion("1", "Water is saved.", references=CITED))
    nothing = section("CE-9.1/DNSH.pollution", criterion("1", "N/A", tags=("BackgroundInformation",)))
    appendix = section("CE-Appendix-A", criterion("1", "Risks are listed."))
    return [activity("CE-9.1", sc, dnsh, nothing), activity("CE-Appendix-A", appendix)]


def test_counts_by_hand() -> None:
    statistics = statistics_of(washing())
    counts = statistics.groups["act", "CE"]
    assert (counts.activities, counts.complete, counts.sections, counts.not_applicable, counts.roots) == (1, 0, 3, 1, 3)
    assert (counts.nodes_sc, counts.nodes_dnsh, counts.nodes_not_applicable) == (6, 1, 1)
    assert (counts.nodes, counts.nodes_all) == (7, 8)
    assert (counts.leaves, counts.alternatives, counts.n_of_k, counts.groups, counts.background) == (5, 1, 0, 1, 1)
    assert (counts.with_threshold, counts.quantities, counts.times, counts.inherited) == (2, 4, 2, 1)
    assert (counts.references, counts.references_celex, counts.footnotes) == (6, 4, 1)
    assert (counts.with_dependencies, counts.clauses, counts.corrections) == (1, 2, 1)
    assert (counts.depth_max, counts.depth_mean) == (3, round((1 + 2 + 3 + 2 + 1 + 2 + 1 + 1) / 8, 2))
    assert statistics.appendices["act"].nodes == 1
    assert statistics.total == counts
    assert (statistics.pairs, statistics.acts) == (2, 1)


def test_the_total_is_the_sum_of_the_groups_and_the_deepest_depth() -> None:
    rows = washing()
    flat = activity("CCM-1.1", section("CCM-1.1/SC", criterion("1", "Losses are low.")))
    total = statistics_of([*rows, flat]).total
    assert (total.activities, total.nodes_sc, total.depth_max) == (2, 7, 3)


@pytest.mark.parametrize(
    ("text", "applicable"),
    [
        ("N/A", False),
        ("N/A.", False),
        ("N/A(1)", False),
        ("Not applicable", False),
        ("N/A, except where water is used.", True),
        ("The criterion is not applicable to small sites.", True),
        ("Water is saved.", True),
        ("", True),
    ],
)
def test_a_section_does_not_apply_only_if_it_says_no_more(text: str, applicable: bool) -> None:
    assert is_applicable(criterion("ROOT", "", criterion("1", text))) is applicable


def test_one_criterion_more_and_the_section_applies() -> None:
    assert is_applicable(criterion("ROOT", "", criterion("1", "N/A"), criterion("2", "Water is saved.")))


def test_samples_against_a_count_of_their_json(samples: Path) -> None:
    """The written counts are those of another, plain count over the nested rows."""
    total = json.loads((samples / "statistics.json").read_text(encoding="utf-8"))["total"]
    nodes = list(trees(lines(samples / "nested.jsonl")))
    below = [(s, n) for s, n in nodes if n["criterion_id"] != "ROOT"]
    assert total["nodes_all"] == len(below) and total["nodes_with_root"] == len(nodes)
    assert total["nodes_sc"] == sum(s["section"] == "SC" for s, _ in below)
    assert total["nodes_not_applicable"] == sum(n["verbatim_text"].startswith("N/A") for _, n in below)
    assert total["quantities"] == sum(
        len(n["threshold"]["quantitative"]["items"]) for _, n in nodes if n["threshold"] and n["threshold"]["quantitative"]
    )
    assert total["references"] == sum(len(n["references"]["sources"]) for _, n in nodes if n["references"])
    assert total["footnotes"] == len({(s["unit"], f["id"]) for s, n in nodes for f in n["footnotes"]})
    assert total["n_of_k"] == sum(n["evaluation_logic"] == "N_OF_K" for _, n in nodes) > 0


def test_tables_name_every_group_and_the_paper_only_for_acts() -> None:
    text = render(statistics_of(washing()))
    assert "| act CE | 1 | 0 | 3 | 1 | 6 | 1 | 1 | 8 | 3 | 1.62 | 3 |" in text
    assert "| act appendices | 1 | 0 | 1 | 0 | 1 | 0 | 0 | 1 | 1 | 1.00 | 1 |" in text
    assert "| activities | 1 | 242 |" in text
    assert "over 4,800" not in render(statistics_of(washing()), beside_paper=False)
