"""Reader for EUR-Lex pages: acts of the Official Journal and consolidated acts in XHTML.

The page is turned back into the Formex elements it was printed from, and those are read like a Formex file, so
that both publications of a document give the same blocks and unit keys.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NoReturn

from lxml import etree

from regreact.errors import SourceFormatError
from regreact.sources.eurlex_cons import consolidated_to_formex, reference_of
from regreact.sources.eurlex_oj import (
    is_official_journal,
    language_of,
    official_journal_id,
    official_journal_to_formex,
)
from regreact.sources.formex import read_annexes
from regreact.sources.formex_context import plain_text
from regreact.sources.headings import HEADINGS, Headings
from regreact.sources.model import Document
from regreact.sources.page import challenge, parse_page


def read_xhtml(path: Path, data: bytes) -> Document:
    """Read an act from a EUR-Lex page.

    Args:
        path: Where the bytes come from, for messages; its stem is the document id of a page that states none.
        data: Content of the file.

    Returns:
        Units as the Formex of the document gives them: activities with `SC` and `DNSH.*`, appendices. Of an
        amending act, the sections of whole activities that it inserts.

    Raises:
        SourceFormatError: The page is cut off, is none of EUR-Lex, stands in for a document (a challenge to
            bots), is in a language whose headings are not known, or holds no technical screening criteria.
    """
    sha256 = hashlib.sha256(data).hexdigest()
    root = parse_page(path, data)
    try:
        return _read(path, root, sha256) or _refuse(path, data)
    except (etree.LxmlError, ValueError) as error:
        raise SourceFormatError(path, f"not readable as a EUR-Lex page: {error}", "download it again") from error


def _read(path: Path, root: etree._Element, sha256: str) -> Document | None:
    """Read a page of either kind, None if it is of none."""
    reference = reference_of(root)
    if reference is not None:
        words = _headings(path, reference.language)
        formex = _with_criteria(path, consolidated_to_formex(root, reference.document), words)
        return read_annexes(path, formex, reference.document, sha256, "xhtml-cons", words)
    if is_official_journal(root):
        words = _headings(path, language_of(root))
        formex = _with_criteria(path, official_journal_to_formex(root), words)
        document = official_journal_id(root) or path.name.split(".")[0]
        return read_annexes(path, formex, document, sha256, "xhtml-oj", words)
    return None


def _refuse(path: Path, data: bytes) -> NoReturn:
    raise challenge(path, data) or SourceFormatError(
        path, "a web page that is no act", "give the XHTML of an act as EUR-Lex publishes it"
    )


def _with_criteria(path: Path, formex: etree._Element, words: Headings) -> etree._Element:
    """Return the tree if it has a row above criteria: other acts have numbered sections with tables too."""
    texts = map(plain_text, formex.iter("CELL"))
    if any(words.substantial.match(text) or words.harm.match(text) for text in texts):
        return formex
    raise SourceFormatError(
        path,
        "the act holds no technical screening criteria",
        "give a delegated act under Regulation (EU) 2020/852",
    )


def _headings(path: Path, language: str) -> Headings:
    if language not in HEADINGS:
        known = ", ".join(HEADINGS)
        raise SourceFormatError(path, f"an act in the language {language}", f"give it in one of: {known}")
    return HEADINGS[language]
