"""Places within the criteria themselves: "Section 5.12 of this Annex", "criteria 1 and 2 of Section 5.7", appendices.

The annexes of the delegated acts under Regulation (EU) 2020/852 hold the criteria of one objective each; their
sections are the units.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from regreact.legal.citations import Citation, find_internal_points
from regreact.legal.window import WINDOW, window_before

# Annexes I, II … of each delegated act, by the first part of a unit key.
ANNEXES: dict[str, tuple[str, ...]] = {
    "32021R2139": ("CCM", "CCA"),
    "32023R2486": ("WTR", "CE", "PPC", "BIO"),
}
_NUMERALS = ("I", "II", "III", "IV", "V", "VI")

_SP = r"[ \u00a0]"
_NUMBER = r"\d+\.\d+"
_NUMBERS = rf"{_NUMBER}\.?(?:(?:,|,?{_SP}(?:and|or|to)|{_SP}?–){_SP}{_NUMBER}\.?)*"
_SECTIONS = re.compile(rf"\b[Ss]ections?{_SP}(?P<list>{_NUMBERS})")
_APPENDIX = re.compile(
    rf"(?:[Ss]ections?{_SP}(?P<sections>[IVX]+(?:(?:,|,?{_SP}(?:and|or|to)){_SP}[IVX]+)*){_SP}(?:of|in){_SP})?"
    rf"(?:this{_SP}(?P<this>Appendix)|Appendi(?:x|ces){_SP}(?P<list>[A-Z](?:(?:,|,?{_SP}(?:and|or|to)){_SP}[A-Z])*))\b"
)
_RANGE = re.compile(rf"(?P<first>[\w.]*\w)\.?{_SP}?(?:\bto\b|–){_SP}?(?P<last>[\w.]*\w)")
# "…, and 5.12, respectively, of this Annex": what follows a section of a list up to the annex that holds them all
_ANNEX_BEHIND = re.compile(
    rf"^\.?(?:{_SP}\([^()]*\))?(?:(?:,|,?{_SP}(?:and|or)){_SP}(?:(?:criteri\w+|points?|paragraphs?){_SP}[^;:]{{1,40}}?{_SP}of{_SP}Sections?{_SP})?"
    rf"{_NUMBER}\.?)*(?:{_SP}?,?{_SP}respectively,?)?,?{_SP}(?:of|in|to){_SP}(?P<annex>this{_SP}Annex|Annex{_SP}[IVX]+)\b"
)
_ANNEX = re.compile(rf"\bAnnex{_SP}(?P<number>[IVX]+)\b")
_SUBSECTION = re.compile(r"[Ss]ubsection[ \u00a0]‘(?P<title>.+)’")
_LABELS = rf"(?:\(?[\w.]+\)?)(?:\(\w+\))*(?:(?:,|,?{_SP}(?:and|or|to)){_SP}\(?[\w.]+\)?(?:\(\w+\))*)*"
_POINTS = rf"(?:criteri(?:a|on)|[Pp]oints?|[Pp]aragraphs?){_SP}{_LABELS}"
# "points (b) or (c)" behind a subsection, "criteria 1 and 2 of" before a section
_POINTS_BEHIND = re.compile(rf"^,?{_SP}?(?P<points>{_POINTS})")
_POINTS_BEFORE = re.compile(
    rf"(?P<points>(?:{_POINTS},?{_SP}(?:and|or){_SP})?{_POINTS}){_SP}of{_SP}(?:[Ss]ections?{_SP}(?:{_NUMBERS},?{_SP}(?:(?:and|or){_SP})?)?)?$"
)

# How a text names the criteria of "do no significant harm" and their objectives (Regulation (EU) 2020/852, Article 9).
_HARM = re.compile(
    r"\bD[NH]SH\b|\b(?:do|does|doing|not|no)[ \u00a0](?:not[ \u00a0]|no[ \u00a0])?(?:cause[ \u00a0])?"
    r"significant(?:ly)?[ \u00a0]harm",
    re.I,
)
_OBJECTIVES = (
    ("mitigation", r"climate[ \u00a0]change[ \u00a0]mitigation"),
    ("adaptation", r"climate[ \u00a0]change[ \u00a0]adaptation"),
    ("water", r"water[ \u00a0]and[ \u00a0]marine[ \u00a0]resources"),
    ("circular", r"circular[ \u00a0]economy"),
    ("pollution", r"pollution[ \u00a0]prevention|prevention[ \u00a0]and[ \u00a0]control[ \u00a0]of[ \u00a0]pollution"),
    ("biodiversity", r"biodiversity[ \u00a0]and[ \u00a0]ecosystems"),
)
_SENTENCE_END = re.compile(r"(?<=[a-z)’\d])[.;:][)\]]?(?:\(\d+\))?\s+(?=[A-Z(‘])|\n")


# "See the Guidance for lake shores, Section 3.1 (Reeds)": a section of what is published elsewhere
_OF_A_DOCUMENT = re.compile(
    r"\b(?:Guid(?:e|ance|elines?)|Reports?|Handbook|Manual|Documents?|Communication|Recommendations?|Standards?|Protocol|"
    r"Strategy|Notice|Framework|Programme)\b[^.;()]{0,120},[ \u00a0](?:in[ \u00a0])?$"
)
# "Sections II and III of" before an appendix
_LED_BY_SECTION = re.compile(
    rf"[Ss]ections?{_SP}[IVX]+(?:,?{_SP}(?:and|or|to){_SP}[IVX]+)*{_SP}(?:of|in){_SP}$"
)
# "the table in Section II of this Appendix": a place of the unit itself
_OWN_SECTION = re.compile(
    rf"[Ss]ections?{_SP}[IVX]+(?:(?:,|,?{_SP}(?:and|or|to)){_SP}[IVX]+)*{_SP}(?:of|in){_SP}this{_SP}Appendix\b"
)


def own_sections(text: str) -> list[Citation]:
    """Return the sections of the appendix itself that a text of it cites."""
    return [
        Citation(*match.span(), match[0], "appendix", rule="section of this appendix")
        for match in _OWN_SECTION.finditer(text)
    ]


def is_internal(citation: Citation) -> bool:
    """True if a citation leads to a section, appendix or annex of criteria, in the same or another delegated act."""
    if citation.kind in ("section", "appendix", "annex"):
        return True
    words = citation.pinpoint
    return citation.celex in ANNEXES and bool(_SECTIONS.search(words) or _APPENDIX.search(words))


def resolve_internal(citation: Citation, unit_key: str, text: str, keys: Collection[str]) -> tuple[str, ...]:
    """Return the sections, criteria and appendices that a citation means, those at hand only.

    Args:
        citation: A citation for which `is_internal` holds.
        unit_key: Key of the unit that prints it (`CCM-4.29/SC`).
        text: Text that it stands in; the sentence may name the objective of "do no significant harm".
        keys: Keys of the units at hand; a criterion may stand beside its unit as `key#criterion`.

    Returns:
        `unit:CCM-5.12/SC`, `unit:CCM-5.7/SC#1`, `unit:CCM-Appendix-A`, `unit:CCM-Appendix-A/sec_II` …

    Example:
        >>> from regreact.legal.citations import find_citations
        >>> text = "meets criteria 1 and 2 of Section 2.3 of this Annex"
        >>> resolve_internal(find_citations(text)[0], "CCM-1.1/SC", text, ["CCM-2.3/SC"])
        ('unit:CCM-2.3/SC#1', 'unit:CCM-2.3/SC#2')
    """
    if citation.celex is None and _OF_A_DOCUMENT.search(text, *window_before(citation.start)):
        return ()
    words = citation.pinpoint or citation.phrase
    annex = _annex(citation, unit_key, text)
    if annex is None:
        return ()
    appendix = _APPENDIX.search(_led_by_section(citation, words, text))
    if appendix:
        return tuple(_appendices(appendix, annex, unit_key))
    sections = _SECTIONS.search(words)
    if sections:
        numbers = _expanded(sections["list"], _numbers(annex, keys))
    elif _SUBSECTION.search(words):
        numbers = [unit_key.partition("/")[0].partition("-")[2]]
    else:
        return ()
    points = _points(citation, words, text)
    units = [u for n in numbers for u in _units(f"{annex}-{n}", _section(citation, words, text, unit_key), keys)]
    if not points:
        return tuple(f"unit:{unit}" for unit in units)
    return tuple(f"unit:{unit}#{_criterion(unit, point, keys)}" for unit in units for point in points)


def _led_by_section(citation: Citation, words: str, text: str) -> str:
    """Return the words of a citation with the section of the appendix before it ("Section II of")."""
    led = _LED_BY_SECTION.search(text, *window_before(citation.start))
    return led[0] + words if led else words


def _annex(citation: Citation, unit_key: str, text: str) -> str | None:
    """Return the annex meant as the first part of a unit key; the citing unit's own unless another is named."""
    own = unit_key.partition("-")[0]
    acts = [annexes for annexes in ANNEXES.values() if own in annexes]
    annexes = ANNEXES.get(citation.celex or "", acts[0] if acts else (own,))
    named = _ANNEX.search(citation.pinpoint or citation.phrase)
    if named is None and citation.celex is None:
        behind = _ANNEX_BEHIND.match(text[citation.end : citation.end + WINDOW])
        named = _ANNEX.search(behind["annex"]) if behind else None
    if named is None:
        return own if citation.celex is None else None
    number = _NUMERALS.index(named["number"]) if named["number"] in _NUMERALS else len(annexes)
    return annexes[number] if number < len(annexes) else None


def _appendices(found: re.Match[str], annex: str, unit_key: str) -> list[str]:
    """Return appendices, or sections of them, whether they are at hand or not: no dump of the Compass has any."""
    if found["this"]:
        units = [unit_key.partition("/")[0]]
    else:
        letters = [chr(n) for n in range(ord("A"), ord("Z") + 1)]
        units = [f"{annex}-Appendix-{letter}" for letter in _expanded(found["list"], letters)]
    sections = _expanded(found["sections"] or "", list(_NUMERALS))
    return [f"unit:{unit}/sec_{s}" for unit in units for s in sections] or [f"unit:{unit}" for unit in units]


def _numbers(annex: str, keys: Collection[str]) -> list[str]:
    """Return the numbers of an annex's sections at hand, in order."""
    found = {m[1] for key in keys if (m := re.match(rf"{annex}-({_NUMBER})/", key))}
    return sorted(found, key=_as_number)


def _as_number(label: str) -> tuple[int, ...]:
    return tuple(map(int, label.split(".")))


def _expanded(words: str, known: list[str]) -> list[str]:
    """Return the labels of a list in order; a range holds all that are known between its ends."""
    found: list[str] = []
    position = 0
    for match in re.finditer(r"\d+\.\d+|\b[A-Z]+\b", words):
        label = match[0]
        if found and re.search(r"\bto\b|–", words[position : match.start()]) and {label, found[-1]} <= set(known):
            found.extend(known[known.index(found[-1]) + 1 : known.index(label)])
        found.append(label)
        position = match.end()
    return found


def _section(citation: Citation, words: str, text: str, unit_key: str) -> str:
    """Return which section of an activity is meant: `SC`, `DNSH.<objective>`, or `DNSH` for all of them.

    It is the substantial contribution unless the subsection cited, or the sentence, is about significant harm.
    """
    subsection = _SUBSECTION.search(words)
    about = subsection["title"] if subsection else _sentence(text, citation)
    harm = _HARM.search(about)
    if harm is None:
        return "SC"
    behind, before = about[harm.end() :], about[: harm.start()]
    named = _objective(behind, first=True) or (_objective(before, first=False) if subsection else "")
    if named:
        return f"DNSH.{named}"
    own = unit_key.partition("/")[2]
    return own if own.startswith("DNSH.") else "DNSH"


def _objective(text: str, first: bool) -> str:
    hits = [(m.start(), name) for name, words in _OBJECTIVES for m in re.finditer(words, text, re.I)]
    return (min(hits) if first else max(hits))[1] if hits else ""


def _sentence(text: str, citation: Citation) -> str:
    """Return the sentence around a citation."""
    start, end = max(0, citation.start - WINDOW), min(len(text), citation.end + WINDOW)
    for match in _SENTENCE_END.finditer(text, start, end):
        if match.end() <= citation.start:
            start = match.end()
        elif match.start() >= citation.end:
            end = match.start()
            break
    return text[start:end]


def _units(activity: str, section: str, keys: Collection[str]) -> list[str]:
    """Return the keys at hand of a section of an activity."""
    if section == "DNSH":
        return [key for key in keys if key.startswith(f"{activity}/DNSH.") and "#" not in key]
    return [f"{activity}/{section}"] if f"{activity}/{section}" in keys else []


def _points(citation: Citation, words: str, text: str) -> list[str]:
    """Return the criteria that a citation names, as criterion ids or bare labels ("(b)")."""
    before = _POINTS_BEFORE.search(text, *window_before(citation.start))
    inside = re.match(rf"(?P<points>.+){_SP}of{_SP}[Ss]ections?{_SP}", words)
    subsection = _SUBSECTION.search(words)
    rest = words[subsection.end() :] if subsection else text[citation.end : citation.end + WINDOW]
    behind = _POINTS_BEHIND.match(rest)
    found = inside or behind or before
    return [point.path for point in find_internal_points(found["points"])] if found else []


def _criterion(unit: str, point: str, keys: Collection[str]) -> str:
    """Return a criterion id; labels alone hang on the only unnumbered paragraph, hence `1(b)`."""
    if not point.startswith("("):
        return point
    known = [key.partition("#")[2] for key in keys if key.startswith(f"{unit}#")]
    ends = [key for key in known if re.fullmatch(r"[\d.]+" + re.escape(point), key)]
    return ends[0] if ends else f"1{point}"
