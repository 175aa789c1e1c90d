"""Checks of stage 4 and 6 answers: citations, CELEX ids, footnotes (paper appendices C, E.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regreact.answers import Answer
from regreact.legal.celex import full_year, parse
from regreact.observers.base import Issue, observer
from regreact.schema import References
from signatures.types import FootnoteValue

# "Directive 2010/75/EU", "Regulation (EC) No 338/97": type, then number and year in either order
_ACT = re.compile(
    r"\b(?P<type>Regulation|Directive|Decision|Recommendation) (?:\((?:EU|EC|EEC|Euratom)\) )?(?:No )?"
    r"(?P<first>\d{1,4})/(?P<second>\d{1,4})"
)


def _agrees(celex: str, act: re.Match[str]) -> bool:
    """True if an id may belong to a printed act: its type, and its number and year in some order."""
    parsed = parse(celex)
    if parsed is None or parsed.type != act["type"]:
        return False
    readings = ((act["first"], act["second"]), (act["second"], act["first"]))
    return any((parsed.year, parsed.number) == (full_year(year), int(number)) for year, number in readings)


@observer("ExtractReferences")
def source_in_text(inputs: Mapping[str, Any], answers: Sequence[Answer[References | None]]) -> Iterator[Issue]:
    """The numbers of every source occur in the text; a split conjunction may repeat words, not numbers."""
    by_id = {c.criterion_id: c for c in inputs["criteria"]}
    for answer in answers:
        view = by_id.get(answer.id)
        if answer.value is None or view is None:
            continue
        for source in answer.value.sources:
            missing = [n for n in re.findall(r"\d+", source.text) if n not in re.findall(r"\d+", view.text)]
            if missing:
                yield Issue(
                    answer.id, "semantic", "critical", "references",
                    f"{source.text!r} names {missing[0]}, which does not occur in the source", (), "source_in_text",
                )  # fmt: skip


@observer("ExtractReferences")
def celex_derivable(inputs: Mapping[str, Any], answers: Sequence[Answer[References | None]]) -> Iterator[Issue]:
    """A CELEX id agrees with type, number and year of the act that the source prints."""
    for answer in answers:
        for source in answer.value.sources if answer.value else ():
            acts = list(_ACT.finditer(source.text))
            if not acts:
                continue
            if source.celex_id is None:
                description = f"{source.text!r} without CELEX id"
                yield Issue(answer.id, "completeness", "major", "references", description, (), "celex_derivable")
            elif not any(_agrees(source.celex_id, act) for act in acts):
                description = f"{source.celex_id} is not derivable from {source.text!r}"
                yield Issue(answer.id, "semantic", "critical", "references", description, (), "celex_derivable")


@observer("ExtractReferences", "ProcessFootnotes")
def celex_exists(
    inputs: Mapping[str, Any], answers: Sequence[Answer[References | FootnoteValue | None]]
) -> Iterator[Issue]:
    """A CELEX id is that of an existing act, the one cited (`celex`: what verification found, where it has run)."""
    flagged = [e for e in inputs.get("celex", ()) if e.status == "flagged"]
    for answer in answers if flagged else ():
        cited: list[tuple[str | None, str]] = []
        if isinstance(answer.value, References):
            cited = [(s.celex_id, s.text) for s in answer.value.sources]
        elif answer.value is not None:
            cited = [(i.celex_id, i.title) for i in answer.value.items]
        for celex_id, citation in cited:
            # What was no id at all is left out of the answer.
            found = (e for e in flagged if e.citation == citation and celex_id in (e.celex_id, None))
            entry = next(found, None)
            if entry is not None:
                field = "references" if isinstance(answer.value, References) else "footnotes"
                description = f"{entry.celex_id} for {citation!r}: {entry.reason}"
                yield Issue(answer.id, "consistency", "major", field, description, (), "celex_exists")


@observer("ExtractReferences")
def act_without_source(inputs: Mapping[str, Any], answers: Sequence[Answer[References | None]]) -> Iterator[Issue]:
    """Every act that the text prints by number is in some source."""
    by_id = {c.criterion_id: c for c in inputs["criteria"]}
    for answer in answers:
        view = by_id.get(answer.id)
        if view is None:
            continue
        sources = answer.value.sources if answer.value else ()
        for act in _ACT.finditer(view.text):
            number = f"{act['first']}/{act['second']}"
            covered = any(number in s.text or (s.celex_id and _agrees(s.celex_id, act)) for s in sources)
            if not covered:
                yield Issue(
                    answer.id, "completeness", "minor", "references", f"{act[0]} is in no source",
                    ((view.block or 0, act.start(), act.end()),), "act_without_source",
                )  # fmt: skip


@observer("ProcessFootnotes")
def footnote_has_text(inputs: Mapping[str, Any], answers: Sequence[Answer[FootnoteValue]]) -> Iterator[Issue]:
    """A marker leads to a footnote with text."""
    for footnote in inputs["footnotes"]:
        if not footnote.text.strip():
            yield Issue(
                footnote.id, "completeness", "critical", "footnotes", "marker without footnote text", (),
                "footnote_has_text",
            )  # fmt: skip


@observer("ProcessFootnotes")
def items_in_footnote(inputs: Mapping[str, Any], answers: Sequence[Answer[FootnoteValue]]) -> Iterator[Issue]:
    """Numbers of titles occur in the footnote, CELEX ids agree with titles, legal categories have a legal item."""
    texts = {f.id: f.text for f in inputs["footnotes"]}
    for answer in answers:
        text = texts.get(answer.id, "")
        for item in answer.value.items:
            missing = [n for n in re.findall(r"\d+", item.title) if n not in text]
            act = _ACT.search(item.title)
            if missing:
                yield _footnote(answer.id, f"{item.title!r} names {missing[0]}, which is not in the footnote")
            elif act and item.celex_id and not _agrees(item.celex_id, act):
                yield _footnote(answer.id, f"{item.celex_id} is not derivable from {item.title!r}")
        legal = any(i.kind in ("EU Legal Act", "International Convention/Treaty") for i in answer.value.items)
        if "Legal Reference" in answer.value.categories and not legal:
            yield Issue(
                answer.id, "consistency", "major", "footnotes", "Legal Reference without a legal act", (),
                "items_in_footnote",
            )  # fmt: skip


def _footnote(footnote_id: str, description: str) -> Issue:
    return Issue(footnote_id, "semantic", "critical", "footnotes", description, (), "items_in_footnote")
