"""Observe-Diagnose-Repair around one question (paper section 3.4, appendices C, D.13, D.14).

Observe compares the answers with the source: deterministic checks always, a model once a round where there is one.
Diagnose finds why the open ones went wrong and what to do. Repair asks the model again for exactly those, with
guidance, and takes an answer over only if the checks find it no worse than the one it replaces; a solver's answer
gives way only to a better one, so that a weak model cannot lower quality. Without a model the loop observes once.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError
from pydantic import TypeAdapter

from regreact.answers import Answer
from regreact.config import LMSettings, OdrSettings
from regreact.fastpath.diagnosis import diagnose
from regreact.observers.base import Issue, confidence, observe
from regreact.step import Step
from signatures.odr import DiagnoseIssues, Diagnosis, IssueView, ObserveAnswers

Rules = Callable[[], Mapping[str, Answer[Any]]]

# "decompose" asks for at most this many parts of the open items.
_PARTS = 8
# What the controls of the simulation say instead of the diagnosis.
_WRONG_GUIDANCE = "Look at the activity's title again and count its words."


@dataclass(frozen=True, slots=True)
class Round:
    """One turn of the loop: what was seen and what was done about it.

    Attributes:
        iteration: From 1.
        confidence: By the penalty model, in [0, 1].
        issues: What the observers found.
        diagnosis: Why, and what to do; None where the loop ended.
        asked: Ids that were asked again.
        accepted: Ids whose new answer was taken over.
    """

    iteration: int
    confidence: float
    issues: tuple[Issue, ...]
    diagnosis: Diagnosis | None = None
    asked: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the round as plain data, for the extraction's memory."""
        return {
            "iteration": self.iteration,
            "confidence": round(self.confidence, 4),
            "issues": [i.to_json() for i in self.issues],
            "diagnosis": self.diagnosis.model_dump() if self.diagnosis else None,
            "asked": list(self.asked),
            "accepted": list(self.accepted),
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """Answers to one question after the loop.

    Attributes:
        answers: By item id, one for every id asked.
        issues: Issues that remain.
        rounds: History.
        stopped: Why the loop ended.
        iterations: How often each item was answered.
        escalated: Ids that the diagnosis hands to a person.
        inputs: What the question was asked with, to see whether it would be asked the same again.
    """

    answers: dict[str, Answer[Any]]
    issues: tuple[Issue, ...] = ()
    rounds: tuple[Round, ...] = ()
    stopped: str = ""
    iterations: dict[str, int] = field(default_factory=dict)
    escalated: tuple[str, ...] = ()
    inputs: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)

    def value(self, item_id: str) -> Any:
        """Return the value of one item, None if it was not asked."""
        answer = self.answers.get(item_id)
        return None if answer is None else answer.value

    def to_review(self, *observers: str) -> tuple[Issue, ...]:
        """Return what a person must look at: critical issues, all issues of escalated items and of some observers."""
        return tuple(
            i for i in self.issues if i.severity == "critical" or i.item_id in self.escalated or i.observer in observers
        )


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome that a question had before in this run, and what later stages found about it (perhaps nothing)."""

    issues: tuple[Issue, ...]
    outcome: Outcome


@dataclass
class _State:
    """Working state of one run of the loop."""

    answers: dict[str, Answer[Any]]
    reply_issues: list[Issue]
    iterations: dict[str, int]
    rounds: list[Round] = field(default_factory=list)
    seen: set[tuple[str, str, str, str]] = field(default_factory=set)
    escalated: tuple[str, ...] = ()
    started: float = field(default_factory=time.monotonic)


class Question(dspy.Module):
    """One signature with its fast path, model and ODR loop.

    Args:
        signature: The stage signature.
        default: Conservative value for an item that nobody answers.
        mode: `only`, `first` or `off` (see `FastPathSettings`).
        lm: Model settings.
        odr: Loop settings.
        worth: Tells for the inputs and an id whether there is anything to ask a model; None for always.
    """

    def __init__(
        self,
        signature: type[dspy.Signature],
        default: Callable[[str], Any],
        mode: str,
        lm: LMSettings,
        odr: OdrSettings,
        worth: Callable[[Mapping[str, Any], str], bool] | None = None,
    ) -> None:
        super().__init__()
        self.step = Step(signature, lm)
        self.default = default
        self.worth = worth
        self.mode = mode
        self.odr = odr
        self.diagnose = dspy.Predict(DiagnoseIssues)
        self.observe_lm = dspy.Predict(ObserveAnswers)

    def forward(self, inputs: Mapping[str, Any], asked: Sequence[str], report: Report | None = None) -> Outcome:
        """Answer all asked items.

        Args:
            inputs: Inputs of the signature without `asked` and `guidance`.
            asked: Item ids, in document order.
            report: The outcome before, with findings of later stages. Asked the same again, the loop goes on from
                it, or returns it where nothing was found; the attempts count together.

        Raises:
            LMCallError: The model fails for good.
        """
        if not asked:
            return Outcome({}, stopped="nothing asked")
        if report is not None and report.outcome.inputs == inputs and list(report.outcome.answers) == list(asked):
            return self._resume(inputs, asked, report)
        rules = self._rules(inputs)
        answers, issues = self._first_answers(inputs, asked, rules)
        state = _State(answers, issues, dict.fromkeys(asked, 1))
        if not self.odr.enabled:
            done = self._complete(answers, asked)
            return Outcome(done, (), (), "no self-correction", state.iterations, inputs=inputs)
        if report is not None:
            state.rounds = list(report.outcome.rounds)
        return self._loop(inputs, asked, rules, state)

    def _rules(self, inputs: Mapping[str, Any]) -> Rules:
        """Return the solver's answers, worked out when they are first wanted: a model may answer everything."""
        return cache(lambda: self.step.by_rule(inputs))

    def _first_answers(
        self, inputs: Mapping[str, Any], asked: Sequence[str], rules: Rules
    ) -> tuple[dict[str, Answer[Any]], list[Issue]]:
        answers = {i: rules()[i] for i in asked if not self._asks_for(inputs, i) and i in rules()}
        open_ids = [i for i in asked if i not in answers]
        if self.mode == "only" or not open_ids:
            return answers, []
        found, issues = self.step.by_lm(inputs, open_ids)
        answers.update(found)
        return answers, issues

    def _asks_for(self, inputs: Mapping[str, Any], item_id: str) -> bool:
        """True if a model answers an item that a solver has an answer to."""
        return self.mode == "off" and (self.worth is None or self.worth(inputs, item_id))

    def _resume(self, inputs: Mapping[str, Any], asked: Sequence[str], report: Report) -> Outcome:
        earlier = report.outcome
        found = [i for i in report.issues if i.item_id in earlier.answers]
        if self.mode == "only" or not found or len(earlier.rounds) >= self.odr.k_max:
            return earlier
        state = _State(dict(earlier.answers), found, dict(earlier.iterations), list(earlier.rounds))
        return self._loop(inputs, asked, self._rules(inputs), state)

    def _complete(self, answers: Mapping[str, Answer[Any]], asked: Sequence[str]) -> dict[str, Answer[Any]]:
        return {i: answers.get(i) or Answer(i, self.default(i), 0.0, (), "default") for i in asked}

    def _loop(self, inputs: Mapping[str, Any], asked: Sequence[str], rules: Rules, state: _State) -> Outcome:
        best: tuple[float, dict[str, Answer[Any]], tuple[Issue, ...]] | None = None
        stopped = "attempts used up"
        for k in range(min(len(state.rounds) + 1, self.odr.k_max), self.odr.k_max + 1):
            current = self._complete(state.answers, asked)
            issues = (*state.reply_issues, *self._observe(inputs, current, k))
            score = confidence(issues, self.odr.penalties.by_severity())
            if best is None or score > best[0]:
                best = (score, current, issues)
            verdict = self._verdict(score, issues, state)
            if verdict or k == self.odr.k_max:
                state.rounds.append(Round(k, score, issues))
                stopped = verdict or stopped
                break
            state.seen = {i.signature for i in issues}
            diagnosis = self._diagnose(issues, state.rounds)
            stop = self._act(inputs, asked, rules, state, current, issues, score, diagnosis)
            if stop:
                stopped = stop
                if diagnosis.recommended_action == "accept":
                    best = (score, current, tuple(i for i in issues if i.severity == "critical"))
                break
        assert best is not None
        rounds = tuple(state.rounds)
        return Outcome(best[1], best[2], rounds, stopped, state.iterations, state.escalated, inputs)

    def _act(
        self,
        inputs: Mapping[str, Any],
        asked: Sequence[str],
        rules: Rules,
        state: _State,
        current: dict[str, Answer[Any]],
        issues: Sequence[Issue],
        score: float,
        diagnosis: Diagnosis,
    ) -> str:
        """Do what the diagnosis says; return why the loop ends, "" if it goes on."""
        k, action = len(state.rounds) + 1, diagnosis.recommended_action
        open_ids = tuple(_open(issues, asked))
        if action in ("accept", "escalate"):
            # A check against the source cannot be waved away: what is critical stays for a person.
            state.escalated = open_ids if action == "escalate" else ()
            state.rounds.append(Round(k, score, tuple(issues), diagnosis, open_ids))
            return f"diagnosis says {action}"
        if action == "fallback":
            repaired, problems = {i: rules()[i] for i in open_ids if i in rules()}, list[Issue]()
        else:
            repaired, problems = self._ask_again(inputs, open_ids, diagnosis, k)
        accepted = self._accept(inputs, current, repaired)
        state.reply_issues = problems
        state.answers = {**current, **accepted}
        for i in repaired:
            state.iterations[i] += 1
        state.rounds.append(Round(k, score, tuple(issues), diagnosis, open_ids, tuple(accepted)))
        return ""

    def _verdict(self, score: float, issues: Sequence[Issue], state: _State) -> str:
        """Return why the loop should end now, "" if it should go on."""
        critical = any(i.severity == "critical" for i in issues)
        # What later stages found (first round after a resumption) is mended whatever the confidence.
        reported = any(i.observer in _FROM_LATER for i in issues)
        if score >= self.odr.tau and not critical and not reported:
            return "confident"
        if self.mode == "only":
            return "no model to repair with"
        if state.seen and {i.signature for i in issues} == state.seen:
            return "same issues again"
        if time.monotonic() - state.started > self.odr.timeout_s:
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
        """Ask the model, or answer by rule where the model is only for what the rules leave open."""
        views = [
            IssueView(item_id=i.item_id, type=i.type, severity=i.severity, field=i.field, description=i.description)
            for i in issues
        ]
        history = [_told(r) for r in rounds]
        found = diagnose(task=self.step.task, issues=views, history=history)
        if self.mode == "off":
            try:
                reply = self.diagnose(task=self.step.task, issues=views, history=history)
                found = reply.diagnosis if isinstance(reply.diagnosis, Diagnosis) else found
            except AdapterParseError:
                pass
        guidance = {"given": found.specific_guidance, "blank": "", "wrong": _WRONG_GUIDANCE}[self.odr.guidance]
        return found.model_copy(update={"specific_guidance": guidance})

    def _ask_again(
        self, inputs: Mapping[str, Any], open_ids: Sequence[str], diagnosis: Diagnosis, k: int
    ) -> tuple[dict[str, Answer[Any]], list[Issue]]:
        size = len(open_ids)
        if diagnosis.recommended_action == "decompose":
            size = math.ceil(len(open_ids) / _PARTS)
        answers: dict[str, Answer[Any]] = {}
        left: list[Issue] = []
        for start in range(0, len(open_ids), max(1, size)):
            part = open_ids[start : start + size]
            found, problems = self.step.by_lm(inputs, part, diagnosis.specific_guidance, rollout=k)
            answers.update(found)
            left.extend(problems)
        return answers, left

    def _accept(
        self, inputs: Mapping[str, Any], current: dict[str, Answer[Any]], repaired: Mapping[str, Answer[Any]]
    ) -> dict[str, Answer[Any]]:
        """Take over the repaired answers that the checks find no worse, a solver's only if the new one is better."""
        if not repaired:
            return {}
        before = self._weights(inputs, current)
        accepted: dict[str, Answer[Any]] = {}
        together = self._weights(inputs, {**current, **repaired})
        for item_id, answer in repaired.items():
            after = together
            if len(repaired) > 1 and together.get(item_id, 0.0) > before.get(item_id, 0.0):
                # Perhaps another of the new answers is to blame.
                after = self._weights(inputs, {**current, **accepted, item_id: answer})
            old, new = before.get(item_id, 0.0), after.get(item_id, 0.0)
            by = current[item_id].answered_by
            if by == "default" or new < old or (new == old and by == "lm") or answer.answered_by == "rule":
                accepted[item_id] = answer
        return accepted

    def _weights(self, inputs: Mapping[str, Any], answers: Mapping[str, Answer[Any]]) -> dict[str, float]:
        penalties = self.odr.penalties.by_severity()
        weights: dict[str, float] = {}
        for issue in observe(self.step.name, inputs, list(answers.values())):
            weights[issue.item_id] = weights.get(issue.item_id, 0.0) + penalties[issue.severity]
        return weights


# Observers of later stages (`regreact.observers.cross_stage`).
_FROM_LATER = frozenset({"cross_stage"})


def _told(done: Round) -> str:
    cause = f", {done.diagnosis.root_cause}: {done.diagnosis.recommended_action}" if done.diagnosis else ""
    return f"attempt {done.iteration}: confidence {done.confidence:.2f}, {len(done.issues)} issues{cause}"


def _open(issues: Iterable[Issue], asked: Sequence[str]) -> list[str]:
    """Ids to ask again; an issue without id opens all."""
    ids = {i.item_id for i in issues}
    return list(asked) if "" in ids else [i for i in asked if i in ids]


_ANY = TypeAdapter[Any](Any)


def _plain(value: Any) -> Any:
    """Return an answer's value as plain JSON data."""
    return _ANY.dump_python(value, mode="json")
