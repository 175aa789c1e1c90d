"""Plain text of acts, as collections of EUR-Lex texts hold it: a paragraph a line, or all run together."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator

from regreact.errors import SourceFormatError
from regreact.rag.act import LegalAct
from regreact.rag.convert import labels, outline
from regreact.rag.convert.lines import Line
from regreact.rag.convert.runon import split_paragraphs

_APART = re.compile(r"(?P<label>\S{1,12}?\)?\.?|[A-Z]|[-–—])[ \t\xa0]{2,}(?P<rest>\S.*)")
_NOTE = re.compile(r"\(\d+\)[ \t\xa0]{2,}\S")
_KINDS = r"(?:REGULATION|DIRECTIVE|DECISION|RECOMMENDATION)"
_TITLE = re.compile(rf"(?i)(?:(?:COUNCIL|COMMISSION|DELEGATED|IMPLEMENTING|FRAMEWORK)\s+)*{_KINDS}\b.*\d")
# What follows the title: the institution, else the citations or recitals.
_AFTER_TITLE = re.compile(
    r"THE (?:EUROPEAN|COUNCIL|COMMISSION|MEMBER STATES|HIGH)\b|Having regard|Whereas|Article 1\b|Official Journal L"
)
_CELEX = re.compile(r"\b3\d{4}[A-Z]\d{4}\b")


def read_text(data: bytes, *, name: str, celex: str = "", version: str = "", language: str = "en") -> LegalAct:
    """Read plain text, or a JSON object with the text under `reference` (and `celex_id`).

    Args:
        data: The document.
        name: File name, for messages.
        celex: CELEX id; "" takes it from the document.
        version: Date of a consolidated version.
        language: Two-letter code.

    Raises:
        SourceFormatError: No text in it, or not UTF-8.
    """
    text, named = _decode(data, name)
    act = outline.build(
        lines_of(text),
        celex=celex or named or _first_celex(text),
        version=version,
        language=language,
        format="text",
        sha256=hashlib.sha256(data).hexdigest(),
    )
    if not act.content:
        raise SourceFormatError(name, "no text in it", "plain text of an act is expected")
    return act


def lines_of(text: str) -> list[Line]:
    """Typed lines of plain text; nearly all have role "text", the outline decides the rest."""
    return list(_typed(paragraph for paragraph in split_paragraphs(text)))


def _typed(paragraphs: Iterator[str]) -> Iterator[Line]:
    place = "head"  # head, title, body, annexes
    for paragraph in paragraphs:
        folded = " ".join(paragraph.split())
        if not folded:
            continue
        if place == "head" and _TITLE.match(folded) and len(folded) < 1000:
            place = "title"
        elif place in ("head", "title") and _AFTER_TITLE.match(folded):
            place = "body"
        if folded.startswith("ANNEX"):
            place = "annexes"
        if place == "title":
            yield Line("title", folded)
        elif _NOTE.match(paragraph.strip()):
            # Notes to tables stay in their annex, but their numbers are not those of a list.
            yield Line("text", folded, quoted=True) if place == "annexes" else Line("note", folded)
        elif labels.readings(folded) and not folded.isalnum():
            yield Line("text", label=folded)
        elif (found := _APART.fullmatch(paragraph.strip())) and labels.readings(found["label"]):
            yield Line("text", " ".join(found["rest"].split()), found["label"])
        else:
            yield Line("text", folded)


def _decode(data: bytes, name: str) -> tuple[str, str]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceFormatError(name, f"not UTF-8 at byte {error.start}", "save it as UTF-8") from None
    if not text.lstrip().startswith("{"):
        return text, ""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceFormatError(name, f"malformed JSON: {error}") from None
    reference = record.get("reference")
    if not isinstance(reference, str):
        raise SourceFormatError(name, "JSON without the key `reference`", "the text of the act is expected there")
    return reference, str(record.get("celex_id") or "")


def _first_celex(text: str) -> str:
    found = _CELEX.search(text[:2000])
    return found[0] if found else ""
