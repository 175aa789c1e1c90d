"""Names of quantities that the clause of a limit leaves to its label, or to the words behind a length."""

from __future__ import annotations

import re

from regreact.fastpath.thresholds.naming import DATES_ONLY, noun_phrase
from regreact.fastpath.thresholds.phrases import capitalised, lowered, plain, split_openers, tidy, without_insertions

_MEASURED = re.compile(
    r"\b(?:emissions?|consumption|demand|concentrations?|efficiency|losses|loss|leakages?|shares?|rates?|intensity|"
    r"potential|use|content|level|value|yield|temperature|noise|footprint)\b"
)
_CONCENTRATION = re.compile(r"[mµnk]?g/|pp[mb]|%|‰")
# "the floor lies at least 1,5 m above the flood mark"
_PLACE = re.compile(r"\s*(?P<w>above|below|away from|from)\s(?P<r>(?:(?:the |any |an? )|[a-z]{3,})[^.,;¦]*)")
_LENGTHS = {"above": "Height", "below": "Depth", "from": "Distance", "away from": "Distance"}


def place_quantity(before: str, after: str) -> str:
    """Return the name of a height or distance that the words behind a length tell, "" if they tell none.

    Example:
        >>> place_quantity("the floor lies", " above the highest flood.")
        'Height of floor above highest flood'
    """
    match = _PLACE.match(plain(f"x{after}")[1:])
    if match is None:
        return ""
    _, head = split_openers(without_insertions(plain(before)))
    subject = tidy(re.split(r"\s(?:is|are|lies|lie|stands?|runs?|stays?|takes? place|kept|built|placed|located)\b", f" {head}")[0])
    link = match["w"].removeprefix("away ")
    subject = noun_phrase(without_preposition(subject))
    return f"{_LENGTHS[match['w']]} of {lowered(subject)} {link} {tidy(match['r'])}" if subject else ""


def without_preposition(phrase: str) -> str:
    """Return the last noun of a phrase that opens with a preposition.

    Example:
        >>> without_preposition("by cart on farm tracks"), without_preposition("strips along the bank")
        ('farm tracks', 'strips along the bank')
    """
    opened = re.match(r"(?:in|on|by|at|with|along|within)\s", phrase, re.I)
    return re.split(r"\b(?:in|on|by|at|with|along|within)\s", phrase, flags=re.I)[-1] if opened else phrase


def of_label(label: str, measured: str, bearer: str, unit: str) -> str:
    """Return the quantity of "dust: not more than 5 mg/m3", from the label and what the list is about.

    Args:
        label: Words before the colon.
        measured: Quantity of the chapeau, "" if it names none.
        bearer: What the items of the list are about.
        unit: Unit of the value; concentrations are "in" something.

    Example:
        >>> of_label("for dry ores", "Dust losses", "", "%"), of_label("dust", "", "waste gas", "mg/m3")
        ('Dust losses, dry ores', 'Dust in waste gas')
    """
    label = tidy(re.sub(r"^\s*(?:for|in the case of|in case of|as regards|concerning)\s", "", plain(label)))
    if not label or DATES_ONLY.fullmatch(label):
        return measured
    if measured or _MEASURED.search(bearer):
        return f"{measured or capitalised(bearer)}, {label}"
    link = "in" if _CONCENTRATION.match(unit) else "of"
    known = bearer and not any(w in label.lower() for w in tidy(bearer).lower().split()[-1:])
    return capitalised(f"{label} {link} {bearer}" if known else label)
