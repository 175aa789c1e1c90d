"""The six environmental objectives of Regulation (EU) 2020/852, Article 9: numbers and act keys."""

from __future__ import annotations

from regreact.sources.model import OBJECTIVES

# Article 9 numbers them (a) to (f); the tables of criteria (1) to (6).
OBJECTIVE_NUMBERS = dict(enumerate(OBJECTIVES.values(), start=1))


def acts_by_objective() -> dict[str, str]:
    """Return the unit key's act (`CCM`, `CCA` …) by objective."""
    return {objective: act for act, objective in OBJECTIVES.items()}
