"""Acts in Formex 4, the markup of the Publications Office: single files and the archives that Cellar delivers."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from lxml import etree

from regreact.errors import SourceFormatError
from regreact.legal.citations import find_citations
from regreact.rag.act import LegalAct
from regreact.rag.convert.archive import is_archive, read_archive
from regreact.rag.convert.formex_amended import drop_deleted
from regreact.rag.convert.formex_walk import Walker
from regreact.rag.convert.limits import LIMITS, Limits, check_size, parse_xml
from regreact.rag.convert.lines import Line
from regreact.rag.convert.outline import build

_MAIN = ("ACT", "CONS.ACT", "CONS.DOC", "GENERAL", "AGR", "OTH.ACT")
_ANNEXES = ("ANNEX", "CONS.ANNEX")
# Files that were joined into one begin with an XML declaration each.
_DECLARATION = re.compile(rb"<\?xml\s")


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    root: etree._Element


def read_formex(
    data: bytes, *, name: str, celex: str, version: str, language: str, limits: Limits = LIMITS
) -> LegalAct:
    """Convert an act in Formex 4.

    Args:
        data: One file, several joined into one, or the zip archive that Cellar delivers.
        name: File name, for messages.
        celex: CELEX id of the act, "" to take it from the document.
        version: Date of a consolidated version (`2022-06-07`), "" to take it from the document.
        language: Two-letter code, "" to take it from the document.
        limits: What the document may ask for.

    Raises:
        DocumentRefusedError: A limit is exceeded, or the document declares entities.
        SourceFormatError: The file is damaged or no act in Formex.
    """
    check_size(name, len(data), limits=limits)
    files = _archived(data, name, limits) if is_archive(data) else _joined(data, name, limits)
    for file in files:
        drop_deleted(file.root)
    parts = [part for file in files for part in _parts(file.root)]
    parts.sort(key=lambda part: part.tag in _ANNEXES)  # stable: annexes keep their order, after the act
    if not parts:
        tags = ", ".join(sorted({f"<{file.root.tag}>" for file in files}))
        raise SourceFormatError(name, f"no act in Formex: {tags}", f"expected <{'>, <'.join((*_MAIN, 'ANNEX'))}>")
    walker = Walker(name)
    for part in parts:
        walker.notes.open(part)
        walker.walk(part)
    lines = walker.finish()
    own_celex, own_version, own_language = _identity(parts[0], lines)
    return build(
        lines,
        celex=celex or own_celex,
        version=version or own_version,
        language=(language or own_language).lower(),
        format="formex",
        sha256=hashlib.sha256(data).hexdigest(),
    )


def _joined(data: bytes, name: str, limits: Limits) -> list[_File]:
    """Parse a file, or each of the files that it was joined from."""
    starts = [match.start() for match in _DECLARATION.finditer(data)]
    if len(starts) < 2:
        return [_File(name, parse_xml(name, data, limits=limits))]
    if len(starts) > limits.members:
        raise SourceFormatError(name, f"{len(starts):,} files in one; the limit is {limits.members:,}", "split it")
    pieces = [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]
    return [_File(name, parse_xml(name, piece, limits=limits)) for piece in pieces]


def _archived(data: bytes, name: str, limits: Limits) -> list[_File]:
    """Parse the files of an archive, in the order that its `doc.xml` gives, else by name."""
    files = [
        _File(member.name.rpartition("/")[2], parse_xml(f"{name}!{member.name}", member.data, limits=limits))
        for member in read_archive(name, data, limits=limits)
    ]
    order = [ref.get("FILE", "") for file in files for ref in file.root.iter("REF.PHYS") if file.root.tag == "DOC"]
    place = {file: index for index, file in reversed(list(enumerate(order)))}
    return sorted(files, key=lambda file: place.get(file.name, len(order)))


def _parts(root: etree._Element) -> list[etree._Element]:
    """Return the act and the annexes of a file: its root, else the outermost of them below it."""
    wanted = (*_MAIN, *_ANNEXES)
    if root.tag in wanted:
        return [root]
    found: list[etree._Element] = []
    for element in root.iter(*wanted):
        if not any(above in found for above in element.iterancestors()):
            found.append(element)
    return found


def _identity(main: etree._Element, lines: list[Line]) -> tuple[str, str, str]:
    """Return CELEX id, version and language that the document states, "" for what it does not."""
    language = next((e.text or "" for e in main.iter("LG.DOC", "LG.OJ")), "").strip()
    info = main.find(".//INFO.CONSLEG")
    if info is not None and (reference := info.get("CONSLEG.REF", "")):
        date = re.sub(r"\D", "", info.get("START.DATE", ""))
        version = f"{date[:4]}-{date[4:6]}-{date[6:8]}" if len(date) == len("20220607") else ""
        return f"3{reference.lstrip('03')}" if not reference.startswith("3") else reference, version, language
    if number := main.findtext(".//NO.CELEX"):
        return number.strip(), "", language
    title = " ".join(line.text for line in lines if line.role == "title")
    # The grammar of citations knows the type as running text prints it.
    readable = re.sub(r"\b[A-Z]{4,}\b", lambda word: word[0].capitalize(), title)
    found = (c.celex for c in find_citations(readable) if c.kind == "eu-act" and c.celex)
    return next(found, ""), "", language
