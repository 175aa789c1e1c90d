"""A model that answers stage questions by the solvers, to try the model path where no model can be reached.

It reads the chat prompt like a model does and replies in the same form; nothing is handed to it on the side.
"""

from __future__ import annotations

import json
import re
from typing import Any

import dspy
from dspy.lm15 import Message, Request, Response, TextPart, Usage
from pydantic import TypeAdapter

from regreact.answers import Answer, find_solver
from signatures import assembly, classification, dependencies, footnotes, references, structure, thresholds

_FIELD = re.compile(r"\[\[ ## (\w+) ## \]\]\n(.*?)(?=\n\n?\[\[ ## |\n\nRespond with|\Z)", re.DOTALL)

STAGE_SIGNATURES: dict[str, type[dspy.Signature]] = {
    s.__name__: s
    for s in (
        structure.ParseStructure,
        thresholds.ExtractThresholds,
        references.ExtractReferences,
        references.RepairCelex,
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


class SimulatedEngine:
    """Engine of `dspy.LM` that answers by the solvers."""

    def complete(self, request: Request) -> Response:
        """Reply to a chat prompt of a stage signature; other questions get an empty finding."""
        system = (
            request.system
            if isinstance(request.system, str)
            else "".join(p.text for p in request.system or () if hasattr(p, "text"))
        )
        asked = dict(_FIELD.findall(request.messages[-1].text or ""))
        text = self._reply(system, asked)
        size = len(system) + sum(len(m.text or "") for m in request.messages)
        usage = Usage(input_tokens=size // 4, output_tokens=len(text) // 4, total_tokens=(size + len(text)) // 4)
        return Response(
            id=None,
            model="simulated",
            message=Message.assistant([TextPart(text)]),
            finish_reason="stop",
            usage=usage,
        )

    def _reply(self, system: str, asked: dict[str, str]) -> str:
        signature = next((s for s in STAGE_SIGNATURES.values() if _first_line(s.instructions) in system), None)
        if signature is None:
            return "[[ ## issues ## ]]\n[]\n\n[[ ## completed ## ]]\n"
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
        items = [to_item(signature.__name__, a, texts.get(a.id, "")) for a in answers]
        body = json.dumps(items, ensure_ascii=False)
        return f"[[ ## reasoning ## ]]\nBy rule.\n\n[[ ## answers ## ]]\n{body}\n\n[[ ## completed ## ]]\n"


class AsyncSimulatedEngine:
    """The same for asynchronous calls."""

    async def complete(self, request: Request) -> Response:
        """Reply like `SimulatedEngine.complete`."""
        return SimulatedEngine().complete(request)


def simulated_lm(model: str) -> dspy.LM:
    """Return the simulated model."""
    return dspy.LM(model, engine=SimulatedEngine(), async_engine=AsyncSimulatedEngine(), cache=False)


def _first_line(instructions: str) -> str:
    return instructions.strip().splitlines()[0]


def _decode(raw: str) -> Any:
    try:
        return json.loads(raw)
    except json.JSONDecodeError:
        return raw.strip()
