"""Compiled programs: instructions and worked examples that an optimizer found, as a JSON file.

State is kept by signature and field name. DSPy's own `load_state` restores fields by position, so that a field added
or moved in between would silently take over another one's description; here such a file is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import dspy
from dspy.adapters.utils import get_annotation_name
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from regreact.errors import ProgramFileError
from regreact.files import write_whole
from regreact.step import Step

_JSON: TypeAdapter[Any] = TypeAdapter(Any)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FieldName(_Part):
    """A field of a signature."""

    name: str
    kind: Literal["input", "output"]
    type: str


class TunedQuestion(_Part):
    """What an optimizer found for one signature.

    Attributes:
        fields: Fields of the signature when it was tuned, in order.
        fields_hash: Digest of `fields`.
        instructions: The prompt.
        demos: Worked examples, fields as plain data.
    """

    fields: tuple[FieldName, ...]
    fields_hash: str
    instructions: str
    demos: tuple[dict[str, Any], ...] = ()


class CompiledProgram(_Part):
    """A compiled program and where it comes from.

    Attributes:
        format: Version of this form.
        regreact: Version of the package.
        dspy: Version of DSPy.
        stage: What was tuned.
        optimizer: How.
        model: For which model.
        split: Seed of the split, and units by part.
        scores: By question, before and after.
        calls: Requests to the model.
        stopped: Why the search ended before its end, None if it did not.
        questions: By signature name.
    """

    format: Literal[1] = 1
    regreact: str
    dspy: str
    stage: str
    optimizer: str
    model: str
    split: dict[str, Any]
    scores: dict[str, Any]
    calls: int
    stopped: str | None = None
    questions: dict[str, TunedQuestion]

    def save(self, path: Path) -> None:
        """Write the program to a JSON file.

        Raises:
            OutputError: It cannot be written.
        """
        text = json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"
        write_whole(path, text.encode(), durable=True)


def fields_of(signature: type[dspy.Signature]) -> tuple[FieldName, ...]:
    """Return the fields of a signature in order, without the reasoning that chain of thought adds."""
    kinds: list[tuple[Literal["input", "output"], Mapping[str, Any]]] = [
        ("input", signature.input_fields),
        ("output", signature.output_fields),
    ]
    return tuple(
        FieldName(name=name, kind=kind, type=get_annotation_name(field.annotation))
        for kind, fields in kinds
        for name, field in fields.items()
        if name != "reasoning"
    )


def fields_hash(fields: tuple[FieldName, ...]) -> str:
    """Return a digest of names, kinds and types."""
    text = json.dumps([[f.name, f.kind, f.type] for f in fields])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def steps_of(program: dspy.Module) -> dict[str, Step]:
    """Return the steps of a program by the name of the signature they answer."""
    steps: dict[str, Step] = {}
    for _, step in program.named_sub_modules(Step):
        # Optimizers hang all candidates onto the program they return; its own steps come first.
        steps.setdefault(step.name, step)
    return steps


def tuned(step: Step) -> TunedQuestion:
    """Return the present instructions and examples of a step."""
    fields = fields_of(step.signature)
    known = {f.name for f in fields} | {"reasoning"}
    demos = tuple(
        {k: _JSON.dump_python(v, mode="json", by_alias=True) for k, v in dict(demo).items() if k in known}
        for demo in step.predictor.demos
    )
    instructions = step.predictor.signature.instructions
    return TunedQuestion(fields=fields, fields_hash=fields_hash(fields), instructions=instructions, demos=demos)


def restore(step: Step, question: TunedQuestion) -> None:
    """Give a step the instructions and examples of a tuned question; its fields must be the same."""
    step.predictor.signature = step.predictor.signature.with_instructions(question.instructions)
    step.predictor.demos = [_demo(step.signature, d) for d in question.demos]


def _demo(signature: type[dspy.Signature], fields: Mapping[str, Any]) -> dspy.Example:
    given = dict(fields)
    for name, field in signature.input_fields.items():
        if name in given:
            given[name] = TypeAdapter(field.annotation).validate_python(given[name])
    return dspy.Example(**given).with_inputs(*(n for n in signature.input_fields if n in given))


def load(path: Path) -> CompiledProgram:
    """Read a compiled program.

    Raises:
        ProgramFileError: There is no such file, or it is no compiled program.
    """
    try:
        return CompiledProgram.model_validate_json(path.read_bytes())
    except OSError as error:
        raise ProgramFileError(f"{path}: cannot be read: {error.strerror or error} (program.path)") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise ProgramFileError(
            f"{path}: is no compiled program of this version: {place}: {first['msg']} (make one with "
            "python -m regreact.optimize)"
        ) from None


def apply(program: dspy.Module, path: Path) -> None:
    """Use the prompts of a compiled program in a program; nothing is changed unless all of them fit.

    Raises:
        ProgramFileError: The file cannot be read, or a question has other fields now; says which field differs.
    """
    compiled = load(path)
    steps = steps_of(program)
    for name, question in compiled.questions.items():
        if name not in steps:
            raise ProgramFileError(f"{path}: {name} is no question of the program; known are {', '.join(steps)}")
        problem = _difference(question, fields_of(steps[name].signature))
        if problem:
            raise ProgramFileError(f"{path}: {name}: {problem}; tune it again with this version")
    for name, question in compiled.questions.items():
        try:
            restore(steps[name], question)
        except ValidationError as error:
            raise ProgramFileError(f"{path}: {name}: an example does not fit: {error.errors()[0]['msg']}") from None


def _difference(question: TunedQuestion, now: tuple[FieldName, ...]) -> str:
    """Return how the fields of a tuned question differ from today's, "" if they do not."""
    if question.fields_hash != fields_hash(question.fields):
        return "fields_hash is not that of its fields: the file was changed by hand or is damaged"
    then = question.fields
    if then == now:
        return ""
    old, new = {f.name: f for f in then}, {f.name: f for f in now}
    for name in (*old, *new):
        if name not in new:
            return f"the field {name} does not exist any more"
        if name not in old:
            return f"the field {name} is new"
        if old[name] != new[name]:
            return f"the field {name} was {old[name].kind} {old[name].type} and is {new[name].kind} {new[name].type}"
    return f"the fields stood in the order {', '.join(old)} and stand in the order {', '.join(new)}"


def digest(path: Path) -> str:
    """Return a digest of a compiled program's bytes, "" if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError:
        return ""
