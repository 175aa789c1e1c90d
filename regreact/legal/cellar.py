"""Cellar, the repository of the EU Publications Office: does a work exist, and what is it called?

Asked through the public SPARQL endpoint (Virtuoso) in the terms of the Common Data Model: a work has a CELEX id
(`cdm:resource_legal_id_celex`, a typed string), a kind (`cdm:work_has_resource-type`) and a date; its expression in a
language has the title.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from pydantic import BaseModel, ValidationError

from regreact.errors import ServiceAnswerError
from regreact.legal.celex import ActType
from regreact.legal.titles import content_words
from regreact.legal.web import WebClient
from regreact.legal.works import Work

ENDPOINT = "/webapi/rdf/sparql"
RESULTS_JSON = "application/sparql-results+json"
# Virtuoso stops a query that takes too long and answers with what it has found so far.
_INCOMPLETE_HEADERS = ("x-sql-state", "x-sparql-maxrows")

_PREFIXES = """PREFIX cdm: <http://publications.europa.eu/ontology/cdm#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""
_LANGUAGE_URI = "http://publications.europa.eu/resource/authority/language/"
_DESCRIPTION = """  OPTIONAL { ?work cdm:work_has_resource-type ?type }
  OPTIONAL { ?work cdm:work_date_document ?date }
"""
# What the resource types of the Publications Office begin with, the longer first ("REG_IMPL", "DEC_FRAMW").
_TYPES: tuple[tuple[str, ActType], ...] = (
    ("DEC_FRAMW", "Framework Decision"),
    ("REG", "Regulation"),
    ("DIR", "Directive"),
    ("DEC", "Decision"),
    ("RECO", "Recommendation"),
)
# Longer searches fail on a single word that a title spells otherwise.
_SEARCH_WORDS = 6


class _Term(BaseModel):
    value: str


class _Results(BaseModel):
    bindings: list[dict[str, _Term]]


class _Answer(BaseModel):
    """SPARQL 1.1 query results in JSON, as far as they are read."""

    results: _Results


class Cellar:
    """Questions about works.

    Args:
        web: Client whose base address is the Publications Office (`https://publications.europa.eu`).
    """

    def __init__(self, web: WebClient) -> None:
        self.web = web

    def lookup(self, celex_id: str, language: str = "ENG") -> Work | None:
        """Return the work with a CELEX id, None if there is none.

        Args:
            celex_id: The id; any string is safe.
            language: Three-letter code of the title's language, in capitals.

        Raises:
            ServiceError: The service does not give a usable answer.
        """
        rows = self._select(lookup_query(celex_id, language))
        works = list(_works(rows, celex_id))
        return works[0] if works else None

    def search(self, title: str, language: str = "ENG", limit: int = 20) -> list[Work]:
        """Return acts (sector 3) whose title holds the first content words of `title`, none if it has none.

        Raises:
            ServiceError: The service does not give a usable answer.
        """
        words = content_words(title)[:_SEARCH_WORDS]
        return list(_works(self._select(search_query(words, language, limit)))) if words else []

    def versions(self, celex_id: str) -> list[str]:
        """Return the dates (YYYY-MM-DD) of the consolidated versions of an act, the oldest first.

        Raises:
            ServiceError: The service does not give a usable answer.
        """
        rows = self._select(versions_query(celex_id))
        # Acts that amend it are linked in the same way; its own versions have its number.
        own = re.compile(rf"0{re.escape(celex_id[1:])}-(\d{{8}})")
        found = (own.fullmatch(row["celex"].value) for row in rows if "celex" in row)
        return sorted({day for match in found if match and (day := _day(match[1]))})

    def _select(self, query: str) -> list[dict[str, _Term]]:
        reply = self.web.send("POST", ENDPOINT, accept=RESULTS_JSON, form={"query": query, "format": RESULTS_JSON})
        if any(name in reply.headers for name in _INCOMPLETE_HEADERS):
            raise ServiceAnswerError(reply.url, "the answer is incomplete: the service ran out of time or rows")
        try:
            return _Answer.model_validate_json(reply.body).results.bindings
        except ValidationError as error:
            problem = str(error.errors()[0]["msg"])
            raise ServiceAnswerError(reply.url, f"the answer is no SPARQL result: {problem}") from None


def _day(digits: str) -> str:
    """Return YYYYMMDD as YYYY-MM-DD, "" if it is no date."""
    try:
        return datetime.strptime(digits, "%Y%m%d").date().isoformat()
    except ValueError:
        return ""


def lookup_query(celex_id: str, language: str = "ENG") -> str:
    """Return the query for one work. The id is typed: Virtuoso finds typed strings by index, others not at all."""
    return (
        _PREFIXES
        + "SELECT DISTINCT ?title ?type ?date WHERE {\n"
        + f"  ?work cdm:resource_legal_id_celex {literal(celex_id)}^^xsd:string .\n"
        + _DESCRIPTION
        + "  OPTIONAL {\n    ?expression cdm:expression_belongs_to_work ?work ;\n"
        + f"      cdm:expression_uses_language {_language(language)} ;\n"
        + "      cdm:expression_title ?title\n  }\n} LIMIT 50"
    )


def search_query(words: Sequence[str], language: str = "ENG", limit: int = 20) -> str:
    """Return the query for acts with all of these words in the title, through Virtuoso's index of words.

    Raises:
        ValueError: There is no word, or one holds more than letters and digits.
    """
    if not words or not all(re.fullmatch(r"\w+", w) for w in words):
        raise ValueError(f"no words to search for: {words!r}")
    wanted = " AND ".join(f"'{w}*'" if len(w) > 3 else f"'{w}'" for w in words)
    return (
        _PREFIXES
        + "SELECT DISTINCT ?celex ?title ?type ?date WHERE {\n"
        + "  ?expression cdm:expression_title ?title .\n"
        + f"  ?title bif:contains {literal(wanted)} .\n"
        + f"  ?expression cdm:expression_uses_language {_language(language)} ;\n"
        + "    cdm:expression_belongs_to_work ?work .\n"
        + "  ?work cdm:resource_legal_id_celex ?celex .\n"
        + '  FILTER(STRSTARTS(STR(?celex), "3"))\n'
        + _DESCRIPTION
        + f"}} LIMIT {int(limit) * 3}"
    )


def versions_query(celex_id: str) -> str:
    """Return the query for the consolidated versions of an act."""
    return (
        _PREFIXES
        + "SELECT DISTINCT ?celex WHERE {\n"
        + f"  ?act cdm:resource_legal_id_celex {literal(celex_id)}^^xsd:string .\n"
        + "  ?version cdm:act_consolidated_consolidates_resource_legal ?act ;\n"
        + "    cdm:resource_legal_id_celex ?celex .\n"
        + "} LIMIT 1000"
    )


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def literal(text: str) -> str:
    r"""Return a text as SPARQL string literal that it cannot end by itself (SPARQL 1.1, section 19.7).

    Example:
        >>> literal('32010L0075" . ?s ?p ?o')
        '"32010L0075\\" . ?s ?p ?o"'
    """
    kept = (c for c in text if c in _ESCAPES or (c.isprintable() and not 0xD800 <= ord(c) <= 0xDFFF))
    return '"' + "".join(_ESCAPES.get(c, c) for c in kept) + '"'


def _language(code: str) -> str:
    """Return the IRI of a language.

    Raises:
        ValueError: The code is not three capitals.
    """
    if not re.fullmatch(r"[A-Z]{3}", code):
        raise ValueError(f"{code!r} is no three-letter language code in capitals")
    return f"<{_LANGUAGE_URI}{code}>"


def _works(rows: Iterable[dict[str, _Term]], celex_id: str = "") -> Iterator[Work]:
    """Yield one work for each id; a work with several types or titles comes in several rows."""
    grouped: dict[str, list[dict[str, _Term]]] = {}
    for row in rows:
        name = row["celex"].value if "celex" in row else celex_id
        if name:
            grouped.setdefault(name, []).append(row)
    for name, own in grouped.items():
        types = [row["type"].value.rpartition("/")[2] for row in own if "type" in row]
        yield Work(
            celex=name,
            title=next((" ".join(row["title"].value.split()) for row in own if "title" in row), ""),
            type=next((act for t in types for start, act in _TYPES if t.startswith(start)), None),
            corrigendum=any("CORRIGENDUM" in t for t in types),
            date=next((row["date"].value[:10] for row in own if "date" in row), None),
        )
