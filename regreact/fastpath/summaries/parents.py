"""The sentence of a criterion with children: what combines them, after its condition and its own duty."""

from __future__ import annotations

import re
from collections.abc import Sequence

from regreact.fastpath.summaries.clauses import condition_words, full_sentence, shorten
from regreact.fastpath.summaries.context import Outline
from regreact.fastpath.summaries.leaves import SLOT, gating_words, inherited_subject, joined_to
from regreact.fastpath.summaries.verbs import is_clause, starts_with_verb, with_duty
from regreact.fastpath.wording import body_start, read_sentences
from regreact.identifiers import anchor_above, anchor_type
from signatures.types import CriterionView

_EITHER = re.compile(r"\s*\b(?:is|are)? ?(?:either|both|any|one) ?:?\s*$", re.IGNORECASE)
# "two of the following until 2031 and all from 2032": the dates stay.
_DATES = re.compile(r"\b(?:until|by|from|as of|before|after|between)\b[^:]*\b\d{4}\b[^:]*")
_RANGE = 4


def listed(ids: Sequence[str], joiner: str) -> str:
    """Return ids as a list, or as a range from four labels on.

    Example:
        >>> listed(["1(a)", "1(b)"], "and"), listed(["1(a)", "1(b)", "1(c)", "1(d)"], "and")
        ('1(a) and 1(b)', '1(a) to 1(d)')
    """
    if len(ids) >= _RANGE and all("." not in i.split("(")[-1] for i in ids):
        return f"{ids[0]} to {ids[-1]}"
    return ids[0] if len(ids) == 1 else f"{', '.join(ids[:-1])} {joiner} {ids[-1]}"


def members_phrase(view: CriterionView, outline: Outline) -> str:
    """Return which of the children must be met, e.g. "at least one of 1(a), 1(b) and 1(c)"."""
    members = outline.members(view)
    ids = [i for i in members if anchor_type(i) is None or anchor_above(i) == view.criterion_id] or members
    them = "it" if len(ids) == 1 else "them"
    served = f" with the paragraphs that go with {them}" if len(ids) < len(members) else ""
    return _combined(view, ids, outline) + served


def _combined(view: CriterionView, ids: list[str], outline: Outline) -> str:
    if len(ids) == 1:
        return ids[0]
    match outline.logic(view):
        case "OR":
            return f"either {listed(ids, 'or')}" if len(ids) == 2 else f"at least one of {listed(ids, 'and')}"
        case "N_OF_K":
            return f"at least {outline.required(view)} of {listed(ids, 'and')}"
        case _:
            return f"both {listed(ids, 'and')}" if len(ids) == 2 else f"all of {listed(ids, 'and')}"


def parent_sentence(view: CriterionView, outline: Outline) -> str:
    """Return the rule of a criterion with children as one sentence."""
    phrase = members_phrase(view, outline)
    gate = gating_words(outline.facts_of(view.criterion_id), view.text)
    if view.criterion_id == "ROOT" and not view.text:
        return full_sentence(f"the activity must meet {_criteria(phrase)}")
    if not view.text:
        if anchor_type(view.criterion_id) == "BackgroundInformation":
            return full_sentence(gate, f"background information is given in {phrase}")
        return full_sentence(gate, f"{phrase} must be met together as one pathway")
    if view.heading:
        return full_sentence(f"{shorten(view.text[body_start(view.text) :]).rstrip(' :.')}: {phrase} must be met")
    return _with_own_words(view, phrase, gate, outline)


def _criteria(phrase: str) -> str:
    return phrase if phrase[:1].isalpha() else f"criterion {phrase}"


def _with_own_words(view: CriterionView, phrase: str, gate: str, outline: Outline) -> str:
    sentences = read_sentences(view.text)
    if not sentences:
        return full_sentence(gate, f"{phrase} must be met")
    last = sentences[-1]
    condition = condition_words(view.text, last)
    clause = re.sub(r"^whereby ", "", shorten(view.text[last.main : last.end]))
    if not clause.strip(" :.;"):
        return full_sentence(gate, condition, f"{phrase} must be met")
    if starts_with_verb(clause):
        subject = inherited_subject(outline.index.parent(view.criterion_id), outline) or "the activity"
        clause = f"{subject} {clause}"
    lead = [_own_duty(view)] if len(sentences) > 1 else []
    slot = SLOT.search(clause) or _EITHER.search(clause)
    if slot and slot.start() > 0:
        stem = clause[: slot.start()]
        dates = _DATES.search(slot[0])
        whole = f"{stem} {phrase} {dates[0]}" if dates else f"{stem} {phrase}"
        body = with_duty(whole) or _opened_item(view, whole, outline) or whole
    else:
        stem = clause.rstrip(" :")
        if re.search(r"\bmay\b", stem):
            return " ".join([*lead, full_sentence(gate, condition, f"{stem} under {phrase}")])
        if what := re.fullmatch(r"(.+) that", stem):
            return " ".join([*lead, full_sentence(gate, condition, f"{with_duty(what[1]) or what[1]} under {phrase}")])
        body = with_duty(stem) or _opened_item(view, stem, outline) or stem
        body += f" {phrase}" if _OPEN_END.search(body) else f": {phrase} must be met"
    return " ".join([*lead, full_sentence(gate, condition, body)])


# "a table of materials, covering": the list goes on with the words.
_OPEN_END = re.compile(r"\b(?:including|covering|namely|containing|showing|comprising)$")


def _opened_item(view: CriterionView, stem: str, outline: Outline) -> str | None:
    """Return a noun phrase that opens a list as what its own chapeau asks for."""
    parent = outline.index.parent(view.criterion_id)
    return (
        joined_to(parent, stem, outline) if parent and view.criterion_id.endswith(")") and not is_clause(stem) else None
    )


def _own_duty(view: CriterionView) -> str:
    """Return the first sentence of a chapeau that lays down a duty before it introduces its list."""
    first = read_sentences(view.text)[0]
    clause = shorten(view.text[first.main : first.end])
    return full_sentence(condition_words(view.text, first), with_duty(clause) or clause)
