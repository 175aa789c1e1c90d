"""A question with one answer: by the solver, by the model, or by both under the checks of the observers.

The sibling of `regreact.step` and `regreact.odr` for signatures whose answer is no list of items. What is said there of
modes, repair and acceptance holds here; the diagnosis is always that of the rules. A model whose answer stays wrong
after the last attempt gives way to the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError
from pydantic import ValidationError

from regreact.answers import Answer, accepted, find_solver
from regreact.config import Settings
from regreact.errors import LMRequiredError
from regreact.fastpath.diagnosis import diagnose
from regreact.guard import typed
from regreact.observers.base import Issue, confidence, observe
from regreact.schema import AnsweredBy
from signatures.passages import Evaluation, SourceSummary
from signatures.types import IssueView

# Confidence of a model's query, which tells none itself.
_UNTOLD = 0.8


def _evaluation(reply: Any) -> Answer[Any]:
    value = Evaluation(confidence=reply.confidence, relevant=tuple(reply.relevant), gaps=tuple(reply.gaps))
    return Answer("", value, value.confidence, answered_by="lm")


def _summary(reply: Any) -> Answer[Any]:
    value = SourceSummary(
        summary=reply.summary,
        key_facts=tuple(reply.key_facts),
        thresholds=tuple(reply.thresholds),
        quotes=tuple(reply.quotes),
        confidence=reply.confidence,
    )
    return Answer("", value, value.confidence, answered_by="lm")


CODECS: dict[str, Callable[[Any], Answer[Any]]] = {
    "RewriteQuery": lambda r: Answer("", r.question.strip(), _UNTOLD, answered_by="lm"),
    "EvaluatePassages": _evaluation,
    "RefineQuery": lambda r: Answer("", r.query.strip(), _UNTOLD, answered_by="lm"),
    "SummarisePassages": _summary,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer and how it came about.

    Attributes:
        value: As `CODECS` say.
        answered_by: Who gave it.
        issues: What the observers still find.
        attempts: Requests to the model.
    """

    value: Any
    answered_by: AnsweredBy
    issues: tuple[Issue, ...] = ()
    attempts: int = 0


class Ask(dspy.Module):
    """Answers one signature of retrieval.

    Args:
        signature: One of `CODECS`.
        settings: Mode, model and loop.
        default: Value where nobody answers.
    """

    def __init__(self, signature: type[dspy.Signature], settings: Settings, default: Any) -> None:
        super().__init__()
        self.name = signature.__name__
        self.task = signature.instructions
        self.settings = settings
        self.default = default
        self.predict = dspy.ChainOfThought(signature) if settings.lm.reasoning else dspy.Predict(signature)

    def forward(self, **inputs: Any) -> Asked:
        """Answer for the inputs of the signature, `guidance` left out.

        Raises:
            LMRequiredError: The mode needs a model and there is none.
            LMCallError: The model fails for good.
        """
        rule = self._by_rule(inputs)
        mode, odr = self.settings.fastpath.mode, self.settings.odr
        if mode == "only":
            return self._done(inputs, rule, 0)
        if mode == "first" and rule is not None and (not odr.enabled or self._good(self._observe(inputs, rule))):
            return self._done(inputs, rule, 0)
        if dspy.settings.lm is None:
            raise LMRequiredError(
                f"{self.name} with fastpath={mode} needs a language model: choose one with lm=…, or set fastpath=only"
            )
        best, attempts = self._by_lm(inputs, rule if mode == "first" else None)
        if best is None or (odr.enabled and self._critical(inputs, best)):
            best = rule or best
        return self._done(inputs, best, attempts)

    def _by_rule(self, inputs: Mapping[str, Any]) -> Answer[Any] | None:
        solve = find_solver(self.name)
        if solve is None:
            return None
        taken = accepted(solve)
        return next(iter(solve(**{k: v for k, v in inputs.items() if k in taken})), None)

    def _by_lm(self, inputs: Mapping[str, Any], before: Answer[Any] | None) -> tuple[Answer[Any] | None, int]:
        """Ask until the observers are content; return the best answer, the one before if none is better."""
        odr = self.settings.odr
        best = before
        issues = [] if before is None else self._observe(inputs, before)
        told: list[str] = []
        for attempt in range(1, odr.k_max + 1 if odr.enabled else 2):
            answer, problems = self._request(inputs, self._guidance(issues, told), attempt - 1)
            if not odr.enabled:
                return answer or best, attempt
            found = problems if answer is None else self._observe(inputs, answer)
            if answer is not None and self._better(inputs, answer, best):
                best = answer
            if answer is not None and self._good(found):
                return best, attempt
            told.append(f"attempt {attempt}: {len(found)} issues")
            issues = found
        return best, odr.k_max

    def _request(
        self, inputs: Mapping[str, Any], guidance: str, rollout: int
    ) -> tuple[Answer[Any] | None, list[Issue]]:
        lm = self.settings.lm
        config = {"rollout_id": rollout, "temperature": max(0.7, lm.temperature)} if rollout else {}
        try:
            return CODECS[self.name](self.predict(**inputs, guidance=guidance, config=config)), []
        except (AdapterParseError, ValidationError, TypeError, AttributeError) as error:
            # An empty reply can come as fields that are None.
            reason = (str(error).splitlines() or [""])[0][:200]
            problem = f"the reply cannot be read: {reason}"
            return None, [Issue("", "structural", "critical", "reply", problem, observer="reply")]
        except dspy.LMError as error:
            raise typed(error, self.name) from None

    def _observe(self, inputs: Mapping[str, Any], answer: Answer[Any]) -> list[Issue]:
        return observe(self.name, inputs, [answer])

    def _guidance(self, issues: Sequence[Issue], history: Sequence[str]) -> str:
        if not issues:
            return ""
        views = [
            IssueView(item_id=i.item_id, type=i.type, severity=i.severity, field=i.field, description=i.description)
            for i in issues
        ]
        return diagnose(task=self.task, issues=views, history=history).specific_guidance

    def _better(self, inputs: Mapping[str, Any], new: Answer[Any], old: Answer[Any] | None) -> bool:
        """True if a model's answer takes the place of another; a solver's gives way only to one with fewer issues."""
        if old is None:
            return True
        before, after = self._weight(inputs, old), self._weight(inputs, new)
        return after < before or (after == before and old.answered_by == "lm")

    def _weight(self, inputs: Mapping[str, Any], answer: Answer[Any]) -> float:
        penalties = self.settings.odr.penalties.by_severity()
        return sum(penalties[i.severity] for i in self._observe(inputs, answer))

    def _good(self, issues: Sequence[Issue]) -> bool:
        odr = self.settings.odr
        critical = any(i.severity == "critical" for i in issues)
        return not critical and confidence(issues, odr.penalties.by_severity()) >= odr.tau

    def _critical(self, inputs: Mapping[str, Any], answer: Answer[Any]) -> bool:
        return any(i.severity == "critical" for i in self._observe(inputs, answer))

    def _done(self, inputs: Mapping[str, Any], answer: Answer[Any] | None, attempts: int) -> Asked:
        if answer is None:
            return Asked(self.default, "default", (), attempts)
        issues = tuple(self._observe(inputs, answer)) if self.settings.odr.enabled else ()
        return Asked(answer.value, answer.answered_by, issues, attempts)
