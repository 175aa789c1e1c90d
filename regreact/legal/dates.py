"""Dates as EU acts print them: "31 December 2030", "31.12.2030", "31/12/2030", a bare year."""

from __future__ import annotations

import calendar
import re

MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_SP = "[ \u00a0]"

FULL_DATE = (
    rf"(?:\d{{1,2}}{_SP}(?:{'|'.join(m.capitalize() for m in MONTHS)}){_SP}\d{{4}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}})"
)
YEAR = r"(?:19|20)\d{2}(?![\d/.,]\d|[-–]\d)"
DATE = rf"(?:{FULL_DATE}|{YEAR})"


def parse_date(text: str, *, last_day: bool) -> str:
    """Return a printed date as `YYYY-MM-DD`; a bare year takes its last or first day.

    Args:
        text: A full date or a year.
        last_day: True for deadlines and ends, False for beginnings (guidelines section 6).

    Raises:
        ValueError: The text is no date.

    Example:
        >>> parse_date("31 December 2030", last_day=True), parse_date("2028", last_day=False)
        ('2030-12-31', '2028-01-01')
    """
    text = text.strip()
    if re.fullmatch(r"\d{4}", text):
        return f"{text}-12-31" if last_day else f"{text}-01-01"
    numeric = re.fullmatch(r"(\d{1,2})[./](\d{1,2})[./](\d{4})", text)
    if numeric:
        day, month, year = (int(x) for x in numeric.groups())
    else:
        words = text.replace("\u00a0", " ").split()
        day, month, year = int(words[0]), MONTHS[words[1].lower()], int(words[2])
    if not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        raise ValueError(f"{text!r} is no date")
    return f"{year:04d}-{month:02d}-{day:02d}"
