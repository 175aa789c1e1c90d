"""What readers leave open, decided by the grammar of drafting: roles and labels of plain text lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from regreact.rag.convert import labels
from regreact.rag.convert.lines import Line

_ARTICLE = re.compile(r"Article\s+(\d+[a-z]*|1er|Sole)\.?", re.IGNORECASE)
_ANNEX = re.compile(r"ANNEX(?:\s+(\d+|[IVXL]+[a-zA-Z]?|[A-Z]))?")
_DIVISION = re.compile(r"((?:PART|TITLE|CHAPTER|SECTION|Part|Title|Chapter|Section|Table)\s+(?:\d+[a-z]?|[IVXL]+|[A-Z]))[.:]?")


def classify(lines: Iterable[Line]) -> list[Line]:
    """Give lines of role "text" the role and label that their wording shows."""
    found: list[Line] = []
    article, annexed = 0, False
    for line in lines:
        line = _labelled(line)
        if line.role == "text" and not line.label and not line.table and not line.quoted:
            line = _structural(line, article, annexed)
        if line.role == "article":
            number = re.search(r"\d+", line.label)
            article = int(number[0]) if number else article
        annexed = annexed or line.role == "annex"
        if line.role == "text" and not line.label and found and found[-1].role in ("article", "division", "annex"):
            if not found[-1].text and _is_title(line.text):
                line = replace(line, role="heading")
        found.append(line)
    return found


def _labelled(line: Line) -> Line:
    if line.role not in ("text", "point", "paragraph") or line.label or line.table or line.quoted:
        return line
    label, rest = labels.split(line.text)
    return replace(line, label=label, text=rest) if label else line


def _structural(line: Line, article: int, annexed: bool) -> Line:
    if (found := _ARTICLE.fullmatch(line.text)) and not annexed:
        number = re.match(r"\d+", found[1])
        if number is None or int(number[0]) in (article, article + 1):
            return replace(line, role="article", label=line.text, text="")
    if _ANNEX.fullmatch(line.text):
        return replace(line, role="annex", label=line.text, text="")
    if found := _DIVISION.fullmatch(line.text):
        return replace(line, role="division", label=found[1], text="")
    return line


def _is_title(text: str) -> bool:
    """A heading has no final stop and begins with a capital or number."""
    return bool(text) and len(text) < 300 and not text.endswith((".", ";", ":", ",")) and not text[0].islower()
