"""What stands between the program and a model: retries, budget, typed errors, and replies without their thinking.

DSPy retries without jitter and waits as long as a server asks for, so its retries are off (`num_retries=0`) and the
policy is here. DSPy's cache comes before the engine: a reply from the cache passes none of this and costs nothing.
"""

from __future__ import annotations

import asyncio
import random
import re
from dataclasses import replace
from functools import cached_property

import dspy
import httpx
import stamina
from dspy import lm15
from dspy.lm15 import Message, Request, Response, TextPart, ThinkingPart, Usage

from regreact.config import LMSettings
from regreact.endpoint import Engine
from regreact.errors import (
    LMAccessError,
    LMCallError,
    LMQuotaError,
    LMStopError,
    LMUnknownModelError,
)
from regreact.gate import Door
from regreact.prices import CHARS_PER_TOKEN
from regreact.redaction import without_key

# Waits between tries: 1, 2, 4 … seconds, at most 30, each with up to 1 s of chance so that workers do not return at
# the same moment.
WAIT_INITIAL_S, WAIT_MAX_S, WAIT_JITTER_S = 1.0, 30.0, 1.0


# How each kind of failure ends: the error, and what its message says after model and address.
ENDS: dict[str, tuple[type[LMCallError], str]] = {
    "key": (LMAccessError, "refused the key: check the one in the environment variable {key}"),
    "money": (LMQuotaError, "has no money or quota left for this account: top up, then run the same command again"),
    "model": (LMUnknownModelError, "is no such model, or no endpoint: check lm.model and lm.api_base"),
    "length": (LMCallError, "finds the question too long: lower lm.batch_tokens or take a model with more room"),
    "passing": (LMCallError, "gave no reply, tries: {tries}; run the same command again later"),
    "request": (LMCallError, "refused the request"),
}


def _kind(error: Exception) -> str:
    """Return which entry of `ENDS` an error of a client is."""
    status = getattr(error, "status", None)
    holds = {
        "key": isinstance(error, lm15.AuthError),
        # The second is OpenAI's code for an empty account, which others took over and which comes as 429.
        "money": isinstance(error, lm15.BillingError) or (status == 429 and "insufficient_quota" in str(error)),
        "model": isinstance(error, lm15.UnsupportedModelError) or status == 404,
        "length": isinstance(error, lm15.ContextLengthError),
        "passing": isinstance(error, (*lm15.RETRYABLE_ERRORS, httpx.TransportError, httpx.DecodingError))
        # A reply that came with success but is no JSON was broken on its way.
        or (status is not None and status < 400),
        "request": True,
    }
    return next(kind for kind in ENDS if holds[kind])


class RefusedError(dspy.LMError):
    """Carries a typed error through DSPy, which passes on its own errors unchanged.

    Attributes:
        error: The error for the caller.
        passing: True if the same request may succeed later.
        wait_s: Seconds that the server asks to wait, None if it does not say.
    """

    def __init__(self, error: LMCallError, passing: bool = False, wait_s: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.passing = passing
        self.wait_s = wait_s


def typed(error: dspy.LMError, place: str = "") -> LMCallError:
    """Return the package's error for an error of DSPy.

    Args:
        error: From a guarded engine, or any other.
        place: Who asked, such as a signature's name; put in front of an error that only concerns its unit.
    """
    found = error.error if isinstance(error, RefusedError) else LMCallError(str(error))
    if not place or isinstance(found, LMStopError):
        return found
    return LMCallError(f"{place}: {found}")


class GuardedEngine:
    """Engine of `dspy.LM` that asks another engine under the run's policy.

    Args:
        inner: Sends one request.
        settings: Model settings.
        gate: What lets requests through.
        key: The key, which is cut out of every message; "" for none.
    """

    def __init__(self, inner: Engine, settings: LMSettings, gate: Door, key: str = "") -> None:
        self.inner = inner
        self.settings = settings
        self.gate = gate
        self._key = key

    def complete(self, request: Request) -> Response:
        """Return the reply of the model, tried again as often as the settings allow.

        Raises:
            RefusedError: Carries an LMCallError, or an LMStopError if no request can succeed any more.
        """
        attempts = stamina.retry_context(
            on=self._wait,
            attempts=self.settings.retries + 1,
            timeout=None,
            wait_initial=WAIT_INITIAL_S,
            wait_max=WAIT_MAX_S,
            wait_jitter=WAIT_JITTER_S,
        )
        for attempt in attempts:
            with attempt:
                response = self._once(request)
        return response

    def _once(self, request: Request) -> Response:
        tokens = size(request)
        try:
            self.gate.enter(tokens)
        except LMStopError as error:
            raise RefusedError(error) from None
        used = Usage()
        try:
            response = self.inner.complete(replace(request, model=str(self.settings.model)))
            response = counted(without_key(response, self._key), tokens)
            used = response.usage
        except Exception as error:
            refused = self._refused(error)
            if isinstance(refused.error, LMStopError):
                self.gate.stop(refused.error)
            elif refused.passing and refused.wait_s is not None:
                # The server's limit is that of the account: others would only hear the same.
                self.gate.hold(min(refused.wait_s, self.settings.retry_after_s))
            # The original may quote the key, so it is no part of the new error's report.
            raise refused from None
        finally:
            self.gate.leave(tokens, used.input_tokens or 0, used.output_tokens or 0)
        return without_thinking(response)

    def _wait(self, error: Exception) -> bool | float:
        """Return False for an error that stays, else how long to wait: True for the usual, or seconds."""
        if not isinstance(error, RefusedError) or not error.passing:
            return False
        if error.wait_s is None:
            return True
        return min(error.wait_s, self.settings.retry_after_s) + random.uniform(0, WAIT_JITTER_S)

    def _refused(self, error: Exception) -> RefusedError:
        """Return the typed error for whatever a client raised."""
        s = self.settings
        kind = _kind(error)
        end, hint = ENDS[kind]
        hint = hint.format(key=s.api_key_env, tries=s.retries + 1)
        typed_error = end(f"{s.model} {s.place} {hint} ({self._quote(error)})")
        return RefusedError(typed_error, kind == "passing", getattr(error, "retry_after", None))

    def _quote(self, error: Exception) -> str:
        """Return the first line of what went wrong, without the key."""
        message = str(getattr(error, "message", "") or error).strip()
        if self._key:
            message = message.replace(self._key, "[key]")
        line = (message.splitlines() or [""])[0][:300]
        status = getattr(error, "status", None)
        name = f"HTTP {status}" if status is not None else type(error).__name__
        return f"{name}: {line}" if line else name

    @cached_property
    def _catalog(self) -> dspy.LM:
        """The same model as DSPy knows it, asked only what it can do."""
        return dspy.LM(self.settings.model, api_key="none", api_base=self.settings.api_base)

    @property
    def supports_response_schema(self) -> bool:
        """Whether replies can be bound to a JSON schema."""
        own = getattr(self.inner, "supports_response_schema", None)
        return bool(self._catalog.supports_response_schema if own is None else own)

    @property
    def supported_params(self) -> set[str]:
        """OpenAI-style parameters that the model takes."""
        own = getattr(self.inner, "supported_params", None)
        return set(self._catalog.supported_params if own is None else own)


class AsyncGuardedEngine:
    """The same for asynchronous calls."""

    def __init__(self, engine: GuardedEngine) -> None:
        self.engine = engine

    async def complete(self, request: Request) -> Response:
        """Reply like `GuardedEngine.complete`, from a thread of its own."""
        return await asyncio.to_thread(self.engine.complete, request)


def size(request: Request) -> int:
    """Return the estimated size of a prompt in tokens."""
    system = request.system if isinstance(request.system, str) else _text(request.system or ())
    return (len(system) + sum(len(_text(m.parts)) for m in request.messages)) // CHARS_PER_TOKEN


def counted(response: Response, asked: int) -> Response:
    """Return a reply with its size in tokens: as reported, else estimated, since an unreported size is not 0.

    Args:
        response: The reply.
        asked: Estimated size of the prompt.
    """
    usage = response.usage
    if usage.input_tokens is not None and usage.output_tokens is not None:
        return response
    replied = len(_text(response.message.parts)) // CHARS_PER_TOKEN
    return replace(
        response,
        usage=Usage(
            input_tokens=asked if usage.input_tokens is None else usage.input_tokens,
            output_tokens=replied if usage.output_tokens is None else usage.output_tokens,
        ),
    )


def _text(parts: object) -> str:
    return "".join(getattr(p, "text", "") or "" for p in parts)  # type: ignore[attr-defined]


_THOUGHTS = re.compile(r"\s*<think(?:ing)?>(.*?)(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHTS_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


def split_thinking(text: str) -> tuple[str, str]:
    """Return the thinking at the start of a reply and the answer after it.

    Reasoning models write `<think>…</think>` first. Where the chat template opens the block, the reply has its end
    only; where the reply was cut off, its beginning only, and there is no answer.

    Example:
        >>> split_thinking("<think>5 or 7? 5.</think> five")
        ('5 or 7? 5.', 'five')
        >>> split_thinking("5 or 7? 5.</think>five")
        ('5 or 7? 5.', 'five')
        >>> split_thinking("<think>5 or 7")
        ('5 or 7', '')
        >>> split_thinking("five")
        ('', 'five')
    """
    thoughts = []
    while match := _THOUGHTS.match(text):
        thoughts.append(match[1].strip())
        text = text[match.end() :]
    if not thoughts and (end := _THOUGHTS_END.search(text)):
        thoughts.append(text[: end.start()].strip())
        text = text[end.end() :]
    return "\n".join(thoughts), text.strip() if thoughts else text


def without_thinking(response: Response) -> Response:
    """Return a reply whose text is the answer only; thinking becomes a part of its own."""
    text = "".join(p.text for p in response.message.parts if isinstance(p, TextPart))
    thought, answer = split_thinking(text)
    if not thought and answer == text:
        return response
    others = [p for p in response.message.parts if not isinstance(p, TextPart)]
    answers = [TextPart(answer)] if answer else []
    return replace(response, message=Message.assistant([*others, ThinkingPart(thought), *answers]))
