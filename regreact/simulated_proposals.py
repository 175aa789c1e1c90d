"""What the simulated model says when an optimizer asks it for better prompts: something in the right form."""

from __future__ import annotations

import re
from typing import Any

import dspy
from dspy.adapters.utils import get_annotation_name

# An adapter's list of what it wants back: a number, a name in backticks, a type in parentheses.
_OUTPUTS = re.compile(r"Your output fields are:\n(.*?)(?=\nAll interactions|\Z)", re.DOTALL)
_OUTPUT = re.compile(r"^\d+\. `(\w+)` \(([^()]+)\)", re.MULTILINE)

PROPOSAL = "Answer each item that is asked for from the words of the source, and state nothing that they do not state."


def outputs(system: str) -> dict[str, str]:
    """Return the types of the outputs that a prompt asks for by name, without the reasoning.

    Args:
        system: Instructions with the list of outputs, as an adapter writes them.
    """
    found = _OUTPUTS.search(system)
    named = dict(_OUTPUT.findall(found[1])) if found else {}
    named.pop("reasoning", None)
    return named


def wants(system: str, signature: type[dspy.Signature]) -> bool:
    """True if a prompt asks for the outputs of a signature, whatever an optimizer made of its instructions."""
    return outputs(system) == {n: get_annotation_name(f.annotation) for n, f in signature.output_fields.items()}


def proposal(system: str) -> tuple[type[dspy.Signature], dict[str, Any]]:
    """Return outputs for a prompt with a signature that is none of the program's, and a signature that has them."""
    empty: dict[str, Any] = {"list": [], "dict": {}}
    values = {name: empty.get(kind.partition("[")[0], PROPOSAL) for name, kind in outputs(system).items()}
    return dspy.Signature({name: (str, dspy.OutputField()) for name in values}), values
