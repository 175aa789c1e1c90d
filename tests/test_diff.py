"""`regreact diff`: what changed, what only moved, and what an amending act added."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from regreact import cli
from regreact.config import ProgramSettings, Settings
from regreact.diff.build import difference
from regreact.diff.compare import compare
from regreact.diff.model import Difference
from regreact.diff.sides import Side, family, load_side, side_of
from regreact.diff.words import render, word_changes
from regreact.errors import ConfigError
from regreact.runner import Extractor
from regreact.schema import Clause, Dependencies, Extraction, Footnote, References, ReferenceSource
from regreact.sources.model import Document
from tests.dataset.builders import criterion
from tests.export.cases import extraction, limits

TEXTS = {
    "lamps": "the lamps are switched off by daylight;",
    "pumps": "the pumps run on power that the plant makes itself;",
    "water": "the rinsing water is filtered and used again;",
    "drums": "the drums are insulated with mineral wool on all sides;",
}


def tree(*names: str, **own: Any) -> Extraction:
    """Return a section "1" whose points (a), (b) … have the texts of these names."""
    points = [criterion(f"1({'abcdef'[at]})", TEXTS[name], **own.get(name, {})) for at, name in enumerate(names)]
    return extraction("CE-1.1/SC", criterion("1", "1. All of the following are met:", *points))


def changes(a: Extraction, b: Extraction) -> list[tuple[Any, ...]]:
    """Return each change as kind, old id, new id and fields (aspect, old, new)."""
    return [(c.change, c.old_id, c.new_id, *((f.aspect, f.old, f.new) for f in c.fields)) for c in compare(a, b)]


def test_equal_trees_differ_in_nothing() -> None:
    assert changes(tree("lamps", "pumps"), tree("lamps", "pumps")) == []


def test_an_inserted_point_is_added_and_those_behind_it_moved() -> None:
    assert changes(tree("lamps", "pumps"), tree("lamps", "water", "pumps")) == [
        ("added", None, "1(b)"),
        ("changed", "1(b)", "1(c)", ("place", "1(b) below 1", "1(c) below 1")),
    ]


def test_a_deleted_point_is_removed() -> None:
    assert changes(tree("lamps", "water", "pumps"), tree("lamps", "pumps")) == [
        ("changed", "1(c)", "1(b)", ("place", "1(c) below 1", "1(b) below 1")),
        ("removed", "1(b)", None),
    ]


def test_points_that_swap_places_moved() -> None:
    found = changes(tree("lamps", "pumps"), tree("pumps", "lamps"))
    assert [(c[1], c[2]) for c in found] == [("1(b)", "1(a)"), ("1(a)", "1(b)")]
    assert all(c[3][0] == "place" and len(c) == 4 for c in found)


def test_children_that_go_along_with_their_parent_did_not_move_themselves() -> None:
    def numbered(number: str) -> Extraction:
        below = criterion(number, "The drums are kept so:", criterion(f"{number}(a)", TEXTS["drums"]))
        return extraction("CE-1.1/SC", *([criterion("1", TEXTS["water"])] if number == "2" else []), below)

    assert [c[:3] for c in changes(numbered("1"), numbered("2"))] == [
        ("added", None, "1"), ("changed", "1", "2"),
    ]  # fmt: skip


def test_a_reworded_point_is_changed_and_not_replaced() -> None:
    new = "the lamps are switched off by night;"
    a, b = (
        tree("lamps"),
        extraction("CE-1.1/SC", criterion("1", "1. All of the following are met:", criterion("1(a)", new))),
    )
    assert changes(a, b) == [("changed", "1(a)", "1(a)", ("text", TEXTS["lamps"], new))]


def test_a_limit_shows_old_and_new_with_its_unit() -> None:
    old = {
        "threshold": limits(("Losses", "<", 100.0, "g/kWh"), ("Heat", "<", 3.0, "%"), logic="AND"),
        "category": "Quantitative",
    }
    new = {
        "threshold": limits(("Heat", "<", 3.0, "%"), ("Losses", "<=", 50.5, "g/kWh"), logic="OR"),
        "category": "Quantitative",
    }
    assert changes(tree("lamps", lamps=old), tree("lamps", lamps=new)) == [
        ("changed", "1(a)", "1(a)", ("threshold", "Losses < 100 g/kWh", "Losses ≤ 50.5 g/kWh"),
         ("threshold", "joined by AND", "joined by OR")),
    ]  # fmt: skip


def test_a_limit_added_and_a_date_changed() -> None:
    old = {"threshold": limits(dates=[{"type": "deadline", "date": "2025-12-31"}]), "category": "Qualitative"}
    new = {
        "threshold": limits(("Heat", ">", 3.0, "%"), dates=[{"type": "deadline", "date": "2027-12-31"}]),
        "category": "Quantitative",
    }
    assert changes(tree("lamps", lamps=old), tree("lamps", lamps=new))[0][3:] == (
        ("threshold", "", "Heat > 3 %"),
        ("threshold", "by 2025-12-31", "by 2027-12-31"),
        ("category", "Qualitative", "Quantitative"),
    )


def test_logic_applicability_tags_references_and_footnotes() -> None:
    def act(number: str) -> References:
        return References(sources=(ReferenceSource(text=f"Directive (EU) 2099/{number}", type="must_be_fetched"),))

    old: dict[str, Any] = {
        "references": act("1"),
        "tags": ("Verification",),
        "footnotes": (Footnote(id="fn-1", verbatim="Steam."),),
    }
    new: dict[str, Any] = {"references": act("2"), "applicability": "Conditional"}
    assert changes(tree("lamps", lamps=old), tree("lamps", lamps=new))[0][3:] == (
        ("applicability", "Mandatory", "Conditional"),
        ("tags", "Verification", ""),
        ("references", "Directive (EU) 2099/1", "Directive (EU) 2099/2"),
        ("footnotes", "Steam.", ""),
    )
    either = criterion(
        "1", "1. All of the following are met:", criterion("1(a)", TEXTS["lamps"]), evaluation_logic="OR"
    )
    assert changes(tree("lamps"), extraction("CE-1.1/SC", either)) == [("changed", "1", "1", ("logic", "AND", "OR"))]


def test_footnotes_that_are_only_renumbered_are_no_change() -> None:
    def noted(number: int) -> Extraction:
        note = Footnote(id=f"fn-{number}", verbatim="Steam above 2 bar.")
        return extraction("CE-1.1/SC", criterion("1", f"Drums are steamed({number}).", footnotes=(note,)))

    assert changes(noted(1), noted(4)) == []


def test_a_condition_on_a_criterion_that_moved_is_the_same_condition() -> None:
    def gate(target: str) -> dict[str, Any]:
        clause = Clause(criterion_id=target, status="Negation")
        return {"dependencies": Dependencies(condition_summary="x", min_conditions_to_meet=1, clauses=(clause,))}

    a = tree("lamps", "pumps", pumps=gate("1(a)"))
    b = tree("water", "lamps", "pumps", pumps=gate("1(b)"))
    assert "dependencies" not in {field[0] for change in changes(a, b) for field in change[3:]}
    b = tree("water", "lamps", "pumps", pumps=gate("1(a)"))
    (changed,) = [f for change in changes(a, b) for f in change[3:] if f[0] == "dependencies"]
    assert changed == ("dependencies", "1(b) not met", "1(a) not met")


def test_repeated_texts_and_ids_pair_once() -> None:
    def copies(count: int) -> Extraction:
        return extraction("CE-1.1/SC", *(criterion(str(n), "or") for n in range(count)))

    assert [c[0] for c in changes(copies(2), copies(4))] == ["added", "added"]
    twice = extraction("CE-1.1/SC", criterion("1", "a thing"), criterion("1", "another matter altogether"))
    assert changes(twice, twice) == []


def written(folder: Path, *extractions: Extraction) -> str:
    for each in extractions:
        path = folder / each.source.document / f"{each.unit.replace('/', '__')}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(each.to_json()), encoding="utf-8")
    return str(folder)


def of(document: str, found: Extraction, **own: str) -> Extraction:
    return found.model_copy(update={"source": found.source.model_copy(update={"document": document}), **own})


def differ(a: str, b: str) -> Difference:
    return difference(load_side(a), load_side(b), Extractor(Settings()))


def named(key: str, title: str, document: str) -> Extraction:
    return of(document, tree("lamps"), unit=f"{key}/SC", activity=title)


def test_versions_of_one_act_join_by_number_and_other_documents_by_title(tmp_path: Path) -> None:
    old, new = "02099R0001-20990101", "02099R0001-21000101"
    a = written(tmp_path / "a", named("CE-1.1", "Washing of wool", old), named("CE-1.2", "Drying", old))
    b = written(
        tmp_path / "b",
        named("CE-1.1", "Cleaning of felt", new),
        named("CE-1.3", "Drying", new),
        named("CE-2.1", "Ironing", new),
    )
    assert [(c.change, c.old_activity, c.activity) for c in differ(a, b).activities] == [
        ("changed", "CE-1.1", "CE-1.1"), ("changed", "CE-1.2", "CE-1.3"), ("added", None, "CE-2.1"),
    ]  # fmt: skip
    c = written(tmp_path / "c", named("CE-9.1", "Drying", "compass-1.0"), named("CE-1.1", "Ironing", "compass-1.0"))
    d = written(tmp_path / "d", named("WTR-1.1", "Mooring", "other"), named("CE-1.1", "Washing of wool", old))
    beside_another = next(iter(differ(d, b).activities))
    assert (beside_another.change, beside_another.activity) == ("changed", "CE-1.1")
    found = differ(c, b)
    assert [(x.change, x.old_activity, x.activity) for x in found.activities] == [
        ("added", None, "CE-1.1"), ("changed", "CE-9.1", "CE-1.3"), ("changed", "CE-1.1", "CE-2.1"),
    ]  # fmt: skip
    assert [(u.change, u.unit) for u in found.units] == [("added", "CE-1.1/SC")] and found.same == 2


@pytest.mark.parametrize(("one", "other"), [
    ("02021R2139-20230101", "02021R2139-20250108"), ("32021R2139", "02021R2139-20250108"), ("compass-1.0.4", "compass-1.1"),
])  # fmt: skip
def test_versions_of_one_document_are_known_by_their_ids(one: str, other: str) -> None:
    assert family(one) == family(other)
    assert family(one) != family("02023R2486-20260101")


def test_a_side_with_two_versions_is_refused(tmp_path: Path) -> None:
    out = written(tmp_path, named("CE-1.1", "Washing", "one"), named("CE-1.1", "Washing", "two"))
    with pytest.raises(ConfigError, match=r"name one document, such as .*two"):
        load_side(out)
    assert load_side(f"{out}/two").documents == ("two",)


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    monkeypatch.setattr(sys, "argv", ["regreact", "diff", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    return int(stop.value.code or 0)


def test_fragments_are_compared_whatever_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, share in (("old", "5"), ("new", "4")):
        text = f"<p>1. Water losses are lower than {share} % of the water.</p>"
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
    sides = (tmp_path / "old.html", tmp_path / "new.html")
    assert command(monkeypatch, *sides) == 0
    out = capsys.readouterr().out
    assert "1 threshold: Water losses relative to water < 5 % → Water losses relative to water < 4 %" in out
    assert not out.startswith("~ activity") and "are lower than [5 → 4] % of the" in out
    assert command(monkeypatch, *sides, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["units"][0]["criteria"][0]["fields"][1] == {
        "aspect": "threshold", "old": "Water losses relative to water < 5 %", "new": "Water losses relative to water < 4 %",
    }  # fmt: skip
    assert data["summary"]["criteria"] == {"added": 0, "removed": 0, "changed": 1, "moved": 0}
    assert command(monkeypatch, *sides, "--summary") == 0
    assert "criteria    0 added, 0 removed, 1 changed, 0 moved" in capsys.readouterr().out
    assert command(monkeypatch, sides[0], sides[0]) == 0
    assert capsys.readouterr().out == "no difference in 1 section\n"


def test_an_extraction_file_compares_with_the_source_it_was_made_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wash.html"
    path.write_text("<p>1. Water losses are lower than 5 %.</p>", encoding="utf-8")
    side = load_side(str(path))
    made = side.extraction("wash/SC", Extractor(Settings()))
    file = tmp_path / "made.json"
    file.write_text(json.dumps(made.to_json()), encoding="utf-8")
    assert command(monkeypatch, file, path) == 0
    assert capsys.readouterr().out == "no difference in 1 section\n"
    assert command(monkeypatch, tmp_path / "none", path) == 2


def test_words_name_only_what_changed() -> None:
    assert word_changes("a b c d e f g h", "a b c d x f g h") == "… b c d [e → x] f g h …"
    assert word_changes("a b", "a b c") == "… a b [+ c] …"
    assert word_changes("a b c", "b c") == "… [- a] b c …"


def test_a_difference_in_words_lists_sections_and_criteria() -> None:
    a, b = tree("lamps", "pumps"), tree("lamps", "water", "pumps")
    sides = [load_of(x) for x in (a, b)]
    text = render(difference(*sides, Extractor(Settings())))
    assert text.startswith("~ CE-1.1/SC Washing\n    + 1(b) added: the rinsing water is filtered and used again;\n")
    assert "    ~ 1(c) moved: was 1(b) below 1, is 1(c) below 1\n" in text


def load_of(found: Extraction) -> Any:
    return Side("x", {found.unit: found}, documents=(found.source.document,))


# Number and title of an activity stand in the heading of a division of annex I (mitigation) or II (adaptation).
NUMBERED = re.compile(r"(\d+\.\d+)\.\s*\S")


def headings(path: Path) -> set[str]:
    """Return the activities of an act as its headings number them, read from the markup without the readers."""
    found = set()
    keys = {"ANNEX I": "CCM", "ANNEX II": "CCA"}
    for annex in etree.parse(path).iter("CONS.ANNEX"):
        key = keys.get(squeezed(annex.find("TITLE/TI")))
        numbers = (NUMBERED.match(squeezed(title)) for title in annex.iter("TITLE")) if key else ()
        found |= {f"{key}-{match[1]}" for match in numbers if match}
    return found


def squeezed(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


def test_the_activities_that_an_amending_act_added_are_listed_and_none_wrongly(
    data_root: Path, formex_climate_2023: Document, formex_climate: Document
) -> None:
    """Commission Delegated Regulation (EU) 2023/2485 amended the climate act between the two versions."""
    documents = (formex_climate_2023, formex_climate)
    old, new = (headings(data_root / f"taxonomy/{d.document}.fmx.xml") for d in documents)
    assert len(old) > 150 and old < new
    a, b = (side_of(d.document, [d], ["*/SC"]) for d in documents)
    marked = {
        key.partition("/")[0] for key, unit in b.units.items()
        for mark in unit.amendments if (mark.act, mark.action, mark.blocks) == ("32023R2485", "INSERTED", ())
    }  # fmt: skip
    # Which activities there are does not depend on how their sections are read: the quickest program does.
    found = difference(a, b, Extractor(Settings(program=ProgramSettings(name="markup"))))
    added = {c.activity for c in found.activities if c.change == "added"}
    assert added == new - old == marked
    assert not [c for c in found.activities if c.change == "removed"]
    assert {u.unit for u in found.units if u.change == "added"} == {f"{key}/SC" for key in added}
