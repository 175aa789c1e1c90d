"""What became of a unit, and the same as JSON for the way between processes; nothing is pickled."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from pydantic import TypeAdapter

from regreact import errors
from regreact.errors import RegReActError
from regreact.schema import Extraction, Usage
from regreact.sources.model import Unit

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Done:
    """An extraction as the text of its file, and the number of its review items."""

    text: str
    review: int
    parsed: Extraction | None = field(default=None, repr=False, compare=False)

    @staticmethod
    def of(extraction: Extraction) -> Done:
        """Return an extraction with the text of its file."""
        text = json.dumps(extraction.to_json(), ensure_ascii=False, indent=1) + "\n"
        review = len(extraction.review)
        if _SURROGATE.search(text):
            # A lone surrogate is no text, and most readers of JSON refuse it.
            return Done(_SURROGATE.sub("\ufffd", text), review)
        return Done(text, review, extraction)

    @property
    def extraction(self) -> Extraction:
        """The extraction as a record."""
        return self.parsed or Extraction.model_validate_json(self.text)


Outcome = Done | RegReActError


@dataclass(frozen=True, slots=True)
class Result:
    """Outcome of one unit, and what that took in seconds and model usage."""

    unit: Unit
    outcome: Outcome
    seconds: float = 0.0
    usage: Usage = field(default_factory=Usage)

    def to_json(self) -> str:
        """Return everything but the unit, for the process that knows the unit."""
        record: dict[str, Any] = {"seconds": self.seconds, "usage": self.usage.model_dump()}
        if isinstance(self.outcome, Done):
            record |= {"text": self.outcome.text, "review": self.outcome.review}
        else:
            record |= {"error": type(self.outcome).__name__, "message": str(self.outcome)}
        return json.dumps(record)

    @staticmethod
    def from_json(unit: Unit, text: str | bytes) -> Result:
        """Return the result of a unit from `to_json`."""
        record = json.loads(text)
        outcome: Outcome
        outcome = Done(record["text"], record["review"]) if "text" in record else revived(record)
        return Result(unit, outcome, record["seconds"], Usage.model_validate(record["usage"]))


class Attempt(Protocol):
    """Extracts one unit; whatever goes wrong is its outcome."""

    def __call__(self, unit: Unit) -> Result:
        """Return what became of a unit."""


def revived(record: dict[str, Any]) -> RegReActError:
    """Return an error from `error`, the name of its class, and `message`; its other attributes are not there."""
    found = getattr(errors, record["error"], None)
    kind = found if isinstance(found, type) and issubclass(found, RegReActError) else RegReActError
    error = kind.__new__(kind)
    Exception.__init__(error, record["message"])
    return error


UNIT = TypeAdapter(Unit)


def unit_to_json(unit: Unit) -> str:
    """Return a unit as JSON, lone surrogates included."""
    return json.dumps(asdict(unit))


def unit_from_json(text: str | bytes) -> Unit:
    """Return a unit from `unit_to_json`."""
    return UNIT.validate_python(json.loads(text))
