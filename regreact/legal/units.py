"""Units of measure as legal texts print them (pint knows no CO2 equivalent).

One table of units gives both the grammar that finds a unit in a text and the normal form that compares two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_SP = "[ \u00a0]"


@dataclass(frozen=True, slots=True)
class UnitRow:
    """One unit: `normal` form, `symbols` (case counts) and `words` (case does not; plural written out)."""

    normal: str
    symbols: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


UNITS: tuple[UnitRow, ...] = (
    UnitRow("pp", words=("percentage points", "percentage point")),
    UnitRow("%", ("%",), ("percent", "per cent")),
    UnitRow("‰", ("‰",), ("per mille",)),
    # mass
    UnitRow("kg", ("kg",), ("kilogrammes", "kilogramme", "kilograms", "kilogram")),
    UnitRow("g", ("g",), ("grammes", "gramme", "grams", "gram")),
    UnitRow("mg", ("mg",), ("milligrammes", "milligramme", "milligrams", "milligram")),
    UnitRow("µg", ("µg", "μg"), ("micrograms", "microgram")),
    UnitRow("ng", ("ng",), ("nanograms", "nanogram")),
    UnitRow("gt", words=("gross tonnage", "gross tonnes")),
    UnitRow("t", ("t",), ("tonnes", "tonne", "tons", "ton")),
    UnitRow("kt", ("kt",), ("kilotonnes", "kilotonne")),
    UnitRow("Mt", ("Mt",), ("megatonnes", "megatonne")),
    # energy and power
    UnitRow("Wh", ("Wh",)),
    UnitRow("kWh", ("kWh",), ("kilowatt hours", "kilowatt hour", "kilowatt-hours", "kilowatt-hour")),
    UnitRow("MWh", ("MWh",), ("megawatt hours", "megawatt hour")),
    UnitRow("GWh", ("GWh",)),
    UnitRow("TWh", ("TWh",)),
    UnitRow("J", ("J",), ("joules", "joule")),
    UnitRow("kJ", ("kJ",)),
    UnitRow("MJ", ("MJ",), ("megajoules", "megajoule")),
    UnitRow("GJ", ("GJ",)),
    UnitRow("TJ", ("TJ",)),
    UnitRow("PJ", ("PJ",)),
    UnitRow("toe", ("toe", "ktoe", "Mtoe")),
    UnitRow("kWp", ("kWp",)),
    UnitRow("kWel", ("kWel",)),
    UnitRow("kWth", ("kWth",)),
    UnitRow("MWel", ("MWel",)),
    UnitRow("MWth", ("MWth",)),
    UnitRow("W", ("W",), ("watts", "watt")),
    UnitRow("kW", ("kW",), ("kilowatts", "kilowatt")),
    UnitRow("MW", ("MW",), ("megawatts", "megawatt")),
    UnitRow("GW", ("GW",)),
    UnitRow("V", ("V",), ("volts", "volt")),
    UnitRow("kV", ("kV",), ("kilovolts", "kilovolt")),
    UnitRow("A", ("A",)),
    UnitRow("kVA", ("kVA",)),
    UnitRow("MVA", ("MVA",)),
    UnitRow("Hz", ("Hz",)),
    UnitRow("kHz", ("kHz",)),
    UnitRow("MHz", ("MHz",)),
    UnitRow("GHz", ("GHz",)),
    # length, area, volume
    UnitRow("nm", ("nm",), ("nanometres", "nanometre")),
    UnitRow("µm", ("µm", "μm"), ("micrometres", "micrometre", "microns", "micron")),
    UnitRow("mm", ("mm",), ("millimetres", "millimetre", "millimeters", "millimeter")),
    UnitRow("cm", ("cm",), ("centimetres", "centimetre")),
    UnitRow("km", ("km",), ("kilometres", "kilometre", "kilometers", "kilometer")),
    UnitRow("nmi", words=("nautical miles", "nautical mile")),
    UnitRow("m2", ("m2", "m²"), ("square metres", "square metre", "square meters", "square meter")),
    UnitRow("km2", ("km2", "km²"), ("square kilometres", "square kilometre")),
    UnitRow("Nm3", ("Nm3", "Nm³")),
    UnitRow("m3", ("m3", "m³"), ("cubic metres", "cubic metre", "cubic meters", "cubic meter")),
    UnitRow("cm3", ("cm3", "cm³"), ("cubic centimetres",)),
    UnitRow("m", ("m",), ("metres", "metre", "meters", "meter")),
    UnitRow("ha", ("ha",), ("hectares", "hectare")),
    UnitRow("hl", ("hl",), ("hectolitres", "hectolitre")),
    UnitRow("ml", ("ml", "mL"), ("millilitres", "millilitre")),
    UnitRow("litres", ("l", "L"), ("litres", "litre", "liters", "liter")),
    # pressure, temperature, sound, light, radiation
    UnitRow("mbar", ("mbar",)),
    UnitRow("bar", ("bar",)),
    UnitRow("Pa", ("Pa",)),
    UnitRow("hPa", ("hPa",)),
    UnitRow("kPa", ("kPa",)),
    UnitRow("MPa", ("MPa",)),
    UnitRow("°C", ("°C", "ºC"), ("degrees celsius",)),
    UnitRow("K", ("K",)),
    UnitRow("dB(A)", ("dB(A)", "dBA")),
    UnitRow("dB", ("dB",), ("decibels", "decibel")),
    UnitRow("EPNdB", ("EPNdB",)),
    UnitRow("lm", ("lm",), ("lumens", "lumen")),
    UnitRow("lux", ("lx",), ("lux",)),
    UnitRow("mSv", ("mSv",)),
    UnitRow("µSv", ("µSv", "μSv")),
    UnitRow("cd", ("cd",), ("candela",)),
    UnitRow("µS", ("µS", "μS")),
    UnitRow("mS", ("mS",)),
    UnitRow("NTU", ("NTU",)),
    UnitRow("CFU", ("CFU", "cfu")),
    UnitRow("Bq", ("Bq",)),
    # parts
    UnitRow("ppmv", ("ppmv",)),
    UnitRow("ppm", ("ppm",), ("parts per million",)),
    UnitRow("ppb", ("ppb",), ("parts per billion",)),
    # time
    UnitRow("years", words=("years", "year")),
    UnitRow("months", words=("months", "month")),
    UnitRow("weeks", words=("weeks", "week")),
    UnitRow("days", words=("days", "day")),
    UnitRow("hours", ("h",), ("hours", "hour")),
    UnitRow("min", ("min",), ("minutes", "minute")),
    UnitRow("s", ("s",), ("seconds", "second")),
    # transport
    UnitRow("tkm", ("tkm",), ("tonne-kilometres", "tonne-kilometre", "tonne kilometres", "tonne kilometre")),
    UnitRow("pkm", ("pkm",), ("passenger-kilometres", "passenger-kilometre", "passenger kilometre")),
    UnitRow("vkm", ("vkm",), ("vehicle-kilometres", "vehicle-kilometre")),
    # counts
    UnitRow("pe", ("p.e.",), ("population equivalents", "population equivalent")),
    UnitRow("knots", ("kn",), ("knots", "knot")),
    UnitRow("rpm", ("rpm",)),
    UnitRow("LU", ("LU",), ("livestock units", "livestock unit")),
    UnitRow("inhabitants", words=("inhabitants", "inhabitant")),
    UnitRow("employees", words=("employees", "employee")),
    UnitRow("passengers", words=("passengers", "passenger")),
    UnitRow("persons", words=("persons", "person", "people")),
    UnitRow("times", words=("times",)),
    UnitRow("EUR", ("€", "EUR"), ("euros", "euro")),
)
_NORMAL = {s: row.normal for row in UNITS for s in row.symbols} | {w: row.normal for row in UNITS for w in row.words}


def _any_of(spellings: list[str]) -> str:
    ordered = sorted(spellings, key=len, reverse=True)
    return "|".join(re.escape(s).replace(r"\ ", _SP) for s in ordered)


_SYMBOL = _any_of([s for row in UNITS for s in row.symbols])
_WORD = _any_of([w for row in UNITS for w in row.words])
_MASS = r"(?:(?:[kmµμn]?g|[kMG]?t)|(?i:tonnes?|tons?|(?:kilo|milli)?gram(?:me)?s?))"
# "CO2e", "CO2-eq", "CO2 eq.", "CO2 equivalents", "of CO2 equivalent", "CO2"
CO2 = rf"(?:of{_SP})?CO[2₂](?:{_SP}?-?{_SP}?(?:equivalents?|eq(?:uiv)?\.?|e)(?![a-zA-Z]))?"
# "170 kg N/ha", "10 mg NO3/l": a substance by its symbol, in front of a denominator
_SYMBOL_OF = r"(?:N|P|K|S|C|F|O2|CO|N2O|HF|HCl|CaCO3|NO[x23]|SO[x2]|NH[34]|CH4|P2O5|K2O|TOC|COD|BOD5?|VOC|TVOC|DM|Cl|Cd|Pb|Hg)"
# "1,5 h-1", "W m-2 K-1": a denominator as negative power
_POWER = rf"(?:(?:{_SYMBOL}){_SP})?(?:{_SYMBOL})(?:-|−|–|⁻)[123¹²³](?:{_SP}(?:{_SYMBOL}|a)(?:-|−|–|⁻)[123¹²³])*(?![\d,.]*\d)"
_NUMERATOR = rf"(?:{_POWER}|{_MASS}{_SP}?{CO2}(?![a-zA-Z])|{_MASS}{_SP}{_SYMBOL_OF}(?={_SP}?/|{_SP}per\b)|(?i:{_WORD})(?![a-zA-Z])|(?:{_SYMBOL})(?![a-zA-Z]))"

# Words that end the noun phrase of a denominator ("tCO2e per tonne of soda | in accordance with …").
_STOP = (
    r"(?:and|in|is|are|was|were|be|with|for|as|on|by|to|over|from|at|of|the|an?|when|where|which|that|if|via|while|"
    r"under|upon|within|than|not|shall|must|may|can|has|have|per|measured|calculated|averaged|elsewhere|otherwise|everywhere|thereafter|afterwards|respectively|instead|expressed|"
    r"attested|according|including|excluding|based|until|during|after|before)"
)
_NOUN = rf"(?!{_STOP}\b)[a-zA-Z][\w’'/-]*"
_AFTER_NOUN = r"(?=\s*(?:[.;:,)\]]|$|[A-Z(]))"
# " of grey cement clinker", " of the output energy", " of cement or alternative binder manufactured"
_OR = rf"(?:{_SP}or{_SP}(?:{_NOUN}{_SP}?){{1,3}}{_AFTER_NOUN})"
_OF = rf"(?:{_SP}of{_SP}(?:the{_SP})?{_NOUN}(?:{_SP}(?!or\b){_NOUN}){{0,4}}{_OR}?)"
# " product", " dry matter", " Al", " produced water supply": a bare noun only where nothing else follows
_BARE = rf"(?:{_SP}(?!or\b|{_MASS}\b){_NOUN}(?:{_SP}(?!or\b)[a-z][a-z-]*){{0,2}}{_AFTER_NOUN})"
_BELOW = (
    rf"(?:1(?:0{{1,2}}|{_SP}?000)?{_SP}?)?(?:(?i:{_WORD})(?![a-zA-Z])|(?:{_SYMBOL})(?![a-zA-Z])|"
    r"[a-zA-Z°µμ]+[23²³]?(?:[·⋅.]?K)?(?![a-zA-Z])|\([a-zA-Z°µμ][\w²³·⋅.]{0,7}\))"
)
_SLASH = rf"{_SP}?/{_SP}?{_BELOW}"
_PER = (
    rf"{_SP}per{_SP}(?:(?:1(?:0{{1,2}}|{_SP}?000)?{_SP}?)?(?:(?i:{_WORD})|(?:{_SYMBOL}))(?![a-zA-Z])(?:{_SP}\(p\.e\.\))?|annum\b|"
    rf"(?:\d{{1,4}}{_SP})?{_NOUN}(?:{_SP}(?!or\b){_NOUN})?)"
)
# "m3 per hectare and year", "kWh per m2 of floor and year", "litres per cow a day"
_TIME_BELOW = r"(?:calendar[ \u00a0])?(?:year|month|week|day|night|hour|season|annum)"
_AND_TIME = rf"(?:[ \u00a0]+(?:and(?:{_SP}per)?|an?){_SP}{_TIME_BELOW}\b)"
RATIO = rf"(?:(?:{_SLASH}|{_PER})(?:{_OF}|{_BARE})?{_AND_TIME}?)"
# "litres a day"; "hours a week" and "times a year" tell how long or how often
_A_TIME = rf"(?:(?<!hours)(?<!hour)(?<!days)(?<!minutes)(?<!times)(?<!weeks){_SP}an?{_SP}{_TIME_BELOW}\b)"
# "% in mass" is a concentration of its own; "% by weight" names the basis of a share
_PERCENT = rf"(?:%|(?i:per{_SP}?cent))(?:{_SP}in{_SP}(?:mass|volume)\b|{_SP}(?:(?:w/w|m/m|v/v)(?!\w)|(?:vol|wt)\b))?"
# "g CO2e/kWh", "tCO2e per tonne of nitric acid", "kWh per population equivalent (p.e.) per annum", "mg/kg dry matter"
# "at most 3 per litre": a bare count with a denominator
_COUNT_PER = rf"per{_SP}(?:(?i:{_WORD})|(?:{_SYMBOL}))(?![a-zA-Z])"
# "g of fuel per passenger-kilometre": what is measured stands between the two units
_OF_WHAT = rf"(?:(?<!hours)(?<!hour)(?<!days)(?<!minutes){_SP}of{_SP}{_NOUN}(?:{_SP}{_NOUN}){{0,2}}(?={_SP}per{_SP}))"
# "1,5 air changes per hour", "80 trees/ha": things counted, with a denominator
_THING = rf"(?!(?:{_STOP}|times|or|of|more|less|lower|higher|fewer)\b)[a-z][a-z-]+"
_THINGS_PER = (
    rf"{_THING}(?:{_SP}{_THING}){{0,2}}{_PER}|"
    rf"(?!and/|or/)[A-Za-z]{{2,}}/(?:(?i:{_WORD})|(?:{_SYMBOL}))(?![a-zA-Z])"
)
UNIT = rf"(?:{_PERCENT}|{_NUMERATOR}(?:{_A_TIME}|{_OF_WHAT}?{RATIO}*)|{_COUNT_PER}|{_THINGS_PER})"
TIME_UNIT = r"(?:years?|months?|weeks?|days?)"
DURATION_UNIT = r"(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?)"


def counts_things(unit: str) -> bool:
    """True for a number of things with a denominator, no unit of measure.

    Example:
        >>> counts_things("trees per hectare"), counts_things("kWh per tonne")
        (True, False)
    """
    return bool(re.fullmatch(_THINGS_PER, unit)) and not re.match(_NUMERATOR, unit)


def spell_unit(printed: str) -> str:
    """Return a unit in the source's own words with the spacing of ruling D16.

    Gram units take a space before CO2 ("g CO2e/kWh"), "tCO2e" none; super- and subscripts are flattened.

    Example:
        >>> spell_unit("gCO2e/kWh"), spell_unit("t CO2e/t"), spell_unit("W/m²")
        ('g CO2e/kWh', 'tCO2e/t', 'W/m2')
    """
    unit = re.sub("[ \u00a0]+", " ", printed.strip()).translate(str.maketrans("¹²³₂⁻−", "1232--"))
    unit = re.sub(r"CO2 ?-? ?(?:equivalents?|eq(?:uiv)?\.?|e)(?![a-zA-Z])", "CO2e", unit)
    unit = re.sub(r"^(kg|mg|µg|g) ?CO2", r"\1 CO2", unit)
    unit = re.sub(r"^t CO2", "tCO2", unit)
    return re.sub(r" ?/ ?", "/", unit)


def normalise_unit(unit: str) -> str:
    """Return a unit for comparison: without case, spaces, plural and spelling of its parts.

    Example:
        >>> normalise_unit("tCO2e per tonne of nitric acid") == normalise_unit("t CO2-eq/t of nitric acid")
        True
    """
    text = re.sub(r"\bparts per (million|billion)\b", lambda m: f"pp{m[1][0]}", spell_unit(unit), flags=re.I)
    text = re.sub(r"\bper (?:cent|mille)\b", lambda m: _NORMAL[m[0]], text)
    text = re.sub(r"/\(([\w·⋅.]+)\)", r"/\1", text).replace("·", "").replace("⋅", "")
    text = re.sub(rf" (?:and(?: per)?|an?) ({_TIME_BELOW})$", r"/\1", text)
    text = text.replace(" per ", "/").replace(" of CO2", " CO2")
    parts = []
    for part in text.split("/"):
        words = re.sub(r"^1 ?(?=\D)", "", part.strip()).replace("CO2", " CO2")
        parts.append(_normal_words(words))
    return "/".join(parts)


def _normal_words(part: str) -> str:
    """Return the words of one side of a ratio, the leading unit in its normal form."""
    words = part.split()
    for length in (3, 2, 1):
        head = " ".join(words[:length])
        normal = _NORMAL.get(head) or _NORMAL.get(head.lower())
        if len(words) >= length and normal is not None:
            return "".join([normal, *words[length:]]).lower()
    return "".join(words).lower()


def time_unit(printed: str) -> str:
    """Return `years`, `months` or `days`, the units that dates and periods are counted in.

    Raises:
        KeyError: It is no such unit of time.
    """
    return {"year": "years", "month": "months", "day": "days"}[printed.lower().removesuffix("s")]
