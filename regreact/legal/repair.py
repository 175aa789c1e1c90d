"""Fast path of `signatures.references.RepairCelex`: the ids that a citation, or a slip in writing, can stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from regreact.answers import Answer, CelexRepair, solver
from regreact.legal.celex import FIRST_YEAR, LAST_YEAR, Celex, parse, recover
from regreact.legal.identity import Named, base_act, read_citation
from signatures.types import CelexFailure

# How often a candidate of each rule is the act meant.
_PRINTED, _REWRITTEN, _GUESSED = 0.97, 0.9, 0.5


@solver("RepairCelex")
def repair_celex(failures: Sequence[CelexFailure], guidance: str = "") -> list[Answer[CelexRepair]]:
    """Return the next id to try for every failure that one is known for."""
    answers = []
    for failure in failures:
        used = {failure.celex_id, *failure.tried}
        found = ((r, c) for r, c in candidates(failure.citation, failure.celex_id) if r.celex_id not in used)
        first = next(found, None)
        if first is not None:
            answers.append(Answer(failure.id, first[0], first[1]))
    return answers


def candidates(citation: str, celex_id: str) -> Iterator[tuple[CelexRepair, float]]:
    """Yield ids that may be meant, the likeliest first, each with its confidence.

    What the citation prints comes first; then the same id rightly written; then slips, for citations that print no
    number: another letter, number and year exchanged, the century.
    """
    named = read_citation(citation)
    for act in named.acts:
        yield CelexRepair(str(act), f"the citation prints {act.type} {act.year}/{act.number}"), _PRINTED
    for rewritten, reason in (
        (base_act(celex_id), "the act itself instead of its version"),
        (recover(celex_id), "written as 3, year, letter, four digits"),
    ):
        if rewritten is not None:
            yield CelexRepair(rewritten, reason), _REWRITTEN
    if not named.acts:
        for repair in _slips(celex_id, named):
            yield repair, _GUESSED


def _slips(celex_id: str, named: Named) -> Iterator[CelexRepair]:
    digits = re.match(r"^3(?P<year>\d{4})(?P<letter>[RLDHF])(?P<number>\d{4})$", recover(celex_id) or celex_id)
    act = parse(celex_id) or parse(recover(celex_id) or "")
    if act is not None and named.type is not None and act.type != named.type:
        yield CelexRepair(str(Celex(act.year, named.type, act.number)), f"a {named.type} is cited")
    if digits is not None and FIRST_YEAR <= int(digits["number"]) <= LAST_YEAR:
        yield CelexRepair(f"3{digits['number']}{digits['letter']}{digits['year']}", "number and year exchanged")
    if act is not None:
        for century in (-100, 100):
            if FIRST_YEAR <= act.year + century <= LAST_YEAR:
                yield CelexRepair(str(Celex(act.year + century, act.type, act.number)), "the other century")
