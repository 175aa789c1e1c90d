"""Reader for consolidated delegated acts in Formex 4: the sections of each activity, and the appendices.

Each annex serves one environmental objective. An activity is a numbered `GR.SEQ` with an unnumbered part that
describes it and one that holds a table of criteria: a heading row, the row(s) of the substantial contribution
section, a heading row, and one row for each objective that must not be harmed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from lxml import etree

from regreact.errors import SourceFormatError, UnitError
from regreact.sources.formex_blocks import formex_blocks
from regreact.sources.formex_context import FormexContext, plain_text, read_context
from regreact.sources.headings import ENGLISH, Headings
from regreact.sources.model import OBJECTIVES, Document, SourceFormat, Unit, UnitFailure
from regreact.sources.objectives import OBJECTIVE_NUMBERS, acts_by_objective
from regreact.sources.xml import parse_xml

_NUMBER = re.compile(r"(\d+(?:\.\d+)*)\.?")
# "(2) Climate change adaptation"; without the first bracket in French.
_ROW_LABEL = re.compile(r"[‘“«]?\(?(\d)\)\s*(.+)")


@dataclass
class _Reading:
    """The file being read."""

    document: str
    sha256: str
    context: FormexContext
    source_format: SourceFormat
    words: Headings = ENGLISH
    units: dict[str, Unit] = field(default_factory=dict)
    failures: list[UnitFailure] = field(default_factory=list)

    def read(
        self,
        key: str,
        section: str,
        elements: list[etree._Element],
        common: dict[str, str],
        skip: Collection[etree._Element] = (),
        headings: Collection[etree._Element] = (),
    ) -> None:
        """Read one section from its elements; what is wrong with it becomes a failure."""
        try:
            found = formex_blocks(elements, self.context, skip=skip, headings=headings, place=key)
        except UnitError as error:
            self.fail(key, error.place, error.problem)
            return
        if not found.blocks:
            self.fail(key, common["activity"], "the section is empty")
        elif key in self.units:
            self.fail(key, common["activity"], "a second unit of this name; only the first is kept")
        else:
            self.units[key] = Unit(
                key=key,
                section=section,
                document=self.document,
                sha256=self.sha256,
                format=self.source_format,
                blocks=found.blocks,
                footnotes=found.footnotes,
                amendments=found.amendments,
                **common,
            )

    def fail(self, key: str, place: str, problem: str) -> None:
        self.failures.append(UnitFailure(key, self.document, place, problem))


def read_formex(path: object, data: bytes, sha256: str) -> Document:
    """Read a consolidated act in Formex 4.

    Args:
        path: Where the bytes come from, for messages.
        data: Content of the file.
        sha256: Hex digest of `data`.

    Returns:
        Units by annex: activities in order, each with `SC` and five `DNSH.*` sections, then appendices.

    Raises:
        SourceFormatError: The XML is broken or holds no activity and no appendix.
    """
    root = parse_xml(path, data)
    return read_annexes(path, root, document_id(root, path), sha256, "formex")


def read_annexes(
    path: object,
    root: etree._Element,
    document: str,
    sha256: str,
    source_format: SourceFormat,
    words: Headings = ENGLISH,
) -> Document:
    """Read the annexes of an act from a Formex tree, of a file or restored from a page.

    Args:
        path: Where the tree comes from, for messages.
        root: Root of the tree.
        document: Source document id.
        sha256: Hex digest of the file.
        source_format: What the file is.
        words: Heading words of the act's language.

    Raises:
        SourceFormatError: The tree holds no activity and no appendix.
    """
    reading = _Reading(document, sha256, read_context(root), source_format, words)
    act = ""
    for annex in root.iter("CONS.ANNEX", "ANNEX"):
        appendix = words.appendix.match(_title(annex))
        if appendix is None:
            act = _read_annex(annex, reading)
        elif act:
            _read_appendix(annex, f"{act}-Appendix-{appendix[1].upper()}", OBJECTIVES[act], reading)
    if not reading.units and not reading.failures:
        raise SourceFormatError(
            path,
            "the act holds no activity with technical screening criteria",
            "give a consolidated delegated act under Regulation (EU) 2020/852",
        )
    return Document(
        reading.document, sha256, source_format, tuple(reading.units.values()), tuple(reading.failures)
    )


def document_id(root: etree._Element, path: object) -> str:
    """Return CELEX number and consolidation date as `INFO.CONSLEG` states them, else the file's stem."""
    info = root.find(".//INFO.CONSLEG")
    if info is not None and info.get("CONSLEG.REF") and info.get("START.DATE"):
        return f"0{info.get('CONSLEG.REF')}-{info.get('START.DATE')}"
    celex = root.findtext(".//NO.CELEX")
    return celex or str(path).rsplit("/", 1)[-1].split(".")[0]


def _title(element: etree._Element) -> str:
    title = element.find("TITLE")
    return "" if title is None else plain_text(title)


def _read_annex(annex: etree._Element, reading: _Reading) -> str:
    """Read the activities of one annex; return the annex's act key ("" if it has no activity)."""
    activities = [g for g in annex.iter("GR.SEQ") if _criteria_part(g) is not None]
    if not activities:
        return ""
    act = _act_of(annex, activities, reading.words)
    for group in activities:
        number = _NUMBER.match(_title(group))
        key = f"{act}-{number[1] if number else '?'}"
        _read_activity(group, key, OBJECTIVES[act], reading)
    return act


def _criteria_part(group: etree._Element) -> etree._Element | None:
    """Return the part of an activity that holds the table of criteria, None if the group is no activity."""
    if _NUMBER.match(_title(group)) is None:
        return None
    parts = group.findall("GR.SEQ")
    if any(_NUMBER.match(_title(part)) for part in parts):
        return None
    tables = [part for part in parts if part.find(".//TBL") is not None]
    return tables[-1] if tables else None


def _act_of(annex: etree._Element, activities: list[etree._Element], words: Headings) -> str:
    """Return the act key of the objective that the annex's heading names, else of the one without rows."""
    heading = _title(annex).lower()
    objective = words.objective_named(heading.partition(words.contributing)[2])
    if objective is None:
        absent = Counter(
            name
            for group in activities
            for name in set(OBJECTIVE_NUMBERS.values()) - {row.objective for row in _dnsh_rows(group, "", words)}
        )
        objective = absent.most_common(1)[0][0]
    return acts_by_objective()[objective]


@dataclass(frozen=True, slots=True)
class _DnshRow:
    objective: str
    row: etree._Element
    cell: etree._Element


def _dnsh_rows(group: etree._Element, own: str, words: Headings) -> list[_DnshRow]:
    """Return the rows "(n) objective | criteria" of an activity that serves the objective `own`.

    Where number and name contradict each other, the name counts, unless it names `own`. A single row that
    names `own` in both (a slip that the Official Journal has) is that of the one objective without a row.
    """
    rows: list[_DnshRow] = []
    unclear: list[tuple[etree._Element, etree._Element]] = []
    for row in group.iter("ROW"):
        cells = row.findall("CELL")
        label = _ROW_LABEL.match(plain_text(cells[0])) if len(cells) == 2 else None
        if label is None:
            continue
        candidates = (words.objective_named(label[2]), OBJECTIVE_NUMBERS.get(int(label[1])))
        objective = next((name for name in candidates if name not in (None, own)), None)
        if objective is not None:
            rows.append(_DnshRow(objective, row, cells[1]))
        elif own in candidates:
            unclear.append((row, cells[1]))
    absent = set(OBJECTIVE_NUMBERS.values()) - {own} - {row.objective for row in rows}
    if len(absent) == len(unclear) == 1:
        rows.append(_DnshRow(absent.pop(), *unclear[0]))
    return sorted(rows, key=lambda row: list(OBJECTIVE_NUMBERS.values()).index(row.objective))


def _heading(row: etree._Element) -> str:
    """Return the text of a row that is one cell of plain text, "" for other rows."""
    cells = row.findall("CELL")
    if len(cells) != 1 or any(cells[0].find(tag) is not None for tag in ("P", "NP", "LIST", "GR.SEQ")):
        return ""
    return plain_text(cells[0])


def _read_activity(group: etree._Element, key: str, own: str, reading: _Reading) -> None:
    """Read the sections of one activity: `SC`, then DNSH in the order of the objectives' numbers."""
    part = _criteria_part(group)
    if part is None:
        reading.fail(f"{key}/SC", _title(group), "the activity has no table of criteria")
        return
    rows = _dnsh_rows(part, own, reading.words)
    dnsh = {row.row for row in rows}
    headings = {row: _heading(row) for row in part.iter("ROW") if row not in dnsh}
    words = reading.words
    skip = dnsh | {r for r, text in headings.items() if words.substantial.match(text) or words.harm.match(text)}
    # The heading of the part stands in the part or in its table.
    skip |= set(part.findall("TITLE")) | set(part.findall("TBL/TITLE"))
    parts = {r for r, text in headings.items() if words.part.match(text) and r not in skip}
    common = {"activity": _activity_title(group), "objective": own, "description": _description(group, part)}
    content = [child for child in part if isinstance(child.tag, str)]
    reading.read(f"{key}/SC", "SC", content, common, skip, parts)
    for row in rows:
        section = f"DNSH.{row.objective}"
        reading.read(f"{key}/{section}", section, [row.cell], common)
    found = {own, *(row.objective for row in rows)}
    for missing in (name for name in OBJECTIVE_NUMBERS.values() if name not in found):
        reading.fail(f"{key}/DNSH.{missing}", _title(group), "the table has no row for this objective")


def _activity_title(group: etree._Element) -> str:
    title = group.find("TITLE")
    text = None if title is None else title.find(".//TXT")
    return _title(group) if text is None else plain_text(text)


def _description(group: etree._Element, criteria: etree._Element) -> str:
    """Return the paragraphs before the criteria, one a line, without footnotes and headings."""
    lines: list[str] = []
    for child in group:
        if child is criteria:
            break
        if child.tag == "GR.SEQ":
            lines += [plain_text(e) for e in child if isinstance(e.tag, str) and e.tag != "TITLE"]
        elif isinstance(child.tag, str) and child.tag != "TITLE":
            lines.append(plain_text(child))
    return "\n".join(line for line in lines if line)


def _read_appendix(annex: etree._Element, key: str, objective: str, reading: _Reading) -> None:
    """Read one appendix as a unit; its heading is the title, headings inside it are blocks."""
    content = annex.find("CONTENTS")
    subtitle = annex.find("TITLE/STI")
    if subtitle is None and content is not None:
        subtitle = content.find(".//TITLE")
    title = _title(annex) if subtitle is None else plain_text(subtitle)
    common = {"activity": title, "objective": objective, "description": ""}
    reading.read(key, "Appendix", [] if content is None else [content], common)
