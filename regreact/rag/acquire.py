"""Acts from Cellar, the repository of the EU Publications Office, into the store.

Cellar answers `GET /resource/celex/<CELEX>` by content negotiation: `Accept` names the format, `Accept-Language` the
language in three letters (ISO 639-2/T); 303 leads to the document, 300 lists its parts where it has several, 406 (404
for some works) says that it is not there in this format and language. Consolidated versions are works of their own,
listed by the SPARQL endpoint; not every listed one has a document yet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal
from urllib.parse import quote, urljoin

from lxml import etree
from pydantic import BaseModel, ValidationError

from regreact.errors import ConfigError, DocumentAbsentError, ServiceAnswerError, SourceFormatError
from regreact.legal.cellar import Cellar
from regreact.legal.web import Reply, WebClient
from regreact.rag.act import DocumentFormat
from regreact.rag.convert.limits import LIMITS
from regreact.rag.entry import Entry, parse_id
from regreact.rag.identify import check, examine
from regreact.rag.pages import join_pages
from regreact.rag.store import Store

# The official languages of the Union: ISO 639-1 and, as Cellar wants it, the terminological code of ISO 639-2.
LANGUAGES = {
    "bg": "bul", "cs": "ces", "da": "dan", "de": "deu", "el": "ell", "en": "eng", "es": "spa", "et": "est",
    "fi": "fin", "fr": "fra", "ga": "gle", "hr": "hrv", "hu": "hun", "it": "ita", "lt": "lit", "lv": "lav",
    "mt": "mlt", "nl": "nld", "pl": "pol", "pt": "por", "ro": "ron", "sk": "slk", "sl": "slv", "sv": "swe",
}  # fmt: skip
ACCEPT: dict[DocumentFormat, str] = {
    "xhtml": "application/xhtml+xml",
    "html": "text/html",
    "formex": "application/zip;mtype=fmx4",
    "pdf": "application/pdf",
}
MAX_BYTES = LIMITS.document_bytes
MAX_PARTS = 100
# After that long a version without a document is asked for again.
_ABSENT_FOR = timedelta(days=30)
_LINK = re.compile(r"<a\b([^>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r'\b(href|type)\s*=\s*["\']([^"\']*)["\']', re.IGNORECASE)
_PART = re.compile(r"/DOC_(\d+)(?:/|$)")


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of a request for an act.

    Attributes:
        entry: The document.
        status: `stored` now, or `kept`: it was there.
        absent: Versions that are newer and have no document in the language, as ids.
    """

    entry: Entry
    status: Literal["stored", "kept"]
    absent: tuple[str, ...] = ()


class _Versions(BaseModel):
    """What was learned of the consolidated versions of an act: when asked, dates, and which have no document."""

    asked: date
    dates: list[date]
    absent: dict[str, date] = {}


class Acquirer:
    """Downloads what the store does not hold.

    Args:
        store: Where documents go.
        web: Client whose base address is the Publications Office (`https://publications.europa.eu`).
        formats: Formats to ask for, in this order.
    """

    def __init__(
        self, store: Store, web: WebClient, formats: Sequence[DocumentFormat] = ("xhtml", "html", "formex", "pdf")
    ) -> None:
        self.store, self.web, self.formats = store, web, tuple(formats)
        self.cellar = Cellar(web)

    def fetch(self, celex: str, as_of: date | None = None, language: str = "en") -> Fetched:
        """Store an act: the consolidated version in force at a date, else the original.

        A version that is stored in any format is not asked for again; where the newest has no document, the one before
        it is taken, and the original last.

        Args:
            celex: CELEX id of the act; that of a consolidated version means this version and no other.
            as_of: Date, None for the original.
            language: Two-letter code.

        Raises:
            StoreError: The id is none.
            ConfigError: The language is none of the Union's.
            DocumentAbsentError: There is no document of the act in this language.
            ServiceError: The service does not give a usable answer.
        """
        if language not in LANGUAGES:
            raise ConfigError(f"language {language!r} is none of the Union's: {', '.join(LANGUAGES)}")
        act, version = parse_id(celex)
        known = self._versions(act, as_of) if as_of is not None and not version else None
        wanted = [version] if known is None else _in_force(known, as_of)
        held = {e.version: e for e in reversed(self.store.entries(act)) if e.language == language}
        absent: list[str] = []
        for day in wanted:
            id = f"0{act[1:]}-{day.replace('-', '')}" if day else act
            if day in held:
                return Fetched(held[day], "kept", tuple(absent))
            mark = f"{day}.{language}"
            if known is not None and day and _today() - known.absent.get(mark, date.min) < _ABSENT_FOR:
                absent.append(id)
                continue
            entry = self._download(id, language)
            if entry is not None:
                return Fetched(entry, "stored", tuple(absent))
            absent.append(id)
            if known is not None and day:
                known.absent[mark] = _today()
                self.store.write_derived(_versions_file(act), known.model_dump_json().encode())
        where = f"{self.web.base_url}/resource/celex/{act}"
        problem = f"no document in {LANGUAGES[language]} of {', '.join(absent)}"
        raise DocumentAbsentError(where, problem, "check the CELEX id, or try another language")

    def _versions(self, act: str, as_of: date) -> _Versions:
        """Return the versions of an act, as listed on the date asked for or after it."""
        kept = self.store.read_derived(_versions_file(act))
        known = None
        if kept is not None:
            try:
                known = _Versions.model_validate_json(kept)
            except ValidationError:
                known = None
        if known is not None and known.asked >= min(as_of, _today()):
            return known
        dates = [date.fromisoformat(d) for d in self.cellar.versions(act)]
        found = _Versions(asked=_today(), dates=dates, absent=known.absent if known else {})
        self.store.write_derived(_versions_file(act), found.model_dump_json().encode())
        return found

    def _download(self, id: str, language: str) -> Entry | None:
        """Return the stored document of an act or version, None if there is none."""
        for format in self.formats:
            reply = self.web.send(
                "GET",
                f"/resource/celex/{quote(id)}",
                accept=ACCEPT[format],
                headers={"Accept-Language": LANGUAGES[language]},
                expected=(200, 300, 404, 406),
            )
            if reply.status in (404, 406):
                continue
            data = reply.body if reply.status == 200 else self._parts(reply, format, language)
            if data is not None:
                return self._keep(data, reply.url, id, language)
        return None

    def _keep(self, data: bytes, url: str, id: str, language: str) -> Entry:
        try:
            stated = examine(url, data)
            check(url, id, language, stated)
        except SourceFormatError as error:
            raise ServiceAnswerError(url, f"the answer is not {id}: {error.problem}") from error
        entry, _ = self.store.add(
            data,
            id=id,
            language=language,
            format=stated.format,
            media_type=stated.media_type,
            source=url,
            date=stated.date,
        )
        return entry

    def _parts(self, listing: Reply, format: DocumentFormat, language: str) -> bytes | None:
        """Return the pages of a list as one page, None if not all of them are there as pages."""
        if format not in ("xhtml", "html"):
            return None
        addresses = part_addresses(listing, ACCEPT[format])
        if not addresses or len(addresses) > MAX_PARTS:
            raise ServiceAnswerError(listing.url, f"a list of {len(addresses)} parts, which is none of an act")
        pages: list[bytes] = []
        for address in addresses:
            headers = {"Accept-Language": LANGUAGES[language]}
            reply = self.web.send("GET", address, accept=ACCEPT[format], headers=headers, expected=(200, 404, 406))
            # Pictures are listed among the pages.
            if reply.status == 200 and reply.media_type.startswith("image/"):
                continue
            if reply.status != 200 or reply.media_type != ACCEPT[format]:
                return None
            pages.append(reply.body)
            if sum(map(len, pages)) > self.web.max_bytes:
                raise ServiceAnswerError(listing.url, f"the parts are larger than {self.web.max_bytes:,} bytes")
        if not pages:
            return None
        try:
            return join_pages(listing.url, pages)
        except (SourceFormatError, etree.LxmlError) as error:
            raise ServiceAnswerError(listing.url, f"its parts cannot be joined: {error}") from error


def part_addresses(listing: Reply, accept: str) -> list[str]:
    """Return the addresses in a list of parts (300 Multiple Choices), in the order of their numbers.

    Args:
        listing: The list, an HTML page whose links end in `/DOC_<n>`.
        accept: Media type wanted; links of another type, where a type is given, are left out.
    """
    found: dict[str, int] = {}
    for link in _LINK.findall(listing.body.decode("utf-8", errors="replace")):
        values = {name.lower(): value for name, value in _ATTRIBUTE.findall(link)}
        address = urljoin(listing.url, values.get("href", "").replace("&amp;", "&"))
        part = _PART.search(address)
        if part and values.get("type", accept).partition(";")[0].strip().lower() == accept:
            found.setdefault(address, int(part[1]))
    return sorted(found, key=lambda address: found[address])


def _in_force(known: _Versions, as_of: date | None) -> list[str]:
    """Return the versions up to a date, the newest first, and the original last."""
    return [*(d.isoformat() for d in sorted(known.dates, reverse=True) if as_of and d <= as_of), ""]


def _versions_file(act: str) -> str:
    return f"versions/{act}.json"


def _today() -> date:
    return datetime.now(UTC).date()
