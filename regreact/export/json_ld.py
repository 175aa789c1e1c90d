"""Linked data: criteria as JSON-LD 1.1, with the vocabulary in the file, so that nothing has to be looked up."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from regreact.phrases import first_and_last_day, safe_link
from regreact.schema import (
    BoundedPeriod,
    Clause,
    Criterion,
    Extraction,
    QuantitativeItem,
    Recurring,
    ReferenceSource,
    TemporalItem,
)

Json = dict[str, Any]
# Names of our own. They are explained in the file itself; no server answers for them.
NAMESPACE = "urn:regreact:vocabulary:"
_CELEX = "http://publications.europa.eu/resource/celex/"
CONTEXT: Json = {
    "@version": 1.1,
    "schema": "https://schema.org/",
    "eli": "http://data.europa.eu/eli/ontology#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "rr": NAMESPACE,
    "id": "@id",
    "type": "@type",
    "name": "schema:name",
    "text": "schema:text",
    "description": "schema:description",
    "identifier": "schema:identifier",
    "isPartOf": {"@id": "schema:isPartOf", "@type": "@id"},
    # Criteria have an order.
    "hasPart": {"@id": "schema:hasPart", "@container": "@list"},
    "citation": {"@id": "schema:citation"},
    "url": {"@id": "schema:url", "@type": "@id"},
    "value": {"@id": "schema:value", "@type": "xsd:double"},
    "unitText": "schema:unitText",
    "startDate": {"@id": "schema:startDate", "@type": "xsd:date"},
    "endDate": {"@id": "schema:endDate", "@type": "xsd:date"},
    "legislationIdentifier": "schema:legislationIdentifier",
    "celex": "eli:id_local",
    "dependsOn": {"@id": "rr:dependsOn"},
    "criterion": {"@id": "rr:criterion", "@type": "@id"},
    "inheritsThreshold": {"@id": "rr:inheritsThreshold", "@type": "@id"},
    "label": "rdfs:label",
    "comment": "rdfs:comment",
}
# Our terms: kind, and what they mean.
VOCABULARY: dict[str, tuple[str, str]] = {
    "CriterionSet": ("rdfs:Class", "All criteria of one section of one activity"),
    "Criterion": ("rdfs:Class", "One node of a criterion tree; parts are its sub-criteria, in order"),
    "Limit": ("rdfs:Class", "A numeric limit: metric, operator, value and unit as printed"),
    "Period": ("rdfs:Class", "A day, a closed interval of days, or an interval after which a duty returns"),
    "Condition": ("rdfs:Class", "A criterion on which another one depends, and whether it has to be met"),
    "evaluationLogic": ("rdf:Property", "How sub-criteria combine: AND, OR, N_OF_K, or LEAF without any"),
    "required": ("rdf:Property", "Number of sub-criteria that have to be met (N_OF_K)"),
    "applicability": ("rdf:Property", "Mandatory, or Conditional on a situation that the text names"),
    "category": ("rdf:Property", "Quantitative or Qualitative"),
    "tag": ("rdf:Property", "What the criterion asks for, beside its substance"),
    "objective": ("rdf:Property", "Environmental objective of the annex"),
    "section": ("rdf:Property", "SC (substantial contribution), DNSH.<objective>, or Appendix"),
    "threshold": ("rdf:Property", "Limit or period of a criterion"),
    "thresholdLogic": ("rdf:Property", "How several limits of a criterion combine"),
    "metric": ("rdf:Property", "What a limit measures"),
    "operator": ("rdf:Property", "Comparison: <, <=, >, >= or ="),
    "measuredOver": ("rdf:Property", "Length of time over which a limit is measured"),
    "periodKind": ("rdf:Property", "deadline, effective_from, effective_until, window or recurring"),
    "interval": ("rdf:Property", "Interval after which a duty returns"),
    "dependsOn": ("rdf:Property", "Condition of a criterion"),
    "criterion": ("rdf:Property", "The criterion of a condition"),
    "conditionStatus": ("rdf:Property", "Affirmation: has to be met; Negation: must not be met"),
    "minimumConditions": ("rdf:Property", "Number of conditions that have to hold"),
    "inheritsThreshold": ("rdf:Property", "Criterion whose threshold applies"),
    "requires": ("rdf:Property", "What a cited source requires with regard to the criterion, as retrieved"),
    "footnote": ("rdf:Property", "Footnote of the criterion, with its id"),
    "sha256": ("rdf:Property", "Digest of the bytes of a source document"),
    "status": ("rdf:Property", "Whether a citation was resolved"),
}


def json_ld(extractions: Iterable[Extraction]) -> bytes:
    """Return extractions as one JSON-LD document: the vocabulary, source documents, sections with their criteria."""
    extractions = list(extractions)
    documents = {e.source.document: e for e in extractions}
    graph = [*_vocabulary(), *map(_document, documents.values()), *map(_section, extractions)]
    text = json.dumps({"@context": CONTEXT, "@graph": graph}, ensure_ascii=False, indent=1, allow_nan=False)
    return (text + "\n").encode("utf-8", "replace")


def _vocabulary() -> Iterator[Json]:
    for name, (kind, comment) in VOCABULARY.items():
        yield {"id": f"rr:{name}", "type": kind, "label": name, "comment": comment}


def _iri(*parts: str) -> str:
    """Return the IRI of a document, section or criterion."""
    return "urn:regreact:" + ":".join(quote(part, safe="", errors="replace") for part in parts)


def _document(extraction: Extraction) -> Json:
    name, sha256 = extraction.source.document, extraction.source.sha256
    return {"id": _iri(name), "type": "schema:Legislation", "identifier": name, "rr:sha256": sha256}


def _section(extraction: Extraction) -> Json:
    inherited = {e.source: e.target for e in extraction.edges if e.type == "inherits_threshold"}
    return {
        "id": _iri(extraction.source.document, extraction.unit),
        "type": "rr:CriterionSet",
        "identifier": extraction.unit,
        "name": extraction.activity,
        "rr:objective": extraction.objective,
        "rr:section": extraction.section,
        "isPartOf": _iri(extraction.source.document),
        "hasPart": [_criterion(extraction.criteria, extraction, inherited)],
    }


def _criterion(node: Criterion, extraction: Extraction, inherited: dict[str, str]) -> Json:
    def iri(criterion_id: str) -> str:
        return _iri(extraction.source.document, extraction.unit, criterion_id)

    gate = node.dependencies
    data: Json = {
        "id": iri(node.criterion_id),
        "type": "rr:Criterion",
        "identifier": node.criterion_id,
        "text": node.verbatim_text,
        "description": node.rule_summary,
        "rr:evaluationLogic": node.evaluation_logic,
        "rr:required": node.n_required,
        "rr:applicability": node.applicability,
        "rr:category": node.category,
        "rr:tag": list(node.tags),
        "rr:threshold": list(_thresholds(node)),
        "rr:thresholdLogic": _joiner(node),
        "inheritsThreshold": iri(inherited[node.criterion_id]) if node.criterion_id in inherited else None,
        "citation": [_citation(s) for s in (node.references.sources if node.references else ())],
        "dependsOn": [_condition(clause, iri(clause.criterion_id)) for clause in (gate.clauses if gate else ())],
        "rr:minimumConditions": gate.min_conditions_to_meet if gate else None,
        "rr:footnote": [f"{f.id}: {f.verbatim}" for f in node.footnotes],
        "hasPart": [_criterion(child, extraction, inherited) for child in node.sub_criteria],
    }
    return {key: value for key, value in data.items() if value not in (None, [], "")}


def _joiner(node: Criterion) -> str | None:
    limits = node.threshold.quantitative if node.threshold else None
    return limits.logic if limits else None


def _thresholds(node: Criterion) -> Iterator[Json]:
    if node.threshold and node.threshold.quantitative:
        yield from map(_limit, node.threshold.quantitative.items)
    if node.threshold and node.threshold.temporal:
        yield from map(_period, node.threshold.temporal.items)


def _limit(item: QuantitativeItem) -> Json:
    data: Json = {
        "type": ["rr:Limit", "schema:QuantitativeValue"],
        "rr:metric": item.metric,
        "rr:operator": item.operator,
        "value": item.value,
        "unitText": item.unit,
    }
    if isinstance(item.period, BoundedPeriod):
        data["rr:measuredOver"] = _span(item.period.value, item.period.unit)
    elif item.period is not None:
        data["rr:measuredOver"] = "lifetime"
    return data


def _period(item: TemporalItem) -> Json:
    start, end = first_and_last_day(item)
    data: Json = {"type": "rr:Period", "rr:periodKind": item.type}
    if start:
        data["startDate"] = start
    if end:
        data["endDate"] = end
    if isinstance(item, Recurring):
        data["rr:interval"] = _span(item.interval_value, item.interval_unit)
    return data


def _span(value: float, unit: str) -> Json:
    return {"type": "schema:QuantitativeValue", "value": value, "unitText": unit}


def _condition(clause: Clause, iri: str) -> Json:
    return {"type": "rr:Condition", "criterion": iri, "rr:conditionStatus": clause.status}


def _citation(source: ReferenceSource) -> Json:
    """Return a citation; an act with a CELEX id is the resource of that name at the Publications Office."""
    data: Json = {"type": "schema:CreativeWork", "name": source.text}
    if source.celex_id:
        act = {"id": _CELEX + quote(source.celex_id, safe="()"), "type": ["schema:Legislation", "eli:LegalResource"]}
        data["schema:about"] = {**act, "legislationIdentifier": source.celex_id, "celex": source.celex_id}
    link = safe_link(source.link, source.celex_id)
    if link:
        data["url"] = link
    if source.enrichment is not None:
        data["rr:status"] = source.enrichment.status
        if source.enrichment.summary:
            data["rr:requires"] = source.enrichment.summary
    return data
