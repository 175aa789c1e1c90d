"""The language model of a run: built from settings, put in place for a block of code, and counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dspy
from dspy.utils.usage_tracker import track_usage

from regreact.adapters import ChatAdapter, JSONAdapter, XMLAdapter
from regreact.config import LMSettings, Settings
from regreact.endpoint import Engine, open_endpoint, read_key
from regreact.errors import ConfigError
from regreact.guard import AsyncGuardedEngine, GuardedEngine, typed
from regreact.prices import Price, price_of
from regreact.schema import Usage

if TYPE_CHECKING:
    from regreact.simulated import Simulation


def build_lm(settings: LMSettings, simulation: Simulation | None = None) -> dspy.LM | None:
    """Return the model, or None if none is configured.

    Args:
        settings: Which model.
        simulation: What the simulated model knows and gets wrong.

    Raises:
        LMRequiredError: The provider needs a key and the named environment variable is empty.
        ConfigError: The settings contradict each other, or the local engine or its file is missing.
    """
    if settings.model is None:
        return None
    inner, key = _open(settings, simulation)
    price = price_of(settings)
    if settings.max_cost is not None and price is None:
        raise ConfigError(
            f"lm.max_cost needs the price of {settings.model}, which is not known: set lm.input_price and "
            "lm.output_price (US dollars per million tokens), or use lm.max_calls"
        )
    engine = GuardedEngine(inner, settings, price, key)
    try:
        return dspy.LM(
            identity(settings),
            engine=engine,
            async_engine=AsyncGuardedEngine(engine),
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            num_retries=0,
            cache=settings.cache,
        )
    except dspy.LMConfigurationError as error:
        raise ConfigError(f"lm.model={settings.model} does not go with the other settings: {error}") from error


def identity(settings: LMSettings) -> str:
    """Return a name that tells models apart; DSPy's cache takes replies of the same name for the same model's."""
    if settings.file is not None and settings.engine == "local":
        path = Path(settings.file).expanduser().resolve()
        return f"{settings.model} in {path} of {path.stat().st_size} bytes"
    if settings.api_base is not None:
        return f"{settings.model} at {settings.api_base}"
    return str(settings.model)


def _open(settings: LMSettings, simulation: Simulation | None) -> tuple[Engine, str]:
    """Return the engine that sends one request, and the key that it uses."""
    if settings.engine == "simulated":
        from regreact.simulated import SimulatedEngine  # noqa: PLC0415  registers all solvers

        return SimulatedEngine(simulation), ""
    if settings.engine == "local":
        from regreact.local_lm import LocalEngine  # noqa: PLC0415  optional

        return LocalEngine(settings), ""
    key = read_key(settings)
    return open_endpoint(settings, key), key


def build_adapter(settings: LMSettings) -> dspy.Adapter:
    """Return the adapter that puts questions to the model."""
    adapters = {"chat": ChatAdapter, "json": JSONAdapter, "xml": XMLAdapter}
    return adapters[settings.adapter]()


@dataclass
class Meter:
    """Calls and tokens of the model inside one `metered` block. Replies from the cache cost nothing."""

    usage: Usage = field(default_factory=Usage)


@contextmanager
def in_use(lm: dspy.BaseLM | None, settings: Settings) -> Iterator[None]:
    """Use a model and adapter for everything inside the block.

    Raises:
        LMCallError: A request failed for good.
    """
    if lm is None:
        yield
        return
    with dspy.context(lm=lm, adapter=build_adapter(settings.lm)):
        try:
            yield
        except dspy.LMError as error:
            raise typed(error) from None


@contextmanager
def metered(price: Price | None) -> Iterator[Meter]:
    """Count what the model does inside the block; `Meter.usage` is filled when the block ends.

    Args:
        price: Price of the model; None if it is not known.
    """
    meter = Meter()
    with track_usage() as tracker:
        try:
            yield meter
        finally:
            entries = [e for listed in tracker.usage_data.values() for e in listed]
            prompt = sum(_tokens(e, "prompt_tokens", "input_tokens") for e in entries)
            completion = sum(_tokens(e, "completion_tokens", "output_tokens") for e in entries)
            cost = None if price is None else round(price.of(prompt, completion), 6)
            meter.usage = Usage(
                lm_calls=len(entries),
                prompt_tokens=prompt,
                completion_tokens=completion,
                cost=cost if entries else 0.0,
            )


def _tokens(entry: dict[str, Any], *names: str) -> int:
    return next((int(entry[n]) for n in names if entry.get(n) is not None), 0)
