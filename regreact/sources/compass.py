"""Reader for the EU Taxonomy Compass dump: JSON with the criteria as HTML fragments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import lxml.html
from lxml import etree
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from regreact.errors import SourceFormatError
from regreact.sources.blocks import fold
from regreact.sources.html_blocks import html_blocks, parse_fragment
from regreact.sources.model import OBJECTIVES, Document, Unit, UnitFailure
from regreact.sources.objectives import acts_by_objective

_VERSION = re.compile(r"\d+(?:\.\d+)+")
Fragments = Annotated[list[str], Field(min_length=1)]


class _Record(BaseModel):
    """Base of the dump's records; keys that the reader does not use are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class _Activity(_Record):
    name: str
    reference: str


class _Harm(_Record):
    objective: str
    criteria: Fragments


class _Match(_Record):
    activity: str
    objective: str
    substantial_contribution_criteria: Fragments
    dnsh: list[_Harm]
    activity_description: str = ""
    contribution_description: str = ""


class _Dump(_Record):
    activities: Annotated[list[_Activity], Field(min_length=1)]
    matches: Annotated[list[_Match], Field(min_length=1)]


def read_compass(path: Path, data: bytes, sha256: str) -> Document:
    """Read a Compass dump: each match of activity and objective gives `SC` and the `DNSH.*` sections.

    Args:
        path: The file; its name states the version (`taxonomy-1.0.4.json` is `compass-1.0.4`).
        data: Content of the file.
        sha256: Hex digest of `data`.

    Returns:
        Units in the order of the dump; the key's number is the dump's own (`activities[].reference`).

    Raises:
        SourceFormatError: The JSON is broken or is no Compass dump.
    """
    dump = _load(path, data)
    version = _VERSION.search(path.stem)
    document = f"compass-{version[0]}" if version else path.stem
    numbers = {activity.name: activity.reference for activity in dump.activities}
    units: dict[str, Unit] = {}
    failures: list[UnitFailure] = []
    for i, match in enumerate(dump.matches):
        act = acts_by_objective().get(match.objective)
        key = f"{act or match.objective}-{numbers.get(match.activity, '?')}"
        if act is None or match.activity not in numbers:
            what = "objective" if act is None else "activity"
            failures.append(UnitFailure(key, document, f"matches[{i}]", f"the {what} is not listed"))
            continue
        for section, place, fragments in _sections(match, i):
            name = f"{key}/{section}"
            unit = _unit(name, match, document, sha256, fragments)
            if isinstance(unit, str):
                failures.append(UnitFailure(name, document, place, unit))
            elif name in units:
                failures.append(UnitFailure(name, document, place, "a second section of this name"))
            else:
                units[name] = unit
    return Document(document, sha256, "compass-json", tuple(units.values()), tuple(failures))


def is_compass(content: object) -> bool:
    """True if parsed JSON has the dump's two lists."""
    return isinstance(content, dict) and {"activities", "matches"} <= content.keys()


def _load(path: Path, data: bytes) -> _Dump:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise SourceFormatError(path, f"not valid JSON: {error}", "download the file again") from error
    if not is_compass(content):
        raise SourceFormatError(
            path, "JSON of another shape", "a Compass dump has the lists `activities` and `matches`"
        )
    try:
        return _Dump.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise SourceFormatError(
            path, f"not a Compass dump: {place}: {first['msg']}", "give a dump of the EU Taxonomy Compass"
        ) from error


def _sections(match: _Match, index: int) -> Iterator[tuple[str, str, list[str]]]:
    """Yield section name, place in the JSON and HTML fragments."""
    place = f"matches[{index}]"
    yield "SC", f"{place}.substantial_contribution_criteria", match.substantial_contribution_criteria
    for j, harm in enumerate(match.dnsh):
        yield f"DNSH.{harm.objective}", f"{place}.dnsh[{j}]", harm.criteria


def _unit(key: str, match: _Match, document: str, sha256: str, fragments: list[str]) -> Unit | str:
    """Return the unit, or what is wrong with it."""
    section = key.rpartition("/")[2]
    if section != "SC" and section.removeprefix("DNSH.") not in OBJECTIVES.values():
        return "the objective is not one of the six"
    try:
        blocks, footnotes = html_blocks("\n".join(fragments))
    except (etree.LxmlError, ValueError) as error:
        return f"the criteria are not readable as HTML: {error}"
    try:
        description = _description(match)
    except (etree.LxmlError, ValueError) as error:
        return f"the description is not readable as HTML: {error}"
    if not blocks:
        return "the section is empty"
    return Unit(
        key=key,
        activity=fold(match.activity),
        objective=match.objective,
        section=section,
        document=document,
        sha256=sha256,
        format="compass-json",
        blocks=blocks,
        footnotes=footnotes,
        description=description,
    )


def _description(match: _Match) -> str:
    """Return the paragraphs of the description, one a line, without footnotes."""
    lines: list[str] = []
    for markup in (match.activity_description, match.contribution_description):
        if markup.strip():
            root = parse_fragment(markup)
            for note in root.xpath(".//sup[span[contains(@class, 'popover-tooltip')]]"):
                note.drop_tree()
            blocks, _ = html_blocks(lxml.html.tostring(root, encoding="unicode"))
            lines += [block.text for block in blocks]
    return "\n".join(lines)
