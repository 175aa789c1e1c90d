"""Class names of EUR-Lex pages and what they mean, and the wording of headings that share a class."""

from __future__ import annotations

import re

from regreact.rag.convert.lines import Role

ROLES: dict[str, Role] = {
    "title-doc-first": "title",
    "title-doc-last": "title",
    "ti-art": "article",
    "title-article-norm": "article",
    "title-article-quoted": "article",
    "sti-art": "heading",
    "stitle-article-norm": "heading",
    "stitle-article-quoted": "heading",
    "ti-section-1": "division",
    "title-division-1": "division",
    "ti-section-2": "heading",
    "title-division-2": "heading",
    "title-annex-1": "annex",
    "title-annex-2": "heading",
    "ti-annotation": "heading",
    "note": "note",
    "footnote": "note",
    "tbl-note": "note",
    "signatory": "end",
}
HEADING = re.compile(r"(?:ti-grseq|title-gr-seq-level)-\d|quotation-ti")
# What the page prints around the act: running head, disclaimer, list of amending acts, table of contents.
FURNITURE = frozenset(
    "hd-date hd-lg hd-ti hd-oj hd-coll hd-uniq reference disclaimer hd-modifiers title-doc-oj-reference toc-item bglang"
    " bgtool langue".split()
)
HEAD_TABLE = FURNITURE | frozenset(
    "arrow hd-toc-1 hd-toc-2 hd-toc-3 toc-1 toc-2 title-fam-member title-fam-member-star".split()
)
OPEN = '[‘“«"]?'
# "ANNEX", "ANNEX IIa", "ANNEXE I", "ANNEX A": opens an annex where the class is that of any title.
ANNEX = re.compile(
    rf"(?P<label>{OPEN}(?:ANNEXE?S?|Annexe?)(?:\s+(?:[IVXLC]+[a-zA-Z]?|\d+[a-z]?|[A-Z])(?=\s|$|[:.–—-]))?)\b\s*(?P<rest>.*)"
)
# "Appendix 3", "APPENDIX A", "Appendice".
APPENDIX = re.compile(
    rf"(?P<label>{OPEN}(?:APPENDI(?:X|CE)|Appendi(?:x|ce))\b(?:\s+(?:[IVXLC]+|\d+[a-z]?|[A-Z])\b)?)\s*(?P<rest>.*)"
)
# "PART 3", "Section B — Title", "Chapter II", "Part A:", "Module D1: Title", "Step 3.1: Title": a heading that names a
# division of an annex.
DIVISION = re.compile(
    rf"(?P<label>{OPEN}(?:PART|Part|TITLE|Title|CHAPTER|Chapter|SECTION|Section)\s+(?:[IVXLC]+|\d+(?:\.\d+)*[a-zA-Z]?|[A-Z])"
    r"|(?:MODULE|Module)\s+[A-H]\d?(?=\s*[:.—–-]|$)|(?:STAGE|Stage|STEP|Step)\s+\d+(?:\.\d+)*(?=\s*[:.—–-]|$))"
    r"(?:(?P<stop>\s*[.:–—-]\s*)|\s+(?=[^a-z])|$)(?P<rest>.*)"
)
# "1. Title", "3.3.1. Title", "A. Title", "(a) Title": a number in front of a heading, set off by any space.
HEADING_NUMBER = re.compile(
    rf"({OPEN}(?:\d{{1,3}}[a-z]?\.|\d{{1,3}}(?:\.\d{{1,3}})+\.?|[A-Z]\.|[IVXLC]{{1,7}}\.|\([a-z0-9]{{1,4}}\)))\s+(?=\S)"
)
# "CHAPTER III", "Article 10a", "Article premier": the noun and its number.
NUMBERED = re.compile(r"(?P<label>\S+(?:\s+\S+)?)\s*(?P<rest>.*)", re.S)
RECITAL = re.compile(r"\(\d+[a-z]?\)")
PARAGRAPH = re.compile(r"\d+[a-z]*\.")
ALONE = re.compile(r"\s*(?P<label>\(\s*\*?\d+\s*\)|\*\d+)\s*(?P<rest>.*)", re.S)
