"""Fast path of `signatures.references`: cited sources outside the section (guidelines section 7)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from regreact.answers import Answer, solver
from regreact.legal.celex import link
from regreact.legal.citations import Citation, find_citations, find_internal_points
from regreact.schema import FetchType, Joiner, References, ReferenceSource
from signatures.types import CriterionView, FootnoteView, UnitHeader


@dataclass(frozen=True, slots=True)
class BackgroundRule:
    """What makes a source background (`citation_only`); `before` is searched in the words that lead to it.

    `kind`, if given, limits the rule to citations of that kind; `unless` is matched against the words behind.
    """

    name: str
    before: re.Pattern[str]
    example: str
    kind: str = ""
    unless: re.Pattern[str] | None = None

    def applies(self, text: str, citation: Citation) -> bool:
        """True if the words around a citation make it background."""
        if self.kind not in ("", citation.kind) or (self.unless and self.unless.match(text[citation.end :])):
            return False
        return self.before.search(text[: citation.start]) is not None


BACKGROUND: tuple[BackgroundRule, ...] = (
    BackgroundRule(
        "amended or repealed",
        re.compile(r"\b(?:amending|repealing|replacing)\s+(?:and repealing )?(?:the )?$", re.I),
        "a plan under the rules amending Directive 2001/3/EC",
    ),
    BackgroundRule(
        "implemented by the act that binds",
        re.compile(r"\bwhich (?:implements?|transposes?)\s(?:(?:in|within|into) (?:Union law|the Union)\s)?(?:the )?$"),
        "Regulation (EU) No 12/2013, which implements in Union law the Lakes Convention",
    ),
    BackgroundRule(
        "review or power of the Commission",
        re.compile(
            r"\b(?:(?:review|revision|power|delegated acts?) (?:as )?(?:referred to|provided for|laid down) in|(?:review|revision) under) (?:the )?$"
        ),
        "the Commission takes account of it in the review referred to in Article 9(5) of Regulation (EU) 2020/8",
    ),
    BackgroundRule(
        "example of how to comply",
        re.compile(r"\b(?:for example|for instance|e\.g\.)(?:[^.;:]|:(?=\d))*$"),
        "records are kept, for example using standard ISO 12345",
    ),
    BackgroundRule(
        "objectives of a treaty",
        re.compile(r"\b(?:objectives|goals|targets) (?:of|under) (?:the )?$"),
        "the objectives under the Lakes Agreement",
        kind="convention",
    ),
    BackgroundRule(
        "treaty as the basis of law",
        re.compile(
            r"\b(?:law|legislation|acts?|rules|measures)\b[^.;,]{0,40} (?:adopted|enacted) (?:under|on the basis of|pursuant to) (?:the )?$"
        ),
        "Union law on lakes adopted under Article 9 of the Euratom Treaty",
        kind="convention",
    ),
    # the names listed, without a clause between; "such as X or equivalent" sets the level that an equivalent must reach
    BackgroundRule(
        "example of a kind",
        re.compile(r"\bsuch as (?:the |an? )?(?:(?:[A-Z(\d][^\s,;]*|of|the|for|on|to|and|or),?\s)*$"),
        "under recognised standards, such as ISO 12345 or EN 23456",
        unless=re.compile(r"^[^.;]*\bor (?:an? |other )?(?:equivalent|comparable)"),
    ),
)
# The Taxonomy Regulation as a whole is the frame of every criterion; a pinpoint into it may be a test.
_FRAMEWORK = "32020R0852"

# "the latest relevant BAT conclusions, including the BAT conclusions for …": the class, with its member named behind it
CLASS_ONLY = re.compile(r"^(?:best available techniques? \(BAT\)|BAT) conclusions$")
# "relevant resolutions of the Lakes Convention, including resolution IX/4": likewise
_RESOLUTIONS_OF = re.compile(r"\b[Rr]esolutions of the $")
# A class of vehicles is a source by itself only where no act is named with it.
_EMISSION_CLASS = "emission class"

# Sources that take the CELEX id of the act in their footnote (rulings R16, D20): not what an act only frames.
_NO_ACT_BEHIND = frozenset(
    {
        "emission class",
        "definition or report of a body",
        "dated requirements",
        "index used for calculation",
        "convention",
    }
)
_MARKER = re.compile(r"^[’'”\"]?\s?\((\d+)\)")
# "A or B", "A or, alternatively, B"; not "within or lower than", "A or equivalent"
_ALTERNATIVE = re.compile(
    r"\bor\b(?! (?:lower|higher|more|less|above|below|equivalent|other|similar|national)\b)|\balternatively\b", re.I
)
# "A, B, or equivalent schemes": the last alternative is no source
_LIST_GOES_ON = re.compile(r"(?:\(\d+\))?,? or\b")
_CUMULATIVE = re.compile(r"\band\b|\bwhile\b|\. |; ")

# How often a careful reader agrees, by what is cited.
_CONFIDENCE = {
    "eu-act": 0.93, "standard": 0.96, "section": 0.97, "appendix": 0.98, "annex": 0.9, "convention": 0.8,
    "document": 0.85,
}  # fmt: skip
_POINT_CONFIDENCE = 0.75
# Each further source is one more to get right.
_SEVERAL = 0.05
# Words that name documents: a text with one of them and no source found is less certain to cite nothing.
_SUSPECT = re.compile(
    r"\b(?:[Gg]uidelines?|[Cc]onvention|[Pp]rotocol|[Tt]reaty|[Ss]tandards?|[Ss]cheme|Directive|Regulation|Decision|Annex|"
    r"Appendix|Article|[Ll]abel|Code of|Strategy|Framework)\b"
)


@solver("ExtractReferences")
def extract_references(
    unit: UnitHeader, criteria: Sequence[CriterionView], footnotes: Sequence[FootnoteView], guidance: str = ""
) -> list[Answer[References | None]]:
    """Return the cited sources of every criterion with text, None where there are none.

    A document that the body names by subject and its footnote by number takes the footnote's CELEX id, also where it
    is named again without footnote (rulings R16, D20). In a DNSH section, points that the section does not have are
    those of the substantial contribution section, hence sources.
    """
    notes = {f.id: f.text for f in footnotes}
    ids = {c.criterion_id for c in criteria}
    previous: list[Citation] = []
    by_subject: dict[str, str] = {}
    answers: list[Answer[References | None]] = []
    for criterion in criteria:
        if criterion.block is None:
            continue
        citations = find_citations(criterion.text, previous)
        previous.extend(citations)
        citations = [_with_celex(criterion.text, c, notes, by_subject) for c in citations]
        if unit.section.startswith("DNSH"):
            citations.extend(_outside_points(criterion, ids))
        answers.append(_answer(criterion, list(_sources(criterion.text, citations))))
    return answers


def sources_of(text: str) -> list[tuple[Citation, FetchType]]:
    """Return the sources that one text cites, read by itself, each with its fetch type."""
    return [(citation, _fetch(text, citation)) for citation in _sources(text, find_citations(text))]


def _with_celex(text: str, citation: Citation, notes: dict[str, str], by_subject: dict[str, str]) -> Citation:
    """Return a document with the id of the act that its footnote gives, or gave where it was named before."""
    if citation.kind != "document" or citation.rule in _NO_ACT_BEHIND:
        return citation
    subject = re.sub(r"^best available techniques \(BAT\)", "BAT", citation.title or citation.phrase).lower()
    marker = _MARKER.match(text[citation.end :])
    if marker is not None:
        celex = _first_act(notes.get(f"fn-{marker[1]}", ""))
        if celex:
            by_subject[subject] = celex
    return replace(citation, celex=by_subject[subject]) if subject in by_subject else citation


# "In accordance with Regulation …", "See Decision …": words before the act that a footnote consists of
_LEAD_IN = 30


def _first_act(note: str) -> str | None:
    inside = find_citations(note)
    first = inside[0] if inside else None
    return first.celex if first is not None and first.kind == "eu-act" and first.start < _LEAD_IN else None


def _outside_points(criterion: CriterionView, ids: set[str]) -> Iterator[Citation]:
    """Yield the points that lead out of a DNSH section: those that it does not have, or that would cite themselves."""
    points = find_internal_points(criterion.text)
    outside = [p for p in points if p.path == criterion.criterion_id or not _has(ids, p.path, p.relative)]
    seen: set[int] = set()
    for point in outside:
        if point.start in seen:
            continue
        seen.add(point.start)
        if point.relative and point.phrase.startswith("points"):
            last = [p for p in outside if p.start >= point.start][-1]
            phrase, end = criterion.text[point.start : last.end], last.end
            seen.update(p.start for p in outside if p.end <= end)
        else:
            phrase = re.sub(r"^[Pp]oints? |^", "point ", point.phrase, count=1) if not point.relative else point.phrase
            end = point.end
        yield Citation(point.start, end, phrase, "section", None, "", phrase, "point outside")


def _has(ids: set[str], path: str, relative: bool) -> bool:
    return any(i.endswith(path) for i in ids) if relative else path in ids


def _sources(text: str, citations: Sequence[Citation]) -> Iterator[Citation]:
    """Yield the citations that are sources of their own, without repetitions."""
    ordered = sorted(citations, key=lambda c: (c.start, c.end))
    acts = [c for c in ordered if c.kind == "eu-act"]
    members = [c for c in ordered if "conclusions for" in c.phrase]
    resolutions = [c for c in ordered if c.rule == "resolution by number"]
    seen: list[Citation] = []
    for citation in ordered:
        if CLASS_ONLY.match(citation.phrase) and (members or re.match(r",? including\b", text[citation.end :])):
            continue
        if _RESOLUTIONS_OF.search(text[: citation.start]) and resolutions:
            continue
        if citation.rule == _EMISSION_CLASS and acts:
            continue
        if any(_repeats(citation, s) for s in seen):
            continue
        seen.append(citation)
        yield citation


def _repeats(citation: Citation, earlier: Citation) -> bool:
    """True if an earlier source of the same text says the same: same words or act, or a designation with its year before."""
    if citation.phrase == earlier.phrase:
        return True
    if citation.kind == earlier.kind == "eu-act" and not citation.pinpoint and not earlier.pinpoint:
        return citation.celex is not None and citation.celex == earlier.celex
    if citation.kind == "standard":
        return earlier.title.startswith(f"{citation.title}:")
    return citation.kind == earlier.kind == "document" and earlier.phrase.startswith(citation.phrase)


def _answer(criterion: CriterionView, used: Sequence[Citation]) -> Answer[References | None]:
    if not used:
        suspect = _SUSPECT.search(criterion.text) is not None
        rule = "document words without source" if suspect else "no citation"
        return Answer(criterion.criterion_id, None, 0.93 if suspect else 0.995, rule=rule)
    sources = tuple(
        ReferenceSource(
            text=citation.phrase,
            type=_fetch(criterion.text, citation),
            link=link(citation.celex) if citation.celex else None,
            link_status="generated" if citation.celex else None,
            celex_id=citation.celex,
        )
        for citation in used
    )
    logic = _logic(criterion.text, used)
    spans = tuple((criterion.block or 0, c.start, c.end) for c in used)
    value = References(logic=logic, sources=sources)
    rule = " + ".join(dict.fromkeys(c.rule or c.kind for c in used))
    sure = min(_confidence(c) for c in used) - (_SEVERAL if len(used) > 1 else 0.0)
    return Answer(criterion.criterion_id, value, sure, spans, rule=rule)


def _confidence(citation: Citation) -> float:
    if citation.rule == "point outside":
        return _POINT_CONFIDENCE
    if citation.kind == "eu-act" and citation.celex is None:
        return 0.5
    return _CONFIDENCE[citation.kind]


def _logic(text: str, citations: Sequence[Citation]) -> Joiner | None:
    """OR if the sources are alternatives throughout, else AND; "X and (Y or Z)" is AND (ruling R10)."""
    if len(citations) < 2:
        return None
    gaps = [text[a.end : b.start] for a, b in pairwise(citations)]
    if any(_CUMULATIVE.search(gap) for gap in gaps):
        return "AND"
    return "OR" if _ALTERNATIVE.search(gaps[-1]) or _LIST_GOES_ON.match(text[citations[-1].end :]) else "AND"


def _fetch(text: str, citation: Citation) -> FetchType:
    """Return whether compliance can be judged without the source (guidelines section 7)."""
    if citation.celex == _FRAMEWORK and not citation.pinpoint:
        return "citation_only"
    return "citation_only" if any(rule.applies(text, citation) for rule in BACKGROUND) else "must_be_fetched"
