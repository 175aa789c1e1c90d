"""The published documents: every unit is there, its blocks are the expected ones, and no text is lost or added.

The source text is put together here from the markup itself, without the readers' walkers.
"""

from __future__ import annotations

import html
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from regreact.legal.activities import official_numbers
from regreact.sources import read
from regreact.sources.comparison import compare_documents
from regreact.sources.model import OBJECTIVES, SECTIONS, Document, Unit

FORMEX = (
    "02021R2139-20230101",
    "02021R2139-20240101",
    "02021R2139-20250108",
    "02021R2139-20260101",
    "02023R2486-20260101",
)
CITATION_OR_MARKER = re.compile(r"\(\d+\)")
# What the tables print around the sections: heading rows, and the labels of the harm rows.
NAMES = (
    "Climate change mitigation",
    "Climate change adaptation",
    "Sustainable use and protection of water and marine resources",
    "Transition to a circular economy",
    "Pollution prevention and control",
    "Protection and restoration of biodiversity and ecosystems",
)
FRAME = re.compile(
    r"(?:Substantialcontributionto[a-z]+|(?:Additionalcriteriapertainingto)?Donosignificantharm\(‘D[NH]SH’\)"
    rf"|(?:\(#\))?(?:{'|'.join(''.join(name.split()) for name in NAMES)}))*"
)


def squeeze(text: str) -> str:
    return "".join(text.split())


def unnumbered(text: str) -> str:
    """Text without white space, footnote markers (and citations that look like them) without their number."""
    return CITATION_OR_MARKER.sub("(#)", squeeze(text))


def unit_text(unit: Unit) -> str:
    return unnumbered("".join(block.text for block in unit.blocks))


# --- units and blocks -------------------------------------------------------------------------------------


def test_blocks_and_footnotes_are_exactly_the_expected_ones(dev_blocks: dict, real_units: dict) -> None:  # type: ignore[type-arg]
    wrong: list[str] = []
    for key, expected in dev_blocks.items():
        unit = real_units[expected.document, key]
        found = [
            {"i": b.index, "tag": b.tag, "depth": b.depth, "marker": b.marker, "text": b.text, "fn": list(b.footnotes)}
            for b in unit.blocks
        ]
        if found != expected.blocks or unit.footnotes != expected.footnotes:
            wrong.append(key)
    assert wrong == []
    assert len(dev_blocks) == 79


def activities(document: Document) -> Counter[str]:
    return Counter(unit.key.partition("-")[0] for unit in document.units if unit.section == "SC")


def appendices(document: Document) -> Counter[str]:
    return Counter(unit.key.partition("-")[0] for unit in document.units if unit.section == "Appendix")


def check_sections(document: Document) -> None:
    """Each activity has `SC` and the five objectives that are not its own, each with text."""
    assert document.failures == ()
    sections: dict[str, set[str]] = {}
    for unit in document.units:
        assert unit.blocks, unit.key
        assert [b.index for b in unit.blocks] == list(range(len(unit.blocks)))
        assert len({b.path for b in unit.blocks}) == len(unit.blocks)
        assert {f for b in unit.blocks for f in b.footnotes} == set(unit.footnotes), unit.key
        if unit.section != "Appendix":
            sections.setdefault(unit.key.partition("/")[0], set()).add(unit.section)
    for key, found in sections.items():
        assert found == set(SECTIONS) - {f"DNSH.{OBJECTIVES[key.partition('-')[0]]}"}, key


def test_compass_has_its_1098_sections(compass: Document) -> None:
    assert activities(compass) == {"CCM": 88, "CCA": 95}
    assert len(compass.units) == 1098
    check_sections(compass)


def test_the_acts_have_1452_sections_and_22_appendices(
    formex_climate: Document, formex_environment: Document
) -> None:
    assert activities(formex_climate) == {"CCM": 101, "CCA": 106}
    assert activities(formex_environment) == {"WTR": 6, "CE": 21, "PPC": 6, "BIO": 2}
    assert appendices(formex_climate) == {"CCM": 5, "CCA": 4}
    assert appendices(formex_environment) == {"WTR": 3, "CE": 4, "PPC": 3, "BIO": 3}
    assert len(formex_climate.units) + len(formex_environment.units) == 1474
    check_sections(formex_climate)
    check_sections(formex_environment)


@pytest.mark.parametrize(
    ("name", "count"), [("20230101", {"CCM": 94, "CCA": 101}), ("20240101", {"CCM": 101, "CCA": 106}),
                        ("20260101", {"CCM": 101, "CCA": 106})]
)
def test_the_other_consolidations_read(name: str, count: dict[str, int], data_root: Path) -> None:
    document = formex(data_root, f"02021R2139-{name}")
    assert activities(document) == count
    assert appendices(document) == {"CCM": 5, "CCA": 4}
    check_sections(document)


def test_known_oddities(formex_climate: Document) -> None:
    units = {unit.key: unit for unit in formex_climate.units}
    assert units["CCA-11/SC"].activity == "EDUCATION"
    assert units["CCA-4.20/SC"].blocks[0].text.startswith("1. The economic activity")
    for number in ("4.26", "4.27", "4.28"):
        headings = [b.text.split()[0] for b in units[f"CCM-{number}/SC"].blocks if b.heading]
        assert headings == ["General", "Additional"]
    assert units["CCM-7.5/SC"].blocks[0].text.startswith("The activity consists")


def test_amendments_name_the_amending_acts(formex_climate: Document) -> None:
    units = {unit.key: unit for unit in formex_climate.units}
    acts = {a.act for unit in formex_climate.units for a in unit.amendments}
    assert acts == {"32022R1214", "32023R2485"}
    assert {a.act for a in units["CCM-4.27/SC"].amendments if not a.blocks} == {"32022R1214"}
    assert units["CCM-1.1/SC"].amendments == ()
    for unit in formex_climate.units:
        assert all(i < len(unit.blocks) for a in unit.amendments for i in a.blocks)


def test_an_act_is_read_in_seconds(data_root: Path) -> None:
    start = time.process_time()
    read(source(data_root, "taxonomy/02021R2139-20250108.fmx.xml"))
    assert time.process_time() - start < 5


# --- conservation -----------------------------------------------------------------------------------------


def source(root: Path, name: str) -> Path:
    path = root / name
    if not path.is_file():
        pytest.skip(f"real source absent: {path}")
    return path


def formex(root: Path, name: str) -> Document:
    return read(source(root, f"taxonomy/{name}.fmx.xml"))


POPOVER_CONTENT = re.compile(r"<span class=.popover-tooltip-content.[^>]*>((?:(?!</span>).)*)</span>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")


def check_fragment(fragment: str, unit: Unit) -> None:
    """Tags and pop-overs off, what remains is the unit's text; the pop-overs are its footnotes."""
    body = html.unescape(TAG.sub("", POPOVER_CONTENT.sub("", fragment)))
    assert squeeze("".join(block.text for block in unit.blocks)) == squeeze(body), unit.key
    notes = {squeeze(html.unescape(TAG.sub("", note))) for note in POPOVER_CONTENT.findall(fragment)}
    assert {squeeze(note) for note in unit.footnotes.values()} == notes, unit.key


def test_compass_text_is_conserved(compass: Document, data_root: Path) -> None:
    dump = json.loads((data_root / "compass/taxonomy-1.0.4.json").read_text(encoding="utf-8"))
    units = iter(compass.units)
    for match in dump["matches"]:
        for fragments in (match["substantial_contribution_criteria"], *(d["criteria"] for d in match["dnsh"])):
            check_fragment("".join(fragments), next(units))
    assert next(units, None) is None


def test_fragment_text_is_conserved(data_root: Path) -> None:
    path = source(data_root, "compass/CCM-4.29-paper.html")
    (unit,) = read(path).units
    check_fragment(path.read_text(encoding="utf-8"), unit)
    assert (unit.key, unit.objective, list(unit.footnotes)) == ("CCM-4.29-paper/SC", "mitigation", ["fn-230"])


def formex_text(element: etree._Element) -> Iterator[str]:
    """Text in document order; labels of list items and footnotes left out, a footnote's place as "(0)"."""
    label = element.tag == "NO.P" and [a.tag for a in element.iterancestors()][1:3] == ["ITEM", "LIST"]
    if element.tag in ("GR.NOTES",) or label:
        return
    if element.tag == "NOTE":
        yield "(0)"
        return
    yield chr(int(element.get("CODE", "0"), 16)) if element.get("CODE") else element.text or ""
    for child in element:
        if isinstance(child.tag, str):
            yield from formex_text(child)
        yield child.tail or ""


def criteria_parts(annex: etree._Element) -> list[etree._Element]:
    """The parts of the annex that hold a table with the heading of the harm rows (two tables at times)."""
    tables = [t for t in annex.iter("TBL") if "Do no significant harm" in "".join(map(str, t.itertext()))]
    return list(dict.fromkeys(next(table.iterancestors("GR.SEQ")) for table in tables))


def check_part(text: str, units: list[Unit]) -> None:
    """The units' texts stand in the part in order, and between them only heading rows and labels."""
    place = 0
    for unit in units:
        found = text.find(unit_text(unit), place)
        assert found >= 0, unit.key
        between = text[place:found]
        assert FRAME.fullmatch(between), (unit.key, between)
        place = found + len(unit_text(unit))
    assert text[place:] == ""


@pytest.mark.parametrize("name", FORMEX)
def test_formex_text_is_conserved(name: str, data_root: Path) -> None:
    root = etree.parse(source(data_root, f"taxonomy/{name}.fmx.xml")).getroot()
    document = formex(data_root, name)
    sections = [unit for unit in document.units if unit.section != "Appendix"]
    parts = [part for annex in root.iter("CONS.ANNEX") for part in criteria_parts(annex)]
    assert len(parts) * 6 == len(sections)
    for i, part in enumerate(parts):
        titles = [*part.findall("TITLE"), *part.findall("TBL/TITLE")]
        content = unnumbered("".join(formex_text(part)))
        for title in titles:
            content = content.removeprefix(unnumbered("".join(title.itertext())))
        check_part(content, sections[6 * i : 6 * i + 6])
    contents = [
        annex.find("CONTENTS")
        for annex in root.iter("CONS.ANNEX")
        if "".join(annex.find("TITLE/TI").itertext()).strip().startswith("Appendix")  # type: ignore[union-attr]
    ]
    found = [unit for unit in document.units if unit.section == "Appendix"]
    assert [unit_text(u) for u in found] == [unnumbered("".join(formex_text(c))) for c in contents if c is not None]


@pytest.mark.parametrize("name", FORMEX)
def test_formex_footnotes_and_labels_are_conserved(name: str, data_root: Path) -> None:
    root = etree.parse(source(data_root, f"taxonomy/{name}.fmx.xml")).getroot()
    document = formex(data_root, name)
    notes = {n.get("NOTE.ID"): squeeze("".join(map(str, n.itertext()))) for n in root.iter("NOTE") if n.get("NOTE.ID")}
    texts: set[str] = set()
    labels: Counter[str] = Counter()
    for annex in root.iter("CONS.ANNEX"):
        appendix = "".join(map(str, annex.find("TITLE/TI").itertext())).strip().startswith("Appendix")  # type: ignore[union-attr]
        for part in [annex.find("CONTENTS")] if appendix else criteria_parts(annex):
            for table_notes in list(part.iter("GR.NOTES")):  # type: ignore[union-attr]
                table_notes.getparent().remove(table_notes)  # type: ignore[union-attr]
            texts |= {notes[n.get("NOTE.REF") or n.get("NOTE.ID")] for n in part.iter("NOTE")}  # type: ignore[union-attr]
            labels.update(
                "".join(map(str, number.itertext())).strip("(). ")
                for number in part.iter("NO.P")  # type: ignore[union-attr]
                if [a.tag for a in number.iterancestors()][1:3] == ["ITEM", "LIST"]
                and not any(a.tag in ("NOTE",) for a in number.iterancestors())
                and not is_row_label(number)
            )
    assert {squeeze(note) for unit in document.units for note in unit.footnotes.values()} == texts
    markers = Counter(b.marker for unit in document.units for b in unit.blocks if b.marker not in (None, "-"))
    assert markers == labels


def is_row_label(number: etree._Element) -> bool:
    """True for the "(2)" in front of an objective's name, in the first of a row's two cells."""
    cell = next((a for a in number.iterancestors("CELL")), None)
    if cell is None or cell.get("COL") != "1" or len(cell.getparent().findall("CELL")) != 2:  # type: ignore[union-attr]
        return False
    return re.fullmatch(r"\(\d\)", "".join(map(str, number.itertext()))) is not None


# --- two sources of one text ------------------------------------------------------------------------------


def test_the_compass_agrees_with_the_official_journal(compass: Document, data_root: Path) -> None:
    act = formex(data_root, "02021R2139-20230101")
    comparison = compare_documents(compass, act, official_numbers(compass, [act]))
    assert comparison.only_left == ()
    assert (comparison.units, comparison.blocks) == (1098, 3771)
    assert comparison.share >= 0.97
    assert sum(comparison.by_cause().values()) == comparison.blocks - comparison.identical
