"""Who scores the semantic fields: the deterministic rubric, or a language model (paper section 5, appendix D.19)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pydantic import TypeAdapter

from regreact.config import JudgeSettings
from regreact.errors import ConfigError
from regreact.evaluation.semantic import dependency_score, footnote_score, reference_score, threshold_score

if TYPE_CHECKING:
    from regreact.evaluation.lm_judge import LMJudge

SemanticField = Literal["threshold", "reference", "footnote", "dependency"]

# What tells a snapshot of a model from the model: "gpt-4o-2024-08-06", "claude-sonnet-4-5-20250929".
_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$")
_ANY: TypeAdapter[Any] = TypeAdapter(Any)


@dataclass(frozen=True, slots=True)
class Case:
    """One field of one pair of criteria that has to be compared; at least one side has something.

    Attributes:
        field: Which field.
        text: The criterion as published.
        gold: The annotation: Threshold, References or None; a tuple of footnotes; for a dependency the mapping that
            `dependency_score` takes.
        found: The prediction, in the same form.
    """

    field: SemanticField
    text: str
    gold: Any
    found: Any

    @property
    def content(self) -> str:
        """Return a digest of what is compared: equal cases have equal digests."""
        return digest([self.field, self.text, self.gold, self.found])


def digest(value: Any) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a value's JSON form."""
    plain = _ANY.dump_python(_ordered(value), mode="json", by_alias=True)
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:16]


def _ordered(value: Any) -> Any:
    """Return a value whose sets are lists in order, so that it has one JSON form."""
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, Mapping):
        return {k: _ordered(v) for k, v in value.items()}
    return [_ordered(v) for v in value] if isinstance(value, (list, tuple)) else value


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of a case.

    Attributes:
        score: 1 to 5, 0 if both sides are empty, None if the judge gave no score that can be read.
        reason: One sentence; "" from the rubric.
        comparisons: What was compared before the score was given, with a verdict each; empty from the rubric.
        problem: Why there is no score, else "".
    """

    score: float | None
    reason: str = ""
    comparisons: tuple[Mapping[str, Any], ...] = ()
    problem: str = ""


class Judge(Protocol):
    """Scores cases, in their order."""

    @property
    def label(self) -> str:
        """Name for reports and tracking: `rubric`, `lm openai/gpt-4o`."""

    def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        """Return a judgement for each case."""

    def account(self) -> str:
        """Return what judging took, for people; "" if nothing."""


_RUBRICS: dict[str, Callable[[Case], float]] = {
    "threshold": lambda c: threshold_score(c.gold, c.found),
    "reference": lambda c: reference_score(c.gold, c.found, c.text),
    "footnote": lambda c: footnote_score(c.gold, c.found),
    "dependency": lambda c: dependency_score(c.gold, c.found),
}


class Rubric:
    """The deterministic rubric."""

    label = "rubric"

    def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        """Return a judgement for each case, with a score and nothing else."""
        return [Judgement(_RUBRICS[case.field](case)) for case in cases]

    def account(self) -> str:
        """Return "": the rubric takes nothing."""
        return ""


def bare_model(name: str) -> str:
    """Return what a model is, without who serves it, where its file lies and which snapshot it is.

    Example:
        >>> bare_model("azure/gpt-4o-2024-08-06")
        'gpt-4o'
        >>> bare_model("/models/Judge-7B.gguf")
        'judge-7b'
    """
    last = re.split(r"[/\\]", name.strip().lower())[-1]
    return _SNAPSHOT.sub("", last.removesuffix(".gguf"))


def build_judge(settings: JudgeSettings, extracted_by: Iterable[str] = ()) -> Rubric | LMJudge:
    """Return the judge that the settings name.

    Args:
        settings: Which judge.
        extracted_by: Names of the models whose answers will be judged.

    Raises:
        ConfigError: The judge is one of these models and `judge.same_model` is not set.
        LMRequiredError: No judging model is named, or its key is missing.
    """
    if settings.name == "rubric":
        return Rubric()
    own = settings.lm.name
    for name in extracted_by:
        if own is not None and bare_model(name) == bare_model(own) and not settings.same_model:
            raise ConfigError(
                f"judge.lm.model={own} would judge its own answers ({name} extracted): take another model, or set "
                "judge.same_model=true and say so beside the figures"
            )
    from regreact.evaluation.lm_judge import LMJudge as Model  # noqa: PLC0415  heavy

    return Model(settings)
