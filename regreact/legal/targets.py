"""Where a citation leads: the target of a `references` edge.

`celex:…` for acts, a unit key for sections and appendices of the same annex, `standard:…` for everything that is
published elsewhere.
"""

from __future__ import annotations

import re

# "Section 5.11 of this Annex", "Section 3.7"
_SECTION = re.compile(r"\bSections? (\d+\.\d+)\b")
# "Appendix C to this Annex"
_APPENDIX = re.compile(r"\bAppendix ([A-Z])\b")
# "Annex II to this Regulation": the annex decides the objective of a section or appendix
_OTHER_ANNEX = re.compile(r"\bAnnex [IVX]+\b")
# "the relevant Section of this Annex" names no place
_VAGUE = re.compile(r"\b(relevant|this) (Section|Annex|Appendix)\b|\banother instrument\b")


def act_of(unit: str) -> str:
    """Return the part of a unit key that tells the annex.

    Example:
        >>> act_of("CCM-4.29/SC")
        'CCM'
    """
    return unit.partition("-")[0]


def reference_target(phrase: str, celex_id: str | None, unit: str) -> str | None:
    """Return the graph target of a citation, None if it names no document or place.

    Args:
        phrase: The citation as printed.
        celex_id: CELEX id of the act cited, if known.
        unit: Key of the unit that prints it.

    Example:
        >>> reference_target("Section 5.11 of this Annex", None, "CCM-4.29/SC")
        'CCM-5.11/SC'
        >>> reference_target("Article 3 of Directive 2010/75/EU", "32010L0075", "CCM-4.29/SC")
        'celex:32010L0075'
    """
    if celex_id is not None:
        return f"celex:{celex_id}"
    act = act_of(unit)
    if not _OTHER_ANNEX.search(phrase):
        section = _SECTION.search(phrase)
        if section:
            return f"{act}-{section[1]}/SC"
        appendix = _APPENDIX.search(phrase)
        if appendix:
            return f"{act}-Appendix-{appendix[1]}"
    if _VAGUE.search(phrase) and not re.search(r"\d", phrase):
        return None
    return f"standard:{phrase}"
