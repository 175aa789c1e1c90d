"""What the decisions on an item amount to, and how far two reviewers agree."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from regreact.app.review.log import Decision, standing
from regreact.evaluation.agreement import cohen_kappa

Status = Literal["open", "settled", "disputed"]
DECIDED = ("accept", "correct", "reject")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decisions on one item together.

    Attributes:
        status: `open` if nobody has decided, `disputed` if reviewers decided differently.
        decisions: Those that count, by reviewer.
    """

    status: Status
    decisions: tuple[Decision, ...] = ()

    @property
    def settled(self) -> Decision | None:
        """The decision that all share, None if there is none."""
        return self.decisions[0] if self.status == "settled" else None

    @property
    def reviewers(self) -> str:
        """Who decided."""
        return ", ".join(d.reviewer for d in self.decisions)


OPEN = Verdict("open")


def outcome(decision: Decision) -> str:
    """Return a decision as a label: two decisions with the same label have the same effect."""
    if decision.action != "correct":
        return decision.action
    return f"correct {decision.field} {json.dumps(decision.value, sort_keys=True)}"


def verdicts(decisions: Iterable[Decision]) -> dict[str, Verdict]:
    """Return the verdict on each item that somebody decided; one put off with `skip` is open."""
    return {
        item: Verdict("settled" if len({outcome(d) for d in made}) == 1 else "disputed", made)
        for item, made in _decided(standing(decisions)).items()
        if made
    }


def _decided(stands: Mapping[str, Mapping[str, Decision]]) -> dict[str, tuple[Decision, ...]]:
    return {i: tuple(d for d in by.values() if d.action in DECIDED) for i, by in stands.items()}


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Agreement of two reviewers on the items that both decided.

    Attributes:
        first: One reviewer.
        second: The other.
        n: Number of items.
        observed: Share of items with the same decision, corrected values included.
        kappa: Cohen's kappa; None where both decided the same way on everything, which chance alone explains.
    """

    first: str
    second: str
    n: int
    observed: float
    kappa: float | None

    @property
    def text(self) -> str:
        """One line for people."""
        kappa = "not defined (one kind of decision only)" if self.kappa is None else f"{self.kappa:.2f}"
        return f"{self.first} and {self.second}: n {self.n}, observed {self.observed:.2f}, Cohen's kappa {kappa}"


def agreement(decisions: Iterable[Decision]) -> list[PairAgreement]:
    """Return the agreement of each pair of reviewers with items in common."""
    labels: dict[str, dict[str, str]] = {}
    for item, made in _decided(standing(decisions)).items():
        for d in made:
            labels.setdefault(d.reviewer, {})[item] = outcome(d)
    found = []
    for a, b in combinations(sorted(labels), 2):
        common = sorted(labels[a].keys() & labels[b].keys())
        if not common:
            continue
        first, second = [labels[a][i] for i in common], [labels[b][i] for i in common]
        same = sum(x == y for x, y in zip(first, second, strict=True))
        kappa = None if len({*first, *second}) == 1 else cohen_kappa(first, second)
        found.append(PairAgreement(a, b, len(common), same / len(common), kappa))
    return found
