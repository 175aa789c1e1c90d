"""The sentence of a criterion without children."""

from __future__ import annotations

import re

from regreact.fastpath.summaries.clauses import condition_words, full_sentence, shorten
from regreact.fastpath.summaries.context import Outline
from regreact.fastpath.summaries.verbs import is_clause, starts_with_verb, subject_of, with_duty
from regreact.fastpath.wording import Sentence, read_sentences
from regreact.identifiers import anchor_type
from regreact.schema import Tag
from signatures.types import CriterionFacts, CriterionView

# What a noun phrase in a list stands for, by the tag of the criterion.
_FRAMES: dict[Tag, str] = {
    "Verification": "The verification is done by or through {item}",
    "Methodology": "The activity must follow or apply {item}",
    "Commitment": "The documents required must cover {item}",
    "Assessment": "The assessment work must include {item}",
    "Replacement": "The activity must consist in {item}",
    "BackgroundInformation": "For information: {item}",
}
_ACTION_FRAMES: dict[Tag, str] = {
    "Verification": "The verification must include {item}",
    "Methodology": "The activity must apply {item}",
    "Commitment": "The documents required must provide for {item}",
    "Assessment": "The assessment work must include {item}",
}
# The words that a list, or one item of it, takes the place of: "one of the following criteria:", "the following:".
SLOT = re.compile(
    r"\s*\bas follows:?\s*$|\s*\b(?:(?:the )?(?:either|any|all|both|one|ones|two|each|none|at least (?:one|two|three|\w+)|one or (?:more"
    r"|both))\b(?: of)?(?: the)?\s*)?"
    r"(?:(?:of )?the )?(?:following\b(?:(?!(?<!\bthat )(?:\bis\b|\bare\b|\bprovided that\b))[^:])*|(?:criteria specified|points) below)[:.]?\s*$|\s*\b(?:either|both)\s*$",
    re.IGNORECASE,
)
_THE_FOLLOWING = re.compile(r"\bthe following (?:(?!that\b|which\b)[\w-]+ )+?(?=(?:is|are|do|does)\b)", re.IGNORECASE)
_SOME_OF = re.compile(
    r"\b(?:(?:at least )?(?:one|two|three|four|\d)(?: or more)?|any|all|both|either) of $", re.IGNORECASE
)
_FORMS = re.compile(r"\bfollowing forms?\b", re.IGNORECASE)
# Items of "complies with the following criteria" are clauses: a noun phrase among them does not join.
_CRITERIA_FOLLOW = re.compile(r"\b(?:comply|complies|complying) with$|\b(?:meet|meets|meeting|fulfils)$")
_LONGEST_STEM = 150
_MOST_LENGTH = 460


def leaf_sentence(view: CriterionView, outline: Outline) -> str:
    """Return the rule of a criterion without children as one sentence, or two for a second duty."""
    sentences = read_sentences(view.text)
    facts = outline.facts_of(view.criterion_id)
    gate = gating_words(facts, view.text)
    if not sentences:
        return full_sentence(gate, f"criterion {view.criterion_id} must be met")
    first = _clause(view, sentences[0], outline)
    result = full_sentence(gate, *first)
    for sentence in sentences[1:]:
        more = _further(view, sentence)
        if len(result) + len(more) < min(_MOST_LENGTH, len(view.text) + 50):
            result = f"{result} {more}"
        else:
            break
    return _corrected(result, facts)


def gating_words(facts: CriterionFacts, text: str) -> str:
    """Return the gate of a criterion in words, "" if its own text opens with it."""
    gates = facts.dependencies
    if gates is None or re.match(r"(?:[\d.]+\s+)?(?:where|if|when)\b", text, re.IGNORECASE):
        return ""
    ids = " or ".join(c.criterion_id for c in gates.clauses)
    return f"where {ids} applies" if gates.clauses[0].status == "Affirmation" else f"unless {ids} applies"


def _corrected(sentence: str, facts: CriterionFacts) -> str:
    """Put the points that are meant in the place of those that are printed."""
    for correction in facts.corrections:
        sentence = sentence.replace(f"point {correction.from_}", f"point {correction.to}")
    return sentence


def _further(view: CriterionView, sentence: Sentence) -> str:
    clause = shorten(view.text[sentence.main : sentence.end])
    return full_sentence(condition_words(view.text, sentence), with_duty(clause) or clause)


def _clause(view: CriterionView, sentence: Sentence, outline: Outline) -> list[str]:
    """Return condition and duty of the first sentence."""
    text = view.text
    condition = condition_words(text, sentence)
    body = shorten(text[sentence.main : sentence.end])
    span = outline.cases.span(view.criterion_id)
    if span and span[0] > sentence.main and text[span[0] - 2] == ",":
        # "1 % of …, where the plant is small": the case comes first.
        stop = next((i for i in range(span[0], len(text)) if text[i] in ".;"), len(text))
        condition, body = shorten(text[span[0] : stop]), shorten(text[sentence.main : span[0]])
    if not body.strip(" .;:,"):
        return [f"the rule for {condition}" if condition else view.criterion_id, "must be met"]
    return [condition, _duty(view, body, outline)]


def _duty(view: CriterionView, body: str, outline: Outline) -> str:
    if "BackgroundInformation" in outline.facts_of(view.criterion_id).tags:
        return body
    parent = outline.index.parent(view.criterion_id)
    if starts_with_verb(body):
        return f"{inherited_subject(parent, outline) or 'the activity'} {with_duty(body) or body}"
    if not _NO_CLAUSE.match(body) and (duty := with_duty(body)):
        return duty
    item = re.sub(r"[;,.\s]+(?:and|or)?\s*$", "", body)
    listed = parent is not None and parent.text.rstrip().endswith(":") and view.criterion_id.endswith(")")
    if is_clause(item) or (not listed and body[:1].isupper() and not view.text[:1].islower()):
        return body
    if parent is not None and (joined := joined_to(parent, _lower(item), outline)):
        return joined
    return _framed(view, _lower(item), outline)


# "handling of waste", "where the seed comes from": they take the place of a noun.
_NO_CLAUSE = re.compile(r"[a-z]+ing\b|(?:where|how|whether|which|what)\b")
_PARTICIPLE = re.compile(r"(?:[a-z]+ly )?[a-z]+(?:ed|drawn)\b(?! (?:[a-z]+ )?[a-z]+s\b)")


def _lower(item: str) -> str:
    return item[:1].lower() + item[1:] if re.match(r"[A-Z][a-z]+\b", item) else item


def inherited_subject(parent: CriterionView | None, outline: Outline) -> str:
    """Return the subject of the chapeau, or of one above it, for an item that goes on with its verb."""
    while parent is not None:
        clause = open_clause(parent)
        if clause and not starts_with_verb(clause):
            return subject_of(clause) or re.sub(r",? (?:that|which)$", "", clause)
        parent = outline.index.parent(parent.criterion_id)
    return ""


def open_clause(parent: CriterionView) -> str:
    """Return the main clause that a chapeau leaves open for its items."""
    sentences = read_sentences(parent.text)
    return shorten(parent.text[sentences[-1].main : sentences[-1].end]).rstrip(" :") if sentences else ""


def joined_to(parent: CriterionView, item: str, outline: Outline) -> str | None:
    """Return the open clause of a chapeau with an item in it, None if they make no sentence."""
    clause = open_clause(parent)
    if starts_with_verb(clause):
        clause = f"{inherited_subject(outline.index.parent(parent.criterion_id), outline) or 'the activity'} {clause}"
    if named := _THE_FOLLOWING.search(clause):
        # "the following substances are not added": the item is the subject.
        whole = f"{_SOME_OF.sub('', clause[: named.start()])}{item} {clause[named.end() :]}"
        return with_duty(whole)
    slot = SLOT.search(clause)
    stem = clause[: slot.start()].rstrip() if slot else clause
    if not stem or len(stem) > _LONGEST_STEM or _CRITERIA_FOLLOW.search(stem):
        return None
    return with_duty(f"{stem} the form of {item}" if slot and _FORMS.search(slot[0]) else f"{stem} {item}")


def _framed(view: CriterionView, item: str, outline: Outline) -> str:
    """Return a noun phrase as a full sentence, by what it stands for (C10)."""
    facts = outline.facts_of(view.criterion_id)
    parent = outline.index.parent(view.criterion_id)
    above = outline.facts_of(parent.criterion_id).tags if parent else ()
    inherited = [t for t in facts.tags if t in above]
    if parent is not None and outline.logic(parent) == "OR" and not inherited and not anchor_type(view.criterion_id):
        return f"this alternative is met by {item}"
    if _PARTICIPLE.match(item):
        return f"it must be {item}"
    if facts.tags:
        frames = _ACTION_FRAMES if re.match(r"[a-z]+ing\b", item) else _FRAMES
        return frames.get((inherited or facts.tags)[0], _FRAMES[facts.tags[0]]).format(item=item)
    return f"the activity must provide for {item}"
