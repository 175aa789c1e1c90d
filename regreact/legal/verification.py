"""Verify CELEX ids: observe, reason, mend, verify again; then search by title, then flag (paper section 3.3, stage 4).

An id is `verified` if a work has it and the work is the act that the citation names; `corrected` if another id is;
`unverified` if nobody could tell; `flagged` if it was found wrong and no other id was proved right. An id that only
exists is not proved right: number, name or subject of the citation must say so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Literal

from regreact.answers import CelexRepair
from regreact.legal.celex import recover
from regreact.legal.identity import Mismatch, base_act, compare, compare_work, identifies, read_citation
from regreact.legal.titles import content_words, same_subject
from regreact.legal.works import Authority, AuthorityName, Work
from signatures.types import CelexAttempt, CelexEntry, CelexFailure, CelexStatus

# Paper, section 3.3: up to three attempts.
ATTEMPTS = 3
# A search by one word finds too much to tell anything.
_SEARCH_WORDS = 2
_SUGGESTIONS = 5

ProposedBy = Literal["answer", "rule", "lm", "search"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A CELEX id as answered for a citation."""

    celex_id: str
    citation: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """An id to try instead, and who proposes it."""

    repair: CelexRepair
    proposed_by: ProposedBy


# Proposes ids for failures, by the failure's id; what is missing has no further proposal.
Repairer = Callable[[Sequence[CelexFailure], int], Mapping[str, Proposal]]


def verify(
    claims: Sequence[Claim], authority: Authority, repair: Repairer, printed: Set[str] = frozenset()
) -> dict[Claim, CelexEntry]:
    """Return what became of each claim.

    Args:
        claims: Ids with their citations.
        authority: Who knows which works exist.
        repair: Proposes other ids: gets the failures and the number of the attempt (1 to 3).
        printed: Ids of the acts that the section prints by number, for citations that do not ("that Directive").
    """
    cases = {claim: _Case(claim, authority, printed) for claim in claims}
    for case in cases.values():
        case.examine(CelexRepair(case.claim.celex_id, ""), "answer")
    for attempt in range(1, ATTEMPTS + 1):
        failures = {str(n): case for n, case in enumerate(cases.values()) if case.is_open}
        if not failures:
            break
        proposals = repair([case.failure(n) for n, case in failures.items()], attempt)
        for n, case in failures.items():
            proposal = proposals.get(n)
            if proposal is not None and case.is_new(proposal.repair.celex_id):
                case.examine(proposal.repair, proposal.proposed_by)
    for case in cases.values():
        if case.is_open:
            case.search()
    return {claim: case.entry() for claim, case in cases.items()}


@dataclass
class _Case:
    """One claim on its way."""

    claim: Claim
    authority: Authority
    printed: Set[str]
    attempts: list[CelexAttempt] = field(default_factory=list)
    status: CelexStatus | None = None
    celex_id: str = ""
    work: Work | None = None
    source: AuthorityName | None = None
    reason: str = ""
    suggestions: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.named = read_citation(self.claim.citation)

    @property
    def is_open(self) -> bool:
        return self.status is None

    def is_new(self, celex_id: str) -> bool:
        return bool(celex_id) and celex_id not in {a.celex_id for a in self.attempts}

    def failure(self, number: str) -> CelexFailure:
        last = self.attempts[-1]
        return CelexFailure(
            id=number,
            citation=self.claim.citation,
            celex_id=last.celex_id,
            error=last.error or "unproven",
            reason=last.finding,
            tried=tuple(a.celex_id for a in self.attempts),
        )

    def examine(self, repair: CelexRepair, proposed_by: ProposedBy) -> None:
        """Verify one id; close the case if it is right, or if nobody can say that the first one is wrong."""
        celex_id = repair.celex_id
        mismatch = compare(celex_id, self.named)
        if mismatch is None:
            finding = self.authority.lookup(celex_id)
            if finding.state == "unknown":
                if proposed_by == "answer":
                    self._close("unverified", celex_id, finding.reason)
                    self._record(repair, proposed_by, None, finding.reason)
                    return
                self.suggestions[celex_id] = repair.reason
                mismatch = Mismatch("unproven", finding.reason)
            elif finding.work is None:
                mismatch = Mismatch("not_existing", f"no work has the id {celex_id}")
            else:
                mismatch = self._judge(celex_id, finding.work, proposed_by)
                self.source = finding.authority
        self._record(repair, proposed_by, mismatch, "" if mismatch else self.reason)

    def _judge(self, celex_id: str, work: Work, proposed_by: ProposedBy) -> Mismatch | None:
        """Return how an existing work differs from the act named; close the case if it does not."""
        mismatch = compare_work(celex_id, self.named, work)
        if mismatch is not None:
            return mismatch
        proof = identifies(self.named, work) or ("the section prints its number" if celex_id in self.printed else "")
        if proposed_by != "answer" and not proof and self._is_rewritten(celex_id):
            proof = "the same id, rightly written"
        if proposed_by == "answer":
            if proof:
                self._close("verified", celex_id, proof, work)
            else:
                self._close("unverified", celex_id, "the work exists, but the citation does not tell which is meant", work)
            return None
        if not proof:
            self.suggestions[celex_id] = work.title
            return Mismatch("unproven", "the work exists, but the citation does not tell that it is meant")
        self._close("corrected", celex_id, proof, work)
        return None

    def _is_rewritten(self, celex_id: str) -> bool:
        return celex_id in (base_act(self.claim.celex_id), recover(self.claim.celex_id))

    def search(self) -> None:
        """Search by the subject that the citation names; take the only work found, else flag the id."""
        words = content_words(self.named.subject)
        found = self.authority.search(words) if len(words) >= _SEARCH_WORDS else ()
        fitting = [w for w in found if self._fits(w)]
        for work in found:
            self.suggestions.setdefault(work.celex, work.title)
        if len(fitting) == 1 and self.is_new(fitting[0].celex):
            work = fitting[0]
            finding = self.authority.lookup(work.celex)
            self.source = finding.authority
            self._close("corrected", work.celex, "the only act whose title names the subject", work)
            self._record(CelexRepair(work.celex, "search by title"), "search", None, self.reason)
            return
        last = self.attempts[0]
        also = f"; could be {', '.join(list(self.suggestions)[:_SUGGESTIONS])}" if self.suggestions else ""
        self._close("flagged", self.claim.celex_id, f"{last.finding}{also}")

    def _fits(self, work: Work) -> bool:
        if compare(work.celex, self.named) or compare_work(work.celex, self.named, work):
            return False
        return same_subject(self.named.subject, work.title) == "yes"

    def _close(self, status: CelexStatus, celex_id: str, reason: str, work: Work | None = None) -> None:
        self.status, self.celex_id, self.reason, self.work = status, celex_id, reason, work

    def _record(self, repair: CelexRepair, by: ProposedBy, mismatch: Mismatch | None, finding: str) -> None:
        self.attempts.append(
            CelexAttempt(
                celex_id=repair.celex_id,
                proposed_by=by,
                proposal=repair.reason,
                error=mismatch.error if mismatch else None,
                finding=mismatch.reason if mismatch else finding,
            )
        )

    def entry(self) -> CelexEntry:
        assert self.status is not None
        return CelexEntry(
            answered=self.claim.celex_id,
            citation=self.claim.citation,
            celex_id=self.celex_id,
            status=self.status,
            title=self.work.title if self.work else "",
            authority=self.source,
            reason=self.reason,
            attempts=tuple(self.attempts),
        )
