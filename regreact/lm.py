"""The language model of a run: built from settings, put in place for a block of code, and counted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

# litellm downloads a price map at import unless told to use the one it ships.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

import dspy
from dspy.utils.usage_tracker import track_usage

from regreact.adapters import XMLAdapter
from regreact.config import LMSettings, Settings
from regreact.errors import LMRequiredError
from regreact.schema import Usage

if TYPE_CHECKING:
    from regreact.simulated import Simulation


def build_lm(settings: LMSettings, simulation: Simulation | None = None) -> dspy.BaseLM | None:
    """Return the model, or None if none is configured.

    Args:
        settings: Which model.
        simulation: What the simulated model knows and gets wrong.

    Raises:
        LMRequiredError: The provider needs a key and the named environment variable is empty.
    """
    if settings.model is None:
        return None
    if settings.engine == "simulated":
        from regreact.simulated import simulated_lm  # noqa: PLC0415  registers all solvers

        return simulated_lm(settings.model, simulation)
    key = os.environ.get(settings.api_key_env, "")
    if not key and settings.api_base is None:
        raise LMRequiredError(
            f"lm.model={settings.model} needs a key: set the environment variable {settings.api_key_env}, "
            "or name another one with lm.api_key_env=…"
        )
    # A local server usually wants no key, but the client insists on one.
    options: dict[str, Any] = {"api_key": key or "none"}
    if settings.api_base is not None:
        options["api_base"] = settings.api_base
    return dspy.LM(
        settings.model,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        num_retries=settings.retries,
        timeout=settings.timeout_s,
        cache=settings.cache,
        **options,
    )


def build_adapter(settings: LMSettings) -> dspy.Adapter:
    """Return the adapter that puts questions to the model."""
    adapters = {"chat": dspy.ChatAdapter, "json": dspy.JSONAdapter, "xml": XMLAdapter}
    return adapters[settings.adapter]()


@dataclass
class Meter:
    """Calls and tokens of the model inside one `metered` block. Replies from the cache cost nothing."""

    usage: Usage = field(default_factory=Usage)


@contextmanager
def in_use(lm: dspy.BaseLM | None, settings: Settings) -> Iterator[None]:
    """Use a model and adapter for everything inside the block."""
    if lm is None:
        yield
        return
    with dspy.context(lm=lm, adapter=build_adapter(settings.lm)):
        yield


@contextmanager
def metered(model: str | None) -> Iterator[Meter]:
    """Count what the model does inside the block; `Meter.usage` is filled when the block ends."""
    meter = Meter()
    if model is None:
        yield meter
        return
    with track_usage() as tracker:
        try:
            yield meter
        finally:
            entries = [e for listed in tracker.usage_data.values() for e in listed]
            prompt = sum(_tokens(e, "prompt_tokens", "input_tokens") for e in entries)
            completion = sum(_tokens(e, "completion_tokens", "output_tokens") for e in entries)
            meter.usage = Usage(
                lm_calls=len(entries),
                prompt_tokens=prompt,
                completion_tokens=completion,
                cost=_cost(model, prompt, completion) if entries else 0.0,
            )


def _tokens(entry: dict[str, Any], *names: str) -> int:
    return next((int(entry[n]) for n in names if entry.get(n) is not None), 0)


def _cost(model: str, prompt: int, completion: int) -> float | None:
    """Return the price in US dollars by the price map that litellm ships, None if it does not know the model."""
    from litellm import cost_per_token  # noqa: PLC0415  heavy

    try:
        costs = cost_per_token(model=model, prompt_tokens=prompt, completion_tokens=completion)
    except Exception:
        return None
    return round(sum(costs), 6)
