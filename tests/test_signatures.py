"""What models are asked: the form of the instructions, and that every adapter renders them and reads a right reply."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import dspy
import pytest
from pydantic import BaseModel, TypeAdapter

from regreact.adapters import XMLAdapter
from regreact.examples import examples
from regreact.simulated import SINGLE_SIGNATURES, STAGE_SIGNATURES
from signatures import judges, retrieval
from signatures.baseline import ExtractSection
from signatures.odr import DiagnoseIssues, ObserveAnswers
from signatures.references import RepairCelex
from signatures.thresholds import ExtractThresholds
from signatures.types import ThresholdItem
from tests.lm import scripted

SHARED = Path(__file__).resolve().parents[2] / "shared"
SOURCES = ("paper/regreact-2604.12054.txt", "gold/GUIDELINES.md")
RAG_JUDGES = [judges.JudgeFaithfulness, judges.JudgeRelevance, judges.JudgeCompleteness, judges.JudgeCoverage]
FIELD_JUDGES = [judges.JudgeThreshold, judges.JudgeReference, judges.JudgeFootnote, judges.JudgeDependency]
JUDGES = [*FIELD_JUDGES, *RAG_JUDGES]
TASKS = [*STAGE_SIGNATURES.values(), RepairCelex, ObserveAnswers, DiagnoseIssues, *SINGLE_SIGNATURES, *JUDGES]
ALL = [*TASKS, ExtractSection]
ADAPTERS = {"chat": dspy.ChatAdapter(), "json": dspy.JSONAdapter(), "xml": XMLAdapter()}
# Fields that a reply leaves to the program.
LEFT_OUT = {"link", "link_status", "enrichment"}

tasks = pytest.mark.parametrize("signature", TASKS, ids=lambda s: s.__name__)
every = pytest.mark.parametrize("signature", ALL, ids=lambda s: s.__name__)
adapters = pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=ADAPTERS)


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def test_a_first_line_names_one_signature_only() -> None:
    first = [s.instructions.splitlines()[0] for s in ALL]
    for signature in ALL:
        assert [line for line in first if line in signature.instructions] == [signature.instructions.splitlines()[0]]


@tasks
def test_instructions_are_numbered_and_short(signature: type[dspy.Signature]) -> None:
    written = [w for w in re.findall(r"[^\s|]+", signature.instructions) if re.search(r"\w", w)]
    assert len(written) <= 450
    assert re.search(r"(?m)^1\. .*", signature.instructions) and re.search(r"(?m)^2\. .*", signature.instructions)


def enum_values(annotation: Any) -> Iterator[str]:
    """Yield the values of every closed list that a reply of this type may hold."""
    if get_origin(annotation) is Literal:
        yield from (str(value) for value in get_args(annotation))
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for name, field in annotation.model_fields.items():
            if name not in LEFT_OUT:
                yield from enum_values(field.annotation)
    for part in get_args(annotation):
        if get_origin(annotation) is not Literal:
            yield from enum_values(part)


@every
def test_every_value_of_a_closed_list_is_named(signature: type[dspy.Signature]) -> None:
    values = {v for field in signature.output_fields.values() for v in enum_values(field.annotation)}
    assert [v for v in sorted(values) if v not in signature.instructions] == []


def test_the_values_of_closed_lists_are_found() -> None:
    assert {"<=", "OR", "lifetime", "recurring", "months"} <= set(enum_values(list[ThresholdItem]))


@cache
def source_runs(size: int) -> frozenset[tuple[str, ...]]:
    paths = [SHARED / name for name in SOURCES]
    if not all(p.is_file() for p in paths):
        pytest.skip(f"paper or guidelines absent: {SHARED}")
    listed = [words(p.read_text(encoding="utf-8")) for p in paths]
    return frozenset(tuple(w[i : i + size]) for w in listed for i in range(len(w) - size + 1))


@every
def test_no_ten_words_in_a_row_are_copied(signature: type[dspy.Signature]) -> None:
    own = words(signature.instructions)
    runs = (tuple(own[i : i + 10]) for i in range(len(own) - 9))
    assert [" ".join(r) for r in runs if r in source_runs(10)] == []


ISSUE = {
    "item_id": "1", "type": "semantic", "severity": "critical", "field": "operator",
    "description": "operator > where the words say below", "source_evidence": "below 5 % & less than 7 <units>",
}  # fmt: skip
DIAGNOSIS = {
    "root_cause": "A comparison was read the wrong way round.", "contributing_factors": [],
    "recommended_action": "retry_modified", "specific_guidance": "1: read \"below\" as <.",
}  # fmt: skip

REFERENCE = {"text": "Article 4 of Directive 2097/5/EU", "celex_id": "32097L0005", "addresses": ["art_4"]}
LOCATED = {"text": "dust < 5 mg & noise", "address": "art_4/par_1"}
PAIR = {
    "criterion": "Kilns keep to Article 4 of Directive 2097/5/EU.", "reference": REFERENCE,
    "passages": [{"id": "p1", "addresses": ["art_4", "art_4/par_1"], "context": "Article 4 Dust",
                  "text": "1. Dust < 5 mg & noise:\n(a) in kilns;\n(b) elsewhere."}],
}  # fmt: skip
GAP = {"kind": "definition", "wanted": "kiln"}
FACTS = {"summary": "Dust is below 5 mg.", "key_facts": ["Dust < 5 mg."], "thresholds": []}
CHECK = {"item": "dust & noise", "gold": "< 5", "system": "", "verdict": "missing"}
FIELD_JUDGEMENT = {"comparisons": [CHECK], "score": 2, "reason": "So."}
ACT = {"text": "Directive 2097/5/EU", "type": "must_be_fetched", "celex_id": "32097L0005"}
LINKS = {
    "dependencies": {"condition_summary": "if 1(a)", "min_conditions_to_meet": 1,
                     "clauses": [{"criterion_id": "1(a)", "status": "Negation"}]},
    "threshold_from": "1(b)", "corrections": [{"printed": "1(x)", "meant": "1(b)"}],
}  # fmt: skip
LIMIT = {"metric": "Dust < noise", "operator": "<", "value": 5, "unit": "mg", "period": {"type": "lifetime"}}
SINGLE = {
    judges.JudgeThreshold: (
        {"text": "Dust < 5 mg & noise.", "system": None,
         "gold": {"quantitative": {"items": [LIMIT]}, "temporal": {"items": [{"type": "deadline", "date": "2030-12-31"}]}}},
        FIELD_JUDGEMENT,
    ),
    judges.JudgeReference: (
        {"text": "See the Directive.", "gold": {"sources": [ACT]}, "system": {"logic": "OR", "sources": [ACT, ACT]}},
        FIELD_JUDGEMENT,
    ),
    judges.JudgeFootnote: (
        {"text": "See(1).", "gold": [{"id": "fn-1", "verbatim": "A & B."}], "system": []}, FIELD_JUDGEMENT,
    ),
    judges.JudgeDependency: ({"text": "Where 1(x) is met.", "gold": LINKS, "system": {}}, FIELD_JUDGEMENT),
    retrieval.RewriteQuery: (
        {"query": "Kilns.", "activity": "Lime", "objective": "mitigation", "section": "SC", "reference": REFERENCE,
         "terms": [{"term": "PV", "definition": "photovoltaic"}], "guidance": ""},
        {"question": "Which limits apply to kilns?"},
    ),
    retrieval.EvaluatePassages: (
        {**PAIR, "guidance": ""}, {"confidence": 0.8, "relevant": ["p1"], "gaps": [GAP]},
    ),
    retrieval.RefineQuery: ({"original_query": "Kilns?", "gaps": [GAP], "guidance": ""}, {"query": "kiln means?"}),
    retrieval.SummarisePassages: (
        {**PAIR, "guidance": ""},
        {"summary": "Dust.", "key_facts": [LOCATED], "thresholds": [LOCATED], "quotes": [], "confidence": 0.9},
    ),
    judges.JudgeFaithfulness: (
        {**PAIR, **FACTS},
        {"comparisons": [{"claim": "Dust.", "evidence": "dust", "support": "supported"}], "score": 5, "reason": "So."},
    ),
    judges.JudgeRelevance: (
        {**PAIR, **FACTS},
        {"comparisons": [{"claim": "Dust.", "aspect": "", "tier": "unrelated"}], "score": 3, "reason": "So."},
    ),
    judges.JudgeCompleteness: (
        {**PAIR, **FACTS},
        {"comparisons": [{"element": "Dust.", "weight": "major", "captured": False}], "score": 3, "reason": "So."},
    ),
    judges.JudgeCoverage: (
        {**PAIR, **FACTS},
        {"comparisons": [{"need": "Dust.", "priority": "primary", "state": "met"}], "score": 5, "reason": "So."},
    ),
}  # fmt: skip


def correct(signature: type[dspy.Signature]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return inputs and right outputs of a signature."""
    if signature is ObserveAnswers:
        told = {"task": "Limits.", "source_text": "Losses are below 5 %.", "answers": "[]"}
        return [(told, {"issues": [ISSUE]}), (told, {"issues": []})]
    if signature is DiagnoseIssues:
        return [({"task": "Limits.", "issues": [], "history": []}, {"diagnosis": DIAGNOSIS})]
    if signature is RepairCelex:
        failure = {"id": "1", "citation": "Directive 2008/98/EC", "celex_id": "32008R0098", "error": "wrong_type",
                   "reason": "a Directive has the letter L", "tried": ["32008R0098"]}  # fmt: skip
        item = {"confidence": 0.9, "quotes": [], "id": "1", "celex_id": "32008L0098", "reason": "A Directive is L."}
        return [({"failures": [failure], "asked": ["1"], "guidance": ""}, {"answers": [item]})]
    if signature in SINGLE:
        return [SINGLE[signature]]
    found = examples(signature, 10)
    assert found, f"no example of {signature.__name__}"
    return [({k: e[k] for k in signature.input_fields}, {k: e[k] for k in signature.output_fields}) for e in found]


@every
@adapters
@pytest.mark.parametrize("reasoning", [True, False], ids=["reasoning", "plain"])
def test_every_adapter_reads_a_right_reply(
    signature: type[dspy.Signature], adapter: dspy.Adapter, reasoning: bool
) -> None:
    predict = dspy.ChainOfThought(signature) if reasoning else dspy.Predict(signature)
    (predictor,) = predict.predictors()
    for inputs, outputs in correct(signature):
        said = {"reasoning": "By the rules.", **outputs}
        lm, engine = scripted([adapter.format_assistant_message_content(predictor.signature, said)])
        with dspy.context(lm=lm, adapter=adapter):
            reply = predict(**inputs)
        for name, value in outputs.items():
            assert reply[name] == TypeAdapter(signature.output_fields[name].annotation).validate_python(value)
        assert len(engine.prompts) == 1


XML_REPLY = """<answers><item><criterion_id>1</criterion_id><threshold><quantitative><logic>OR</logic><items>
<item><metric>Losses, A &amp; B</metric><operator>&lt;</operator><value>5.5</value><unit></unit>
<period><type>bounded</type><value>20</value><unit>years</unit></period></item>
<item><metric>Dust</metric><operator>>=</operator><value>7</value><unit>%</unit><period><type>lifetime</type></period></item>
</items></quantitative><temporal><logic/><items>
<item><type>window</type><start>2026-01-01</start><end>2030-12-31</end></item></items></temporal></threshold></item>
<item><criterion_id>2</criterion_id><threshold><quantitative><logic/><items>
<item><metric>Noise</metric><operator>=</operator><value>0</value><unit>dB</unit><period/></item>
</items></quantitative><temporal/></threshold><quotes><item>no noise</item></quotes></item>
<item><criterion_id>3</criterion_id><threshold/></item></answers>"""


def test_nested_xml_as_a_model_writes_it() -> None:
    first, second, third = XMLAdapter().parse(ExtractThresholds, XML_REPLY)["answers"]
    a, b = first.threshold.quantitative.items
    assert (a.metric, a.operator, a.value, a.unit, a.period.value) == ("Losses, A & B", "<", 5.5, "", 20)
    assert b.period.type == "lifetime"
    assert [(i.type, i.end) for i in first.threshold.temporal.items] == [("window", "2030-12-31")]
    assert first.threshold.temporal.logic is None
    assert second.threshold.temporal is None and second.threshold.quantitative.items[0].period is None
    assert second.quotes == ["no noise"]
    assert third.threshold is None


@pytest.mark.parametrize("kind", ["", "fortnight"])
def test_an_unknown_kind_of_date_is_a_parse_error(kind: str) -> None:
    broken = XML_REPLY.replace("<type>window</type>", f"<type>{kind}</type>")
    with pytest.raises(dspy.utils.exceptions.AdapterParseError):
        XMLAdapter().parse(ExtractThresholds, broken)


def test_the_xml_form_shows_the_fields_of_every_kind() -> None:
    shown = XMLAdapter().format_field_structure(ExtractThresholds)
    assert all(f"<{name}>" in shown for name in ("period", "date", "start", "end", "interval_value", "interval_unit"))
