"""What the store says of a document, and the ids it goes by."""

from __future__ import annotations

import re
from datetime import datetime
from typing import get_args

from pydantic import BaseModel, ConfigDict, Field

from regreact.errors import StoreError
from regreact.rag.act import DocumentFormat
from regreact.schema import CELEX_PATTERN

LICENCE = "reused under Commission Decision 2011/833/EU"
COMPILATION_LICENCE = f"{LICENCE}; compilation CC BY 4.0"
# The more of an act's structure a format marks, the better.
FORMATS: tuple[DocumentFormat, ...] = get_args(DocumentFormat)
_CELEX = re.compile(CELEX_PATTERN, re.ASCII)
_CONSOLIDATED = re.compile(r"0(?P<act>\d{4}[A-Z]{1,2}\d{4}(?:\(\d{2}\))?)-(?P<date>\d{8})", re.ASCII)
_DAY = r"\d{4}-\d{2}-\d{2}"


class Entry(BaseModel):
    """What the manifest says of a document.

    Attributes:
        celex: CELEX id of the act, also for a consolidated version.
        version: Date of a consolidated version (`2022-06-07`), "" for the Official Journal's original.
        language: Two-letter code (`en`).
        format: How the document is written.
        date: Day of the document, "" if it is not known.
        sha256: Hash of the bytes.
        bytes: Their number.
        media_type: Media type.
        source: Address or file name it came from.
        retrieved: When (ISO 8601, UTC).
        licence: Terms of reuse.
    """

    model_config = ConfigDict(frozen=True)

    celex: str = Field(pattern=CELEX_PATTERN)
    version: str = Field(default="", pattern=rf"^(?:{_DAY})?$")
    language: str = Field(default="en", pattern=r"^[a-z]{2}$")
    format: DocumentFormat
    date: str = Field(default="", pattern=rf"^(?:{_DAY})?$")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    bytes: int = Field(ge=0)
    media_type: str
    source: str
    retrieved: str
    licence: str = LICENCE

    @property
    def id(self) -> str:
        """CELEX id, with the date if consolidated: `32018L2001-20220607`."""
        return f"{self.celex}-{self.version.replace('-', '')}" if self.version else self.celex

    @property
    def key(self) -> tuple[str, str, str, DocumentFormat]:
        """What the entry is of; a later entry with the same key takes its place."""
        return self.celex, self.version, self.language, self.format


def parse_id(text: str) -> tuple[str, str]:
    """Return the CELEX id of an act and the date of its consolidated version ("" for the original).

    Raises:
        StoreError: The text is no CELEX id.

    Example:
        >>> parse_id("02018L2001-20220607"), parse_id("32018L2001")
        (('32018L2001', '2022-06-07'), ('32018L2001', ''))
    """
    consolidated = _CONSOLIDATED.fullmatch(text)
    if consolidated:
        try:
            day = datetime.strptime(consolidated["date"], "%Y%m%d").date()
        except ValueError:
            raise StoreError(f"{text!r}: {consolidated['date']} is no date of a consolidated version") from None
        return f"3{consolidated['act']}", day.isoformat()
    if not _CELEX.fullmatch(text):
        raise StoreError(f"{text!r} is no CELEX id (such as 32018L2001, or 02018L2001-20220607 for a version)")
    return text, ""
