"""What the rules of stage 2 pass to each other: amounts in their place, limits found, and the list around them."""

from __future__ import annotations

from dataclasses import dataclass, field

from regreact.fastpath.thresholds.operators import Comparison
from regreact.fastpath.thresholds.phrases import capitalised
from regreact.fastpath.thresholds.reading import Amount
from regreact.legal.units import spell_unit
from regreact.schema import Operator, QuantitativeItem

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit and its place in the text, comparison words included; `confidence` in [0, 1]; the rule that read it."""

    start: int
    end: int
    item: QuantitativeItem
    confidence: float
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """What the list around a criterion says.

    Attributes:
        quantity: Quantity of a chapeau that leaves only values to its items, else "".
        subject: What the items are about, "" if the chapeau names nothing.
        excludes: Whether the items are what must not be.
    """

    quantity: str = ""
    subject: str = ""
    excludes: bool = False


@dataclass(slots=True)
class Findings:
    """Limits of a text, and the places of numbers that a rule knows to be none."""

    limits: list[Limit] = field(default_factory=list)
    explained: list[Range] = field(default_factory=list)

    def spans(self) -> list[Range]:
        """Places of all numbers that are accounted for."""
        return [*((m.start, m.end) for m in self.limits), *self.explained]

    @property
    def last_quantity(self) -> str:
        """Quantity of the last limit, "" if there is none yet."""
        return self.limits[-1].item.metric if self.limits else ""


@dataclass(frozen=True, slots=True)
class Place:
    """An amount with the words around it, as the rules see them.

    Attributes:
        amount: The amount.
        found: Its comparison, None without comparison words.
        before: Clause before the comparison words (or the amount), amounts already read as `¦`.
        clause: The same with its amounts.
        own_quantity: Whether the comparison words hold the quantity ("a maximum water flow of").
        words: From the comparison words to the number.
        after: Sentence behind the amount.
        label: What a colon in front of the clause closes ("dust:"), "" without.
    """

    amount: Amount
    found: Comparison | None
    before: str
    clause: str
    own_quantity: bool
    words: str
    after: str
    label: str = ""

    @property
    def start(self) -> int:
        """Where the comparison words start, or the amount without them."""
        return self.found.start if self.found else self.amount.start

    def limit(self, metric: str, operator: Operator, confidence: float, unit: str | None = None) -> Limit:
        """Return the limit that this amount sets; `unit` replaces the unit as printed."""
        item = QuantitativeItem(
            metric=capitalised(metric),
            operator=operator,
            value=self.amount.value,
            unit=spell_unit(self.amount.unit) if unit is None else unit,
        )
        return Limit(self.start, self.amount.end, item, confidence)
