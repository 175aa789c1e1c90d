"""Abbreviations of EU environmental law with their full forms, as acts print them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

ABBREVIATIONS: Mapping[str, str] = {
    "BAT": "best available techniques",
    "BAT-AEEPL": "energy efficiency level associated with the best available techniques",
    "BAT-AEL": "emission level associated with the best available techniques",
    "BAT-AEPL": "environmental performance level associated with the best available techniques",
    "BOD": "biochemical oxygen demand",
    "BREF": "best available techniques reference document",
    "CCGT": "combined cycle gas turbine",
    "CCS": "carbon capture and storage",
    "CCU": "carbon capture and utilisation",
    "CHP": "combined heat and power",
    "CII": "carbon intensity indicator",
    "CMR": "carcinogenic, mutagenic or toxic for reproduction",
    "COD": "chemical oxygen demand",
    "CSP": "concentrated solar power",
    "DNSH": "do no significant harm",
    "ECHA": "European Chemicals Agency",
    "EEDI": "energy efficiency design index",
    "EEXI": "energy efficiency existing ship index",
    "EIA": "environmental impact assessment",
    "ELV": "emission limit value",
    "EMAS": "eco-management and audit scheme",
    "EMS": "environmental management system",
    "EPC": "energy performance certificate",
    "EPD": "environmental product declaration",
    "ETS": "emissions trading system",
    "GHG": "greenhouse gas",
    "GWP": "global warming potential",
    "HFC": "hydrofluorocarbon",
    "HVAC": "heating, ventilation and air conditioning",
    "ICAO": "International Civil Aviation Organization",
    "IED": "industrial emissions directive",
    "ILUC": "indirect land-use change",
    "IMO": "International Maritime Organization",
    "IPCC": "Intergovernmental Panel on Climate Change",
    "LCA": "life-cycle assessment",
    "LULUCF": "land use, land-use change and forestry",
    "MARPOL": "International Convention for the Prevention of Pollution from Ships",
    "MRV": "monitoring, reporting and verification",
    "NZEB": "nearly zero-energy building",
    "ODS": "ozone-depleting substance",
    "OEF": "organisation environmental footprint",
    "PED": "primary energy demand",
    "PEF": "product environmental footprint",
    "PM": "particulate matter",
    "POP": "persistent organic pollutant",
    "PV": "photovoltaic",
    "RDF": "refuse-derived fuel",
    "RFNBO": "renewable fuel of non-biological origin",
    "SAF": "sustainable aviation fuel",
    "SEA": "strategic environmental assessment",
    "SVHC": "substance of very high concern",
    "TEN-T": "trans-European transport network",
    "VOC": "volatile organic compound",
    "WEEE": "waste electrical and electronic equipment",
    "WFD": "water framework directive",
}


def expand(text: str, own: Mapping[str, str]) -> str:
    """Return a text with its abbreviations written out; one that stands behind its full form is dropped.

    Args:
        text: The text.
        own: Abbreviations that the section explains; they go before the table.

    Example:
        >>> expand("GHG emissions of PV farms, best available techniques (BAT)", {})
        'greenhouse gas emissions of photovoltaic farms, best available techniques'
    """
    table = {**ABBREVIATIONS, **own}
    for short in sorted(table, key=len, reverse=True):
        if short in text:
            full = table[short]
            behind, alone = _patterns(short, full)
            text = behind.sub(r"\1", text)
            text = alone.sub(lambda m, full=full: _plural(full) if m["plural"] else full, text)  # type: ignore[misc]
    return text


@cache
def _patterns(short: str, full: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of an abbreviation in brackets behind its full form, and by itself."""
    behind = re.compile(rf"({re.escape(full)}s?) \({re.escape(short)}s?\)", re.IGNORECASE)
    return behind, re.compile(rf"(?<![\w-]){re.escape(short)}(?P<plural>s)?(?![\w-])")


def _plural(full: str) -> str:
    """Return the plural of a full form: its head comes before a preposition or participle, or last."""
    match = re.match(r"(?P<head>.+?)(?P<rest> (?:of|associated|for|on)\b.*)?$", full)
    assert match is not None  # every text has a head
    head, rest = match["head"], match["rest"] or ""
    if head.endswith("gas"):
        return f"{head}es{rest}"
    return full if head.endswith("s") else f"{head}s{rest}"
