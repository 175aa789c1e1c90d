"""Tables of contents: they repeat the headings of what follows and must not take their addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from regreact.rag.convert import labels
from regreact.rag.convert.lines import Line

_SHORTEST = 5  # entries
_LONGEST_ENTRY = 250  # characters
_SHARE = 0.7  # of the entries that return as headings (others are printed a little differently)
_SPREAD = 3  # the headings stand at least so many times as far apart as the entries
_LABEL = re.compile(r"(?i)(?:(?:part|chapter|section|annex)\s+)?(?:\d+(?:\.\d+)*|[ivxl]+)[.:]?")


@dataclass(frozen=True, slots=True)
class _Entry:
    start: int
    end: int  # after its last line
    key: tuple[str, str]


def mark_contents(lines: Sequence[Line]) -> list[Line]:
    """Take the labels of tables of contents out of the count.

    A table of contents is a run of at least five labelled titles, one right after another, most of which return below
    in the same annex with text between them.
    """
    found = list(lines)
    for run in _runs(_entries(lines)):
        if len(run) >= _SHORTEST:
            for index in _returning(run, lines):
                found[index] = replace(lines[index], quoted=True, role="text")
    return found


def _entries(lines: Sequence[Line]) -> list[_Entry]:
    found: list[_Entry] = []
    for index, line in enumerate(lines):
        if found and index < found[-1].end:
            continue
        label, text = (line.label, line.text) if line.label or line.table else labels.split(line.text)
        if not label and _LABEL.fullmatch(line.text):
            label, text = line.text, ""
        end = index + 1
        if label and not text and end < len(lines) and not lines[end].label:
            text, end = lines[end].text, end + 1
        title = 3 < len(text) < _LONGEST_ENTRY and not text.endswith((".", ";", ":", ","))
        if title and not line.quoted and _LABEL.fullmatch(label.strip()):
            found.append(_Entry(index, end, (labels.bare(label).casefold(), "".join(text.casefold().split()))))
    return found


def _runs(entries: list[_Entry]) -> list[list[_Entry]]:
    runs: list[list[_Entry]] = [entries[:1]] if entries else []
    for before, entry in pairwise(entries):
        if entry.start - before.end > 1 or any(entry.key == earlier.key for earlier in runs[-1]):
            runs.append([])
        runs[-1].append(entry)
    return runs


def _returning(run: list[_Entry], lines: Sequence[Line]) -> range:
    """Lines from the first to the last entry that returns below, none if the run is no table of contents."""
    below = _entries(_same_annex(lines, run[-1].end))
    places = {entry.key: entry.start for entry in reversed(below)}
    back = [entry for entry in run if entry.key in places]
    if len(back) < _SHARE * len(run):
        return range(0)
    heads = [places[entry.key] for entry in back]
    start, end = back[0].start, back[-1].end
    return range(start, end) if max(heads) - min(heads) >= _SPREAD * (end - start) else range(0)


def _same_annex(lines: Sequence[Line], start: int) -> Sequence[Line]:
    """The lines from `start` to the next annex in capitals (inner annexes belong to the table of contents)."""
    for index in range(start, len(lines)):
        line = lines[index]
        if re.fullmatch(r"ANNEX(?: [IVXL\d]+)?", line.label or line.text):
            return lines[start:index]
    return lines[start:]
