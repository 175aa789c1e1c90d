"""Time grows about linearly with the input, and hostile sizes end with a typed error (`regreact.sources.limits`)."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from regreact.config import Settings
from regreact.errors import SourceFormatError, UnitError
from regreact.legal.citations import find_citations
from regreact.legal.model import Citation, Taken
from regreact.program import RegReAct
from regreact.runner import Extractor
from regreact.schema import Extraction
from regreact.sources.limits import UNIT_LIMITS, UnitLimits, check_depth, check_unit
from regreact.sources.model import Block, Unit
from regreact.sources.reader import read_data

NUMBERS = itertools.count(1)


def unit(markup: str) -> Unit:
    (found,) = read_data(Path("pond.html"), markup.encode()).units
    return found


def nested(levels: int) -> str:
    return f"<p>1. All are met:</p>{'<ol><li>the pond is clear and:' * levels}{'</li></ol>' * levels}"


def seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def growth(work: Callable[[int], object], n: int) -> float:
    """CPU time at 4n over that at n, the best of three: the machine may be busy."""
    work(n)
    return min(seconds(lambda: work(4 * n)) / max(seconds(lambda: work(n)), 1e-4) for _ in range(3))


@pytest.mark.parametrize(
    "phrase",
    [
        "Article 4(2) of Directive 2099/12/EU, ",
        "Regulation (EU) 2099/123 and ",
        "Article 3 of that Directive and ",
        "Section 4.1 of this Annex, ",
        "Appendix A to this Annex and ",
        "ISO 14999:2099, ",
    ],
)
def test_reading_citations_takes_time_in_proportion(phrase: str) -> None:
    # Each text is a new one: what was read before is remembered.
    assert growth(lambda n: find_citations(f"Directive 2099/{next(NUMBERS)}/EU, " + phrase * n), 150) < 8


@pytest.mark.parametrize(
    "one",
    [
        "<p>{0}. Losses of pond {0} are below 5 %.</p>",
        "<p>Pond {0} is kept clear.</p>",
        "<ul><li>pond {0} is clear;</li></ul>",
        "<table><tr><td>pond {0}</td></tr></table>",
    ],
    ids=["numbered", "unnumbered", "lists", "cells"],
)
def test_extraction_takes_time_in_proportion_to_the_criteria(one: str) -> None:
    program = RegReAct(Settings(), remember=False)

    def extract(n: int) -> None:
        name = f"ond of basin {'x' * next(NUMBERS)}"
        program(unit=unit("".join(one.format(i) for i in range(1, n + 1)).replace("ond", name)))

    assert growth(extract, 60) < 8


def test_overlaps_are_those_of_a_comparison_with_all() -> None:
    ranges = [(4, 9), (20, 22), (8, 12), (30, 31), (22, 25), (0, 2)]
    taken, before = Taken(), list[tuple[int, int]]()
    for start, end in ranges:
        for low in range(35):
            for high in range(low + 1, 36):
                assert taken.overlaps(low, high) is any(low < e and s < high for s, e in before)
        taken.add(start, end)
        before.append((start, end))


def test_taken_characters_come_from_citations() -> None:
    assert Taken([Citation(3, 5, "EN", "standard")]).overlaps(4, 9)


@pytest.mark.parametrize(
    ("limits", "problem"),
    [
        (UnitLimits(blocks=1), "2 paragraphs and list items; the limit is 1 "),
        (UnitLimits(block_characters=10), "characters in one paragraph; the limit is 10 "),
        (UnitLimits(block_numbers=0), "1 numbers in one paragraph; the limit is 0 "),
        (UnitLimits(characters=20), "characters in all; the limit is 20 "),
        (UnitLimits(footnotes=0), "1 footnotes; the limit is 0 "),
        (UnitLimits(footnote_characters=3), "4 characters in one footnote; the limit is 3 "),
        (UnitLimits(description_characters=4), "5 characters of description; the limit is 4 "),
        (UnitLimits(depth=0), "1 lists within each other; the limit is 0 "),
    ],
)
def test_each_limit_names_itself(limits: UnitLimits, problem: str) -> None:
    blocks = (Block(0, "p", 0, None, "1. Ponds are:"), Block(1, "li", 1, "a", "clear of weeds."))
    section = Unit(
        "X-1/SC", "Ponds", "", "SC", "x", "0" * 64, "html", blocks, {"fn-1": "Note"}, description="Ponds"
    )
    check_unit(section)
    with pytest.raises(UnitError, match="X-1/SC") as error:
        check_unit(section, limits=limits)
    assert problem in str(error.value)


def test_depth_of_a_tree_is_limited() -> None:
    parents: dict[str, str | None] = {"2": "1", "1": "ROOT", "ROOT": None}
    check_depth("X-1/SC", parents, limits=UnitLimits(depth=2))
    with pytest.raises(UnitError, match="2 levels of criteria; the limit is 1"):
        check_depth("X-1/SC", parents, limits=UnitLimits(depth=1))


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    deepest = unit(nested(UNIT_LIMITS.depth - 1))
    summary = Extractor(Settings()).extract_to([deepest], tmp_path)
    assert summary.exit_code == 0
    (file,) = (tmp_path / "pond").iterdir()
    assert Extraction.model_validate_json(file.read_bytes()).unit == "pond/SC"


def test_deeper_units_are_refused_and_the_others_go_on(tmp_path: Path) -> None:
    from dataclasses import replace  # noqa: PLC0415

    good = replace(unit("<p>1. The pond is clear.</p>"), key="good/SC")
    summary = Extractor(Settings()).extract_to([unit(nested(UNIT_LIMITS.depth + 1)), good], tmp_path)
    assert [line.status for line in summary.lines] == ["failed", "done"]
    assert "41 lists within each other; the limit is 40" in str(summary.lines[0].problem)


def test_numbers_nested_too_deep_are_refused() -> None:
    markup = "".join(f"<p>{'.'.join(['1'] * i)}. The pond is clear.</p>" for i in range(2, 60))
    with pytest.raises(UnitError, match="levels of criteria; the limit is 40"):
        RegReAct(Settings())(unit=unit(markup))


def test_a_deep_description_costs_its_own_unit_only() -> None:
    def match(name: str, description: str) -> dict[str, object]:
        criteria = ["<p>1. The pond is clear.</p>"]
        return {
            "activity": name,
            "objective": "mitigation",
            "substantial_contribution_criteria": criteria,
            "dnsh": [],
            "activity_description": description,
        }

    names = ("Ponds", "Lakes")
    dump = {
        "activities": [{"name": n, "reference": f"1.{i}"} for i, n in enumerate(names)],
        "matches": [match("Ponds", "<div>" * 5_000 + "deep"), match("Lakes", "<p>Lakes.</p>")],
    }
    found = read_data(Path("taxonomy-1.0.0.json"), json.dumps(dump).encode())
    assert [u.key for u in found.units] == ["CCM-1.1/SC"]
    assert [f.key for f in found.failures] == ["CCM-1.0/SC"]
    assert "description" in found.failures[0].problem


@pytest.mark.slow
@pytest.mark.parametrize(
    "markup",
    [
        "<p>1. " + "the pond is kept clear of weeds and " * 28_000 + "</p>",
        "<p>1. One is met:</p><ol type='a'>" + "<li>clear;</li>" * 100_000 + "</ol>",
        "<p>1. The pond is clear.</p>" + "<p>It is dry.</p>" * 20_000,
        "<div>" + "<p>Pond" * 400_000,
        "<table>" + "<tr><td>pond</td><td>5 %</td></tr>" * 50_000 + "</table>",
        nested(5_000),
    ],
    ids=["1 MB paragraph", "100,000 items", "20,000 paragraphs", "400,000 unclosed", "100,000 cells", "5,000 levels"],
)
def test_hostile_sizes_end_soon(markup: str) -> None:
    begun = time.process_time()
    with pytest.raises((UnitError, SourceFormatError), match=r"limit is|depth"):
        RegReAct(Settings())(unit=unit(markup))
    assert time.process_time() - begun < 20
