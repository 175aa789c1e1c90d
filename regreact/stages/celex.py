"""Verification of the CELEX ids that stages 4 and 6 answer: wrong ones put right or reported (paper section 3.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import dspy

from regreact.answers import Answer
from regreact.config import CelexSettings, Settings
from regreact.legal.acts import acts_with_number_behind, named_acts, numbered_acts
from regreact.legal.celex import link
from regreact.legal.register import Register
from regreact.legal.verification import Claim, Proposal, ProposedBy, verify
from regreact.legal.works import Authority
from regreact.observers.base import Issue, observe
from regreact.odr import Outcome
from regreact.schema import CELEX_PATTERN, FootnoteItem, References, ReferenceSource
from regreact.sources.model import Unit
from regreact.step import Step
from signatures.references import RepairCelex
from signatures.types import CelexEntry, CelexFailure, FootnoteValue

# Issues that the answers are not compared anew for: the reply's form, and what a model saw.
_NOT_REPEATED = ("reply", "model")
# The check (regreact.observers.references) that reports flagged ids.
FLAGGED = "celex_exists"


def build_authority(settings: CelexSettings) -> Authority | None:
    """Return whom a run asks about CELEX ids, None if ids are taken as answered."""
    if settings.mode == "off":
        return None
    register = Register.packaged()
    if settings.mode == "register":
        return register
    from regreact.legal.authority import CellarAuthority  # noqa: PLC0415  opens a client
    from regreact.legal.cellar import Cellar  # noqa: PLC0415
    from regreact.legal.web import WebClient  # noqa: PLC0415

    s = settings
    client = WebClient(s.base_url, rate=s.rate, timeout_s=s.timeout_s, retries=s.retries)
    return CellarAuthority(Cellar(client), register)


@dataclass(frozen=True, slots=True)
class Checked:
    """Answers with verified ids, and the entries of the CELEX registry."""

    outcome: Outcome
    entries: tuple[CelexEntry, ...] = ()


class CelexVerifier(dspy.Module):
    """Verifies the ids in the answers of a stage; one for all stages and units of a run.

    Args:
        settings: Settings of the run: whom to ask, and whether a model mends.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.mode = settings.fastpath.mode
        self.odr = settings.odr.enabled
        self.authority = build_authority(settings.celex)
        self.mend = Step(RepairCelex, settings.lm)

    def forward(self, signature: str, unit: Unit, inputs: Mapping[str, Any], outcome: Outcome) -> Checked:
        """Return the outcome with wrong ids replaced by those proved right, and an issue for each flagged one.

        Args:
            signature: The signature that was answered, `ExtractReferences` or `ProcessFootnotes`.
            unit: The section, whose own citations tell which act "that Directive" can be.
            inputs: What was asked.
            outcome: The answers.

        Raises:
            LMCallError: The model fails for good.
        """
        claims = list(dict.fromkeys(c for a in outcome.answers.values() for c in claims_of(a.value)))
        found = {}
        if self.authority is not None and claims:
            found = verify(claims, self.authority, self._propose, printed_acts(unit))
        answers = {i: replace(a, value=with_ids(a.value, found)) for i, a in outcome.answers.items()}
        entries = tuple(found.values())
        if all(e.status in ("verified", "unverified") for e in entries):
            return Checked(replace(outcome, answers=answers), entries)
        issues = self._observe(signature, {**inputs, "celex": entries}, answers, outcome.issues)
        return Checked(replace(outcome, answers=answers, issues=issues), entries)

    def _observe(
        self, signature: str, inputs: Mapping[str, Any], answers: Mapping[str, Answer[Any]], before: Sequence[Issue]
    ) -> tuple[Issue, ...]:
        """Return the issues that the mended answers leave; without self-correction those of flagged ids alone."""
        kept = [i for i in before if i.observer in _NOT_REPEATED]
        now = observe(signature, inputs, list(answers.values()))
        return (*kept, *(i for i in now if self.odr or i.observer == FLAGGED))

    def _propose(self, failures: Sequence[CelexFailure], attempt: int) -> dict[str, Proposal]:
        """Return other ids by rule, else by the model; `fastpath=off` asks the model for all."""
        inputs = {"failures": list(failures)}
        answers = {} if self.mode == "off" else self.mend.by_rule(inputs)
        left = [f for f in failures if f.id not in answers]
        if self.mode != "only" and left:
            found, _ = self.mend.by_lm({"failures": left}, [f.id for f in left], rollout=attempt - 1)
            answers.update(found)
        who: dict[str, ProposedBy] = {"rule": "rule", "lm": "lm"}
        return {i: Proposal(a.value, who[a.answered_by]) for i, a in answers.items()}


def printed_acts(unit: Unit) -> Set[str]:
    """Return the ids of the acts that a section and its footnotes print."""
    texts = [*(b.text for b in unit.blocks), *unit.footnotes.values()]
    forms = (numbered_acts, named_acts, acts_with_number_behind)
    return {c.celex for text in texts for form in forms for c in form(text) if c.celex is not None}


def claims_of(value: References | FootnoteValue | None) -> Iterator[Claim]:
    """Yield the CELEX ids of an answer with their citations."""
    if isinstance(value, References):
        yield from (Claim(s.celex_id, s.text) for s in value.sources if s.celex_id)
    elif value is not None:
        yield from (Claim(i.celex_id, i.title) for i in value.items if i.celex_id)


def with_ids(
    value: References | FootnoteValue | None, found: Mapping[Claim, CelexEntry]
) -> References | FootnoteValue | None:
    """Return an answer with the ids that were found to be right; what is no id at all is left out."""
    if isinstance(value, References):
        return References(logic=value.logic, sources=tuple(_source(s, found) for s in value.sources))
    if value is None:
        return None
    return FootnoteValue(**{**dict(value), "items": tuple(_item(i, found) for i in value.items)})


def _source(source: ReferenceSource, found: Mapping[Claim, CelexEntry]) -> ReferenceSource:
    celex_id = _right_id(source.celex_id, source.text, found)
    address = source.link
    if celex_id != source.celex_id and source.link_status == "generated":
        address = link(celex_id) if celex_id else None
    return ReferenceSource(
        **{
            **dict(source),
            "celex_id": celex_id,
            "link": address,
            "link_status": source.link_status if address else None,
        }
    )


def _item(item: FootnoteItem, found: Mapping[Claim, CelexEntry]) -> FootnoteItem:
    return FootnoteItem(**{**dict(item), "celex_id": _right_id(item.celex_id, item.title, found)})


def _right_id(answered: str | None, citation: str, found: Mapping[Claim, CelexEntry]) -> str | None:
    entry = found.get(Claim(answered or "", citation))
    celex_id = entry.celex_id if entry else answered
    return celex_id if celex_id and re.match(CELEX_PATTERN, celex_id) else None
