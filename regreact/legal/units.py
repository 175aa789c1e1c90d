"""Units of measure as legal texts print them (pint knows no CO2 equivalent)."""

from __future__ import annotations

import re

_SP = "[ \u00a0]"
# Spellings of one unit, the first being the normal form.
ALIASES: dict[str, tuple[str, ...]] = {
    "%": ("%", "percent", "per cent", "percentage points"),
    "CO2e": (
        "CO2e",
        "CO2 equivalent",
        "CO2 equivalents",
        "CO2-equivalent",
        "CO2eq",
        "CO2-eq",
        "CO2 eq",
        "CO2 e",
        "CO2-e",
    ),
    "t": ("t", "tonne", "tonnes", "ton", "tons"),
    "years": ("years", "year"),
    "months": ("months", "month"),
    "days": ("days", "day"),
    "weeks": ("weeks", "week"),
    "hours": ("hours", "hour", "h"),
    "m3": ("m3", "m³", "cubic metre", "cubic metres", "cubic meter", "cubic meters"),
    "m2": ("m2", "m²", "square metre", "square metres", "square meter", "square meters"),
    "litres": ("litres", "litre", "liters", "liter", "l"),
}
_NORMAL = {spelling.lower(): normal for normal, spellings in ALIASES.items() for spelling in spellings}

_MASS = r"(?:kg|mg|g|µg|Mt|kt|t|tonnes?|tons?)"
_CO2 = rf"(?:CO2(?:{_SP}?-?{_SP}?eq(?:uivalents?)?|{_SP}?-?e(?:q\.?|quivalents?)?|{_SP}equivalents?)?)"
_BASE = (
    rf"(?:{_MASS}{_SP}?{_CO2}|{_MASS}|[kMGT]?W(?:h|p|el|th)?|[kMG]?J|[kM]?V|[kcm]?m[23²³]?|km|nm|ha|litres?|liters?|ml|l|"
    rf"dB(?:\(A\))?|°C|K|ppm|ppb|lumen|lm|bar|Pa|kPa|years?|months?|weeks?|days?|hours?|h|min(?:utes?)?|s|"
    rf"hectares?|metres?|meters?|kilomet(?:re|er)s?|cubic{_SP}met(?:re|er)s?|square{_SP}met(?:re|er)s?|times|"
    rf"inhabitants|employees|population{_SP}equivalents?|vehicles?|passengers?|units?|tkm|pkm|vkm)"
)
_THING = r"(?:(?:of{sp})?[a-zA-Z][\w’'-]*)".replace("{sp}", _SP)
# "g CO2e/kWh", "tCO2e per tonne of nitric acid", "kWh per cubic meter produced water supply", "litres/bowl/hour"
UNIT = (
    rf"(?:%|{_BASE}\b(?:{_SP}?/{_SP}?(?:\d+{_SP}?)?[a-zA-Z°µ]+[23²³]?(?:{_SP}of{_SP}(?!(?:the|its|their|an?)\b)[a-z][a-z/-]*(?:{_SP}(?:weighted{_SP})?"
    rf"(?!(?:and|or|in|is|are|with|for|as|on|by|to|over|of|the|at|when|where)\b)[a-z/-]+){{0,2}})?)*"
    rf"(?:{_SP}per{_SP}(?:1{_SP})?(?:{_BASE}\b|[a-z]+)(?:{_SP}of{_SP}[a-z]+(?:{_SP}"
    rf"(?!(?:and|or|in|is|are|with|for|as|on|by|to|over|from|of|the|at|when|where)\b)[a-z]+)?)?"
    rf"(?:{_SP}produced{_SP}[a-z]+(?:{_SP}supply)?)?)?)"
)
TIME_UNIT = r"(?:years?|months?|days?)"


def spell_unit(printed: str) -> str:
    """Return a unit in the source's own words with the spacing of ruling D16.

    Gram units take a space before CO2 ("g CO2e/kWh"), "tCO2e" none; super- and subscripts are flattened.

    Example:
        >>> spell_unit("gCO2e/kWh"), spell_unit("t CO2e/t"), spell_unit("W/m²")
        ('g CO2e/kWh', 'tCO2e/t', 'W/m2')
    """
    unit = re.sub("[ \u00a0]+", " ", printed.strip()).replace("²", "2").replace("³", "3").replace("₂", "2")
    unit = re.sub(r"CO2 ?-?e(?:q(?:uivalents?)?)?\b|CO2 equivalents?", "CO2e", unit)
    unit = re.sub(r"^(kg|mg|µg|g) ?CO2", r"\1 CO2", unit)
    unit = re.sub(r"^t CO2", "tCO2", unit)
    return re.sub(r" ?/ ?", "/", unit)


def normalise_unit(unit: str) -> str:
    """Return a unit for comparison: without case, spaces, plural and spelling of its parts.

    Example:
        >>> normalise_unit("tCO2e per tonne of nitric acid") == normalise_unit("t CO2-eq/t of nitric acid")
        True
    """
    text = spell_unit(unit).replace(" per ", "/")
    text = re.sub(r"\b(?:cubic|square) met(?:re|er)s?\b", lambda m: _NORMAL[m[0]], text)
    parts = []
    for part in text.split("/"):
        words = [_NORMAL.get(w.lower(), w) for w in part.replace("CO2e", " CO2e ").split()]
        parts.append("".join(words).lower().removeprefix("1"))
    return "/".join(parts)


def time_unit(printed: str) -> str:
    """Return `years`, `months` or `days`.

    Raises:
        KeyError: It is no unit of time.
    """
    return {"year": "years", "month": "months", "day": "days"}[printed.lower().removesuffix("s")]
