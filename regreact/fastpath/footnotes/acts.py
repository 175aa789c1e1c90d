"""Acts in footnotes: which is cited for itself, which only in the title of another, and where it is published."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from regreact.legal.citations import Citation

# "(OJ L 328, 21.12.2018, p. 1)", "(OJ L, 2024/590, 20.2.2024, ELI: …)", "(OJ L307, 28.10.2014 p. 38)"
_OJ = re.compile(
    r"\bOJ (?P<series>[LC])(?: ?(?P<issue>\d+)(?:/\d+)?)?, ?(?:(?P<number>\d{4}/\d+), ?)?"
    r"(?P<date>\d{1,2}\.\d{1,2}\.\d{4})(?:,? ?p\. ?(?P<page>\d+))?"
)
# What makes a title of the words behind a number: the date of adoption, or the participle that opens the subject
_TITLE_OPENS = re.compile(
    r"^(?:\(\d+\))?(?: of the European Parliament and (?:of )?the Council)? "
    r"(?:of \d{1,2} ?[A-Z][a-z]+ ?\d{4}|\d{1,2} [A-Z][a-z]+ \d{4}|"
    r"(?:establishing|laying|concerning|determining|setting|on|amending|relating)\b)"
)
_DATED = re.compile(r"^(?: of the European Parliament and (?:of )?the Council)? (?:of )?\d{1,2} ?[A-Z][a-z]+ \d{4}")
# A full stop before a capital, not that of "p. 9" or "No. 3"
SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<=[a-z)\d])\.\s+(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class CitedAct:
    """An act with its place in the footnote.

    Attributes:
        citation: The citation.
        secondary: True if it stands in the title of another act (amended, repealed, implemented by it).
        oj: Official Journal reference behind the title, None if there is none.
        end: Where its title ends.
    """

    citation: Citation
    secondary: bool
    oj: str | None
    end: int


def cited_acts(text: str, citations: Sequence[Citation]) -> list[CitedAct]:
    """Return the acts of a footnote in order, told apart by whose title they stand in."""
    acts = [c for c in citations if c.kind == "eu-act"]
    found: list[CitedAct] = []
    title_end = 0
    for number, act in enumerate(acts):
        if act.start < title_end:
            found.append(CitedAct(act, True, None, act.end))
            continue
        end, oj = _title(text, act, acts[number + 1 :])
        title_end = max(title_end, end)
        found.append(CitedAct(act, False, oj, end))
    return found


def _title(text: str, act: Citation, later: Sequence[Citation]) -> tuple[int, str | None]:
    """Return where the title of an act ends, and its Official Journal reference."""
    if act.rule == "number behind the title":
        oj = _OJ.search(text, act.end)
        return (oj.end(), oj_reference(oj)) if oj and oj.start() - act.end < 4 else (act.end, None)
    behind = text[act.end :]
    # the date may stand behind a tail that the citation already holds
    opens = _TITLE_OPENS.match(behind) or re.match(r"^,? ?\(OJ\b", behind)
    if opens is None:
        return act.end, None
    limit = next((c.start for c in later if _DATED.match(text[c.end :])), len(text))
    oj = _OJ.search(text, act.end, limit)
    sentence = SENTENCE_END.search(text, act.end)
    if oj is not None:
        return oj.end(), oj_reference(oj)
    return (sentence.start() if sentence and sentence.start() < limit else limit), None


def oj_reference(match: re.Match[str]) -> str:
    """Return a reference in the Official Journal's form: "OJ L 328, 21.12.2018, p. 1", "OJ L, 2024/590, 20.2.2024"."""
    head = f"OJ {match['series']}" + (f" {match['issue']}" if match["issue"] else "")
    parts = [head, *([match["number"]] if match["number"] else []), match["date"]]
    return ", ".join(parts) + (f", p. {match['page']}" if match["page"] else "")


def oj_behind(text: str, end: int) -> str | None:
    """Return the reference in the bracket right behind a citation (conventions have one too)."""
    match = re.compile(r"[^.;(]{0,250}?,? ?\(").match(text, end)
    oj = _OJ.match(text, match.end()) if match else None
    return oj_reference(oj) if oj else None


def only_oj(text: str) -> str | None:
    """Return the reference of a footnote that has exactly one."""
    found = list(_OJ.finditer(text))
    return oj_reference(found[0]) if len(found) == 1 else None
