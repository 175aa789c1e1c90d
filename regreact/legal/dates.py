"""Dates as EU acts print them: "31 December 2030", "31.12.2030", "December 2030", a bare year."""

from __future__ import annotations

import calendar
import re

MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_SP = "[ \u00a0]"
_MONTH = "|".join(m.capitalize() for m in MONTHS)

FULL_DATE = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?{_SP}(?:of{_SP})?(?:{_MONTH}){_SP}\d{{4}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}}|"
    r"(?:19|20)\d{2}-\d{2}-\d{2})"
)
MONTH_YEAR = rf"(?:{_MONTH}){_SP}(?:19|20)\d{{2}}"
# No part of an act's number ("2018/2001"), a standard ("2018:2019"), a span of years or a bigger number
YEAR = r"(?<![\d/.,:-])(?:19|20)\d{2}(?![\d/]|[.,:]\d|[-–]\d)"
DATE = rf"(?:{FULL_DATE}|{MONTH_YEAR}|{YEAR})"


def parse_date(text: str, *, last_day: bool) -> str:
    """Return a printed date as `YYYY-MM-DD`; a month or bare year takes its last or first day.

    Args:
        text: A full date, a month with year, or a year.
        last_day: True for deadlines and ends, False for beginnings (guidelines section 6).

    Raises:
        ValueError: The text is no date.

    Example:
        >>> parse_date("31 December 2030", last_day=True), parse_date("2028", last_day=False)
        ('2030-12-31', '2028-01-01')
    """
    words = re.sub(f"{_SP}+", " ", text).strip()
    if re.fullmatch(r"\d{4}", words) and words != "0000":
        return f"{words}-12-31" if last_day else f"{words}-01-01"
    day, month, year = _parts(words, last_day)
    if year < 1 or not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        raise ValueError(f"{text!r} is no date")
    return f"{year:04d}-{month:02d}-{day:02d}"


def _parts(text: str, last_day: bool) -> tuple[int, int, int]:
    """Return day, month and year of a date that is more than a year."""
    numeric = re.fullmatch(r"(\d{1,2})[./](\d{1,2})[./](\d{4})", text)
    if numeric:
        return int(numeric[1]), int(numeric[2]), int(numeric[3])
    iso = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", text)
    if iso:
        return int(iso[3]), int(iso[2]), int(iso[1])
    worded = re.fullmatch(r"(?:(\d{1,2})(?:st|nd|rd|th)? (?:of )?)?([A-Za-z]+) (\d{4})", text)
    if worded is None or worded[2].lower() not in MONTHS:
        raise ValueError(f"{text!r} is no date")
    month, year = MONTHS[worded[2].lower()], int(worded[3])
    if worded[1]:
        return int(worded[1]), month, year
    return calendar.monthrange(year, month)[1] if last_day else 1, month, year
