"""Retrieval of the cited provision by the text of the criterion that cites it, without the place it names.

Run me:  python experiments/retrieval.py [--pinpoints FILE] [--source FOLDER] [--checkpoint COLBERT] [--out FILE]

For each citation of the pinpoint list: the query is the block that prints it (with the footnote that prints it, or, for
citations outside criteria, the printed paragraph), from which the words of all places ("Article 29, paragraphs 2 to 5,
of") are cut and acts' names kept; relevant are the chunks of the cited act that hold a cited provision or a part of it.
Citations of an act within itself, and of criteria, are left out. Figures are means over the citations of an act, then
over acts, with a bootstrap interval over acts. No text of the sources is written.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from regreact.errors import ConfigError, RegReActError
from regreact.rag.act import LegalAct
from regreact.rag.chunk import chunks, holding
from regreact.rag.passages import Chunk
from regreact.rag.retriever import RetrieverSettings, retriever
from regreact.sources import find_source, read
from regreact.sources.model import Document, Unit

COMMAND = "python experiments/retrieval.py"
PINPOINTS = Path(__file__).resolve().parent.parent.parent / "shared/gold/pinpoints.json"

# A place is a noun of division with its labels ("Article 29, paragraphs 2 to 5", "point 10.1.5(a)", "Part A").
_LABEL = r"(?:\(?(?:\d+[a-z]?(?:\.\d+)*|[IVXLC]+|[a-z]|[ivx]+|[A-Z])\)?(?:\s?\((?:\d+[a-z]?|[a-z]|[ivx]+)\))*)(?![\w])"
_LABELS = rf"{_LABEL}(?:(?:,\s|\s?[-–]\s?|,?\s(?:and|or|to)\s){_LABEL})*"
_NOUN = (
    r"(?:Articles?|[Pp]aragraphs?|[Pp]oints?|Annex(?:es)?|[Pp]arts?|[Ss]ections?|Chapters?|Tables?|Descriptors?"
    r"|Appendi(?:x|ces)|(?:Component Material Categories )?\(?CMC\)?)"
)
PLACE = re.compile(rf"\b{_NOUN}\s{_LABELS}(?:\s\([^()]*\))?(?:,?\s(?:of|to|in)(?=\s))?,?")
NUMBERED_ACT = re.compile(r"\b(?:\d{1,4}/\d{1,4}|19\d\d|20\d\d)/?(?:EC|EU|EEC)?\b")


@dataclass(frozen=True)
class Case:
    """One citation: what is asked of which act, and where the answer stands."""

    id: str
    celex: str
    query: str
    addresses: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """True if all that is cited is a whole annex, chapter or larger part of the act."""
        return all("/" not in a and not a.startswith("art_") for a in self.addresses)


def squeeze(text: str) -> str:
    """Text without white space, for comparison."""
    return "".join(text.split())


def without_places(text: str) -> str:
    """Cut the words of places.

    Example:
        >>> without_places("complies with Article 29, paragraphs 2 to 5, of Directive (EU) 2018/2001.")
        'complies with Directive (EU) 2018/2001.'
    """
    return " ".join(PLACE.sub(" ", text).split()).replace(" ,", ",").replace(" .", ".")


# --- cases ------------------------------------------------------------------------------------------------


def cases(entries: Sequence[Mapping[str, object]], source: Path | None, acts: Mapping[str, LegalAct]) -> Iterator[Case]:
    """Yield the citations that have a query and an act at hand."""
    for entry in entries:
        celex, addresses = entry["celex"], entry["addresses"]
        assert isinstance(addresses, list)
        if not isinstance(celex, str) or any(str(a).startswith("unit:") for a in addresses):
            continue
        printed = criterion(entry, source) if entry["unit"] else sentence(entry, source, acts)
        if printed:
            yield Case(str(entry["id"]), celex, without_places(printed), tuple(map(str, addresses)))


def criterion(entry: Mapping[str, object], source: Path | None) -> str:
    """Return the block that prints the citation, with the footnote if that prints it; "" if neither is found."""
    document = str(entry["note"]).rpartition("printed in ")[2].split(" and ")[-1].strip()
    unit = next((u for u in opened(document, source).units if u.key == entry["unit"]), None)
    return printing(unit, str(entry["citation"])) if unit else ""


def printing(unit: Unit, citation: str) -> str:
    """Return the block of a unit, or the block and its footnote, in which the citation stands."""
    wanted = squeeze(citation)
    for block in unit.blocks:
        if wanted in squeeze(block.text):
            return block.text
        for note in block.footnotes:
            if wanted in squeeze(unit.footnotes.get(note, "")):
                return f"{block.text} {unit.footnotes[note]}"
    return ""


def sentence(entry: Mapping[str, object], source: Path | None, acts: Mapping[str, LegalAct]) -> str:
    """Return the printed paragraph of another act, or the description of an activity, in which the citation stands."""
    note, wanted = str(entry["note"]), squeeze(str(entry["citation"]))
    cited_in = re.search(r"\b3\d{4}[A-Z]\d{4}\b", note)
    if not cited_in or cited_in[0] == entry["celex"]:
        return ""
    taxonomy = {"32021R2139": "02021R2139-20250108", "32023R2486": "02023R2486-20260101"}.get(cited_in[0])
    if taxonomy:
        units = opened(taxonomy, source).units
        lines = [u.description for u in units] + [n for u in units for n in u.footnotes.values()]
    else:
        act = acts.get(cited_in[0])
        lines = act.text.splitlines() if act else []
    return next((line for line in lines if wanted in squeeze(line)), "")


@cache
def opened(document: str, source: Path | None) -> Document:
    """Read a source document once."""
    return read(find_source(document, source))
