"""Acts of the Union as they are printed: by type and number, by usual name, as "that Directive"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from regreact.legal.celex import ActType, derive
from regreact.legal.model import Citation

_SP = r"[ \u00a0]"
# The tail belongs to the name and makes no difference (clarification C1).
TAIL = rf"(?:{_SP}of{_SP}the{_SP}European{_SP}Parliament{_SP}and{_SP}of{_SP}the{_SP}Council)?"
_DOMAIN = r"EU|EC|EEC|ECSC|Euratom|CFSP"
_SUFFIX = r"EU|EC|EEC|CE|ECSC|Euratom|JHA|CFSP"
_NUMBER = rf"(?P<first>\d{{1,4}})/(?P<second>\d{{1,4}})(?:/(?P<suffix>{_SUFFIX}))?(?![\d/])"
_BEFORE_NUMBER = (
    rf"(?:\((?P<domain>{_DOMAIN})(?:,{_SP}(?:{_DOMAIN}))*\){_SP}?|(?P<bare>EU|EC|EEC){_SP})?(?P<numero>Nos?\.?{_SP}?)?"
)
# "Commission Delegated Regulation (EU) No 807/2014", "Directives 92/43/EEC", "Regulation EU 2020/852"
_ACT = re.compile(
    rf"(?:(?<!Parliament{_SP}and{_SP})(?P<issuer>Commission|Council){_SP})?(?:(?P<kind>Delegated|Implementing|Framework){_SP})?"
    rf"\b(?P<type>[Rr]egulation|[Dd]irective|[Dd]ecision|[Rr]ecommendation)(?P<plural>s)?{_SP}?{_BEFORE_NUMBER}{_NUMBER}"
)
# "… and 2009/147/EC", "…, (EU) 2015/652": a further number of the same type
_MARKER = r"(?:\(\d{1,3}\))?"
_NEXT = re.compile(rf"{_MARKER}(?:{TAIL},{_SP}|,?{TAIL}{_SP}(?:and|or){_SP}(?:of{_SP})?){_BEFORE_NUMBER}{_NUMBER}")
# "Council Recommendation of 12 July 1999 on … (1999/519/EC)": the number stands behind the title
_NUMBER_BEHIND = re.compile(
    rf"(?P<issuer>Commission|Council){_SP}(?P<type>Regulation|Directive|Decision|Recommendation){_SP}of{_SP}\d{{1,2}}{_SP}"
    rf"[A-Z][a-z]+{_SP}\d{{4}}{_SP}[^;.]{{3,400}}?\({_NUMBER}\)"
)

# Usual names of acts. Names that passed from one act to another are left out unless the years since keep the id apart.
NAMED_ACTS: dict[str, str] = {
    "Waste Framework Directive": "32008L0098",
    "Water Framework Directive": "32000L0060",
    "Marine Strategy Framework Directive": "32008L0056",
    "Habitats Directive": "31992L0043",
    "Birds Directive": "32009L0147",
    "Nitrates Directive": "31991L0676",
    "Floods Directive": "32007L0060",
    "Groundwater Directive": "32006L0118",
    "Bathing Water Directive": "32006L0007",
    "Drinking Water Directive": "32020L2184",
    "Industrial Emissions Directive": "32010L0075",
    "Environmental Liability Directive": "32004L0035",
    "Landfill Directive": "31999L0031",
    "Ecodesign Directive": "32009L0125",
    "Renewable Energy Directive": "32018L2001",
    "Maritime Spatial Planning Directive": "32014L0089",
    "EIA Directive": "32011L0092",
    "Environmental Impact Assessment Directive": "32011L0092",
    "WEEE Directive": "32012L0019",
    "RoHS Directive": "32011L0065",
    "REACH Regulation": "32006R1907",
    "CLP Regulation": "32008R1272",
    "Taxonomy Regulation": "32020R0852",
    "General Data Protection Regulation": "32016R0679",
    "European Climate Law": "32021R1119",
}
_NAMED_ACT = re.compile(rf"\b(?:{'|'.join(NAMED_ACTS)})\b")


def numbered_acts(text: str) -> Iterator[Citation]:
    """Yield the acts that a text prints by number, without pinpoints; further numbers of a list by themselves."""
    for match in _ACT.finditer(text):
        kind = _type(match)
        if _celex(kind, match) is None:
            continue  # "Decision 14/8 of the … Convention": no year, no act of the Union
        issuer = f"{match['issuer']} " if match["issuer"] else ""
        name = f"{issuer}{match['kind'] + ' ' if match['kind'] else ''}{match['type'].capitalize()}"
        printed = text[match.end("plural") if match["plural"] else match.end("type") : match.end()].strip(" \u00a0")
        title = f"{name} {printed}" if match["plural"] or match["type"][0].islower() else match[0]
        end = _tail_end(text, match.end())
        phrase = title + text[match.end() : end]
        yield Citation(match.start(), end, phrase, "eu-act", _celex(kind, match), "", _folded(title), "numbered act")
        position = match.end()
        while (further := _NEXT.match(text, position)) and _is_same_list(match, further):
            start = further.start("first")
            for group in ("numero", "bare", "domain"):
                start = further.start(group) - (group == "domain") if further[group] else start
            title = f"{name} {text[start : further.end()]}"
            end = _tail_end(text, further.end())
            celex = _celex(kind, further, match)
            yield Citation(start, end, title, "eu-act", celex, "", _folded(title), "listed number")
            position = further.end()


def _is_same_list(first: re.Match[str], further: re.Match[str]) -> bool:
    """A list goes on after a plural ("Directives …"), or with treaty letters before a number ("and (EC) No 7/2009")."""
    return bool(first["plural"] or further["domain"])


def _type(match: re.Match[str]) -> ActType:
    printed = match["type"].capitalize()
    return "Framework Decision" if match["kind"] == "Framework" else cast("ActType", printed)


def _celex(kind: ActType, match: re.Match[str], first: re.Match[str] | None = None) -> str | None:
    """Return the id of a printed number; a list's later numbers share "No" of the first only if it is "Nos"."""
    shared = first is not None and first["numero"] is not None and first["numero"].startswith("Nos")
    return derive(
        kind,
        match["first"],
        match["second"],
        numero=bool(match["numero"]) or shared,
        domain=match["domain"] or match["bare"] or "",
        suffix=match["suffix"] or "",
    )


def _tail_end(text: str, end: int) -> int:
    match = re.compile(TAIL).match(text, end)
    return match.end() if match else end


def _folded(title: str) -> str:
    return re.sub(r"[ \u00a0]+", " ", title)


def acts_with_number_behind(text: str) -> Iterator[Citation]:
    """Yield acts of the form "Council Recommendation of 12 July 1999 on … (1999/519/EC)"."""
    for match in _NUMBER_BEHIND.finditer(text):
        kind = cast("ActType", match["type"])
        celex = derive(kind, match["first"], match["second"], suffix=match["suffix"] or "")
        number = text[match.start("first") : match.end() - 1]
        title = f"{match['issuer']} {kind} {number}"
        yield Citation(match.start(), match.end(), match[0], "eu-act", celex, "", title, "number behind the title")


def named_acts(text: str) -> Iterator[Citation]:
    """Yield acts cited by their usual name ("the Waste Framework Directive")."""
    for match in _NAMED_ACT.finditer(text):
        yield Citation(match.start(), match.end(), match[0], "eu-act", NAMED_ACTS[match[0]], "", match[0], "named act")
