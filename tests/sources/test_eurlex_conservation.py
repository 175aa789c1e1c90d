"""Published EUR-Lex pages lose nothing and gain nothing, and a damaged page is never read as a whole one.

The text of the pages is put together here from the markup itself, without the readers' walkers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from regreact.errors import SourceFormatError
from regreact.sources import read
from regreact.sources.eurlex import read_xhtml
from regreact.sources.model import Unit

XHTML = "{http://www.w3.org/1999/xhtml}"
CONSOLIDATED = "taxonomy/02021R2139-20250108.xhtml"
FRENCH = "taxonomy/32023R2486.fr.xhtml"
AMENDING = ("acts/32022R1214.xhtml", "acts/32023R2485.xhtml")
# Blocks that Formex holds in another item than the page's order of labels tells (experiments/xhtml_vs_formex.md).
OTHER_DEPTH = {"CCM-3.21/SC": {6, 7}}


def source(root: Path, name: str) -> Path:
    path = root / name
    if not path.is_file():
        pytest.skip(f"real source absent: {path}")
    return path


def test_expected_blocks_of_the_development_set(data_root: Path, dev_blocks: dict) -> None:  # type: ignore[type-arg]
    page = read(source(data_root, CONSOLIDATED))
    units = {unit.key: unit for unit in page.units}
    checked = [expected for expected in dev_blocks.values() if expected.document == page.document]
    assert len(checked) == 2
    for expected in checked:
        unit = units[expected.unit]
        assert unit.footnotes == expected.footnotes
        assert [(b.index, b.tag, b.marker, b.text, list(b.footnotes)) for b in unit.blocks] == [
            (e["i"], e["tag"], e["marker"], e["text"], e["fn"]) for e in expected.blocks
        ]
        deeper = {b.index for b, e in zip(unit.blocks, expected.blocks, strict=True) if b.depth != e["depth"]}
        assert deeper == OTHER_DEPTH.get(unit.key, set())


# --- damaged pages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [b"", b"</p></body></html>"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_page_that_is_cut_off_is_refused(share: float, end: bytes, data_root: Path) -> None:
    path = source(data_root, FRENCH)
    data = path.read_bytes()
    with pytest.raises(SourceFormatError, match="not well-formed"):
        read_xhtml(path, data[: int(len(data) * share)] + end)


def test_a_marker_without_footnote_costs_its_section_only(data_root: Path) -> None:
    path = source(data_root, CONSOLIDATED)
    whole = read(path)
    document = read_xhtml(path, path.read_bytes().replace(b'<a id="E0003"', b'<a id="gone"'))
    assert [failure.problem for failure in document.failures] == ["the footnote marker has no footnote"]
    assert {u.key for u in whole.units} - {u.key for u in document.units} == {document.failures[0].key}


# --- conservation -----------------------------------------------------------------------------------------

MARKER = re.compile(r"\(\s*\*?\s*\d+\s*\)|\*\d+")
NAMES = (
    "Climate change mitigation",
    "Climate change adaptation",
    "Sustainable use and protection of water and marine resources",
    "Transition to a circular economy",
    "Pollution prevention and control",
    "Protection and restoration of biodiversity and ecosystems",
    "Atténuation du changement climatique",
    "Adaptation au changement climatique",
    "Utilisation durable et protection des ressources hydriques et marines",
    "Utilisation durable et protection des ressources aquatiques et marines",
    "Transition vers une économie circulaire",
    "Prévention et contrôle de la pollution",
    "Prévention et réduction de la pollution",
    "Protection et restauration de la biodiversité et des écosystèmes",
)
HEADING = re.compile(r"(oj-ti-grseq|title-gr-seq)")


def squeeze(text: str) -> str:
    """Text without white space, brackets, stops and quotation marks, footnote markers without their number."""
    return re.sub(r"[\s().‘’“”'«»◄]", "", MARKER.sub("#", text))


# What the tables print around the sections: heading rows, the labels of the harm rows.
FRAME = re.compile(
    "(?:Technicalscreeningcriteria|Substantialcontributionto[a-z]+"
    "|Contributionsubstantielleà[a-zàâçéèêîôû]+"
    "|(?:Additionalcriteriapertainingto)?(?:Donosignificantharm|Nepascauserdepréjudiceimportant)(?:D[NH]SH)?"
    rf"|(?:#|\d)?(?:{'|'.join(''.join(name.split()) for name in NAMES)}))*"
)


def unit_text(unit: Unit) -> str:
    return squeeze("".join(f"{(b.marker or '').replace('-', '—')} {b.text}" for b in unit.blocks))


def local(element: etree._Element) -> str:
    return str(element.tag).removeprefix(XHTML)


def printed(element: etree._Element) -> Iterator[str]:
    """Text of an element without footnotes and amendment arrows."""
    is_note = element.get("class") == "tbl-norm" and element.find(f"{XHTML}a[@id]") is not None
    is_arrow = local(element) == "a" and "/celex/" in element.get("href", "") and element.get("title") is not None
    if is_arrow or (local(element) == "div" and is_note):
        return
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str):
            yield from printed(child)
        yield child.tail or ""


def holds_harm_rows(text: str) -> bool:
    """True if most of the objectives are named: the rows of the harm criteria are there."""
    return sum(name in " ".join(text.split()) for name in NAMES) >= 4


def parts(root: etree._Element) -> Iterator[str]:
    """Text from the heading before the criteria of an activity to the end of their (last) table."""
    for heading in root.iter(f"{XHTML}p"):
        # The headings of the parts of an activity are in italics and have no number.
        emphasis = heading.find(f"{XHTML}span")
        if not HEADING.match(heading.get("class", "")) or emphasis is None or "italic" not in emphasis.get("class", ""):
            continue
        region: list[str] = []
        for sibling in heading.itersiblings():
            if not isinstance(sibling.tag, str) or HEADING.match(sibling.get("class", "")):
                break
            text = "".join(printed(sibling))
            region.append(text)
            if holds_harm_rows(text):
                yield "".join(region)
                break


def check_part(text: str, units: list[Unit]) -> None:
    """The units' texts stand in the part in order, and between them only heading rows and labels."""
    place = 0
    for unit in units:
        found = text.find(unit_text(unit), place)
        assert found >= 0, unit.key
        assert FRAME.fullmatch(text[place:found]), (unit.key, text[place:found])
        place = found + len(unit_text(unit))
    assert text[place:] == "", units[-1].key


@pytest.mark.parametrize("name", [CONSOLIDATED, FRENCH, *AMENDING])
def test_text_of_the_page_is_conserved(name: str, data_root: Path) -> None:
    path = source(data_root, name)
    parser = etree.XMLParser(load_dtd=False, no_network=True, resolve_entities=False)
    found = [squeeze(text) for text in parts(etree.parse(path, parser).getroot())]
    sections = [unit for unit in read(path).units if unit.section != "Appendix"]
    assert len(found) * 6 == len(sections)
    for i, text in enumerate(found):
        units = sections[6 * i : 6 * i + 6]
        # The part of one activity has its heading in the table, after the description.
        inside = text.rpartition("Technicalscreeningcriteria")
        check_part(inside[2] if inside[1] else text, units)
