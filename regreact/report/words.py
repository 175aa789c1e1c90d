"""Values of criteria in words and chips, as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from regreact.schema import (
    BoundedPeriod,
    Criterion,
    Deadline,
    EffectiveFrom,
    EffectiveUntil,
    Period,
    QuantitativeItem,
    Recurring,
    TemporalItem,
    Threshold,
    Usage,
)

EUR_LEX = "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:"
_OPERATORS = {"<=": "≤", ">=": "≥"}
# Parts of an address such as `art_29/par_2/pnt_a`.
_PROVISIONS = {
    "art": "Article",
    "anx": "Annex",
    "apx": "Appendix",
    "rec": "recital",
    "ttl": "Title",
    "chp": "Chapter",
    "sec": "Section",
    "prt": "Part",
    "par": "paragraph",
    "pnt": "point",
    "ind": "indent",
    "tbl": "Table",
    "cmc": "CMC",
}


@dataclass(frozen=True, slots=True)
class Chip:
    """One limit or date.

    Attributes:
        kind: `number` or `date`.
        metric: What is measured, "" for a date.
        operator: Printed operator, or the word before a date.
        number: Number or date.
        unit: Unit of measure as printed.
        period: Measurement period in words.
    """

    kind: str
    metric: str
    operator: str
    number: str
    unit: str = ""
    period: str = ""


@dataclass(frozen=True, slots=True)
class Chips:
    """Limits joined by AND or OR; `joiner` is "" for a single one."""

    joiner: str
    items: tuple[Chip, ...]


def number(value: float) -> str:
    """Return a number without a needless fraction, thousands set apart.

    Example:
        >>> number(35.0), number(0.722), number(12500.0)
        ('35', '0.722', '12\u202f500')
    """
    text = f"{value:,.12g}" if abs(value) < 1e12 else f"{value:g}"
    return text.replace(",", "\u202f")


def threshold_chips(threshold: Threshold | None) -> tuple[Chips, ...]:
    """Return the chips of a threshold: numeric limits, then dates."""
    if threshold is None:
        return ()
    groups = []
    if threshold.quantitative is not None:
        part = threshold.quantitative
        groups.append(Chips(part.logic or "", tuple(_limit(i) for i in part.items)))
    if threshold.temporal is not None:
        time = threshold.temporal
        groups.append(Chips(time.logic or "", tuple(_date(i) for i in time.items)))
    return tuple(groups)


def _limit(item: QuantitativeItem) -> Chip:
    operator = _OPERATORS.get(item.operator, item.operator)
    return Chip("number", item.metric, operator, number(item.value), item.unit, _period(item.period))


def _period(period: Period | None) -> str:
    if period is None:
        return ""
    if isinstance(period, BoundedPeriod):
        return f"over {_span(period.value, period.unit)}"
    return "over the lifetime"


def _span(value: float, unit: str) -> str:
    return f"{number(value)} {unit.rstrip('s') if value == 1 else unit}"


def _date(item: TemporalItem) -> Chip:
    if isinstance(item, Deadline):
        return Chip("date", "", "by", item.date)
    if isinstance(item, EffectiveFrom):
        return Chip("date", "", "from", item.date)
    if isinstance(item, EffectiveUntil):
        return Chip("date", "", "until", item.date)
    if isinstance(item, Recurring):
        return Chip("date", "", "every", _span(item.interval_value, item.interval_unit))
    return Chip("date", "", "between", f"{item.start} – {item.end}")


def join_label(criterion: Criterion) -> str:
    """Return how the criteria below one are joined: `AND`, `OR`, `2 of 3`, "" for a leaf.

    Criteria that only verify or explain others count among those below: the label states what the tree holds.
    """
    if criterion.evaluation_logic == "N_OF_K":
        return f"{criterion.n_required} of {len(criterion.sub_criteria)}"
    return "" if criterion.evaluation_logic == "LEAF" else criterion.evaluation_logic


def logic_words(criterion: Criterion) -> str:
    """Return the evaluation logic as a sentence part."""
    return {
        "AND": "all of the criteria below",
        "OR": "any of the criteria below",
        "N_OF_K": f"at least {criterion.n_required} of the criteria below",
        "LEAF": "decided by itself",
    }[criterion.evaluation_logic]


def address_words(address: str) -> str:
    """Return an address as it is cited; what is no address of a provision is returned as it is.

    Example:
        >>> address_words("art_29/par_2/pnt_a"), address_words("unit:CCM-4.1/SC")
        ('Article 29, paragraph 2, point (a)', 'CCM-4.1/SC')
    """
    if address.startswith("unit:"):
        return address.removeprefix("unit:")
    return ", ".join(_address_parts(address))


def _address_parts(address: str) -> Iterator[str]:
    for part in address.split("/"):
        kind, _, label = part.partition("_")
        name = _PROVISIONS.get(kind)
        if name is None:
            yield part
        elif kind == "pnt" and label.isalpha():
            yield f"{name} ({label})"
        else:
            yield f"{name} {label}".rstrip()


def safe_link(address: str | None) -> str:
    """Return an address that may be linked to, "" for any other: https, a host, no user, no control character.

    Example:
        >>> safe_link("https://example.org/a"), safe_link("javascript:alert(1)"), safe_link(None)
        ('https://example.org/a', '', '')
    """
    if not address or any(c.isspace() or not c.isprintable() for c in address) or "\\" in address:
        return ""
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return ""
    return address if parts.scheme == "https" and host and not (parts.username or parts.password) else ""


def celex_link(celex_id: str | None) -> str:
    """Return the page of an act on EUR-Lex, "" without an id."""
    return EUR_LEX + quote(celex_id, safe="()") if celex_id else ""


def short(text: str, limit: int = 140) -> str:
    """Return the beginning of a text, cut between words."""
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0] + " …"


def usage_words(used: Usage) -> str:
    """Return what an extraction took, in words."""
    if not used.lm_calls:
        return "no model calls"
    cost = "price unknown" if used.cost is None else f"{used.cost:.4f} USD"
    tokens = used.prompt_tokens + used.completion_tokens
    return f"{used.lm_calls} model calls, {number(tokens)} tokens, {cost}"
