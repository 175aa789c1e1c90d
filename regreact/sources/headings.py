"""Words of the headings by which the readers find sections, rows and appendices, by language of the act."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Headings:
    """Heading words of one language.

    Attributes:
        appendix: "Appendix A", with the letter as group 1.
        substantial: Row above the criteria for a substantial contribution.
        harm: Row above those for doing no significant harm.
        part: Heading within the criteria ("General criteria pertaining to …", of the nuclear activities).
        contributing: Words of an annex's heading before the objective that the annex serves.
        objectives: Words that only the name of one objective has, by objective. Several wordings may be in use.
    """

    appendix: re.Pattern[str]
    substantial: re.Pattern[str]
    harm: re.Pattern[str]
    part: re.Pattern[str]
    contributing: str
    objectives: Mapping[str, tuple[str, ...]]

    def objective_named(self, text: str) -> str | None:
        """Return the objective whose name stands first in the text, None if none does.

        Example:
            >>> ENGLISH.objective_named("Transition to a circular economy")
            'circular'
        """
        lowered = text.lower()
        places = {
            objective: min((place for place in map(lowered.find, names) if place >= 0), default=-1)
            for objective, names in self.objectives.items()
        }
        found = {objective: place for objective, place in places.items() if place >= 0}
        return min(found, key=lambda objective: found[objective]) if found else None


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


ENGLISH = Headings(
    appendix=_words(r"Appendix ([A-Z])\b"),
    substantial=_words(r"substantial contribution to\b"),
    harm=_words(r"(additional criteria pertaining to )?do no significant harm\b"),
    part=_words(r"(general|additional) criteria pertaining to\b"),
    contributing="contributing substantially to",
    objectives={
        "mitigation": ("climate change mitigation",),
        "adaptation": ("climate change adaptation",),
        "water": ("water and marine resources",),
        "circular": ("circular economy",),
        "pollution": ("pollution prevention",),
        "biodiversity": ("biodiversity and ecosystems",),
    },
)
FRENCH = Headings(
    appendix=_words(r"Appendice ([A-Z])\b"),
    substantial=_words(r"contribution substantielle à\b"),
    harm=_words(r"(critères supplémentaires concernant le )?ne pas causer de préjudice important\b"),
    part=_words(r"critères (généraux|supplémentaires) concernant\b"),
    contributing="contribuant substantiellement à",
    objectives={
        "mitigation": ("atténuation du changement climatique",),
        "adaptation": ("adaptation au changement climatique",),
        # Both wordings stand in one act.
        "water": ("ressources aquatiques et marines", "ressources hydriques et marines"),
        "circular": ("économie circulaire",),
        "pollution": ("réduction de la pollution", "contrôle de la pollution"),
        "biodiversity": ("biodiversité et des écosystèmes",),
    },
)
HEADINGS = {"EN": ENGLISH, "FR": FRENCH}
