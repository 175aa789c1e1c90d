"""Checks of queries, evaluations and summaries against criterion and passages (paper section 3.6, D.15 to D.18)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regreact.answers import Answer
from regreact.fastpath.retrieval.limits import bounds, turned
from regreact.fastpath.retrieval.query import invented
from regreact.fastpath.retrieval.statements import Statement, statements
from regreact.fastpath.retrieval.summary import QUOTE, SHORT
from regreact.legal.mentions import Mention, Stated, find_mentions, is_within, provision_of, unstated
from regreact.legal.place_names import place_name
from regreact.observers.base import Issue, observer
from signatures.passages import CitedSource, Evaluation, PassageView, SourceSummary

# An issue names at most this many mentions.
_NAMED = 6


@observer("RewriteQuery", "RefineQuery")
def query_invents_nothing(inputs: Mapping[str, Any], answers: Sequence[Answer[str]]) -> Iterator[Issue]:
    """A query names no act or place that the criterion, or the question and gaps before it, do not print (D.15)."""
    reference = inputs.get("reference")
    printed = [str(inputs[k]) for k in ("query", "activity", "objective", "original_query") if k in inputs]
    printed.extend(g.wanted for g in inputs.get("gaps", ()))
    addresses: tuple[str, ...] = ()
    if isinstance(reference, CitedSource):
        printed.append(reference.text)
        addresses = reference.addresses
    for answer in answers:
        if not answer.value.strip():
            yield Issue(answer.id, "structural", "critical", "query", "the query is empty", (), "query_invents_nothing")
        for name in invented(answer.value, printed, addresses):
            yield Issue(
                answer.id, "semantic", "critical", "query",
                f"{name!r} is not printed in the criterion: leave it out", (), "query_invents_nothing",
            )  # fmt: skip


@observer("EvaluatePassages")
def evaluation_consistent(inputs: Mapping[str, Any], answers: Sequence[Answer[Evaluation]]) -> Iterator[Issue]:
    """Relevant passages exist, and a high confidence rests on some."""
    ids = {p.id for p in inputs["passages"]}
    for answer in answers:
        unknown = [i for i in answer.value.relevant if i not in ids]
        if unknown:
            yield Issue(
                answer.id, "structural", "critical", "relevant",
                f"{unknown[0]!r} is no id of a passage", (), "evaluation_consistent",
            )  # fmt: skip
        if answer.value.confidence >= 0.7 and not answer.value.relevant:
            yield Issue(
                answer.id, "consistency", "critical", "confidence",
                "confidence says that passages answer the criterion, and none is named", (), "evaluation_consistent",
            )  # fmt: skip


def output_texts(value: SourceSummary) -> list[tuple[str, str]]:
    """Return the texts of a summary with the field that each stands in, quotes aside."""
    texts = [("summary", value.summary)]
    texts.extend(("key_facts", f.text) for f in value.key_facts)
    texts.extend(("thresholds", t.text) for t in value.thresholds)
    return texts


def stated_in(passages: Sequence[PassageView], reference: CitedSource) -> Stated:
    """Return all that passages and the citation state."""
    texts = [f"{p.context}\n{p.text}" for p in passages]
    own = [*(a for p in passages for a in p.addresses), *reference.addresses]
    # A summary says where each rule stands.
    return Stated.of([*texts, reference.text, *map(place_name, own)], own)


@observer("SummarisePassages")
def stated_in_passages(inputs: Mapping[str, Any], answers: Sequence[Answer[SourceSummary]]) -> Iterator[Issue]:
    """Every number, date, act and place of a summary occurs in the passages."""
    stated = stated_in(inputs["passages"], inputs["reference"])
    for answer in answers:
        for field, text in output_texts(answer.value):
            for mention in unstated(text, stated):
                yield Issue(
                    answer.id, "semantic", "critical", field,
                    f"{mention.kind} {mention.text!r} stands in no passage", (), "stated_in_passages",
                )  # fmt: skip


@observer("SummarisePassages")
def comparison_kept(inputs: Mapping[str, Any], answers: Sequence[Answer[SourceSummary]]) -> Iterator[Issue]:
    """An upper bound of the passages is not told as a lower one."""
    known = bounds((s.text, s.chapeau) for s in statements(inputs["passages"]))
    for answer in answers:
        for field, text in output_texts(answer.value):
            for amount in turned(text, known):
                yield Issue(
                    answer.id, "semantic", "critical", field,
                    f"the comparison of {' '.join(amount)} is turned round", (), "comparison_kept",
                )  # fmt: skip


@observer("SummarisePassages")
def quotes_verbatim(inputs: Mapping[str, Any], answers: Sequence[Answer[SourceSummary]]) -> Iterator[Issue]:
    """Quotes are copied and shorter than 100 words."""
    source = plain(" ".join(p.text for p in inputs["passages"]))
    for answer in answers:
        for quote in answer.value.quotes:
            shown = quote.text[:60]
            if plain(quote.text) not in source:
                yield Issue(
                    answer.id, "semantic", "critical", "quotes",
                    f"{shown!r} is not copied from a passage", (), "quotes_verbatim",
                )  # fmt: skip
            if len(quote.text.split()) >= QUOTE:
                yield Issue(
                    answer.id, "structural", "major", "quotes",
                    f"{shown!r} has {QUOTE} words or more", (), "quotes_verbatim",
                )  # fmt: skip


@observer("SummarisePassages")
def addresses_known(inputs: Mapping[str, Any], answers: Sequence[Answer[SourceSummary]]) -> Iterator[Issue]:
    """Addresses are those of the passages, or of what holds or is held by them."""
    known = {a for p in inputs["passages"] for a in p.addresses}
    for answer in answers:
        for located in (*answer.value.key_facts, *answer.value.thresholds, *answer.value.quotes):
            place = located.address
            if place and known and not any(is_within(place, a) or is_within(a, place) for a in known):
                yield Issue(
                    answer.id, "structural", "major", "address",
                    f"{located.address!r} is no address of the passages", (), "addresses_known",
                )  # fmt: skip


def plain(text: str) -> str:
    """Return a text for comparison: white space folded, quotation marks and dashes of one kind.

    Example:
        >>> plain("‘Dust’ \\n– 5\\xa0%")
        "'Dust' - 5 %"
    """
    folded = " ".join(text.replace("\u00ad", "").split())
    return re.sub(r"[–—‐-]", "-", re.sub(r"[‘’“”\"]", "'", folded))


@observer("SummarisePassages")
def numbers_reported(inputs: Mapping[str, Any], answers: Sequence[Answer[SourceSummary]]) -> Iterator[Issue]:
    """Every number and date of a short cited provision stands in the output."""
    for answer in answers:
        missing = unreported(answer.value, inputs["passages"], inputs["reference"])
        for place, mentions in missing.items():
            named = ", ".join(dict.fromkeys(m.text for m in mentions[:_NAMED]))
            yield Issue(
                answer.id, "completeness", "major", "thresholds",
                f"{place_name(place)} states {named}, which the answer leaves out", (), "numbers_reported",
            )  # fmt: skip


def unreported(
    value: SourceSummary, passages: Sequence[PassageView], reference: CitedSource
) -> dict[str, list[Mention]]:
    """Return the numbers and dates that a summary leaves out, by cited provision of fewer than 300 words."""
    texts = [text for _, text in output_texts(value)]
    told = Stated.of(texts)
    found = {}
    for place in dict.fromkeys(provision_of(a) for a in reference.addresses):
        own = [s for s in statements(passages) if is_within(s.address, place)]
        if sum(len(s.text.split()) for s in own) >= SHORT:
            continue
        missing = [m for s in own for m in _checkable(s) if not told.has(m)]
        if missing:
            found[place] = missing
    return found


def _checkable(statement: Statement) -> list[Mention]:
    return [m for m in find_mentions(statement.text) if m.kind in ("number", "date")]
