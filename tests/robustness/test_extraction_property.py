"""Whatever a section says: a tree that holds all its words, evidence that quotes it, the same each time."""

from __future__ import annotations

import json
from functools import cache

from drafting import Item, examples, sections, sentences, to_unit, words
from hypothesis import given
from hypothesis import strategies as st

from regreact.config import Settings
from regreact.program import RegReAct
from regreact.schema import Extraction
from regreact.sources.model import Unit


@cache
def program() -> RegReAct:
    return RegReAct(Settings())


def check(unit: Unit) -> Extraction:
    record = program()(unit=unit)
    nodes = list(record.criteria.walk())
    ids = [n.criterion_id for n in nodes]
    assert len(set(ids)) == len(ids), "an id repeats"
    spoken = [b for b in unit.blocks if any(c.isalnum() for c in b.text)]
    assert words(" ".join(n.verbatim_text for n in nodes)) == words(" ".join(b.text for b in spoken)), "words are lost"
    for fields in record.evidence.values():
        for spans in fields.values():
            for block, start, end in spans:
                assert 0 <= start < end <= len(unit.blocks[block].text), "evidence outside the text"
    assert set(record.evidence) <= set(ids) and set(record.provenance) <= set(ids)
    json.dumps(record.to_json(), allow_nan=False)
    return record


@examples(8, slow=True)
@given(sections(sentences()))
def test_a_drafted_section_is_extracted_whole(section: list[Item]) -> None:
    unit = to_unit(section)
    assert check(unit) == check(unit)


@examples(25, slow=True)
@given(sections(st.text(st.characters(exclude_categories=["Zs", "Zl", "Zp"]), min_size=1, max_size=40), depth=2))
def test_any_characters_are_extracted_whole(section: list[Item]) -> None:
    check(to_unit(section))
