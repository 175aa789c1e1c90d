"""Whatever the blocks are, the tree is a tree and holds them all."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from section_outline import UNIT

from regreact.answers import Answer, Place
from regreact.fastpath.markup import markup_structure
from regreact.fastpath.structure import parse_structure
from signatures.types import BlockView

TEXTS = (
    "1. The kiln is closed.",
    "1. Plan",
    "2.1. The plan contains:",
    "1.2 It is new",
    "3.",
    "(i) a lid;",
    "- a fan",
    "the clay, including:",
    "It is one of the following:",
    "the door;",
    "Heat losses are calculated using ISO 99999.",
    "Compliance with point 1(b)(ii) is verified by a third party.",
    "The value for doors referred to in point (c) is checked.",
    "For the purposes of this Section, it means a kiln.",
    "Audits may be combined.",
    "I. Criteria",
    "Audit",
    "",
    "—",
)
MARKERS = (None, "a", "b", "c", "i", "ii", "v", "-", "1", "2", "2.1", "(a)", "A", "é", "iiii")
PATHS = ("", "ol[1]", "ol[2]", "ol[1]/li[1]/ol[1]")


@st.composite
def sections(draw: st.DrawFn) -> list[BlockView]:
    count = draw(st.integers(0, 12))
    found = []
    for index in range(count):
        depth = draw(st.integers(0, 3))
        listed = depth > 0 and draw(st.booleans())
        found.append(
            BlockView(
                index=index,
                tag="li" if listed else "p",
                depth=depth,
                marker=draw(st.sampled_from(MARKERS)) if listed else None,
                text=draw(st.sampled_from(TEXTS) | st.text(max_size=30)),
                heading=draw(st.booleans()),
                list_path=draw(st.sampled_from(PATHS)) if depth else "",
            )
        )
    return found


def check_tree(blocks: list[BlockView], answers: list[Answer[Place]]) -> None:
    assert [a.id for a in answers] == [str(b.index) for b in blocks]
    places = {a.value.criterion_id: a.value.parent for a in answers if a.value.criterion_id}
    assert len(places) == sum(bool(a.value.criterion_id) for a in answers), "identifiers repeat"
    for criterion, parent in places.items():
        assert (parent == "") == (criterion == "ROOT")
        above, seen = parent, {criterion}
        while above not in ("", "ROOT"):
            assert above in places, f"{criterion} hangs on {above}, which does not exist"
            assert above not in seen, "a circle"
            seen.add(above)
            above = places[above]


@settings(max_examples=150, deadline=None)
@given(sections())
def test_any_blocks_make_a_tree(blocks: list[BlockView]) -> None:
    answers = parse_structure(UNIT, blocks)
    check_tree(blocks, answers)
    for block, answer in zip(blocks, answers, strict=True):
        assert bool(answer.value.criterion_id) == any(c.isalnum() for c in block.text)
        assert 0 <= answer.confidence <= 1
        for index, start, end in answer.evidence:
            assert 0 <= start < end <= len(blocks[index].text)


@settings(max_examples=50, deadline=None)
@given(sections())
def test_the_floor_makes_a_tree_of_any_blocks(blocks: list[BlockView]) -> None:
    check_tree(blocks, markup_structure(blocks))
