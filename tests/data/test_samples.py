"""The embedded samples: texts, gold, acts and their data card agree with each other."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from regreact.evaluation.gold import GoldNode, GoldUnit, load_gold
from regreact.evaluation.phenomena import offered_limits, wrong_nesting
from regreact.sources import read_many
from regreact.sources.model import Unit

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "data" / "samples"
GOLD = {unit.unit: unit for unit in load_gold(SAMPLES / "gold")}
NODES = [(unit, node) for unit in GOLD.values() for node in unit.nodes]

# Numbers that the samples write as words; "every year" and "annually" stand for 1, "zero" for 0.
WORDS: dict[float, str] = {
    0: r"\bzero\b",
    1: r"\b(every (year|month)|annually|once a year)\b",
    2: r"\btwo\b",
    3: r"\bthree\b",
    4: r"\bfour\b",
    5: r"\bfive\b",
    6: r"\bsix\b",
    8: r"\beight\b",
    10: r"\bten\b",
}
CELEX_TITLE = re.compile(r"(\d+)/(\d+)(?:/(?:EC|EU|EEC))?$")
# Acts that are cited but not among the samples' acts, so that a missing document is met too.
ABSENT = {"32098D0077", "32098D0078", "31992L9043", "32009L9147"}


def _script() -> ModuleType:
    path = ROOT / "experiments" / "samples_coverage.py"
    spec = importlib.util.spec_from_file_location("samples_coverage", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COVERAGE = _script()


@pytest.fixture(scope="module")
def units() -> dict[str, Unit]:
    found: dict[str, Unit] = COVERAGE.sample_units()
    return found


def _text(unit: Unit, node: GoldNode) -> str:
    return " ".join(unit.blocks[i].text for i in node.blocks)


def test_every_sample_unit_is_read_and_has_gold(units: dict[str, Unit]) -> None:
    readings = [read_many(SAMPLES / folder) for folder in ("compass", "formex")]
    assert [d.failures for r in readings for d in r.documents] == [(), ()]
    assert [r.failures for r in readings] == [(), ()]
    assert set(units) == set(GOLD)
    assert {u.document for u in units.values()} == {"samples-compass", "02099R9001-20990630"}


def test_gold_names_the_unit_as_the_reader_does(units: dict[str, Unit]) -> None:
    for key, gold in GOLD.items():
        unit = units[key]
        assert (gold.source, gold.activity, gold.objective, gold.section) == (
            unit.document,
            unit.activity,
            unit.objective,
            unit.section,
        )


def test_every_block_belongs_to_exactly_one_node(units: dict[str, Unit]) -> None:
    for key, gold in GOLD.items():
        placed = [i for node in gold.nodes for i in node.blocks]
        assert sorted(placed) == list(range(len(units[key].blocks))), key


def test_trees_are_closed() -> None:
    for key, gold in GOLD.items():
        ids = [node.criterion_id for node in gold.nodes]
        assert len(set(ids)) == len(ids), key
        assert [n.criterion_id for n in gold.nodes if n.parent is None] == ["ROOT"] == ids[:1], key
        for node in gold.nodes:
            targets = {node.parent, node.threshold_from, *(c.to for c in node.corrections)}
            targets |= {c.criterion_id for c in node.dependencies.clauses} if node.dependencies else set()
            assert targets - {None} <= set(ids), (key, node.criterion_id)


def test_numbered_and_lettered_blocks_keep_their_label(units: dict[str, Unit]) -> None:
    for gold, node in NODES:
        printed = re.match(r"(\d+(?:\.\d+)*)\.? ", _text(units[gold.unit], node))
        if printed:
            assert node.criterion_id == printed[1], gold.unit


def test_leaves_have_no_participating_child_and_counts_fit() -> None:
    for gold in GOLD.values():
        for node in gold.nodes:
            children = [n for n in gold.nodes if n.parent == node.criterion_id]
            alternatives = node.evaluation_logic in ("OR", "N_OF_K")
            taking_part = [
                n
                for n in children
                if n.tags != ("BackgroundInformation",) and not (alternatives and _is_anchored(n))
            ]
            assert (node.evaluation_logic == "LEAF") == (not taking_part), (gold.unit, node.criterion_id)
            assert node.n_required is None or 1 < node.n_required < len(taking_part) + 1


def _is_anchored(node: GoldNode) -> bool:
    return re.search(r"\.[A-Z][A-Za-z]+(-\d+)?$", node.criterion_id) is not None


def test_anchored_node_beside_an_alternative_depends_on_it() -> None:
    for gold in GOLD.values():
        logic = {n.criterion_id: n.evaluation_logic for n in gold.nodes}
        for node in gold.nodes:
            if _is_anchored(node) and logic.get(node.parent or "") in ("OR", "N_OF_K"):
                anchor = re.sub(r"\.[A-Z][A-Za-z]+(-\d+)?$", "", node.criterion_id)
                assert node.dependencies is not None
                assert [(c.criterion_id, c.status) for c in node.dependencies.clauses] == [(anchor, "Affirmation")]


def test_category_follows_the_threshold() -> None:
    for gold, node in NODES:
        quantitative = node.threshold is not None and node.threshold.quantitative is not None
        assert (node.category == "Quantitative") == quantitative, (gold.unit, node.criterion_id)


def _number_stands_in(value: float, text: str) -> bool:
    text = re.sub(r"(?<=\d) (?=\d{3}\b)", "", text)
    digits = re.escape(f"{value:g}").replace(r"\.", "[.,]")
    word = WORDS.get(value)
    return re.search(rf"(?<![\d.,]){digits}(?![\d]|[.,]\d)", text) is not None or (
        word is not None and re.search(word, text, re.IGNORECASE) is not None
    )


def _numbers(node: GoldNode) -> Iterator[float]:
    if node.threshold is None:
        return
    for item in node.threshold.quantitative.items if node.threshold.quantitative else ():
        yield item.value
        if item.period is not None and item.period.type == "bounded":
            yield item.period.value
    for moment in node.threshold.temporal.items if node.threshold.temporal else ():
        if moment.type == "recurring":
            yield moment.interval_value


def _dates(node: GoldNode) -> Iterator[str]:
    for moment in node.threshold.temporal.items if node.threshold and node.threshold.temporal else ():
        if moment.type == "window":
            yield from (moment.start, moment.end)
        elif moment.type != "recurring":
            yield moment.date


def _words_of(gold: GoldUnit, unit: Unit, node: GoldNode) -> str:
    """Text of the node and of the criterion that it inherits from, with its children."""
    held = {node.criterion_id, node.threshold_from}
    return " ".join(_text(unit, n) for n in gold.nodes if n.criterion_id in held or n.parent == node.threshold_from)


def test_numbers_and_years_of_thresholds_stand_in_the_text(units: dict[str, Unit]) -> None:
    for gold, node in NODES:
        text = _words_of(gold, units[gold.unit], node)
        for value in _numbers(node):
            assert _number_stands_in(value, text), (gold.unit, node.criterion_id, value)
        for date in _dates(node):
            assert date[:4] in text, (gold.unit, node.criterion_id, date)


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        (0.42, "less than 0,42 t", True),
        (10000, "above 10 000 t", True),
        (5, "every five years", True),
        (1, "audited annually", True),
        (2, "in 2027", False),
        (5, "1,5 m", False),
    ],
)
def test_number_in_text(value: float, text: str, found: bool) -> None:
    assert _number_stands_in(value, text) is found


def test_inherited_limits_are_limits_of_the_source() -> None:
    for gold, node in NODES:
        if node.threshold_from and node.threshold and node.threshold.quantitative:
            offered = offered_limits(node, gold.nodes)
            assert set(node.threshold.quantitative.items) <= set(offered), (gold.unit, node.criterion_id)


def test_corrected_points_are_printed_as_the_correction_says(units: dict[str, Unit]) -> None:
    for gold, node in NODES:
        for correction in node.corrections:
            printed = re.findall(r"\bpoint (\d+(?:\([a-z]+\))*)", _text(units[gold.unit], node))
            assert correction.from_ in printed, (gold.unit, node.criterion_id)
            assert correction.from_ != correction.to


def test_summaries_name_inheritance_and_corrections() -> None:
    for gold, node in NODES:
        notes = [f"[THRESHOLD_FROM:{node.threshold_from}]"] if node.threshold_from else []
        notes += [f"[CORR FROM:{c.from_} TO:{c.to} REASON:crossref]" for c in node.corrections]
        assert re.findall(r"\[[A-Z_]+[^\]]*\]", node.rule_summary) == notes, (gold.unit, node.criterion_id)
        assert re.sub(r"( \[[^\]]*\])+$", "", node.rule_summary).endswith("."), (gold.unit, node.criterion_id)


def test_references_are_words_of_the_text(units: dict[str, Unit]) -> None:
    for gold, node in NODES:
        text = _text(units[gold.unit], node)
        for source in node.references.sources if node.references else ():
            absent = [word for word in source.text.split() if word.strip(",s") not in text]
            assert not absent, (gold.unit, node.criterion_id, source.text)


def test_celex_numbers_are_those_of_the_titles() -> None:
    """`Directive 98/9070/EC` is 31998L9070, `Regulation (EC) No 9107/98` is 31998R9107."""
    checked = 0
    for _, node in NODES:
        named = [(s.text, s.celex_id) for s in node.references.sources] if node.references else []
        named += [(i.title, i.celex_id) for f in node.footnotes for i in f.items]
        for title, celex in named:
            printed = CELEX_TITLE.search(title)
            if celex is None or printed is None:
                continue
            first, second = int(printed[1]), int(printed[2])
            year, number = (second, first) if " No " in title else (first, second)
            assert int(celex[1:5]) == (year + 1900 if year < 100 else year), title
            assert int(celex[6:]) == number, title
            letter = re.search(r"Regulation|Directive|Decision|Recommendation", title)
            assert letter is not None and celex[5] == {"Reg": "R", "Dir": "L", "Dec": "D", "Rec": "H"}[letter[0][:3]]
            checked += 1
    assert checked > 20


def test_footnotes_of_a_node_are_those_of_its_blocks(units: dict[str, Unit]) -> None:
    for gold, node in NODES:
        markers = [m for i in node.blocks for m in units[gold.unit].blocks[i].footnotes]
        assert [f.id for f in node.footnotes] == markers, (gold.unit, node.criterion_id)


def test_footnotes_cover_all_categories_and_kinds() -> None:
    footnotes = [f for _, node in NODES for f in node.footnotes]
    assert {c for f in footnotes for c in f.categories} == {
        "Legal Reference",
        "Technical Definition",
        "Official Guideline/Standard",
        "Explanatory Note",
    }
    kinds = {i.kind for f in footnotes for i in f.items}
    assert kinds >= {"EU Legal Act", "International Convention/Treaty", "Standard", "Official Guideline/Manual"}
    assert max(len(f.items) for f in footnotes) >= 8


def _acts() -> dict[str, str]:
    return {path.name.split(".")[0]: path.read_text(encoding="utf-8") for path in (SAMPLES / "acts").iterdir()}


def test_cited_provisions_exist_in_the_sample_acts() -> None:
    acts, cited = _acts(), 0
    for _, node in NODES:
        for source in node.references.sources if node.references else ():
            if source.celex_id is None or source.celex_id in ABSENT:
                continue
            place = re.match(r"(Article \d+|Annex [IVX]+)\b", source.text)
            if place:
                heading = re.sub("^Annex", "ANNEX", place[1])
                assert f">{heading}</p>" in acts[source.celex_id], source.text
                cited += 1
            else:
                assert source.celex_id in acts
    assert cited >= 10
    assert len(acts) == 4


@pytest.mark.parametrize("phenomenon", COVERAGE.REQUIRED)
def test_coverage(units: dict[str, Unit], phenomenon: str) -> None:
    cases, holders = COVERAGE.coverage(list(GOLD.values()), units)[phenomenon]
    assert cases >= COVERAGE.MINIMUM
    assert holders >= 5


def test_data_card_shows_the_coverage(units: dict[str, Unit]) -> None:
    card = (SAMPLES / "README.md").read_text(encoding="utf-8")
    assert "\n".join(COVERAGE.table(COVERAGE.coverage(list(GOLD.values()), units))) in card


def test_wrong_nesting_is_found_by_place_and_by_label(units: dict[str, Unit]) -> None:
    """Items (c), (d) under "(b) …, including:"; then (e), which is the next letter of the outer list."""
    assert wrong_nesting(GOLD["CCM-21.1/SC"], units["CCM-21.1/SC"]) == [["1.2(b)(i)", "1.2(b)(ii)", "1.2(c)"]]
    assert wrong_nesting(GOLD["CCM-21.5/SC"], units["CCM-21.5/SC"]) == []


def test_annotated_units_of_real_acts_are_complete() -> None:
    dev = load_gold(ROOT / "data" / "gold")
    assert len(dev) == 79
    assert {u.source for u in dev} == {"compass-1.0.4", "02021R2139-20250108", "02023R2486-20260101"}
