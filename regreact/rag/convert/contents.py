"""Tables of contents: they repeat the headings of what follows and must not take their addresses."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
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

_ANNEX = re.compile(r"ANNEX(?: [IVXL\d]+)?")


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
    entries = _entries(lines)
    places: dict[tuple[str, str], list[int]] = {}
    for entry in entries:
        places.setdefault(entry.key, []).append(entry.start)
    annexes = [index for index, line in enumerate(lines) if _ANNEX.fullmatch(line.label or line.text)]
    for run in _runs(entries):
        if len(run) >= _SHORTEST:
            for index in _returning(run, places, annexes):
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
    keys = {entry.key for entry in entries[:1]}
    for before, entry in pairwise(entries):
        if entry.start - before.end > 1 or entry.key in keys:
            runs.append([])
            keys = set()
        runs[-1].append(entry)
        keys.add(entry.key)
    return runs


def _returning(run: list[_Entry], places: dict[tuple[str, str], list[int]], annexes: list[int]) -> range:
    """Lines from the first to the last entry that returns below in the same annex, none if the run is no table of
    contents (annexes of an annex belong to it)."""
    end = run[-1].end
    following = bisect_left(annexes, end)
    limit = annexes[following] if following < len(annexes) else sys.maxsize
    heads: list[int] = []
    back: list[_Entry] = []
    for entry in run:
        starts = places[entry.key]
        below = bisect_left(starts, end)
        if below < len(starts) and starts[below] < limit:
            heads.append(starts[below])
            back.append(entry)
    if len(back) < _SHARE * len(run):
        return range(0)
    start, end = back[0].start, back[-1].end
    return range(start, end) if max(heads) - min(heads) >= _SPREAD * (end - start) else range(0)
