"""A language model as judge: itemised comparison before the score, many questions at a time, none paid for twice."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError

import regreact.evaluation.semantic.solvers  # noqa: F401  what the simulated model answers by
from regreact.adapters import ChatAdapter
from regreact.config import JudgeSettings, LMSettings
from regreact.errors import LMCallError, LMRequiredError, LMStopError
from regreact.evaluation.judge import Case, Judgement, digest
from regreact.evaluation.judge_cache import JudgeCache
from regreact.guard import typed
from regreact.lm import Meter, build_adapter, build_lm, identity, metered
from regreact.overlap import overlapped
from regreact.prices import price_of
from regreact.schema import References, Usage
from signatures import judges
from signatures.comparisons import CorrectedPoint, DependencyFacts

SIGNATURES: dict[str, type[dspy.Signature]] = {
    "threshold": judges.JudgeThreshold,
    "reference": judges.JudgeReference,
    "footnote": judges.JudgeFootnote,
    "dependency": judges.JudgeDependency,
}
# Passages may hold nothing that binds; all else that is judged has something to compare.
MAY_BE_EMPTY = (judges.JudgeCompleteness,)
# A reply that cannot be read is asked for once more.
TRIES = 2
# Settings of the run's model in messages that are about the judge's.
_SETTING = re.compile(r"(?<![\w.])lm(?=[.=][a-z])")


@dataclass(frozen=True)
class Question:
    """A judge's signature with its inputs."""

    signature: type[dspy.Signature]
    inputs: Mapping[str, Any]

    @cached_property
    def key(self) -> str:
        """A digest of all that is put to the judge: instructions, form of the reply, inputs."""
        form = {name: str(field.annotation) for name, field in self.signature.fields.items()}
        return digest([self.signature.__name__, self.signature.instructions, form, dict(self.inputs)])


def question_of(case: Case) -> Question:
    """Return what is put to the judge about a field of a criterion."""
    sides = {"gold": _side(case.gold), "system": _side(case.found)}
    return Question(SIGNATURES[case.field], {"text": case.text, **sides})


def _side(value: Any) -> Any:
    """Return one side as the signatures take it, without what retrieval added to it."""
    if isinstance(value, References):
        bare = {"link": None, "link_status": None, "enrichment": None}
        return value.model_copy(update={"sources": tuple(s.model_copy(update=bare) for s in value.sources)})
    if isinstance(value, Mapping):
        fixed = tuple(CorrectedPoint(printed=a, meant=b) for a, b in sorted(value["corrections"]))
        return DependencyFacts(
            dependencies=value["dependencies"], threshold_from=value["threshold_from"], corrections=fixed
        )
    if isinstance(value, (list, tuple)):
        return [
            note.model_copy(update={"items": tuple(i.model_copy(update={"enrichment": None}) for i in note.items)})
            for note in value
        ]
    return value


class LMJudge:
    """Puts questions to the judging model.

    Attributes:
        usage: Calls, tokens and cost so far; what comes from the cache costs nothing.
        replayed: Different questions answered from the cache so far.

    Args:
        settings: The model, how many questions at a time, and where judgements are kept.

    Raises:
        LMRequiredError: No model is named, or its key is missing.
        ConfigError: The settings of the model contradict each other.
        OutputError: The file of judgements cannot be read.
    """

    def __init__(self, settings: JudgeSettings) -> None:
        if settings.lm.model is None:
            raise LMRequiredError("judge=lm needs a language model: name it with judge.lm.model=…")
        self.settings = settings
        try:
            self.lm = build_lm(settings.lm)
        except LMRequiredError as error:
            raise LMRequiredError(_told(error)) from None
        self.adapter = _strict(settings.lm)
        self.cache = JudgeCache(Path(settings.cache).expanduser() if settings.cache else None)
        self.usage = Usage()
        self.replayed = 0
        self._price = price_of(settings.lm)
        lm = settings.lm
        self._model = digest([identity(lm), lm.adapter, lm.reasoning, lm.temperature, lm.max_tokens])

    @property
    def label(self) -> str:
        """Name for reports."""
        return self.settings.label

    def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        """Return a judgement for each case.

        Raises:
            LMStopError: No further question can be answered; the judgements made until then are kept.
        """
        return self.answer([question_of(case) for case in cases])

    def answer(self, questions: Sequence[Question]) -> list[Judgement]:
        """Return a judgement for each question; equal ones are put once.

        Raises:
            LMStopError: No further question can be answered; the judgements made until then are kept.
        """
        keys = [f"{self._model}-{q.key}" for q in questions]
        known = {k: found for k in keys if (found := self.cache.get(k)) is not None}
        open_ = {k: q for k, q in zip(keys, questions, strict=True) if k not in known}
        self.replayed += len(known)
        meter = Meter()
        try:
            with metered(self._price) as meter:
                fresh = self._ask_all(open_)
        finally:
            self.usage = _sum(self.usage, meter.usage)
        return [fresh[k] if k in fresh else known[k] for k in keys]

    def account(self) -> str:
        """Return what judging took: calls, tokens, cost, and what the cache saved."""
        u = self.usage
        cost = "price unknown" if u.cost is None else f"{u.cost:.4f} USD"
        tokens = u.prompt_tokens + u.completion_tokens
        return f"judge {self.settings.lm.name}: {u.lm_calls} calls, {tokens} tokens, {cost}; {self.replayed} from cache"

    def _ask_all(self, questions: Mapping[str, Question]) -> dict[str, Judgement]:
        found = overlapped(self._ask_and_keep, questions.items(), self.settings.workers)
        return dict(zip(questions, found, strict=True))

    def _ask_and_keep(self, one: tuple[str, Question]) -> Judgement:
        key, question = one
        with dspy.context(lm=self.lm, adapter=self.adapter):
            found = ask(question, self.settings.lm)
        self.cache.put(key, found)
        return found


def ask(question: Question, settings: LMSettings) -> Judgement:
    """Put a question to the model in use, once more if the reply cannot be read.

    Returns:
        The judgement; without score, and with the problem, if the second reply cannot be read either or the model
        keeps failing.

    Raises:
        LMStopError: No question can be answered any more.
    """
    predict = (dspy.ChainOfThought if settings.reasoning else dspy.Predict)(question.signature)
    problem = ""
    for attempt in range(TRIES):
        config = {"rollout_id": attempt, "temperature": max(0.7, settings.temperature)} if attempt else {}
        try:
            reply = predict(**question.inputs, config=config)
            return _judgement(reply, may_be_empty=question.signature in MAY_BE_EMPTY)
        except (AdapterParseError, ValueError, TypeError) as error:
            problem = f"the reply cannot be read: {_first_line(error)}"
        except dspy.LMError as error:
            found = typed(error, question.signature.__name__)
            if isinstance(found, LMStopError):
                raise type(found)(_told(found)) from None
            return Judgement(None, problem=_told(found))
    return Judgement(None, problem=f"{problem} (asked {TRIES} times)")


def _judgement(reply: Any, may_be_empty: bool) -> Judgement:
    """Read a reply.

    Raises:
        ValueError: It has no score, or one without comparisons: then nobody can check what it rests on.
    """
    if reply.score is None:
        raise ValueError("it has no score")
    if reply.comparisons is None or not (reply.comparisons or may_be_empty):
        raise ValueError("it has no comparisons")
    listed = tuple(c.model_dump(mode="json") for c in reply.comparisons)
    return Judgement(float(reply.score), str(reply.reason or ""), listed)


def _strict(settings: LMSettings) -> dspy.Adapter:
    """Return the adapter without DSPy's own second question in another form: whether to ask again is decided here."""
    if settings.adapter == "chat":
        return ChatAdapter(use_json_adapter_fallback=False)
    return build_adapter(settings)


def _told(error: LMCallError | LMRequiredError) -> str:
    """Return a message that names the settings of the judge."""
    return "judge: " + _SETTING.sub("judge.lm", str(error))


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def _sum(a: Usage, b: Usage) -> Usage:
    cost = None if a.cost is None or b.cost is None else a.cost + b.cost
    return Usage(
        lm_calls=a.lm_calls + b.lm_calls,
        prompt_tokens=a.prompt_tokens + b.prompt_tokens,
        completion_tokens=a.completion_tokens + b.completion_tokens,
        cost=cost,
    )
