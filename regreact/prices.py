"""What a model costs."""

from __future__ import annotations

import os
from dataclasses import dataclass

from regreact.config import LMSettings

# DSPy and litellm download a list of prices and abilities on first use unless told to take the one they ship.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

# Near enough where a size is only estimated: English text has about four characters a token.
CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per token.

    Example:
        >>> Price(input=0.000002, output=0.00001).of(1000, 100)
        0.003
    """

    input: float
    output: float

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return the price of a prompt and its reply in US dollars."""
        return self.input * prompt_tokens + self.output * completion_tokens


def price_of(settings: LMSettings) -> Price | None:
    """Return the price of a model, from the settings or from the price list that DSPy ships; None if unknown."""
    if settings.input_price is not None and settings.output_price is not None:
        return Price(settings.input_price / 1e6, settings.output_price / 1e6)
    if settings.model is None:
        return None
    from dspy.clients.model_metadata import model_info, rate  # noqa: PLC0415  heavy

    provider, _, name = settings.model.partition("/")
    info = model_info(provider, name)
    cost = (rate(info, "input_cost_per_token"), rate(info, "output_cost_per_token"))
    # The list gives prices that nobody knows as 0; a served model that is free is given in the settings.
    if cost[0] is None or cost[1] is None or not any(cost):
        return None
    return Price(cost[0], cost[1])
