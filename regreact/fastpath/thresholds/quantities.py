"""Numeric limits of a criterion: numbers with comparison, unit, metric and period."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from regreact.fastpath.thresholds.metrics import metric_before, reduction_metric, share_metric
from regreact.fastpath.thresholds.operators import comparison
from regreact.legal.numbers import NUMBER, WORDS, parse_number
from regreact.legal.units import TIME_UNIT, UNIT, spell_unit, time_unit
from regreact.schema import BoundedPeriod, LifetimePeriod, Operator, QuantitativeItem


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit and its place in the text, comparison words included."""

    start: int
    end: int
    item: QuantitativeItem
    confidence: float


_QUANTITY = re.compile(
    rf"(?<![\w.,/-])(?P<number>{NUMBER})(?:\(\d{{1,3}}\))?(?P<gap>[ \u00a0]*|-)(?P<unit>{UNIT})?(?![\w])", re.I
)
# Words before a comparison that say to whom or what the rule applies (guidelines section 6, "condition").
_SCOPE = re.compile(
    r"\b(?:with|having|of|for|whose|where|if|in|to|serving|employing|covering|from)\s(?:an?\s|the\s|its\s|their\s)?"
    r"(?:[\w()-]+\s){0,6}?"
    r"(?:capacity|size|area|mass|weight|power|input|output|length|distance|population|number of \w+|surface|"
    r"height|depth|"
    r"volume|employees|inhabitants|floor area|flow rate|gross tonnage|displacement|turnover|diameter|voltage|"
    r"load|buildings?|"
    r"establishments?|plants?|installations?|units?|facilities|vehicles?|vessels?|ships?|centres?|systems?)\s*"
    r"(?:of|is|are|that is|which is|that are|that)?\s*$",
    re.I,
)
_CONDITION_CLAUSE = re.compile(r"(?:^|[,;:.]\s|\band\s)(?:where|if|in case|for|when|unless)\b[^,;:]*$", re.I)
_DISTANCE = re.compile(r"\b(?:within|radius|perimeter)\b[^,;]*$", re.I)
_LIFETIME = re.compile(
    r"\bover (?:the|its|their) (?:entire |whole |expected )?(?:lifetime|life time|life span|lifespan)\b", re.I
)
_OVER = re.compile(
    r"\b(?:over|averaged over|within) (?:a |the )?(?:rolling )?(?:period of |last |past )?"
    rf"(?P<n>\d+|{'|'.join(WORDS)})[ -](?P<unit>{TIME_UNIT})\b",
    re.I,
)
_ROLLING = re.compile(
    rf"\b(?:rolling|a) (?P<n>\d+|{'|'.join(WORDS)})[ -](?P<unit>{TIME_UNIT}) (?:average|period|rolling|mean)", re.I
)


def find_limits(text: str, masked: str, quantity: str = "") -> list[Limit]:
    """Return the limits that a text states, in order.

    Args:
        text: Text of the criterion.
        masked: The same with numbers that decide nothing blanked.
        quantity: What the chapeau above measures, for items that do not say it again.
    """
    limits = [*_zero_limits(masked), *_horizons(text, masked)]
    condition_end = -1
    for match in _QUANTITY.finditer(masked):
        found = comparison(masked, match.start(), match.end())
        continues = condition_end >= 0 and re.fullmatch(
            r"\s*(?:and|or|to)\s*", masked[condition_end : found.start if found else match.start()]
        )
        if found is not None and (continues or _is_condition(_clause(masked, found.start), masked, match, found.start)):
            condition_end = match.end()
            continue
        limit = _limit(text, masked, match, quantity)
        if limit is not None and not any(limit.start < o.end and o.start < limit.end for o in limits):
            limits.append(limit)
    return sorted(limits, key=lambda m: m.start)


# "a maximum water flow of": the quantity stands inside the comparison words
_EXTREME_OF = re.compile(r"(?:an?\s)?(?:maximum|minimum)\s(?!of\b)(?:[\w-]+\s)+of\s*$", re.I)


def _metric(before: str, after: str, words: str, unit: str, operator: Operator, quantity: str) -> str:
    """Return the name of the limited quantity, "" if the words give none.

    Args:
        before: The clause before the comparison words.
        after: The text behind number and unit.
        words: The comparison words.
        unit: Unit as printed.
        operator: Operator of the comparison.
        quantity: What the chapeau measures.
    """
    metric = None
    if unit == "%":
        metric = (reduction_metric(before, after) if operator not in ("<", "<=") else None) or share_metric(
            after, before
        )
    metric = metric or metric_before(_own_clause(before))
    if re.search(r"\baverage of\s*$", words) and not metric.lower().startswith("average"):
        metric = f"Average {metric[:1].lower()}{metric[1:]}"
    if len(metric) < 3 and unit == "%":
        share = re.match(r"\s*(?:\([^)]*\)\s*)?of (?:the |all )?(?P<what>[^,.;]*)", after)
        metric = f"Share of {share['what'].strip()}" if share else metric
    if len(metric) < 3 and quantity:
        case = re.match(r"^(?:for|in the case of)\s(?P<case>[^:]*?),?\s*$", before.strip(), re.I)
        metric = f"{quantity}, {case['case']}" if case else quantity
    return metric


# "0,06 mg of formaldehyde per m3 of material": the unit is mg/m3, the substance belongs to the metric
_SUBSTANCE = re.compile(r"\s*of (?P<what>[^.;]{3,90}?) per (?P<per>m[23²³]|kg|t|litre|l)\b")


def _limit(text: str, masked: str, match: re.Match[str], quantity: str) -> Limit | None:
    found = comparison(masked, match.start(), match.end())
    unit = match["unit"] or ""
    if unit and re.fullmatch(TIME_UNIT, unit, re.I):
        return _duration(text, masked, match)
    if found is None:
        return _bare_share(text, masked, match)
    clause = _clause(masked, found.start)
    if not unit and not _index(clause) and not re.match(r"\s*times\b", masked[match.end() :]):
        return None
    if match["number"].lower() in WORDS and not unit:
        return None
    words = masked[found.start : match.start()]
    before = text[found.start - len(clause) : found.start]
    if _EXTREME_OF.match(words):
        before = text[found.start - len(clause) : match.start()]
    metric = _metric(before, text[match.end() :], words, unit, found.operator, quantity)
    substance = _SUBSTANCE.match(text, match.end())
    if substance and re.fullmatch(r"[mkµ]?g|t", unit):
        unit = f"{unit}/{substance['per'].split()[0]}"
        metric = f"{substance['what'][0].upper()}{substance['what'][1:]} emissions from {metric[0].lower()}{metric[1:]}"
    if len(metric) < 3:
        return None
    item = QuantitativeItem(
        metric=metric,
        operator=found.operator,
        value=parse_number(match["number"]),
        unit=spell_unit(unit),
        period=_period(masked, match),
    )
    return Limit(found.start, match.end(), item, 0.85)


# ", or annual emissions do not exceed": a further limit with a subject of its own
_NEXT_SUBJECT = re.compile(r",\s(?:or|and)\s(?=[^,]*\b(?:is|are|do|does|has|have)\b)|,\sor\s(?=[^,]*\bemissions\b)")


def _own_clause(before: str) -> str:
    """Return the part of a clause that belongs to its last limit, without an earlier limit joined to it."""
    cuts = [m.end() for m in _NEXT_SUBJECT.finditer(before) if re.search(r"\d", before[: m.start()])]
    return before[cuts[-1] :] if cuts else before


# "including, at least, 10 to 30 year climate projections": the lower end counts (ruling R13)
_HORIZON = re.compile(
    rf"\bat least,?\s(?P<low>\d+)(?:[ -]to[ -]|[ ]?[-–][ ]?)\d+[ -](?P<unit>{TIME_UNIT})\s(?P<what>[^,.;]*)", re.I
)


def _horizons(text: str, masked: str) -> Iterator[Limit]:
    for match in _HORIZON.finditer(masked):
        what = re.sub(r"\(\d+\)", "", text[match.start("what") : match.end("what")]).strip()
        item = QuantitativeItem(
            metric=f"Horizon of {what}", operator=">=", value=parse_number(match["low"]), unit=time_unit(match["unit"])
        )
        yield Limit(match.start(), match.end("unit"), item, 0.85)


def _clause(masked: str, end: int) -> str:
    """Return the clause before a position: from the last full stop, semicolon or the start."""
    start = max(masked.rfind(mark, 0, end) for mark in (". ", ";", ":")) + 1
    return masked[start:end]


def _index(clause: str) -> bool:
    """A bare number is a limit only of an index or potential (guidelines section 6: unit "")."""
    return bool(re.search(r"\b(?:potential|index|GWP|ILI|factor|ratio|value|coefficient|score|rate)\b", clause, re.I))


# Comparison words with a finite verb state a duty ("does not exceed"), the others may only qualify a noun.
_FINITE = re.compile(r"^(?:do|does|shall|must|may|can|cannot|will|is|are|equals?|exceeds|amounts?)\b", re.I)
_ENDS_FINITE = re.compile(r"\b(?:is|are|be|has|have|does|do|of|to|by|than)\s*(?:not\s*)?$", re.I)
_HAS_VERB = re.compile(
    r"\b(?:is|are|has|have|does|do|shall|must|may|can|cannot|will|covers?|achieves?|attains?|leads?|reduces?|"
    r"uses?|emits?|"
    r"consists?|derives?|converts?|closes?|contains?|complies|comply)\b"
)


def _is_condition(clause: str, masked: str, match: re.Match[str], words: int) -> bool:
    """True if the number says to whom or what the rule applies.

    Args:
        clause: Clause before the comparison words.
        masked: The whole text.
        match: The number.
        words: Where the comparison words start.
    """
    rest = masked[match.end() :]
    finite = bool(_FINITE.match(masked[words:])) or bool(re.search(r"\b(?:is|are)\s*$", clause))
    if _SCOPE.search(clause) and not finite:
        return True
    if re.search(r"\((?:with|having|of)\b[^)]*$", clause):
        return True
    if match["unit"] == "%":
        return False
    if _DISTANCE.search(clause) or (_CONDITION_CLAUSE.search(clause) and re.match(r"[^.;:]*,\s*\w", rest)):
        return True
    # A number inside the subject: "Holdings under 13 ha are exempt"
    return (
        not finite
        and not _HAS_VERB.search(clause)
        and bool(re.match(r"\s*(?:are|is|shall|must|may|comply|complies)\b", rest))
    )


def _period(masked: str, match: re.Match[str]) -> BoundedPeriod | LifetimePeriod | None:
    start = max(masked.rfind(". ", 0, match.start()), masked.rfind(";", 0, match.start())) + 1
    stops = [p for mark in (". ", ";", ", or ") if (p := masked.find(mark, match.end())) >= 0]
    sentence = masked[start : min(stops, default=len(masked))]
    if _LIFETIME.search(sentence):
        return LifetimePeriod()
    over = _OVER.search(masked, match.end(), min(stops, default=len(masked))) or _ROLLING.search(sentence)
    if over:
        return BoundedPeriod(value=parse_number(over["n"]), unit=time_unit(over["unit"]))
    return None


# "within two years after the beginning": a relative time limit (ruling R2)
_WITHIN = re.compile(
    rf"\bwithin (?P<number>{NUMBER})[ -](?P<unit>{TIME_UNIT}) (?P<join>of|after|from|following|before|"
    rf"prior to) (?P<event>[^,.;]*)",
    re.I,
)


def _duration(text: str, masked: str, match: re.Match[str]) -> Limit | None:
    """Durations to be reached and relative time limits are quantities in years (guidelines section 6, R2)."""
    value, unit = parse_number(match["number"]), time_unit(match["unit"])
    within = _WITHIN.search(masked, max(0, match.start() - 7))
    if within and within.start("number") == match.start():
        event = re.sub(r"\sand\s(?:every|at least)\b.*", "", within["event"]).strip()
        metric = f"Time from {event}" if within["join"] not in ("before", "prior to") else f"Time before {event}"
        item = QuantitativeItem(metric=metric, operator="<=", value=value, unit=unit)
        return Limit(within.start(), within.end("unit"), item, 0.85)
    before = masked[: match.start()]
    found = comparison(masked, match.start(), match.end())
    if found is None or re.search(
        r"\bevery\s*$|\bevery\s+\w+\s*$|\bover (?:an?|the)?\s*(?:period of )?$", before, re.I
    ):
        return None
    if found.operator == ">" and re.search(r"\bover\s*(?:a period of\s*)?$", before):
        return None
    clause = _clause(masked, found.start)
    old = re.search(
        r"(?P<what>[\w\s-]+?)\s*(?:is|are)?\s*(?:not older|no older|not more than|older)\s*$",
        text[: found.start] + text[found.start : match.start()],
    )
    covers = re.search(r"(?P<what>[^.;,]*?)\scovers?\s(?:a|the)?\s*(?:period|duration|time)?\s*(?:of)?\s*$", clause)
    lasting = re.search(
        r"(?P<what>[\w\s-]+?)\s(?:of|with|for)\s(?:a|the)\s(?:duration|period|lifetime|length)\sof\s*$", clause
    )
    if covers:
        metric = f"Period covered by the {_bare(covers['what'])}"
    elif old and "old" in masked[found.start : match.start()]:
        metric = f"Age of the {_bare(old['what'])}"
    elif lasting:
        metric = f"Duration of the {_bare(lasting['what'])}"
    else:
        metric = f"Duration: {metric_before(clause)}"
    item = QuantitativeItem(metric=metric, operator=found.operator, value=value, unit=unit)
    return Limit(found.start, match.end(), item, 0.75)


def _bare(phrase: str) -> str:
    phrase = re.split(r"\b(?:by|with|is|are|has|have)\s", phrase.strip())[-1]
    return re.sub(r"^(?:the|an?|its|their)\s|^\d[\d.]*\s", "", phrase.strip(), flags=re.I)


# "savings requirement of 73.4 %", "top 15 %": limits without comparison words
_TOP = re.compile(r"\b(?:within|in|among|belongs? to) the (?:top|best|upper)\s*$", re.I)
_REQUIRED = re.compile(r"(?P<what>[\w\s-]*?(?:requirement|target|threshold|savings)[\w\s-]*?)\sof\s*$", re.I)


def _bare_share(text: str, masked: str, match: re.Match[str]) -> Limit | None:
    if match["unit"] != "%":
        return None
    clause = _clause(masked, match.start())
    value = parse_number(match["number"])
    if _TOP.search(clause):
        rest = re.match(r"\s*of (?:the )?(?P<what>[^,.;]*)", text[match.end() :])
        metric = f"Rank within the {rest['what']} (top share)" if rest else "Rank (top share)"
        return Limit(
            match.start(), match.end(), QuantitativeItem(metric=metric, operator="<=", value=value, unit="%"), 0.8
        )
    after = masked[match.end() :]
    relative = re.match(r"\s*(?:lower|below|less|under)\b", after, re.I)
    by = re.search(r"\b(?:by|of)\s*$", clause)
    reduced = reduction_metric(clause, after) if relative or by else None
    if reduced:
        item = QuantitativeItem(metric=reduced, operator=">=", value=value, unit="%", period=_period(masked, match))
        return Limit(match.start(), match.end(), item, 0.75)
    required = _REQUIRED.search(clause)
    if required:
        metric = metric_before(clause.removesuffix("of").rstrip())
        return Limit(
            match.start(), match.end(), QuantitativeItem(metric=metric, operator=">=", value=value, unit="%"), 0.6
        )
    return None


_EMISSIONS = (
    r"(?:(?:specific|direct|net|annual|life-cycle|lifecycle|"
    r"operational)\s)*(?:\(?tailpipe\)?\s)?(?:(?:CO2|GHG|greenhouse gas|NOx)\s)?(?:exhaust\s)?emissions"
)
# "zero … emissions" as a quantity; "zero-emission vehicle" and "zero CO2 emission trains" name a class (R12, D12)
_ZERO_NOUN = re.compile(
    rf"\bzero (?P<what>{_EMISSIONS})\b(?!-)(?:\s(?:performance)?\s?of (?:the |their |its )?(?P<of>[\w’' -]+))?", re.I
)
_ZERO_IS = re.compile(r"(?P<what>[^.;:]*?\bemissions?\b[^.;:]*?)\s(?:is|are|equals?(?: to)?)\s(?P<zero>zero)\b", re.I)


def _zero_limits(masked: str) -> Iterator[Limit]:
    for match in _ZERO_IS.finditer(masked):
        metric = metric_before(match["what"] + " are")
        yield Limit(
            match.start("zero"),
            match.end("zero"),
            QuantitativeItem(metric=metric, operator="=", value=0, unit=""),
            0.85,
        )
    for match in _ZERO_NOUN.finditer(masked):
        subject = re.search(r"(?P<s>[\w’'/ -]+?)\s(?:with|have|has|having)\s*$", _clause(masked, match.start()))
        of = match["of"] or (_bare(subject["s"]) if subject else "")
        what = match["what"][0].upper() + match["what"][1:]
        metric = f"{what} of {of.strip()}" if of else what
        yield Limit(
            match.start(), match.end("what"), QuantitativeItem(metric=metric, operator="=", value=0, unit=""), 0.8
        )
