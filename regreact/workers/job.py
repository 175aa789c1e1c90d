"""What a worker in another process needs to know to extract units as this process would."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from regreact import config
from regreact.config import Settings
from regreact.reference import Reference
from regreact.sources.model import Document, Unit
from regreact.workers.results import UNIT

if TYPE_CHECKING:
    from regreact.gate import Door
    from regreact.runner import Extractor

_DOCUMENT = TypeAdapter(Document)


@dataclass(frozen=True, slots=True)
class Job:
    """The arguments of an `Extractor` (`regreact.runner`), as JSON on the way."""

    settings: Settings
    officials: Mapping[tuple[str, str], Unit] = field(default_factory=dict)
    references: Mapping[str, Reference] = field(default_factory=dict)
    documents: Sequence[Document] = ()

    def to_json(self) -> str:
        """Return the job as JSON."""
        return json.dumps(
            {
                "settings": self.settings.model_dump(mode="json"),
                "officials": [[*place, asdict(unit)] for place, unit in self.officials.items()],
                "references": {key: asdict(reference) for key, reference in self.references.items()},
                # Only what resolves references reads other sections.
                "documents": [asdict(d) for d in self.documents] if self.settings.reads_acts else [],
            }
        )

    @staticmethod
    def from_json(text: str | bytes) -> Job:
        """Return the job of `to_json`."""
        record = json.loads(text)
        return Job(
            settings=config.check(record["settings"]),
            officials={(d, k): UNIT.validate_python(unit) for d, k, unit in record["officials"]},
            references={k: Reference(**reference) for k, reference in record["references"].items()},
            documents=tuple(_DOCUMENT.validate_python(d) for d in record["documents"]),
        )

    def extractor(self, door: Door | None) -> Extractor:
        """Return an extractor whose requests to a model pass a door.

        Raises:
            RegReActError: As `Extractor`.
        """
        from regreact.runner import Extractor  # noqa: PLC0415  imports this package

        made = Extractor(self.settings, self.officials, self.references, self.documents, door)
        made.prepare()
        return made
