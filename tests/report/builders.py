"""Invented extractions that use every feature of the schema, and one as large as sections get."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from regreact.schema import Extraction

EMPTY: dict[str, Any] = {
    "category": "Qualitative", "applicability": "Mandatory", "tags": [], "verbatim_text": "", "rule_summary": "",
    "evaluation_logic": "LEAF", "n_required": None, "threshold": None, "references": None, "dependencies": None,
    "sub_criteria": [], "footnotes": [],
}  # fmt: skip


def criterion(criterion_id: str, text: str = "", **fields: Any) -> dict[str, Any]:
    """Return a criterion as the extraction file holds it."""
    given = {"verbatim_text": text, "rule_summary": f"Rule of {criterion_id}.", **fields}
    return {"criterion_id": criterion_id, **EMPTY, **given}


def limit(metric: str, value: float, unit: str, operator: str = "<=", period: Any = None) -> dict[str, Any]:
    """Return a numeric limit."""
    return {"metric": metric, "operator": operator, "value": value, "unit": unit, "period": period}


def answer(rule: str, confidence: float, by: str = "rule", iterations: int = 1) -> dict[str, Any]:
    """Return the provenance of a field."""
    return {"answered_by": by, "confidence": confidence, "iterations": iterations, "rule": rule}


KILN = "The kiln 𝒦 emits at most 12 g/t over 20 years, from 1 March 2031."
CHECKED = "A verifier checks point 1(a) once every two years (2)."

# Parts of KILN that the threshold rests on.
LIMIT, PERIOD = "at most 12 g/t", "over 20 years"


def span(block: int, text: str, part: str) -> list[int]:
    """Return where a part of a block's text stands."""
    return [block, text.index(part), text.index(part) + len(part)]


ENRICHED = {
    "status": "retrieved", "summary": "Article 3: kilns are swept in spring.", "key_facts": ["sweeping takes a day"],
    "thresholds": ["two sweepings a year [Article 3]"], "confidence": 0.84,
}  # fmt: skip


def full() -> dict[str, Any]:
    """Return an extraction with something in every field."""
    quantities = {"logic": "OR", "items": [
        limit("Emissions of the kiln", 12, "g/t", period={"type": "bounded", "value": 20, "unit": "years"}),
        limit("Dust", 0.5, "mg/m3", "<", {"type": "lifetime"}),
    ]}  # fmt: skip
    dates = {"logic": "AND", "items": [
        {"type": "effective_from", "date": "2031-03-01"}, {"type": "deadline", "date": "2035-12-31"},
        {"type": "effective_until", "date": "2040-01-01"},
        {"type": "window", "start": "2032-01-01", "end": "2033-01-01"},
        {"type": "recurring", "interval_value": 2, "interval_unit": "years"},
    ]}  # fmt: skip
    sources = [
        {"text": "Article 3 of Regulation (EU) 2099/18", "type": "must_be_fetched", "link": "https://example.org/act",
         "link_status": "provided", "celex_id": "32099R0018", "enrichment": ENRICHED},
        {"text": "ISO 99999", "type": "must_be_fetched", "link": "http://example.org/plain", "link_status": "provided",
         "celex_id": None, "enrichment": {"status": "paywalled"}},
    ]  # fmt: skip
    footnote = {
        "id": "fn-2", "verbatim": "Regulation (EU) 2099/18 on kilns (OJ L 1).", "categories": ["Legal Reference"],
        "items": [{"kind": "EU Legal Act", "title": "Regulation (EU) 2099/18", "celex_id": "32099R0018",
                   "type": "must_be_fetched", "oj": "OJ L 1", "enrichment": ENRICHED}],
        "definitions": [{"term": "kiln", "definition": "an oven that burns lime"}], "notes": ["see the register"],
    }  # fmt: skip
    gate = {"condition_summary": "Applies if 1(a) is met.", "min_conditions_to_meet": 1,
            "clauses": [{"criterion_id": "1(a)", "status": "Affirmation"}, {"criterion_id": "9", "status": "Negation"}]}  # fmt: skip
    tree = criterion("ROOT", evaluation_logic="AND", sub_criteria=[
        criterion("1", "1. The kiln meets two of the following:", evaluation_logic="N_OF_K", n_required=2,
                  sub_criteria=[
            criterion("1(a)", KILN, category="Quantitative",
                      threshold={"quantitative": quantities, "temporal": dates},
                      references={"logic": "OR", "sources": sources}),
            criterion("1(b)", "the lime is white;", tags=["Methodology"]),
        ]),
        criterion("1.Verification", CHECKED, applicability="Conditional", tags=["Verification"],
                  dependencies=gate, footnotes=[footnote]),
        criterion("2", "", evaluation_logic="OR", sub_criteria=[criterion("2(a)", "chalk;"), criterion("2(b)", "marl.")]),
    ])  # fmt: skip
    issue = {"item_id": "1(a)", "type": "semantic", "severity": "major", "field": "threshold",
             "description": "number 12 not in the answer", "evidence": [[1, 24, 26]], "observer": "number_observer"}  # fmt: skip
    return {
        "unit": "CCM-77.1/SC", "activity": "Burning of lime", "objective": "mitigation", "section": "SC",
        "source": {"document": "lime", "sha256": "ab" * 32, "format": "html"},
        "criteria": tree,
        "edges": [
            *({"source": a, "target": b, "type": "hierarchy"} for a, b in (
                ("ROOT", "1"), ("1", "1(a)"), ("1", "1(b)"), ("ROOT", "1.Verification"), ("ROOT", "2"),
                ("2", "2(a)"), ("2", "2(b)"))),
            {"source": "2", "target": "2(a)", "type": "group_member"},
            {"source": "1.Verification", "target": "1(a)", "type": "depends_on"},
            {"source": "1.Verification", "target": "1(a)", "type": "inherits_threshold"},
            {"source": "1.Verification", "target": "1(a)", "type": "corrects"},
            {"source": "1(a)", "target": "celex:32099R0018", "type": "references"},
        ],
        "corrections": [{"criterion_id": "1.Verification", "from": "1(c)", "to": "1(a)", "reason": "crossref",
                         "decided_by": "rule", "evidence": [[3, 18, 28]]}],
        "retrieval": [{"criterion_id": "1(a)", "source": "Article 3 of Regulation (EU) 2099/18",
                       "addresses": ["art_3/par_1/pnt_a"], "queries": ["what about sweeping?"], "gaps": ["no date"],
                       "iterations": 2, "confidence": 0.84}],
        "review": [{"criterion_id": "1(a)", "stage": "s2", "severity": "critical", "reason": "two numbers disagree",
                    "evidence": [[1, 24, 26]]}],
        "evidence": {
            "1": {"rule_summary": [[0, 0, 39]], "evaluation_logic": [[0, 18, 21]]},
            # "𝒦" is one character here and two units in a browser's strings.
            "1(a)": {"threshold": [span(1, KILN, LIMIT), span(1, KILN, PERIOD)], "rule_summary": [[1, 0, len(KILN)]]},
            "1(b)": {"rule_summary": [[2, 0, 18]]},
            "1.Verification": {"tags": [[3, 2, 10]], "dependencies": [span(3, CHECKED, "point 1(a)"), span(1, KILN, "The kiln")]},
        },
        "provenance": {
            "1(a)": {"threshold": answer("absolute", 0.9, iterations=3), "references": answer("", 0.55, "lm"),
                     "tags": answer("", 0.7, "default")},
            "1.Verification": {"dependencies": answer("point", 0.8)},
        },
        "memory": {
            "celex": {"32099R0018": {"status": "verified", "title": "On kilns", "reason": "title agrees"}},
            "odr": [{"stage": "s2", "question": "ExtractThresholds", "stopped": "confident", "rounds": [
                {"iteration": 1, "confidence": 0.6, "issues": [issue],
                 "diagnosis": {"root_cause": "skipped", "contributing_factors": [], "recommended_action": "retry",
                               "specific_guidance": "read the number"},
                 "asked": ["1(a)"], "accepted": ["1(a)"]}]}],
            "graph": [{**issue, "item_id": "2", "description": "edge to nothing"}],
        },
        "usage": {"lm_calls": 3, "prompt_tokens": 1200, "completion_tokens": 90, "cost": 0.0123},
    }  # fmt: skip


def large(count: int = 300) -> dict[str, Any]:
    """Return an extraction of about `count` criteria in three levels, all with text, evidence and provenance."""
    data = full()
    made, block = [], 0
    data["evidence"], data["provenance"], data["edges"] = {}, {}, []

    def add(name: str, parent: str, **fields: Any) -> dict[str, Any]:
        nonlocal block
        text = f"{name} The shed holds at least {block + 2} lanterns of the kind that keepers of harbours light at dusk."
        whole = [[block, 0, len(text)]]
        data["evidence"][name] = {"rule_summary": whole, "threshold": [[block, len(name) + 16, len(name) + 28]]}
        fields_answered = ("threshold", "tags", "applicability", "evaluation_logic", "references", "rule_summary")
        data["provenance"][name] = {f: answer("absolute", 0.9) for f in fields_answered}
        data["edges"].append({"source": parent, "target": name, "type": "hierarchy"})
        numbers = {"logic": None, "items": [limit("Lanterns", block + 2, "lanterns", ">=")]}
        block += 1
        return criterion(name, text, category="Quantitative", threshold={"quantitative": numbers}, **fields)

    for i in range(1, count // 30 + 1):
        letters = []
        for j in "abcdef"[:5]:
            inner = [add(f"{i}({j})({k})", f"{i}({j})") for k in ("i", "ii", "iii", "iv", "v")]
            letters.append(add(f"{i}({j})", str(i), evaluation_logic="OR", sub_criteria=inner))
        made.append(add(str(i), "ROOT", evaluation_logic="AND", sub_criteria=letters))
    data["criteria"] = criterion("ROOT", evaluation_logic="AND", sub_criteria=made)
    for name in ("corrections", "retrieval", "review"):
        data[name] = []
    data["memory"] = {}
    return data


def planted(data: Any, payload: str, fits: Callable[[Any], bool]) -> Any:
    """Return data with a payload behind every text, keys of criteria included, wherever the schema lets it stand."""
    texts = sorted(set(_texts(data)), key=len, reverse=True)
    for text in texts:
        changed = _replaced(data, text, text + payload)
        if fits(changed):
            data = changed
    return data


def valid(data: Any) -> bool:
    """True if data is an extraction."""
    try:
        Extraction.model_validate(data)
    except ValueError:
        return False
    return True


def _texts(data: Any) -> list[str]:
    if isinstance(data, str):
        return [data]
    if isinstance(data, dict):
        return [t for v in data.values() for t in _texts(v)]
    return [t for v in data for t in _texts(v)] if isinstance(data, (list, tuple)) else []


def _replaced(data: Any, text: str, new: str) -> Any:
    if isinstance(data, dict):
        return {(new if k == text else k): _replaced(v, text, new) for k, v in data.items()}
    if isinstance(data, (list, tuple)):
        return [_replaced(v, text, new) for v in data]
    return new if isinstance(data, str) and data == text else data


def write(out: Path, *extractions: dict[str, Any]) -> Path:
    """Write extraction files as `regreact extract` does, and return the folder."""
    for data in extractions:
        path = out / "lime" / (data["unit"].replace("/", "__") + ".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data), encoding="utf-8")
    return out
