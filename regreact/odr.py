"""Observe-Diagnose-Repair around one step (paper section 3.4, appendices C, D.13, D.14).

Observe compares all answers with the source. Diagnose finds why the open ones went wrong and what to do. Repair
asks the model again for exactly those, with guidance, and takes an answer over only if the observers find it no
worse than the one it replaces. Without a model the loop observes once and what is critical goes to review.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError
from pydantic import TypeAdapter

from regreact.answers import Answer
from regreact.config import LMSettings, OdrSettings
from regreact.observers.base import Issue, confidence, observe
from regreact.step import Step
from signatures.odr import Action, DiagnoseIssues, Diagnosis, IssueView, ObserveAnswers


@dataclass(frozen=True, slots=True)
class Round:
    """One turn of the loop: what was seen and what was done about it."""

    iteration: int
    confidence: float
    issues: tuple[Issue, ...]
    action: Action | None = None
    root_cause: str = ""
    guidance: str = ""
    asked: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Answers to one question after the loop.

    Attributes:
        answers: By item id, one for every id asked.
        issues: Issues that remain.
        rounds: History.
        stopped: Why the loop ended.
        iterations: How often each item was answered.
    """

    answers: dict[str, Answer[Any]]
    issues: tuple[Issue, ...] = ()
    rounds: tuple[Round, ...] = ()
    stopped: str = ""
    iterations: dict[str, int] = field(default_factory=dict)

    def value(self, item_id: str) -> Any:
        """Return the value of one item, None if it was not asked."""
        answer = self.answers.get(item_id)
        return None if answer is None else answer.value


class Question(dspy.Module):
    """One signature with its fast path, model and ODR loop.

    Args:
        signature: The stage signature.
        default: Conservative value for an item that nobody answers.
        mode: `only`, `first` or `off` (see `FastPathSettings`).
        lm: Model settings.
        odr: Loop settings.
    """

    def __init__(
        self,
        signature: type[dspy.Signature],
        default: Callable[[str], Any],
        mode: str,
        lm: LMSettings,
        odr: OdrSettings,
    ) -> None:
        super().__init__()
        self.step = Step(signature, lm)
        self.default = default
        self.mode = mode
        self.odr = odr
        self.diagnose = dspy.Predict(DiagnoseIssues)
        self.observe_lm = dspy.Predict(ObserveAnswers)

    def forward(self, inputs: Mapping[str, Any], asked: Sequence[str]) -> Outcome:
        """Answer all asked items.

        Args:
            inputs: Inputs of the signature without `asked` and `guidance`.
            asked: Item ids, in document order.

        Raises:
            LMCallError: The model fails for good.
        """
        if not asked:
            return Outcome({}, stopped="nothing asked")
        rules = self.step.by_rule(inputs)
        answers, issues = self._first_answers(inputs, asked, rules)
        iterations = dict.fromkeys(asked, 1)
        if not self.odr.enabled:
            return Outcome(self._complete(answers, asked), (), (), "no self-correction", iterations)
        return self._loop(inputs, asked, rules, answers, issues, iterations)

    def _first_answers(
        self, inputs: Mapping[str, Any], asked: Sequence[str], rules: Mapping[str, Answer[Any]]
    ) -> tuple[dict[str, Answer[Any]], list[Issue]]:
        answers = {} if self.mode == "off" else {i: rules[i] for i in asked if i in rules}
        open_ids = [i for i in asked if i not in answers]
        if self.mode == "only" or not open_ids:
            return answers, []
        found, issues = self.step.by_lm(inputs, open_ids)
        answers.update(found)
        return answers, issues

    def _complete(self, answers: Mapping[str, Answer[Any]], asked: Sequence[str]) -> dict[str, Answer[Any]]:
        return {i: answers.get(i) or Answer(i, self.default(i), 0.0, (), "default") for i in asked}

    def _loop(
        self,
        inputs: Mapping[str, Any],
        asked: Sequence[str],
        rules: Mapping[str, Answer[Any]],
        answers: dict[str, Answer[Any]],
        reply_issues: list[Issue],
        iterations: dict[str, int],
    ) -> Outcome:
        started = time.monotonic()
        rounds: list[Round] = []
        best: tuple[float, dict[str, Answer[Any]], tuple[Issue, ...]] | None = None
        seen: set[tuple[str, str, str, str]] = set()
        stopped = "attempts used up"
        for k in range(1, self.odr.k_max + 1):
            current = self._complete(answers, asked)
            issues = (*reply_issues, *self._observe(inputs, current, k))
            score = confidence(issues, self.odr.penalties.by_severity())
            if best is None or score > best[0]:
                best = (score, current, issues)
            verdict = self._verdict(score, issues, seen, started)
            if verdict or k == self.odr.k_max:
                rounds.append(Round(k, score, issues))
                stopped = verdict or stopped
                break
            seen = {i.signature for i in issues}
            diagnosis = self._diagnose(issues, rounds)
            repaired = self._repair(inputs, asked, issues, diagnosis, k)
            if diagnosis.recommended_action == "fallback":
                repaired = ({i: rules[i] for i in _open(issues, asked) if i in rules}, [])
            accepted = self._accept(inputs, current, repaired[0])
            reply_issues = repaired[1]
            answers = {**current, **accepted}
            for i in repaired[0]:
                iterations[i] += 1
            rounds.append(
                Round(
                    k,
                    score,
                    issues,
                    diagnosis.recommended_action,
                    diagnosis.root_cause,
                    diagnosis.specific_guidance,
                    tuple(_open(issues, asked)),
                    tuple(accepted),
                )
            )
            if diagnosis.recommended_action in ("accept", "escalate"):
                stopped = f"diagnosis says {diagnosis.recommended_action}"
                break
        assert best is not None
        return Outcome(best[1], best[2], tuple(rounds), stopped, iterations)

    def _verdict(
        self, score: float, issues: Sequence[Issue], seen: set[tuple[str, str, str, str]], started: float
    ) -> str:
        """Return why the loop should end now, "" if it should go on."""
        critical = any(i.severity == "critical" for i in issues)
        if score >= self.odr.tau and not critical:
            return "confident"
        if self.mode == "only":
            return "no model to repair with"
        if seen and {i.signature for i in issues} == seen:
            return "same issues again"
        if time.monotonic() - started > self.odr.timeout_s:
            return "time used up"
        return ""

    def _observe(self, inputs: Mapping[str, Any], answers: Mapping[str, Answer[Any]], k: int) -> list[Issue]:
        found = observe(self.step.name, inputs, list(answers.values()))
        if self.mode == "only" or not self.odr.lm_observer:
            return found
        lm_answers = [a for a in answers.values() if a.answered_by == "lm"]
        if not lm_answers:
            return found
        text = "\n".join(v.text for v in (*inputs.get("blocks", ()), *inputs.get("criteria", ())) if v.text)
        try:
            reply = self.observe_lm(
                task=self.step.task,
                source_text=text,
                answers=json.dumps([{"id": a.id, "value": _plain(a.value)} for a in lm_answers], ensure_ascii=False),
                config={"rollout_id": k, "temperature": 0.7} if k > 1 else {},
            )
        except AdapterParseError:
            return found
        known = {a.id for a in lm_answers}
        return found + [
            Issue(v.item_id, v.type, v.severity, v.field, v.description, observer="model")
            for v in reply.issues or []
            if v.item_id in known and v.source_evidence and v.source_evidence in text
        ]

    def _diagnose(self, issues: Sequence[Issue], rounds: Sequence[Round]) -> Diagnosis:
        history = [f"attempt {r.iteration}: confidence {r.confidence:.2f}, {r.root_cause}" for r in rounds]
        views = [
            IssueView(item_id=i.item_id, type=i.type, severity=i.severity, field=i.field, description=i.description)
            for i in issues
        ]
        try:
            reply = self.diagnose(task=self.step.task, issues=views, history=history)
            if isinstance(reply.diagnosis, Diagnosis):
                return reply.diagnosis
        except AdapterParseError:
            pass
        lines = [f"{i.item_id or 'all'}: {i.description}" for i in issues]
        return Diagnosis(
            root_cause="the diagnosis itself could not be read",
            recommended_action="retry_modified",
            specific_guidance="Mend these: " + "; ".join(lines[:20]),
        )

    def _repair(
        self,
        inputs: Mapping[str, Any],
        asked: Sequence[str],
        issues: Sequence[Issue],
        diagnosis: Diagnosis,
        k: int,
    ) -> tuple[dict[str, Answer[Any]], list[Issue]]:
        open_ids = _open(issues, asked)
        action = diagnosis.recommended_action
        if action in ("accept", "escalate", "fallback") or not open_ids:
            return {}, []
        if action == "decompose":
            answers: dict[str, Answer[Any]] = {}
            left: list[Issue] = []
            for item_id in open_ids:
                found, problems = self.step.by_lm(inputs, [item_id], diagnosis.specific_guidance, rollout=k)
                answers.update(found)
                left.extend(problems)
            return answers, left
        return self.step.by_lm(inputs, open_ids, diagnosis.specific_guidance, rollout=k)

    def _accept(
        self, inputs: Mapping[str, Any], current: dict[str, Answer[Any]], repaired: Mapping[str, Answer[Any]]
    ) -> dict[str, Answer[Any]]:
        """Take over each repaired answer that the observers find no worse than the one it replaces."""
        if not repaired:
            return {}
        before = _weights(observe(self.step.name, inputs, list(current.values())), self.odr)
        accepted: dict[str, Answer[Any]] = {}
        for item_id, answer in repaired.items():
            trial = {**current, **accepted, item_id: answer}
            after = _weights(observe(self.step.name, inputs, list(trial.values())), self.odr)
            replaces_default = current[item_id].answered_by == "default"
            if replaces_default or after.get(item_id, 0.0) <= before.get(item_id, 0.0):
                accepted[item_id] = answer
        return accepted


def _open(issues: Sequence[Issue], asked: Sequence[str]) -> list[str]:
    """Ids to ask again; an issue without id opens all."""
    ids = {i.item_id for i in issues}
    return list(asked) if "" in ids else [i for i in asked if i in ids]


def _weights(issues: Sequence[Issue], odr: OdrSettings) -> dict[str, float]:
    penalties = odr.penalties.by_severity()
    weights: dict[str, float] = {}
    for issue in issues:
        weights[issue.item_id] = weights.get(issue.item_id, 0.0) + penalties[issue.severity]
    return weights


def _plain(value: Any) -> Any:
    """Return an answer's value as plain JSON data."""
    return TypeAdapter(Any).dump_python(value, mode="json")
