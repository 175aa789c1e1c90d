"""A simulated model, to try the model path where no model can be reached.

It reads the prompt like a model does, whichever adapter wrote it, and replies in the form asked for: with right
answers that an experiment hands in, else with those of the solvers, spoiled by the faults of a seeded plan.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import dspy
from dspy.lm15 import Message, Request, Response, TextPart, Usage
from pydantic import TypeAdapter

from regreact.adapters import ChatAdapter, JSONAdapter, XMLAdapter, kept, validator
from regreact.answers import Answer, find_solver
from regreact.config import FaultSettings
from regreact.fastpath.diagnosis import diagnose
from regreact.fastpath.markup import markup_structure
from regreact.faults import BUSY, EMPTY, PROSE, TIMEOUT, TRUNCATED, FaultPlan, Scene
from regreact.prices import CHARS_PER_TOKEN
from regreact.reference import Reference, place_of
from regreact.simulated_proposals import outputs, proposal, wants
from signatures import (
    assembly,
    classification,
    dependencies,
    footnotes,
    judges,
    references,
    retrieval,
    structure,
    thresholds,
)
from signatures.baseline import ExtractSection
from signatures.odr import DiagnoseIssues, ObserveAnswers
from signatures.types import BlockView, CriterionView, FlatNode

_FIELD = re.compile(r"\[\[ ## (\w+) ## \]\]\n(.*?)(?=\n\n?\[\[ ## |\n\nRespond with|\Z)", re.DOTALL)
_XML_FIELD = re.compile(r"^<(\w+)>\n(.*?)\n</\1>$", re.DOTALL | re.MULTILINE)

STAGE_SIGNATURES: dict[str, type[dspy.Signature]] = {
    s.__name__: s
    for s in (
        structure.ParseStructure,
        thresholds.ExtractThresholds,
        references.ExtractReferences,
        footnotes.ProcessFootnotes,
        classification.DetectPathways,
        classification.ClassifyApplicability,
        classification.AssignTags,
        classification.InferLogic,
        dependencies.CorrectCrossReferences,
        dependencies.InheritThresholds,
        dependencies.ResolveDependencies,
        assembly.SummariseRules,
    )
}

# Signatures with one answer, and the field of the reply that is all of it ("" where the answer's own fields are).
SINGLE_SIGNATURES: dict[type[dspy.Signature], str] = {
    retrieval.RewriteQuery: "question",
    retrieval.EvaluatePassages: "",
    retrieval.RefineQuery: "query",
    retrieval.SummarisePassages: "",
}

# Their solvers are the rubrics, which whoever judges has registered.
JUDGES = (
    judges.JudgeThreshold,
    judges.JudgeReference,
    judges.JudgeFootnote,
    judges.JudgeDependency,
    judges.JudgeFaithfulness,
    judges.JudgeRelevance,
    judges.JudgeCompleteness,
    judges.JudgeCoverage,
)

SIGNATURES: dict[str, type[dspy.Signature]] = {
    **STAGE_SIGNATURES,
    **{s.__name__: s for s in (*SINGLE_SIGNATURES, *JUDGES)},
    **{s.__name__: s for s in (ExtractSection, references.RepairCelex, DiagnoseIssues, ObserveAnswers)},
}


_ANY = TypeAdapter[Any](Any)


def to_item(signature: str, answer: Answer[Any], block_text: str = "") -> dict[str, Any]:
    """Return the reply item that carries an answer: the inverse of `regreact.step.CODECS`."""
    value = _ANY.dump_python(answer.value, mode="json", by_alias=True)
    quotes = [block_text[start:end] for _, start, end in answer.evidence if block_text]
    item: dict[str, Any] = {"confidence": answer.confidence, "quotes": quotes}
    if signature == "ParseStructure":
        return {**item, "block": int(answer.id), **value}
    if signature == "ProcessFootnotes":
        return {**item, "id": answer.id, "footnote": value}
    if signature == "RepairCelex":
        return {**item, "id": answer.id, **value}
    item["criterion_id"] = answer.id
    if signature in ("InferLogic", "InheritThresholds"):
        return {**item, **value}
    names = {
        "ExtractThresholds": "threshold",
        "ExtractReferences": "references",
        "DetectPathways": "groups",
        "ClassifyApplicability": "applicability",
        "AssignTags": "tags",
        "CorrectCrossReferences": "corrections",
        "ResolveDependencies": "dependencies",
        "SummariseRules": "rule_summary",
    }
    return {**item, names[signature]: value}


@dataclass
class Simulation:
    """What the simulated model knows and gets wrong.

    Attributes:
        references: Right answers by unit key; for other units the solvers answer.
        plan: Its faults, and the account of those it has made.
    """

    references: Mapping[str, Reference] = field(default_factory=dict)
    plan: FaultPlan = field(default_factory=lambda: FaultPlan(FaultSettings()))


class SimulatedEngine:
    """Engine of `dspy.LM` that answers from references, else by the solvers, and makes the faults of its plan."""

    # It can reply in any form, bound to a schema or not.
    supports_response_schema = False
    supported_params: frozenset[str] = frozenset()

    def __init__(self, simulation: Simulation | None = None) -> None:
        self.simulation = simulation or Simulation()

    def complete(self, request: Request) -> Response:
        """Reply to a prompt.

        Raises:
            dspy.LMError: The plan says so.
        """
        system = (
            request.system
            if isinstance(request.system, str)
            else "".join(p.text for p in request.system or () if hasattr(p, "text"))
        )
        text = self.reply(system, request.messages[-1].text or "")
        size = len(system) + sum(len(m.text or "") for m in request.messages)
        usage = Usage(input_tokens=size // CHARS_PER_TOKEN, output_tokens=len(text) // CHARS_PER_TOKEN)
        return Response(
            id=None,
            model="simulated",
            message=Message.assistant([TextPart(text)]),
            finish_reason="stop",
            usage=usage,
        )

    def reply(self, system: str, question: str) -> str:
        """Return the text of a reply; for a question that is none of the program's one in the form it asks for.

        Args:
            system: Instructions of a signature, as an adapter writes them.
            question: The last user message, as the same adapter writes it.
        """
        adapter, fields = _form(question)
        asked = dict(fields.findall(question))
        # A tuned prompt has other instructions and the same outputs.
        told = (s for s in SIGNATURES.values() if _first_line(s) in system)
        signature = next(told, None) or next((s for s in SIGNATURES.values() if wants(system, s)), None)
        if signature is None and outputs(system):
            other, values = proposal(system)
            return _write(adapter, other, **values)
        if signature is None or signature is ObserveAnswers:
            return _write(adapter, ObserveAnswers, issues=[])
        inputs = {
            name: _read(field.annotation, asked[name])
            for name, field in signature.input_fields.items()
            if name in asked
        }
        if signature is DiagnoseIssues:
            return _write(adapter, signature, diagnosis=diagnose(**inputs).model_dump())
        if signature in SINGLE_SIGNATURES or signature in JUDGES:
            inputs.pop("guidance", None)
            return _write(adapter, signature, **_single(signature, inputs))
        if signature is references.RepairCelex:
            wanted = inputs.pop("asked")
            inputs.pop("guidance", None)
            found = _by_rule(signature.__name__, wanted, inputs)
            return _write(adapter, signature, answers=[item for _, _, item in found])
        unit = inputs["unit"].unit
        trouble = self.simulation.plan.spoil_reply(unit, signature.__name__)
        if trouble in (TIMEOUT, BUSY):
            raise dspy.LMError(f"simulated {trouble}")
        if signature is ExtractSection:
            text = _write(adapter, signature, nodes=self._nodes(unit, inputs["blocks"]))
        else:
            text = _write(adapter, signature, answers=self._items(signature, unit, inputs))
        return {
            PROSE: f"Here is what I found.\n\n{text}\nI hope this helps.",
            TRUNCATED: text[: len(text) * 2 // 3],
            EMPTY: "",
        }.get(trouble, text)

    def _items(self, signature: type[dspy.Signature], unit: str, inputs: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the items of a reply, spoiled as the plan says."""
        name = signature.__name__
        wanted, guidance = inputs.pop("asked"), inputs.pop("guidance", "")
        reference = self.simulation.references.get(unit)
        right = _by_rule(name, wanted, inputs) if reference is None else _known(reference, name, wanted, inputs)
        criteria: Sequence[CriterionView] = inputs.get("criteria", ())
        ids = [c.criterion_id for c in criteria] or [i.get("criterion_id", "") for _, _, i in right]
        items = [item for _, _, item in right]
        scene = Scene(random.Random(0), ids, items)
        spoiled = [self.simulation.plan.spoil(unit, name, p, i, item, guidance, scene) for p, i, item in right]
        return [item for item in spoiled if item is not None]

    def _nodes(self, unit: str, blocks: Sequence[BlockView]) -> list[dict[str, Any]]:
        reference = self.simulation.references.get(unit)
        nodes = _by_markup(blocks) if reference is None else reference.values["ExtractSection"]["nodes"]
        scene = Scene(random.Random(0), [n["criterion_id"] for n in nodes], nodes)
        plan = self.simulation.plan
        spoiled = [
            plan.spoil(unit, "ExtractSection", _node_place(n), n["criterion_id"], n, "", scene)
            if n["criterion_id"] != "ROOT"
            else n
            for n in nodes
        ]
        return [n for n in spoiled if n is not None]


def _node_place(node: Mapping[str, Any]) -> str:
    return str(node["block"]) if node["block"] is not None else str(node["criterion_id"])


def _by_rule(name: str, wanted: Sequence[str], inputs: Mapping[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Return place, id and item of each answer that the solver gives."""
    texts = {v.criterion_id: v.text for v in inputs.get("criteria", ())}
    texts.update({str(v.index): v.text for v in inputs.get("blocks", ())})
    places = {v.criterion_id: place_of(v) for v in inputs.get("criteria", ())}
    solve = find_solver(name)
    answers = [] if solve is None else [a for a in solve(**inputs) if a.id in wanted]
    return [(places.get(a.id, a.id), a.id, to_item(name, a, texts.get(a.id, ""))) for a in answers]


def _single(signature: type[dspy.Signature], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the output fields of a signature with one answer, as its solver gives it."""
    solve = find_solver(signature.__name__)
    answer = next(iter(solve(**inputs)), None) if solve is not None else None
    name = SINGLE_SIGNATURES.get(signature, "")
    if name:
        return {name: "" if answer is None else answer.value}
    return {} if answer is None else dict(answer.value.model_dump(mode="json"))


def _known(
    reference: Reference, name: str, wanted: Sequence[str], inputs: Mapping[str, Any]
) -> list[tuple[str, str, dict[str, Any]]]:
    """Return place, id and item of each answer that the reference holds."""
    criteria: Sequence[CriterionView] = inputs.get("criteria", ())
    places = {c.criterion_id: place_of(c) for c in criteria}
    found = []
    for item_id in wanted:
        place = item_id if name in ("ParseStructure", "ProcessFootnotes") else places.get(item_id, item_id)
        if place not in reference.values[name]:
            continue
        key = {"ParseStructure": "block", "ProcessFootnotes": "id"}.get(name, "criterion_id")
        value = reference.answer(name, place, criteria)
        own: Any = int(item_id) if name == "ParseStructure" else item_id
        found.append((place, item_id, {"confidence": 0.9, "quotes": [], key: own, **value}))
    return found


def _by_markup(blocks: Sequence[BlockView]) -> list[dict[str, Any]]:
    """Return the tree that the markup spells out, as the single-pass question wants it."""
    texts = {str(b.index): b.text for b in blocks}
    nodes = [
        FlatNode(criterion_id=a.value.criterion_id, parent=a.value.parent, block=int(a.id), rule_summary=texts[a.id])
        for a in markup_structure(blocks)
    ]
    return [n.model_dump(mode="json", by_alias=True) for n in nodes]


def _form(question: str) -> tuple[dspy.Adapter, re.Pattern[str]]:
    """Return the adapter that wrote a question, and how it writes a field."""
    if re.search(r"^Respond with a JSON object", question, re.MULTILINE):
        return JSONAdapter(), _FIELD
    if re.search(r"^Respond with .*fields wrapped in XML tags", question, re.MULTILINE):
        return XMLAdapter(), _XML_FIELD
    return ChatAdapter(), _FIELD


def _write(adapter: dspy.Adapter, signature: type[dspy.Signature], **values: Any) -> str:
    """Return a reply in the form of an adapter."""
    reply = {"reasoning": "Simulated.", **values}
    return str(adapter.format_assistant_message_content(_reasoned(signature), reply))


@kept
def _reasoned(signature: type[dspy.Signature]) -> type[dspy.Signature]:
    reasoned: type[dspy.Signature] = signature.prepend("reasoning", dspy.OutputField(), str)
    return reasoned


@kept
def _first_line(signature: type[dspy.Signature]) -> str:
    return str(signature.instructions).strip().splitlines()[0]


def _read(annotation: Any, raw: str) -> Any:
    """Return the value of an input field; DSPy writes null as None."""
    if raw.strip() == "None" and type(None) in get_args(annotation):
        return None
    return validator(annotation).validate_python(_decode(raw))


def _decode(raw: str) -> Any:
    try:
        return json.loads(raw)
    except json.JSONDecodeError:
        return raw.strip()
