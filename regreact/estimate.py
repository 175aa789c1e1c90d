"""What an extraction with a model is expected to take, before anything is spent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regreact.config import Settings
from regreact.digests import config_hash
from regreact.errors import RegReActError
from regreact.manifest import kept_line, read_manifest
from regreact.prices import price_of
from regreact.runner import Extractor
from regreact.sources.model import Document, Unit

# Tokens of reasoning in front of each answer, where it is asked for; a model trained to think at length takes more.
REASONING_TOKENS = 150


@dataclass(frozen=True, slots=True)
class Estimate:
    """Expected calls, tokens and cost in US dollars (None: price unknown) of one unit; `note` instead if none apply."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    note: str = ""

    def __str__(self) -> str:
        """Return the columns of a table of estimates."""
        if self.note:
            return self.note
        cost = "price unknown" if self.cost is None else f"{self.cost:.4f} USD"
        return f"{self.calls} calls\t{self.prompt_tokens} tokens in\t{self.completion_tokens} tokens out\t{cost}"


def estimate(
    settings: Settings,
    units: Sequence[Unit],
    officials: Mapping[tuple[str, str], Unit],
    documents: Sequence[Document] = (),
    out: Path | None = None,
) -> Iterator[Estimate]:
    """Yield an estimate for each unit.

    Each unit is extracted with the solvers in the model's place, so the prompts are the real ones, and the replies
    have the size of right answers. Re-asks, which only wrong answers cause, are not in it. Nothing is fetched.

    Args:
        settings: The settings of the run; no key is needed.
        units: What would be extracted.
        officials: The same sections in official documents (`corpus.officials`).
        documents: Documents of the run, whose sections references may lead to.
        out: Output folder whose unchanged files would be kept, None to extract everything.
    """
    model = settings.lm.model_copy(update={"engine": "simulated", "cache": False, "max_cost": None, "max_calls": None})
    once = settings.odr.model_copy(update={"k_max": 1})
    offline = {"mode": "register"} if settings.celex.mode == "cellar" else {}
    celex = settings.celex.model_copy(update=offline)
    trial = settings.model_copy(update={"lm": model, "odr": once, "celex": celex})
    extractor = Extractor(trial, officials, documents=documents)
    price = price_of(settings.lm)
    known = {} if out is None else read_manifest(out)
    config = config_hash(settings)
    for unit in units:
        if out is not None and kept_line(unit, extractor.digest(unit), known, out, config):
            yield Estimate(note="unchanged")
            continue
        try:
            usage = extractor.extract(unit).usage
        except RegReActError as error:
            yield Estimate(note=f"cannot be estimated: {error}")
            continue
        replies = usage.completion_tokens + usage.lm_calls * REASONING_TOKENS * settings.lm.reasoning
        cost = None if price is None else price.of(usage.prompt_tokens, replies)
        yield Estimate(usage.lm_calls, usage.prompt_tokens, replies, cost)


def total(settings: Settings, estimates: Sequence[Estimate]) -> str:
    """Return one line with the sums of the estimates and what they leave out."""
    calls = sum(e.calls for e in estimates)
    costs = [e.cost for e in estimates]
    cost = None if None in costs else sum(c or 0 for c in costs)
    price = f"the price of {settings.lm.model} is unknown" if cost is None else f"about {cost:.2f} US dollars"
    line = (
        f"estimate: {calls} calls, {sum(e.prompt_tokens for e in estimates)} tokens in, "
        f"{sum(e.completion_tokens for e in estimates)} tokens out, {price}; without re-asks, retries and long thinking"
    )
    limit = settings.lm.max_calls
    if limit is not None and calls > limit:
        line += f"; more than lm.max_calls={limit}"
    if settings.lm.max_cost is not None and cost is not None and cost > settings.lm.max_cost:
        line += f"; more than lm.max_cost={settings.lm.max_cost:g}"
    return line
