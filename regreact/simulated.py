"""A model that answers stage questions by the solvers, to try the model path where no model can be reached.

It reads the prompt like a model does, whichever adapter wrote it, and replies in the form asked for; nothing is handed
to it on the side.
"""

from __future__ import annotations

import json
import re
from typing import Any

import dspy
from dspy.lm15 import Message, Request, Response, TextPart, Usage
from pydantic import TypeAdapter

from regreact.answers import Answer, find_solver
from regreact.fastpath.markup import markup_structure
from regreact.prices import CHARS_PER_TOKEN
from signatures import assembly, classification, dependencies, footnotes, odr, references, structure, thresholds
from signatures.baseline import ExtractSection
from signatures.types import BlockView, FlatNode

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


def to_item(signature: str, answer: Answer[Any], block_text: str = "") -> dict[str, Any]:
    """Return the reply item that carries an answer: the inverse of `regreact.step.CODECS`."""
    value = TypeAdapter(Any).dump_python(answer.value, mode="json", by_alias=True)
    quotes = [block_text[start:end] for _, start, end in answer.evidence if block_text]
    item: dict[str, Any] = {"confidence": answer.confidence, "quotes": quotes}
    if signature == "ParseStructure":
        return {**item, "block": int(answer.id), **value}
    if signature == "ProcessFootnotes":
        return {**item, "id": answer.id, "footnote": value}
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


def reply_to(system: str, question: str) -> str:
    """Return the reply of a model that answers by the solvers.

    Args:
        system: Instructions of a stage signature, as an adapter writes them.
        question: The last user message, as the same adapter writes it.

    Returns:
        The answers in that adapter's form; an empty finding for a question that is no stage signature's.
    """
    adapter: dspy.Adapter = dspy.ChatAdapter()
    fields = _FIELD
    if "Respond with a JSON object" in question:
        adapter = dspy.JSONAdapter()
    elif "fields wrapped in XML tags" in question:
        adapter, fields = dspy.XMLAdapter(), _XML_FIELD
    signature: type[dspy.Signature]
    reply: dict[str, Any]
    asked = dict(fields.findall(question))
    if _first_line(ExtractSection.instructions) in system:
        signature, reply = ExtractSection, {"nodes": _nodes(asked)}
    elif found := next((s for s in STAGE_SIGNATURES.values() if _first_line(s.instructions) in system), None):
        signature, reply = found, {"answers": _items(found, asked)}
    else:
        return str(adapter.format_assistant_message_content(odr.ObserveAnswers, {"issues": []}))
    reasoned = signature.prepend("reasoning", dspy.OutputField(), str)
    return str(adapter.format_assistant_message_content(reasoned, {"reasoning": "By rule.", **reply}))


def _nodes(asked: dict[str, str]) -> list[FlatNode]:
    """Return the tree that the markup spells out, as the single-pass question wants it."""
    blocks = TypeAdapter(list[BlockView]).validate_json(asked["blocks"])
    texts = {str(b.index): b.text for b in blocks}
    return [
        FlatNode(
            criterion_id=a.value.criterion_id, parent=a.value.parent, block=int(a.id), rule_summary=texts[a.id]
        )
        for a in markup_structure(blocks)
    ]


def _items(signature: type[dspy.Signature], asked: dict[str, str]) -> list[dict[str, Any]]:
    inputs = {
        name: TypeAdapter(field.annotation).validate_python(_decode(asked[name]))
        for name, field in signature.input_fields.items()
        if name in asked
    }
    wanted = set(inputs.pop("asked"))
    inputs.pop("guidance", None)
    texts = {v.criterion_id: v.text for v in inputs.get("criteria", ())}
    texts.update({str(v.index): v.text for v in inputs.get("blocks", ())})
    solve = find_solver(signature.__name__)
    answers = [] if solve is None else [a for a in solve(**inputs) if a.id in wanted]
    return [to_item(signature.__name__, a, texts.get(a.id, "")) for a in answers]


class SimulatedEngine:
    """Engine of `dspy.LM` that answers by the solvers."""

    # It can reply in any form, bound to a schema or not.
    supports_response_schema = False
    supported_params: frozenset[str] = frozenset()

    def complete(self, request: Request) -> Response:
        """Reply to the prompt of a stage signature; other questions get an empty finding."""
        system = (
            request.system
            if isinstance(request.system, str)
            else "".join(p.text for p in request.system or () if hasattr(p, "text"))
        )
        text = reply_to(system, request.messages[-1].text or "")
        size = len(system) + sum(len(m.text or "") for m in request.messages)
        usage = Usage(input_tokens=size // CHARS_PER_TOKEN, output_tokens=len(text) // CHARS_PER_TOKEN)
        return Response(
            id=None,
            model="simulated",
            message=Message.assistant([TextPart(text)]),
            finish_reason="stop",
            usage=usage,
        )


def _first_line(instructions: str) -> str:
    return instructions.strip().splitlines()[0]


def _decode(raw: str) -> Any:
    try:
        return json.loads(raw)
    except json.JSONDecodeError:
        return raw.strip()
