"""Limits, dates, logic and dependencies in words, for tables, the terminal and comparisons."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal

from regreact.schema import (
    BoundedPeriod,
    Criterion,
    Dependencies,
    Enrichment,
    Period,
    QuantitativeItem,
    Recurring,
    ReferenceSource,
    TemporalItem,
    Threshold,
    Window,
)

OBJECTIVE_NAMES = {
    "mitigation": "Climate mitigation",
    "adaptation": "Climate adaptation",
    "water": "Water",
    "circular": "Circular economy",
    "pollution": "Pollution",
    "biodiversity": "Biodiversity",
}
_SIGNS = {">": ">", "<": "<", ">=": "≥", "<=": "≤", "=": "="}
_DATES = {"deadline": "by", "effective_from": "from", "effective_until": "until"}
_EUR_LEX = "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:"
_LONGEST_LINK = 2000


def number_text(value: float) -> str:
    """Return a number without exponent and without needless zeros.

    Example:
        >>> number_text(5.0), number_text(0.1), number_text(2.5e-07)
        ('5', '0.1', '0.00000025')
    """
    if not math.isfinite(value):
        return str(value)
    text = format(Decimal(repr(value)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def period_text(period: Period | None) -> str:
    """Return a measurement period, "" for none."""
    if period is None:
        return ""
    if isinstance(period, BoundedPeriod):
        unit = period.unit.removesuffix("s") if period.value == 1 else period.unit
        return f"over {number_text(period.value)} {unit}"
    return "over the lifetime"


def limit_text(item: QuantitativeItem, metric: bool = True) -> str:
    """Return a limit in words.

    Example:
        >>> limit_text(QuantitativeItem(metric="Water losses", operator="<=", value=5, unit="%"))
        'Water losses ≤ 5 %'
    """
    parts = [item.metric if metric else "", _SIGNS[item.operator], number_text(item.value), item.unit]
    return " ".join(p for p in (*parts, period_text(item.period)) if p)


def date_text(item: TemporalItem) -> str:
    """Return a date, a window or a recurring duty in words."""
    if isinstance(item, Window):
        return f"from {item.start} until {item.end}"
    if isinstance(item, Recurring):
        if item.interval_value == 1:
            return f"every {item.interval_unit.removesuffix('s')}"
        return f"every {number_text(item.interval_value)} {item.interval_unit}"
    return f"{_DATES[item.type]} {item.date}"


def first_and_last_day(item: TemporalItem) -> tuple[str | None, str | None]:
    """Return the first and the last day of a temporal item as ISO dates, None where it sets none."""
    if isinstance(item, Window):
        return item.start, item.end
    if isinstance(item, Recurring):
        return None, None
    return (item.date, None) if item.type == "effective_from" else (None, item.date)


def joined_phrases(threshold: Threshold | None) -> Iterator[tuple[str, str]]:
    """Yield each limit and each date of a threshold in words, after what joins it to the one before (AND, OR or "")."""
    if threshold is not None and (limits := threshold.quantitative) is not None:
        for at, item in enumerate(limits.items):
            yield (limits.logic or "") if at else "", limit_text(item)
    if threshold is not None and (dates := threshold.temporal) is not None:
        for at, when in enumerate(dates.items):
            yield (dates.logic or "") if at else "", date_text(when)


def threshold_phrases(threshold: Threshold | None) -> Iterator[str]:
    """Yield each limit and each date of a threshold in words."""
    return (phrase for _, phrase in joined_phrases(threshold))


def threshold_text(threshold: Threshold | None) -> str:
    """Return a threshold on one line, "" for none; limits are joined by their logic."""
    if threshold is None:
        return ""
    groups = []
    if (limits := threshold.quantitative) is not None:
        groups.append(f" {limits.logic} ".join(map(limit_text, limits.items)))
    if (dates := threshold.temporal) is not None:
        groups.append(f" {dates.logic} ".join(map(date_text, dates.items)))
    return "; ".join(groups)


def logic_text(node: Criterion) -> str:
    """Return the evaluation logic, an N_OF_K with its number."""
    if node.evaluation_logic == "N_OF_K":
        return f"at least {node.n_required} of {len(node.sub_criteria)}"
    return node.evaluation_logic


def dependency_text(dependencies: Dependencies | None) -> str:
    """Return what gates a criterion: the summary, and the clauses behind it; "" for nothing."""
    if dependencies is None:
        return ""
    clauses = [f"{c.criterion_id} {'met' if c.status == 'Affirmation' else 'not met'}" for c in dependencies.clauses]
    count = f"{dependencies.min_conditions_to_meet} of: " if dependencies.min_conditions_to_meet < len(clauses) else ""
    told = f"{count}{', '.join(clauses)}"
    return f"{dependencies.condition_summary} [{told}]" if dependencies.condition_summary else told


def reference_state(source_type: str, enrichment: Enrichment | None) -> str:
    """Return what became of a reference: `retrieved`, `paywalled`, `skipped`, `citation only` or `not asked for`."""
    if enrichment is not None:
        return enrichment.status
    return "not asked for" if source_type == "must_be_fetched" else "citation only"


def safe_link(link: str | None, celex_id: str | None = None) -> str | None:
    """Return an address that may stand behind a click: http or https, else the act's page on EUR-Lex, else None.

    Example:
        >>> safe_link("javascript:alert(1)"), safe_link(None, "32018L2001")
        (None, 'https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:32018L2001')
    """
    if link and link.startswith(("https://", "http://")) and len(link) <= _LONGEST_LINK and link.isprintable():
        if not any(c.isspace() or c in '"<>\\^`{|}' for c in link):
            return link
    return _EUR_LEX + celex_id if celex_id else None


def link_of(source: ReferenceSource) -> str | None:
    """Return the address behind a cited source."""
    return safe_link(source.link, source.celex_id)
