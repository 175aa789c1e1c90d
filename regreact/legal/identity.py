"""Does a CELEX id belong to the act that a citation names? (Paper section 3.3, stage 4, and appendix E.2.)

Compared are type, year and number where the citation prints them, and the subject where it names one. That an id
exists does not prove that it is the one meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from regreact.legal.acts import acts_with_number_behind, named_acts, numbered_acts
from regreact.legal.celex import TYPES, ActType, Celex, parse, recover
from regreact.legal.model import Citation
from regreact.legal.titles import same_subject
from regreact.legal.works import Work
from signatures.types import CelexError

# Any sector (3 acts, 5 preparatory documents, 6 case law), year, one or two letters, four digits.
_WELL_FORMED = re.compile(r"^[1-9CE]\d{4}[A-Z]{1,2}\d{4}$")
_SHAPE = re.compile(r"^3(?P<year>\d{4})(?P<letter>[RLDHF])(?P<number>\d{4})$")
# "02010L0075-20240804" consolidated, "32010L0075R(01)" corrected: works of their own
_VERSION = re.compile(r"^[03](?P<act>\d{4}[RLDHF]\d{4})(?:R?\(\d\d\)|-\d{8})$")
# What makes a later act of a citation part of the title of the first.
_SECONDARY = re.compile(
    r"\b(?:amending|amended by|repealing|repealed by|replacing|implementing|supplementing|pursuant to)\b[^;]*$"
)
# "of 21 October 2009 establishing …", "on waste": the subject behind a number
_SUBJECT_BEHIND = re.compile(
    r"^[,\s]*(?:of \d{1,2} \w+ \d{4} )?(?P<subject>(?:on|concerning|relating|establishing|laying|setting|determining|regarding)\b.*)"
)
_TYPE_ONLY = re.compile(r"\b(?:(?P<framework>Framework )?(?P<type>Regulation|Directive|Decision|Recommendation))\b")


@dataclass(frozen=True, slots=True)
class Named:
    """What a citation says of the act it names.

    Attributes:
        acts: Acts printed by number or usual name, that of the citation first; none if it prints none.
        type: Type where no number is printed ("that Directive"), None if none is printed either.
        subject: Words that name the subject, "" if there are none.
    """

    acts: tuple[Celex, ...]
    type: ActType | None
    subject: str


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why an id is not that of the act named."""

    error: CelexError
    reason: str


@lru_cache(maxsize=4096)
def read_citation(citation: str) -> Named:
    """Return what a citation says of its act.

    Example:
        >>> read_citation("Annex I to Directive 2010/75/EU").acts
        (Celex(year=2010, type='Directive', number=75),)
        >>> read_citation("Article 3 of that Directive").type
        'Directive'
        >>> read_citation("conclusions for waste treatment").subject
        'conclusions for waste treatment'
    """
    behind = list(acts_with_number_behind(citation))
    found = behind or sorted([*numbered_acts(citation), *named_acts(citation)], key=lambda c: c.start)
    primary = [c for n, c in enumerate(found) if n == 0 or not _SECONDARY.search(citation[: c.start])]
    acts = tuple(dict.fromkeys(c.act for c in primary if c.act is not None))
    if acts:
        return Named(acts, None, _subject_of(citation, found, bool(behind)))
    types = list(_TYPE_ONLY.finditer(citation))
    kind = cast("ActType", "Framework Decision" if types[-1]["framework"] else types[-1]["type"]) if types else None
    return Named((), kind, citation)


def _subject_of(citation: str, acts: list[Citation], behind: bool) -> str:
    if behind:
        return citation
    match = _SUBJECT_BEHIND.match(citation[acts[0].end :])
    return match["subject"] if match else ""


def base_act(celex_id: str) -> str | None:
    """Return the act of a consolidated or corrected version, None if the id is of none.

    Example:
        >>> base_act("02010L0075-20240804"), base_act("32010L0075R(01)"), base_act("32010L0075")
        ('32010L0075', '32010L0075', None)
    """
    match = _VERSION.match(celex_id)
    return f"3{match['act']}" if match else None


def compare(celex_id: str, named: Named) -> Mismatch | None:
    """Return how an id differs from what the citation prints, None if nothing differs.

    Example:
        >>> compare("32010R0075", read_citation("Directive 2010/75/EU"))
        Mismatch(error='wrong_type', reason='the id is of a Regulation, the citation names a Directive')
        >>> compare("32010L0075", read_citation("Article 3 of Directive 2010/75/EU"))
    """
    act = parse(celex_id)
    shaped = act or _impossible(celex_id)
    if shaped is not None and named.acts:
        return None if shaped in named.acts else _difference(shaped, named.acts[0])
    if act is None:
        return _no_act(celex_id, named)
    if named.type and not act.type.endswith(named.type):  # "that Decision" may be a Framework Decision
        return _wrong_type(act.type, named.type)
    return None


def _impossible(celex_id: str) -> Celex | None:
    """Return the parts of an id that is written like that of an act but cannot be one ("31907R2006")."""
    match = _SHAPE.match(celex_id)
    return Celex(int(match["year"]), TYPES[match["letter"]], int(match["number"])) if match else None


def _no_act(celex_id: str, named: Named) -> Mismatch | None:
    """Return what is wrong with an id that is not written as that of an act; other works may have no number to compare."""
    base, rewritten = base_act(celex_id), recover(celex_id)
    if base is not None:
        return Mismatch("other_version", f"the id is of a version or correction of {base}, not of the act itself")
    if rewritten is not None:
        return Mismatch("wrong_padding", f"the id is not written as 3, year, letter, four digits: {rewritten} is")
    if not _WELL_FORMED.match(celex_id) or _SHAPE.match(celex_id):
        return Mismatch("unreadable", "this is no CELEX id")
    if named.acts or named.type:
        return Mismatch("other_act", "the id is of no act, the citation names one")
    return None


def _difference(act: Celex, meant: Celex) -> Mismatch:
    same_type, same_year, same_number = act.type == meant.type, act.year == meant.year, act.number == meant.number
    if same_year and same_number:
        return _wrong_type(act.type, meant.type)
    if same_type and act.year == meant.number and act.number == meant.year:
        return Mismatch("swapped_order", f"the id takes {act.year} for the year and {act.number} for the number")
    if same_type and same_number:
        return Mismatch("wrong_year", f"the id is of {act.year}, the citation names an act of {meant.year}")
    if same_type and same_year:
        return Mismatch("wrong_number", f"the id is of number {act.number}, the citation prints {meant.number}")
    return Mismatch("other_act", f"the id is of another act than the {meant.type} {meant.year}/{meant.number} named")


def _wrong_type(given: ActType, meant: ActType) -> Mismatch:
    return Mismatch("wrong_type", f"the id is of a {given}, the citation names a {meant}")


def compare_work(celex_id: str, named: Named, work: Work) -> Mismatch | None:
    """Return how the work that has the id differs from the act named, None if nothing differs.

    Compared are the number that opens the work's title, its kind, and its subject with that of the citation.
    """
    act = parse(celex_id)
    if work.corrigendum:
        return Mismatch("other_version", "the work is a correction, not the act itself")
    if act is not None and work.type is not None and work.type != act.type:
        return Mismatch("other_act", f"the work is a {work.type}")
    own = next(_opening_acts(work.title), None)
    if act is not None and own is not None and own != act:
        return Mismatch("other_act", f"the work's title names {own}")
    if named.subject and same_subject(named.subject, work.title) == "no":
        return Mismatch("other_act", "the work's title shares no word with the subject that the citation names")
    return None


def _opening_acts(title: str) -> Iterator[Celex]:
    """Yield the act by whose number a title opens; acts further on are amended or implemented."""
    for citation in (*acts_with_number_behind(title), *numbered_acts(title)):
        if citation.start == 0 and citation.act is not None:
            yield citation.act


def identifies(named: Named, work: Work) -> str:
    """Return what proves that the work is the act named, "" if nothing does."""
    if named.acts:
        return "the citation prints its number or usual name"
    if named.subject and same_subject(named.subject, work.title) == "yes":
        return "its title names the subject that the citation names"
    return ""
