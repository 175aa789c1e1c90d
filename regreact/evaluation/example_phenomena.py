"""What worked examples should show, by signature: which items show it, and the line of reasoning it takes.

In each table the rarer phenomena come first; the first that holds for an item is what the item is an example of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from regreact.identifiers import ANCHORED, anchor_of
from regreact.schema import Quantitative, QuantitativeItem, Threshold

# Numbers of points, acts and footnotes.
_NO_LIMIT = re.compile(r"points? [\w.()]+|\b\S+/\S+|\(\d+\)|[A-Z]{2,} \S+|Articles? \S+|Sections? \S+")


def views(inputs: Mapping[str, Any]) -> list[Any]:
    """Return the blocks and criteria that a question shows."""
    return [*inputs.get("blocks", ()), *inputs.get("criteria", ())]


def view_id(view: Any) -> str:
    """Return the item id of a block or criterion."""
    return str(view.index) if hasattr(view, "index") else str(view.criterion_id)


@dataclass(frozen=True)
class Item:
    """An item of a question: what is asked about (a block, criterion or footnote) and the right value."""

    id: str
    value: Any
    text: str
    inputs: Mapping[str, Any]

    @property
    def words(self) -> str:
        """The text without a printed number in front."""
        return re.sub(r"^\d[\d.]*\s+", "", self.text)

    @property
    def view(self) -> Any:
        """The block or criterion asked about."""
        return next((v for v in views(self.inputs) if view_id(v) == self.id), None)

    @property
    def facts(self) -> Any:
        """What earlier stages found out about it, None where the question is not told."""
        return next((f for f in self.inputs.get("facts", ()) if f.criterion_id == self.id), None)

    @property
    def children(self) -> list[str]:
        """Ids of the criteria below it."""
        return [c.criterion_id for c in self.inputs.get("criteria", ()) if c.parent == self.id]


@dataclass(frozen=True)
class Phenomenon:
    """Something an example should show: which items show it, and the step of reasoning that it takes."""

    name: str
    holds: Callable[[Item], bool]
    reason: Callable[[Item], str]


def _p(name: str, holds: Callable[[Item], Any], reason: str | Callable[[Item], str]) -> Phenomenon:
    return Phenomenon(name, lambda i: bool(holds(i)), reason if callable(reason) else lambda _: reason)


def _quantities(threshold: Threshold | None) -> Quantitative | None:
    return threshold.quantitative if threshold else None


def _times(threshold: Threshold | None) -> list[str]:
    return [i.type for i in threshold.temporal.items] if threshold and threshold.temporal else []


def _limit(item: QuantitativeItem) -> str:
    return f"{item.metric} {item.operator} {item.value:g} {item.unit}".strip()


def _limits(threshold: Threshold | None, joiner: str = ", ") -> str:
    quantities = _quantities(threshold)
    return joiner.join(_limit(i) for i in quantities.items) if quantities else ""


def _sources(i: Item) -> list[Any]:
    return list(i.value.sources) if i.value else []


def _clauses(i: Item) -> list[Any]:
    return list(i.value.clauses) if i.value else []


def _cites(i: Item) -> bool:
    return re.search(r"\bpoints? [\d(]", i.text) is not None


def _by_id(i: Item) -> set[str]:
    return {c.criterion_id for c in i.inputs["criteria"]}


def _tagged(tag: str, reason: str) -> Phenomenon:
    return _p(tag, lambda i: i.value == (tag,), reason)


PHENOMENA: dict[str, tuple[Phenomenon, ...]] = {
    "ParseStructure": (
        _p("nested wrongly", lambda i: i.value.criterion_id.count("(") == 2 and i.view.depth == 1,
           lambda i: f"spells out {i.value.parent}, so it goes below it although the markup makes them siblings"),
        _p("anchored", lambda i: ANCHORED.search(i.value.criterion_id),
           lambda i: f"has no number and serves {anchor_of(i.value.criterion_id)}, so it is anchored to it"),
        _p("item", lambda i: "(" in i.value.criterion_id,
           lambda i: f"item of the list that {i.value.parent} announces"),
        _p("counted", lambda i: i.words == i.text, "a duty of its own without printed number, so it is counted"),
        _p("numbered", lambda i: True, "keeps its printed number"),
    ),
    "ExtractThresholds": (
        _p("alternatives", lambda i: (q := _quantities(i.value)) and q.logic == "OR",
           lambda i: f"{_limits(i.value, ' or ')}: alternatives, so OR"),
        _p("recurring", lambda i: "recurring" in _times(i.value), "an interval at which the duty returns: recurring"),
        _p("condition", lambda i: i.value is None and re.search(r"\d", _NO_LIMIT.sub("", i.words)),
           "its number names another thing than a limit to reach: no threshold"),
        _p("window", lambda i: "window" in _times(i.value), "from one date to another: a window"),
        _p("both", lambda i: (q := _quantities(i.value)) and q.logic == "AND",
           lambda i: f"{_limits(i.value, ' and ')}: both hold, so AND"),
        _p("date", lambda i: _times(i.value), lambda i: f"a date of the kind {_times(i.value)[0]}"),
        _p("limit", lambda i: _quantities(i.value), lambda i: f"one limit: {_limits(i.value)}"),
        _p("none", lambda i: True, "neither limit nor date: null"),
    ),
    "ExtractReferences": (
        _p("anaphor", lambda i: re.search(r"\bthat (?:Directive|Regulation)", " ".join(s.text for s in _sources(i))),
           "two duties with a source each; the act meant by the second is the first one's"),
        _p("footnote", lambda i: any(s.celex_id and not re.search(r"\d", s.text) for s in _sources(i)),
           "the act is named by its subject, its number stands in the footnote"),
        _p("background", lambda i: any(s.type == "citation_only" for s in _sources(i)),
           "what the Commission does with the act is background: citation_only"),
        _p("split", lambda i: len(_sources(i)) > 1 and i.value.logic == "AND",
           "a conjunction of independent sources is split and written out"),
        _p("alternatives", lambda i: len(_sources(i)) > 1, "one source or the other: OR"),
        _p("place", lambda i: re.search(r"Section|Appendix", " ".join(s.text for s in _sources(i))),
           "a place outside this section, without CELEX id"),
        _p("act", lambda i: any(s.celex_id for s in _sources(i)), "pinpoint and act are one source"),
        _p("point", lambda i: i.value is None and _cites(i), "a point of the section itself is no reference: null"),
        _p("standard", lambda i: i.value, "a document without CELEX id"),
        _p("none", lambda i: True, "cites nothing: null"),
    ),
    "ProcessFootnotes": (
        _p("amended", lambda i: sum(d.type == "citation_only" for d in i.value.items) > 1,
           "the act that is needed, and each of those that it only amends"),
        _p("definition", lambda i: i.value.definitions, "says what a term means: Technical Definition"),
        _p("note", lambda i: i.value.categories == ("Explanatory Note",), "explains without naming a document"),
        _p("standard", lambda i: any(d.kind == "Standard" for d in i.value.items), "names a standard, no binding act"),
        _p("treaty", lambda i: any(d.kind == "International Convention/Treaty" for d in i.value.items),
           "names a treaty, which is binding and has no CELEX id"),
        _p("act", lambda i: True, "names an act that the criterion needs"),
    ),
    "DetectPathways": (
        _p("several", lambda i: len(i.value) > 1, lambda i: f"{len(i.value)} pathways of several conditions each"),
        _p("one", lambda i: i.value, lambda i: f"{', '.join(i.value[0])} make sense only together"),
        _p("alternatives", lambda i: re.search(r"\b(?:either|any|one) of", i.text), "each child is an alternative"),
        _p("count", lambda i: "at least two" in i.text, "a number of the children is needed, not a pathway"),
        _p("all", lambda i: True, "all children are required"),
    ),
    "InferLogic": (
        _p("count", lambda i: i.value.n_required, lambda i: f"asks for {i.value.n_required} of the children: N_OF_K"),
        _p("background", lambda i: i.value.evaluation_logic == "LEAF" and i.children, "only background below: LEAF"),
        _p("cases", lambda i: i.value.evaluation_logic == "OR" and not re.search(r"\b(?:either|one|any) of", i.text),
           "cases that exclude each other: OR"),
        _p("choice", lambda i: i.value.evaluation_logic == "OR", "one child is enough: OR"),
        _p("container", lambda i: i.view.block is None and i.id != "ROOT", "a container joins its members: AND"),
        _p("all", lambda i: i.value.evaluation_logic == "AND", "all children are required: AND"),
        _p("leaf", lambda i: True, "no children: LEAF"),
    ),
    "ClassifyApplicability": (
        _p("manner", lambda i: i.value == "Mandatory" and re.search(r"[ ,]where\b", i.words),
           "its \"where\" changes how to comply and not whether: Mandatory"),
        _p("fallback", lambda i: i.value == "Conditional" and "not feasible" in i.text, "a fallback: Conditional"),
        _p("case", lambda i: i.value == "Conditional" and re.match(r"for\b", i.words, re.I),
           "names the case that it is for: Conditional"),
        _p("may", lambda i: i.value == "Conditional" and re.search(r"\bmay\b", i.text), "a discretion: Conditional"),
        _p("situation", lambda i: i.value == "Conditional" and re.match(r"where\b", i.words, re.I),
           "opens with a situation that not all instances share: Conditional"),
        _p("other gate", lambda i: i.value == "Conditional", "concerns only some instances: Conditional"),
        _p("container", lambda i: i.view.block is None, "ROOT and containers: Mandatory"),
        _p("always", lambda i: True, "concerns every instance: Mandatory"),
    ),
    "AssignTags": (
        _p("two", lambda i: len(i.value) > 1, lambda i: f"two duties: {' and '.join(i.value)}"),
        _tagged("BackgroundInformation", "sets no duty for the operator: background alone"),
        _tagged("Replacement", "replacing what exists is the point"),
        _tagged("Assessment", "a study by the operator"),
        _tagged("Verification", "outsiders check"),
        _tagged("Methodology", "a method, or criteria set elsewhere"),
        _tagged("Commitment", "a document or declaration that must exist"),
        _p("chapeau", lambda i: i.children, "only introduces its children: no tag"),
        _p("limit", lambda i: True, "a plain limit or feature: no tag"),
    ),
    "CorrectCrossReferences": (
        _p("missing", lambda i: any(c.from_ not in _by_id(i) for c in i.value),
           lambda i: f"{i.value[0].from_} does not exist; position and topic lead to {i.value[0].to}"),
        _p("misfit", lambda i: i.value, lambda i: f"the words are about {i.value[0].to}, not about {i.value[0].from_}"),
        _p("right", _cites, "the point cited exists and fits: no correction"),
        _p("none", lambda i: True, "cites no point: no correction"),
    ),
    "InheritThresholds": (
        _p("dates", lambda i: i.value.threshold and _times(i.value.threshold),
           lambda i: f"points to {i.value.threshold_from}, which has dates only"),
        _p("limits", lambda i: i.value.threshold,
           lambda i: f"takes from {i.value.threshold_from}: {_limits(i.value.threshold, '; ')}"),
        _p("only named", _cites, "cites a point, but hands no limit over: null"),
        _p("none", lambda i: True, "hands no limit over: null"),
    ),
    "ResolveDependencies": (
        _p("exempted", lambda i: any(c.status == "Negation" for c in _clauses(i)),
           lambda i: f"holds where {_clauses(i)[0].criterion_id} does not: Negation"),
        _p("several", lambda i: len(_clauses(i)) > 1,
           lambda i: f"conditions on {' and '.join(c.criterion_id for c in _clauses(i))}"),
        _p("anchored", _clauses, lambda i: f"concerns only those who use {_clauses(i)[0].criterion_id}: Affirmation"),
        _p("situation", lambda i: i.facts and i.facts.applicability == "Conditional",
           "its condition is a situation and names no criterion: null"),
        _p("none", lambda i: True, "not gated: null"),
    ),
    "SummariseRules": (
        _p("inherited", lambda i: "[THRESHOLD_FROM" in i.value, "the inherited limit is written out, then the marks"),
        _p("corrected", lambda i: "[CORR" in i.value, "the corrected point is used, then the mark"),
        _p("count", lambda i: re.search(r"at least \d of", i.value), "a parent says how many are needed"),
        _p("condition", lambda i: re.match(r"Where|If|For|Unless", i.value), "the condition comes first"),
        _p("container", lambda i: i.view.block is None and i.id != "ROOT", "its members go together"),
        _p("background", lambda i: i.facts and "BackgroundInformation" in i.facts.tags, "no duty for the operator"),
        _p("limits", lambda i: i.facts and _quantities(i.facts.threshold), "all numbers with their units"),
        _p("duty", lambda i: True, "who must do what"),
    ),
    "ExtractSection": (
        _p("logic", lambda i: i.value.evaluation_logic in ("OR", "N_OF_K"), lambda i: f"{i.value.evaluation_logic}"),
        _p("gate", lambda i: i.value.dependencies, "gated by another criterion"),
        _p("reference", lambda i: i.value.references, "cites a source"),
        _p("footnote", lambda i: i.value.footnotes, "carries a footnote"),
        _p("limit", lambda i: _quantities(i.value.threshold), lambda i: f"limit: {_limits(i.value.threshold)}"),
        _p("date", lambda i: _times(i.value.threshold), lambda i: f"date: {_times(i.value.threshold)[0]}"),
        _p("condition", lambda i: i.value.applicability == "Conditional", "concerns some instances only"),
        _p("anchored", lambda i: ANCHORED.search(i.id), lambda i: f"serves {anchor_of(i.id)}"),
        _p("tag", lambda i: i.value.tags, lambda i: f"tag {i.value.tags[0]}"),
        _p("plain", lambda i: True, "nothing beside its words"),
    ),
}  # fmt: skip


def shown_by(name: str, item: Item) -> Phenomenon:
    """Return the phenomenon of a signature that an item is an example of."""
    return next(p for p in PHENOMENA[name] if p.holds(item))
