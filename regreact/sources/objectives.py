"""The six environmental objectives of Regulation (EU) 2020/852, Article 9: numbers and names."""

from __future__ import annotations

from regreact.sources.model import OBJECTIVES

# Article 9 numbers them (a) to (f); the tables of criteria (1) to (6).
OBJECTIVE_NUMBERS = dict(enumerate(OBJECTIVES.values(), start=1))
# Words that only one objective's name has. "Sustainable use and protection of water and marine resources",
# "Transition to a circular economy", "Pollution prevention and control", "Protection and restoration of
# biodiversity and ecosystems".
_NAMES = {
    "mitigation": "climate change mitigation",
    "adaptation": "climate change adaptation",
    "water": "water and marine resources",
    "circular": "circular economy",
    "pollution": "pollution prevention",
    "biodiversity": "biodiversity and ecosystems",
}


def objective_named(text: str) -> str | None:
    """Return the objective whose English name stands first in the text, None if none does.

    Example:
        >>> objective_named("Transition to a circular economy")
        'circular'
    """
    lowered = text.lower()
    places = {name: lowered.find(words) for name, words in _NAMES.items()}
    found = {name: place for name, place in places.items() if place >= 0}
    return min(found, key=lambda name: found[name]) if found else None


def acts_by_objective() -> dict[str, str]:
    """Return the unit key's act (`CCM`, `CCA` …) by objective."""
    return {objective: act for act, objective in OBJECTIVES.items()}
